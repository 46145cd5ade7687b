//! Passive forms of small random programs, run in all ways: incarnations are guessed where they are first
//! mentioned, and what happens in some execution is what happened before.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use interpret::{
    Ending, Enumerating, Execution, Inputs, Options, Outcome, Scope, Value, enumerate,
};
use ir::generate::{Shape, module};
use ir::{
    AssertKind, Block, Expr, ExprId, HavocReason, LocalId, Mode, Module, Place, PointId, Procedure,
    ProcedureId, Statement, StatementKind, TerminatorKind, Type, Variable,
};
use passes::graph::Graph;

const MAIN: ProcedureId = ProcedureId(0);

/// What happens in an execution: the points it passes, and how it ends.
type Happening = (Vec<PointId>, End);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum End {
    Normal,
    Exceptional,
    Intended,
    Cut,
    Failure(AssertKind, Option<PointId>),
}

fn shape(seed: u64) -> Shape {
    Shape {
        procedures: 1,
        blocks: 6,
        statements: 3,
        variables: 2,
        depth: 2,
        widths: vec![1],
        integers: false,
        sorts: false,
        maps: seed.is_multiple_of(4),
        records: seed.is_multiple_of(5),
        variants: false,
        exceptions: true,
        calls: false,
        specifications: seed.is_multiple_of(2),
        ghosts: true,
        listed: true,
        ..Shape::runnable()
    }
}

/// All that happens in executions from some inputs, if there are not too many.
fn happenings(module: &Module, inputs: &Inputs) -> Option<BTreeSet<Happening>> {
    let options = Options { steps: 1_000, trace: 0, coverage: true, ..Options::default() };
    let mut oracle = Enumerating::new(Scope::default());
    let (mut all, mut left) = (BTreeSet::new(), 3_000);
    enumerate(module, MAIN, inputs, &mut oracle, &options, |run, _| {
        left -= 1;
        all.extend(happening(module, run));
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (left > 0).then_some(all)
}

fn happening(module: &Module, run: &Execution) -> Option<Happening> {
    let end = match &run.outcome {
        Outcome::Blocked { .. } => return None,
        Outcome::Error { .. } | Outcome::OutOfSteps => panic!("{:?}", run.outcome),
        Outcome::Exit(Ending::Normal(_)) => End::Normal,
        Outcome::Exit(Ending::Exceptional(_)) => End::Exceptional,
        Outcome::Exit(Ending::Intended(_)) => End::Intended,
        Outcome::Exit(Ending::Cut(_)) => End::Cut,
        Outcome::Failed(failure) => End::Failure(failure.kind, failure.site.point(module)),
    };
    Some((run.passed.iter().map(|&(_, point)| point).collect(), end))
}

/// Whether values of a type are few.
fn few(ty: &Type) -> bool {
    match ty {
        Type::Bool => true,
        Type::Bv(width) => *width <= 1,
        Type::Map(keys, value) => keys.len() == 1 && few(&keys[0]) && few(value),
        _ => false,
    }
}

/// Lets an incarnation have any value before it is first mentioned, but for the inputs.
fn guessing(passive: &Procedure, is_input: impl Fn(&str) -> bool) -> Procedure {
    let mut guessing = passive.clone();
    let blocks = guessing.blocks.as_mut().expect("it has a body");
    let graph = Graph::new(blocks);
    let inputs: BTreeSet<LocalId> = (0..)
        .map(LocalId)
        .zip(&passive.locals)
        .filter(|(_, local)| is_input(&local.name))
        .map(|(id, _)| id)
        .collect();
    let mut known: Vec<BTreeSet<LocalId>> = vec![inputs.clone(); blocks.len()];
    for &id in graph.order() {
        // What one way here has guessed the others guess as well, each at its end.
        let predecessors = graph.predecessors(id);
        let mut here = inputs.clone();
        here.extend(predecessors.iter().flat_map(|predecessor| &known[predecessor.0 as usize]));
        for predecessor in predecessors {
            let block = &mut blocks[predecessor.0 as usize];
            let (span, point) = (block.terminator.span, block.terminator.point);
            guess(&mut block.statements, &here, &mut known[predecessor.0 as usize], span, point);
        }
        let block: &mut Block = &mut blocks[id.0 as usize];
        for statement in std::mem::take(&mut block.statements) {
            let mut wanted = BTreeSet::new();
            statement.kind.for_each_expr(&mut |&root| mentioned(passive, root, &mut wanted));
            guess(&mut block.statements, &wanted, &mut here, statement.span, statement.point);
            block.statements.push(statement);
        }
        let mut wanted = BTreeSet::new();
        let end = &block.terminator;
        end.kind.for_each_expr(&mut |&root| mentioned(passive, root, &mut wanted));
        guess(&mut block.statements, &wanted, &mut here, end.span, end.point);
        known[id.0 as usize] = here;
    }
    guessing
}

fn guess(
    statements: &mut Vec<Statement>,
    wanted: &BTreeSet<LocalId>,
    known: &mut BTreeSet<LocalId>,
    span: ir::Span,
    point: PointId,
) {
    for &local in wanted {
        if known.insert(local) {
            let place = Place { variable: Variable::Local(local), path: Vec::new() };
            let reason = HavocReason::Choice;
            let kind = StatementKind::Havoc { place, condition: None, reason };
            statements.push(Statement::synthetic(kind, span, point));
        }
    }
}

fn mentioned(procedure: &Procedure, root: ExprId, into: &mut BTreeSet<LocalId>) {
    let mut pending = vec![root];
    while let Some(id) = pending.pop() {
        let expr = procedure.exprs.get(id);
        if let Expr::Read(Variable::Local(local)) = expr {
            into.insert(*local);
        }
        pending.extend(expr.operands());
    }
}

/// All values of a type that has few.
fn values(ty: &Type) -> Vec<Value> {
    match ty {
        Type::Bool => [false, true].map(Value::Bool).into(),
        Type::Bv(width) => (0..1 << width).map(|word| Value::bv(*width, word)).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn a_passive_form_has_the_same_runs() {
    let (mut compared, mut kinds) = (0, BTreeSet::new());
    for seed in 0..1_500u64 {
        let mut module = module(seed, &shape(seed));
        // What is unsupported ends an execution that the passive form goes on with.
        let blocks = module.procedures[0].blocks.iter_mut().flatten();
        blocks.for_each(|block| {
            block.statements.retain(|s| !matches!(s.kind, StatementKind::Unsupported { .. }));
        });
        if !seed.is_multiple_of(3) {
            module.invariants.clear();
            module.procedures[0].contract.requires.clear();
        }
        let original = module.procedure(MAIN);
        if original.blocks.is_none() {
            continue;
        }
        let passive = passes::passify(&module, &passes::spell_out(&module, original));
        assert!(is_passive(&passive));
        let given: Vec<(String, Type, Option<usize>)> = original
            .locals_with(Mode::Parameter)
            .map(|id| {
                (format!("{}#0", original.local(id).name), original.local(id).ty.clone(), None)
            })
            .chain(module.globals.iter().enumerate().map(|(index, global)| {
                let is_hidden = original.locals.iter().any(|local| local.name == global.name);
                let hidden = if is_hidden { "::" } else { "" };
                (format!("{hidden}{}#0", global.name), global.ty.clone(), Some(index))
            }))
            .collect();
        let is_input = |name: &str| given.iter().any(|(input, ..)| input == name);
        let alone = Module {
            globals: Vec::new(),
            invariants: Vec::new(),
            procedures: vec![guessing(&passive, is_input)],
            ..module.clone()
        };
        ir::debug_validate(&alone);
        if !passive.locals.iter().all(|local| few(&local.ty)) {
            continue;
        }
        // All inputs of word type; others have their default.
        let mut choices: Vec<Vec<Value>> = vec![Vec::new()];
        for (_, ty, _) in &given {
            let mut possible = values(ty);
            if possible.is_empty() {
                possible.push(Value::default_of(ty, &module));
            }
            let more = |so_far: &Vec<Value>| -> Vec<Vec<Value>> {
                possible.iter().map(|v| [so_far.clone(), vec![v.clone()]].concat()).collect()
            };
            choices = choices.iter().flat_map(more).collect();
        }
        for choice in choices {
            let of = |name: &str| {
                let position = given.iter().position(|(input, ..)| input == name);
                position.map(|position| choice[position].clone())
            };
            let before = given.iter().zip(&choice).filter(|((.., global), _)| global.is_none());
            let mut inputs = Inputs::new(before.map(|(_, v)| v.clone()).collect::<Vec<_>>());
            for ((.., global), value) in given.iter().zip(&choice) {
                if let Some(index) = global {
                    inputs = inputs.with(ir::GlobalId(*index as u32), value.clone());
                }
            }
            let passive_inputs = Inputs::new(
                passive
                    .locals
                    .iter()
                    .map(|local| of(&local.name).unwrap_or(Value::default_of(&local.ty, &module)))
                    .collect::<Vec<_>>(),
            );
            let (Some(before), Some(after)) =
                (happenings(&module, &inputs), happenings(&alone, &passive_inputs))
            else {
                continue;
            };
            compared += before.len();
            kinds.extend(before.iter().map(|(_, end)| match end {
                End::Failure(kind, _) => End::Failure(*kind, None),
                end => end.clone(),
            }));
            assert_eq!(
                before,
                after,
                "seed {seed} {choice:?}\n{}\n{}",
                ir::print(&module),
                ir::print(&alone)
            );
        }
    }
    assert!(compared > 3_000, "{compared}");
    for kind in [End::Normal, End::Exceptional, End::Failure(AssertKind::Postcondition, None)] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
    println!("{compared} happenings compared: {kinds:?}");
}

/// Whether there are only assumptions, assertions, jumps and exits.
fn is_passive(procedure: &Procedure) -> bool {
    procedure.blocks.iter().flatten().all(|block| {
        let is_jump = !matches!(block.terminator.kind, TerminatorKind::Branch(..));
        let mut statements = block.statements.iter();
        let are_passive = statements.all(|statement| {
            matches!(statement.kind, StatementKind::Assume { .. } | StatementKind::Assert { .. })
        });
        is_jump && are_passive
    })
}

/// A switch whose cases each change a variable of their own.
#[test]
fn paths_meet_in_few_assumptions() {
    use std::fmt::Write as _;
    let size = |cases: usize| {
        let labels: Vec<String> = (0..cases).map(|case| format!("c{case}")).collect();
        let mut source = String::from("proc main()\n{\n");
        for case in 0..cases {
            let _ = writeln!(source, "var x{case}: bool;");
        }
        let _ = writeln!(source, "  goto {};", labels.join(", "));
        for case in 0..cases {
            let _ = writeln!(source, "c{case}:\n  x{case} := true;\n  goto end;");
        }
        source.push_str("end:\n");
        for case in 0..cases {
            let _ = writeln!(source, "  assert x{case};");
        }
        source.push_str("  exit;\n}\n");
        let (module, diagnostics) = ir::parse("switch", &source);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let passive = passes::passify(&module, module.procedure(MAIN));
        passive.blocks.iter().flatten().map(|block| block.statements.len()).sum::<usize>()
    };
    assert!(size(1_000) < 20 * size(100), "{} {}", size(1_000), size(100));
}

#[test]
fn what_is_stored_in_parts_and_in_memory_is_written_out() {
    let source = "record Pair { left: bv8, inner: [bool]bv8 }
        var mem: bytes;
        proc main(r: Pair, p: ptr, b: bool) returns (s: bv8)
          ensures s == 1bv8 && b;
        {
            r.inner[b] := 5bv8;
            branch b ? yes : no;
          yes:
            mem{p as bv8} := 7bv8;
            havoc r.left where r.left != 0bv8;
            b := false;
            goto both;
          no:
            free p;
            goto both;
          both:
            assert live(p);
            s := mem{p as bv8};
            exit;
        }";
    let (module, diagnostics) = ir::parse("parts", source);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let passive = passes::passify(&module, &passes::spell_out(&module, module.procedure(MAIN)));
    let alone = Module { procedures: vec![passive], ..module };
    let text = ir::print_brief(&alone);
    for line in [
        "assume `r#1` == `r#0` with { inner: `r#0`.inner[`b#0` := 5bv8] };",
        "assume `r#2` == `r#1` with { left: `any#0` };",
        "assume `r#2`.left != 0bv8;",
        "assume `live#1` == `live#0`;",
        "assert `live#1`[`p#0`];",
        "assume `s#1` == (if `taken#0` then `mem#0`{`p#0` as bv8 := 7bv8} else `mem#0`){`p#0` as bv8};",
        "assert postcondition `s#1` == 1bv8 && `b#0`;",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains("`r#2` == `r#1`;"), "r is not read after the paths meet\n{text}");
}

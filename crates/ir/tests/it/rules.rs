//! The validator finds a breach of each rule, and does not panic at nonsense.

use ir::generate::{Shape, module};
use ir::{
    Binder, BlockId, Callee, Content, Expr, ExprId, Function, FunctionId, GlobalId, LocalId, Mode,
    Module, Object, Op, Origin, Place, PointId, Procedure, ProcedureId, Projection, Quantifier,
    Rule, SortId, Span, Statement, StatementKind, TerminatorKind, Type, Variable, validate,
};

use crate::check::read;

const BASE: &str = "\
sort Ref; record Pair { left: int, right: bool } variant Option { None, Some(int) }
const c: int; function f(x: int): int = x + 1; function g(x: int): bool = (some y: int :: y == x);
var next: [Ref]Ref; var mem: bytes; var count: int; ghost var seen: [Ref]bool; var pair: Pair;
axiom f(c) == c;
invariant count >= 0;
proc p(r: Ref, n: int) returns (s: Ref)
  requires n > 0; ensures s == r; modifies next[r], count; decreases n;
{
  var i: int; var q: ptr; var thrown: bool; ghost var k: int;
    i := n;
    next[r], pair.left := s, i + 1;
    mem{q as bv8} := 1bv8;
    havoc i where i > 0;
    k := k + 1;
    assert (all x: Ref :: seen[x] ==> next[x] != x);
    q := alloc 8bv64 heap;
    s := call p(r, i) catch thrown, i;
    s := call i { 1: p, 2: other } (r, i);
    goto head;
  head:
    invariant i >= old(n); decreases i;
    branch i == 0 ? head : last;
  last:
    exit exceptional i;
}
proc other(r: Ref, n: int) returns (s: Ref);
";

/// The rule that is broken first after a change of the base module.
fn broken(change: impl FnOnce(&mut Module)) -> Rule {
    let mut module = read(BASE);
    change(&mut module);
    let violations = validate(&module);
    violations.first().expect("the change breaks a rule").rule
}

/// The same for a change of the procedure `p`.
fn broken_in_p(change: impl FnOnce(&mut Procedure)) -> Rule {
    broken(|module| change(&mut module.procedures[0]))
}

fn kind(procedure: &mut Procedure, index: usize) -> &mut StatementKind {
    let blocks = procedure.blocks.as_mut().expect("p has a body");
    &mut blocks[0].statements[index].kind
}

fn terminator(procedure: &mut Procedure, index: usize) -> &mut TerminatorKind {
    let blocks = procedure.blocks.as_mut().expect("p has a body");
    &mut blocks[index].terminator.kind
}

fn int(procedure: &mut Procedure, value: i32) -> ExprId {
    procedure.exprs.push(Expr::Int(value.into()), Type::Int)
}

fn truth(procedure: &mut Procedure) -> ExprId {
    procedure.exprs.push(Expr::Bool(true), Type::Bool)
}

fn read_local(procedure: &mut Procedure, name: &str) -> ExprId {
    let index = procedure.locals.iter().position(|local| local.name == name);
    let index = index.expect("p has this variable");
    let ty = procedure.locals[index].ty.clone();
    procedure.exprs.push(Expr::Read(Variable::Local(LocalId(index as u32))), ty)
}

fn assign(procedure: &mut Procedure, value: ExprId) {
    let StatementKind::Assign(pairs) = kind(procedure, 0) else { panic!("p begins otherwise") };
    pairs[0].1 = value;
}

#[test]
fn the_base_is_valid() {
    ir::debug_validate(&read(BASE));
}

#[test]
fn names() {
    assert_eq!(broken(|m| m.sorts.push("Pair".to_owned())), Rule::Names);
    assert_eq!(broken(|m| m.globals[0].name = "f".to_owned()), Rule::Names);
    assert_eq!(broken(|m| m.procedures[1].name = "p".to_owned()), Rule::Names);
    assert_eq!(broken(|m| m.records[0].fields[0].0 = "right".to_owned()), Rule::Names);
    assert_eq!(broken(|m| m.variants[0].constructors[0].0 = "Some".to_owned()), Rule::Names);
    assert_eq!(broken_in_p(|p| p.locals[1].name = "r".to_owned()), Rule::Names);
    let relabel = |p: &mut Procedure| {
        p.blocks.as_mut().expect("p has a body")[1].label = "last".to_owned();
    };
    assert_eq!(broken_in_p(relabel), Rule::Names);
}

#[test]
fn types() {
    assert_eq!(broken(|m| m.globals[2].ty = Type::Bv(0)), Rule::Types);
    assert_eq!(broken(|m| m.globals[2].ty = Type::Bv(Type::MAX_WIDTH + 1)), Rule::Types);
    assert_eq!(broken(|m| m.globals[2].ty = Type::Sort(SortId(9))), Rule::Types);
    assert_eq!(broken(|m| m.globals[2].ty = Type::Map(vec![], Box::new(Type::Int))), Rule::Types);
    assert_eq!(broken(|m| m.globals[2].ty = Type::Seq(Box::new(Type::Bytes))), Rule::Types);
    assert_eq!(broken(|m| m.functions[0].result = Type::Bytes), Rule::Types);
    assert_eq!(broken(|m| m.variants[0].constructors.clear()), Rule::Types);
    let recursive = |m: &mut Module| {
        m.records[0].fields[0].1 = Type::Seq(Box::new(Type::Variant(ir::VariantId(0))));
        m.variants[0].constructors[0].1 = vec![Type::Record(ir::RecordId(0))];
    };
    assert_eq!(broken(recursive), Rule::Types);
    let deep = |m: &mut Module| {
        for _ in 0..Type::MAX_DEPTH {
            m.globals[2].ty = Type::Seq(Box::new(m.globals[2].ty.clone()));
        }
    };
    assert_eq!(broken(deep), Rule::Types);
}

#[test]
fn sources() {
    let nowhere = Span { file: ir::FileId(7), start: 0, end: 0 };
    assert_eq!(broken(|m| m.globals[0].span = nowhere), Rule::Sources);
    assert_eq!(broken(|m| m.axioms[0].span.end = 0), Rule::Sources);
    assert_eq!(broken_in_p(|p| p.points = 3), Rule::Sources);
    assert_eq!(broken_in_p(|p| p.contract.requires[0].span = nowhere), Rule::Sources);
    let change = |change: fn(&mut Statement)| {
        move |p: &mut Procedure| change(&mut p.blocks.as_mut().expect("a body")[0].statements[0])
    };
    assert_eq!(broken_in_p(change(|s| s.origin = Origin::Inlined(PointId(99)))), Rule::Sources);
    let in_macro = change(|s| s.origin = Origin::Macro(Span { start: 9, end: 8, ..s.span }));
    assert_eq!(broken_in_p(in_macro), Rule::Sources);
}

#[test]
fn arena() {
    assert_eq!(broken(|m| m.axioms[0].condition = ExprId(1000)), Rule::Arena);
    let younger = |p: &mut Procedure| {
        let next = ExprId(p.exprs.len() as u32 + 1);
        p.exprs.push(Expr::Op(Op::Not, vec![next]), Type::Bool);
    };
    assert_eq!(broken_in_p(younger), Rule::Arena);
    for wrong in [
        Expr::Read(Variable::Global(GlobalId(99))),
        Expr::Read(Variable::Local(LocalId(99))),
        Expr::Apply(FunctionId(99), vec![]),
        Expr::Bound(Binder(99)),
        Expr::Null(Type::Sort(SortId(99))),
    ] {
        let push = |p: &mut Procedure| {
            p.exprs.push(wrong, Type::Int);
        };
        assert_eq!(broken_in_p(push), Rule::Arena);
    }
}

#[test]
fn typing() {
    for (wrong, ty) in [
        (Expr::Bool(true), Type::Int),
        (Expr::Bv(8, 256.into()), Type::Bv(8)),
        (Expr::Bv(8, (-1).into()), Type::Bv(8)),
        (Expr::Null(Type::Int), Type::Int),
        (Expr::Apply(FunctionId(1), vec![]), Type::Int),
        (Expr::Op(Op::Record(ir::RecordId(5)), vec![]), Type::Int),
        (Expr::Op(Op::And, vec![]), Type::Bool),
    ] {
        let push = |p: &mut Procedure| {
            p.exprs.push(wrong, ty);
        };
        assert_eq!(broken_in_p(push), Rule::Typing);
    }
}

#[test]
fn binding() {
    // The variable that is bound in the assertion, used outside it.
    let escape = |p: &mut Procedure| {
        let bound = p.exprs.push(Expr::Bound(Binder(0)), Type::Sort(SortId(0)));
        let same = p.exprs.push(Expr::Op(Op::Eq, vec![bound, bound]), Type::Bool);
        p.contract.requires[0].condition = same;
    };
    assert_eq!(broken_in_p(escape), Rule::Binding);
    let twice = |p: &mut Procedure| {
        let body = truth(p);
        let quantified = Expr::Quantified(Quantifier::All, vec![Binder(0)], body);
        p.contract.requires[0].condition = p.exprs.push(quantified, Type::Bool);
    };
    assert_eq!(broken_in_p(twice), Rule::Binding);
    assert_eq!(broken(|m| m.functions[1].parameters[0].0 = "z".to_owned()), Rule::Binding);
    // A shared expression that is below the binder on one way from the root only.
    let shared = |p: &mut Procedure| {
        let binder = p.exprs.bind("y", Type::Bool);
        let bound = p.exprs.push(Expr::Bound(binder), Type::Bool);
        let not = p.exprs.push(Expr::Op(Op::Not, vec![bound]), Type::Bool);
        let all = Expr::Quantified(Quantifier::All, vec![binder], not);
        let all = p.exprs.push(all, Type::Bool);
        let both = p.exprs.push(Expr::Op(Op::And, vec![all, not]), Type::Bool);
        p.contract.requires[0].condition = both;
    };
    assert_eq!(broken_in_p(shared), Rule::Binding);
}

#[test]
fn recursion() {
    let recursive = |m: &mut Module| {
        let (exprs, root) = m.functions[1].definition.as_mut().expect("f is defined");
        *root = exprs.push(Expr::Apply(FunctionId(1), vec![*root]), Type::Int);
    };
    assert_eq!(broken(recursive), Rule::Recursion);
}

#[test]
fn objects() {
    let object = |address: u32, size: u64, contents| Object {
        address: FunctionId(address),
        size,
        constant: false,
        contents,
    };
    let address = |module: &mut Module| {
        let span = module.functions[0].span;
        module.functions.push(Function {
            name: "o".to_owned(),
            parameters: Vec::new(),
            result: Type::Ptr,
            definition: None,
            span,
        });
        module.functions.len() as u32 - 1
    };
    let broken_by = |change: &dyn Fn(u32) -> Vec<Object>| {
        broken(|module| {
            let o = address(module);
            module.objects = change(o);
        })
    };
    assert_eq!(broken_by(&|_| vec![object(99, 8, None)]), Rule::Objects);
    assert_eq!(broken_by(&|_| vec![object(0, 8, None)]), Rule::Objects);
    assert_eq!(broken_by(&|o| vec![object(o, 8, None), object(o, 8, None)]), Rule::Objects);
    let bytes = |offset| (offset, Content::Bytes(vec![0; 4]));
    assert_eq!(broken_by(&|o| vec![object(o, 8, Some(vec![bytes(5)]))]), Rule::Objects);
    assert_eq!(broken_by(&|o| vec![object(o, 8, Some(vec![bytes(2), bytes(4)]))]), Rule::Objects);
    let elsewhere = vec![(0, Content::Address(FunctionId(0), 0))];
    assert_eq!(broken_by(&|o| vec![object(o, 8, Some(elsewhere.clone()))]), Rule::Objects);
}

#[test]
fn state() {
    let reads = |m: &mut Module| {
        let exprs = &mut m.axioms[0].exprs;
        let count = exprs.push(Expr::Read(Variable::Global(GlobalId(2))), Type::Int);
        m.axioms[0].condition = exprs.push(Expr::Op(Op::Eq, vec![count, count]), Type::Bool);
    };
    assert_eq!(broken(reads), Rule::State);
    for name in ["s", "i"] {
        let in_precondition = |p: &mut Procedure| {
            let value = read_local(p, name);
            p.contract.requires[0].condition =
                p.exprs.push(Expr::Op(Op::Eq, vec![value, value]), Type::Bool);
        };
        assert_eq!(broken_in_p(in_precondition), Rule::State);
    }
    assert_eq!(broken_in_p(|p| p.contract.ensures[0].exceptional = true), Rule::State);
    let old_local = |p: &mut Procedure| {
        let local = read_local(p, "i");
        p.exprs.push(Expr::Old(local), Type::Int);
    };
    assert_eq!(broken_in_p(old_local), Rule::State);
    let old_in_precondition = |p: &mut Procedure| {
        let condition = p.contract.requires[0].condition;
        p.contract.requires[0].condition = p.exprs.push(Expr::Old(condition), Type::Bool);
    };
    assert_eq!(broken_in_p(old_in_precondition), Rule::State);
}

#[test]
fn specification() {
    let in_branch = |p: &mut Procedure| {
        let binder = p.exprs.bind("x", Type::Int);
        let body = truth(p);
        let all = Expr::Quantified(Quantifier::All, vec![binder], body);
        let all = p.exprs.push(all, Type::Bool);
        let TerminatorKind::Branch(condition, _, _) = terminator(p, 1) else { panic!("no branch") };
        *condition = all;
    };
    assert_eq!(broken_in_p(in_branch), Rule::Specification);
    let in_assignment = |p: &mut Procedure| {
        let next = Type::Map(vec![Type::Sort(SortId(0))], Box::new(Type::Bool));
        let seen = p.exprs.push(Expr::Read(Variable::Global(GlobalId(3))), next);
        let count = p.exprs.push(Expr::Op(Op::Cardinality, vec![seen]), Type::Int);
        assign(p, count);
    };
    let mut violations = {
        let mut module = read(BASE);
        in_assignment(&mut module.procedures[0]);
        validate(&module).into_iter().map(|violation| violation.rule).collect::<Vec<_>>()
    };
    violations.sort();
    assert_eq!(violations, [Rule::Specification, Rule::Ghost]);
    let by_function = |p: &mut Procedure| {
        let one = int(p, 1);
        let applied = p.exprs.push(Expr::Apply(FunctionId(2), vec![one]), Type::Bool);
        let choice = Expr::Op(Op::Ite, vec![applied, one, one]);
        let choice = p.exprs.push(choice, Type::Int);
        assign(p, choice);
    };
    assert_eq!(broken_in_p(by_function), Rule::Specification);
}

#[test]
fn ghost() {
    let assigned = |p: &mut Procedure| {
        let ghost = read_local(p, "k");
        assign(p, ghost);
    };
    assert_eq!(broken_in_p(assigned), Rule::Ghost);
    let havocked = |p: &mut Procedure| {
        let ghost = read_local(p, "k");
        let same = p.exprs.push(Expr::Op(Op::Eq, vec![ghost, ghost]), Type::Bool);
        let StatementKind::Havoc { condition, .. } = kind(p, 3) else { panic!("no havoc") };
        *condition = Some(same);
    };
    assert_eq!(broken_in_p(havocked), Rule::Ghost);
}

#[test]
fn places() {
    let place = |change: fn(&mut Place)| {
        move |p: &mut Procedure| {
            let StatementKind::Assign(pairs) = kind(p, 1) else { panic!("no assignment") };
            change(&mut pairs[0].0);
        }
    };
    let no_variable = place(|p| p.variable = Variable::Local(LocalId(99)));
    assert_eq!(broken_in_p(no_variable), Rule::Places);
    let no_record = place(|p| p.path[0] = Projection::Field(ir::RecordId(0), 0));
    assert_eq!(broken_in_p(no_record), Rule::Places);
    assert_eq!(broken_in_p(place(|p| p.path[0] = Projection::Index(vec![]))), Rule::Places);
    let unviewable = |p: &mut Procedure| {
        let StatementKind::Assign(pairs) = kind(p, 2) else { panic!("no assignment") };
        let Projection::View { ty, .. } = &mut pairs[0].0.path[0] else { panic!("no view") };
        *ty = Type::Bool;
    };
    assert_eq!(broken_in_p(unviewable), Rule::Places);
    let modifies_local = |p: &mut Procedure| {
        p.contract.modifies.as_mut().expect("p modifies")[1].variable = Variable::Local(LocalId(0));
    };
    assert_eq!(broken_in_p(modifies_local), Rule::Places);
}

#[test]
fn statements() {
    let other_type = |p: &mut Procedure| {
        let value = truth(p);
        assign(p, value);
    };
    assert_eq!(broken_in_p(other_type), Rule::Statements);
    assert_eq!(broken_in_p(|p| *kind(p, 0) = StatementKind::Assign(vec![])), Rule::Statements);
    let no_condition = |p: &mut Procedure| {
        let value = int(p, 0);
        p.contract.requires[0].condition = value;
    };
    assert_eq!(broken_in_p(no_condition), Rule::Statements);
    let no_pointer = |p: &mut Procedure| {
        let value = int(p, 0);
        *kind(p, 0) = StatementKind::Free(value);
    };
    assert_eq!(broken_in_p(no_pointer), Rule::Statements);
    let no_measure = |p: &mut Procedure| p.contract.decreases = Some(truth(p));
    assert_eq!(broken_in_p(no_measure), Rule::Statements);
    let no_sort = |p: &mut Procedure| {
        let StatementKind::Allocate { allocation, .. } = kind(p, 6) else {
            panic!("no allocation")
        };
        *allocation = ir::Allocation::Atom(SortId(0));
    };
    assert_eq!(broken_in_p(no_sort), Rule::Statements);
}

#[test]
fn calls() {
    let call = |index: usize, change: fn(&mut Vec<Place>, &mut Callee, &mut Vec<ExprId>)| {
        move |p: &mut Procedure| {
            let StatementKind::Call { results, callee, arguments, .. } = kind(p, index) else {
                panic!("no call")
            };
            change(results, callee, arguments);
        }
    };
    assert_eq!(broken_in_p(call(7, |_, _, arguments| arguments.truncate(1))), Rule::Calls);
    assert_eq!(broken_in_p(call(7, |_, _, arguments| arguments.swap(0, 1))), Rule::Calls);
    assert_eq!(broken_in_p(call(7, |results, _, _| results.clear())), Rule::Calls);
    let missing = call(7, |_, callee, _| *callee = Callee::Procedure(ProcedureId(9)));
    assert_eq!(broken_in_p(missing), Rule::Calls);
    let table = |change: fn(&mut Vec<(ExprId, ProcedureId)>)| {
        move |p: &mut Procedure| {
            let StatementKind::Call { callee: Callee::Choice(_, table), .. } = kind(p, 8) else {
                panic!("no indirect call")
            };
            change(table);
        }
    };
    assert_eq!(broken_in_p(table(Vec::clear)), Rule::Calls);
    assert_eq!(broken_in_p(table(|table| table[1].0 = table[0].0)), Rule::Calls);
    let no_constant = |p: &mut Procedure| {
        let value = read_local(p, "i");
        let StatementKind::Call { callee: Callee::Choice(_, table), .. } = kind(p, 8) else {
            panic!("no indirect call")
        };
        table[0].0 = value;
    };
    assert_eq!(broken_in_p(no_constant), Rule::Calls);
    assert_eq!(broken(|m| m.procedures[1].locals[1].ty = Type::Bool), Rule::Calls);
    let no_note = |p: &mut Procedure| {
        let StatementKind::Call { caught: Some((thrown, _)), .. } = kind(p, 7) else {
            panic!("nothing is caught")
        };
        thrown.variable = Variable::Local(LocalId(1));
    };
    assert_eq!(broken_in_p(no_note), Rule::Calls);
}

#[test]
fn exceptions() {
    let other = |p: &mut Procedure| {
        let value = truth(p);
        *terminator(p, 2) = TerminatorKind::Exit(ir::Exit::Exceptional(Some(value)));
    };
    assert_eq!(broken_in_p(other), Rule::Exceptions);
}

#[test]
fn blocks() {
    assert_eq!(broken_in_p(|p| *terminator(p, 0) = TerminatorKind::Goto(vec![])), Rule::Blocks);
    let to = |target: u32| {
        move |p: &mut Procedure| *terminator(p, 2) = TerminatorKind::Goto(vec![BlockId(target)])
    };
    assert_eq!(broken_in_p(to(3)), Rule::Blocks);
    assert_eq!(broken_in_p(to(0)), Rule::Blocks);
    assert_eq!(broken_in_p(|p| p.blocks = Some(vec![])), Rule::Blocks);
}

#[test]
fn variables() {
    let swap = |p: &mut Procedure| {
        p.locals[3].mode = Mode::Parameter;
    };
    assert_eq!(broken_in_p(swap), Rule::Variables);
    assert_eq!(broken_in_p(|p| p.blocks = None), Rule::Variables);
}

/// Numbers changed at random, which is what a wrong pass does, are found or harmless.
#[test]
fn nonsense_is_no_reason_to_panic() {
    let mut rng = fastrand::Rng::with_seed(4);
    for seed in 0..500 {
        let mut module = module(seed, &Shape::everything());
        let globals = module.globals.len() as u32;
        for procedure in &mut module.procedures {
            let count = procedure.exprs.len() as u32 + 2;
            procedure.for_each_expr_mut(&mut |id| {
                if rng.u8(..) < 20 {
                    *id = ExprId(rng.u32(..count));
                }
            });
            for block in procedure.blocks.iter_mut().flatten() {
                for statement in &mut block.statements {
                    if let StatementKind::Assign(pairs) = &mut statement.kind
                        && rng.bool()
                    {
                        pairs[0].0.variable = Variable::Global(GlobalId(rng.u32(..globals + 1)));
                    }
                }
                if rng.u8(..) < 20 {
                    block.terminator.kind = TerminatorKind::Goto(vec![BlockId(rng.u32(..9))]);
                }
            }
        }
        if rng.bool() {
            module.records.clear();
        }
        if rng.bool() {
            module.functions.pop();
        }
        validate(&module);
    }
}

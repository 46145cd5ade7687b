//! Random programs run before and after each pass, from the same inputs and with the same answers:
//! they end in the same way, unless the transformed one is cut.

use std::rc::Rc;

use interpret::{Ending, EvalError, Options, Outcome, run};
use ir::{AssertKind, CutReason, Module, Procedure, ProcedureId, StatementKind};
use passes::graph::Graph;
use passes::{
    CallFallback, ContractCall, Effects, Inlining, Limitation, Limits, Prepared, Unrolling,
};

use crate::program::program;
use crate::tape::{Drawing, Playing, inputs};

fn options() -> Options {
    Options { steps: 400, trace: 0, facts: true, ..Options::default() }
}

#[derive(Default, Debug)]
struct Count {
    same: u32,
    /// Those of the same that exit or fail after a while.
    long: u32,
    cut: u32,
    /// The original meets something undefined or undecided, or does not end.
    none: u32,
}

/// What a pass does to calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Calls {
    Kept,
    /// Those that have a body are followed.
    Inlined,
    ByContract,
}

/// What a pass gives.
struct Made {
    procedure: Procedure,
    notes: Vec<Limitation>,
}

/// Compares all procedures of a module with what a pass makes of them.
fn compare(
    seed: u64,
    module: &Module,
    calls: Calls,
    count: &mut Count,
    pass: impl Fn(&Module, &Effects, ProcedureId) -> Option<Made>,
) {
    let effects = Effects::of(module);
    for id in (0..module.procedures.len() as u32).map(ProcedureId) {
        let original = module.procedure(id);
        if original.blocks.is_none() {
            continue;
        }
        let Some(Made { procedure, notes }) = pass(module, &effects, id) else { continue };
        let mut transformed = module.clone();
        transformed.procedures[id.0 as usize] = procedure;
        ir::debug_validate(&transformed);
        for round in 0..4 {
            let mut random = fastrand::Rng::with_seed(seed * 16 + round);
            let inputs = inputs(&mut random, module, original);
            let tape = Default::default();
            let follow = calls != Calls::ByContract;
            let by_contract = calls != Calls::Kept;
            let mut drawing = Drawing { random, tape, effects: &effects, follow, by_contract };
            let before = run(module, id, &inputs, &mut drawing, &options());
            let mut playing = Playing { tape: drawing.tape };
            let after = run(&transformed, id, &inputs, &mut playing, &options());
            let context = || {
                format!(
                    "seed {seed} round {round} {}: {:?} {:?} became {:?} {:?}\n{}\n{}",
                    original.name,
                    before.outcome,
                    before.globals,
                    after.outcome,
                    after.globals,
                    ir::print_brief(module),
                    ir::print_brief(&transformed),
                )
            };
            let same = match (&before.outcome, &after.outcome) {
                _ if before.outcome.is_infeasible() => {
                    after.outcome.is_infeasible() || is_cut(&after.outcome)
                }
                (Outcome::Error { .. } | Outcome::OutOfSteps, _) => {
                    count.none += 1;
                    continue;
                }
                _ if !before.unchecked_clauses.is_empty() => {
                    count.none += 1;
                    continue;
                }
                (_, after) if is_cut(after) && before.outcome != *after => {
                    count.cut += 1;
                    continue;
                }
                // A callee that was run before and has become a contract.
                (
                    _,
                    Outcome::Error {
                        fault: EvalError::NoDecision(_) | EvalError::BadDecision(_),
                        ..
                    },
                ) if calls == Calls::Inlined && !notes.is_empty() => {
                    count.cut += 1;
                    continue;
                }
                (Outcome::Failed(a), Outcome::Failed(b)) => {
                    let reworded = matches!(
                        a.kind,
                        AssertKind::Precondition | AssertKind::LoopInvariant | AssertKind::Progress
                    );
                    a.kind == b.kind && (a.message == b.message || reworded)
                }
                (a, b) => a == b && before.globals == after.globals,
            };
            assert!(same, "{}", context());
            count.same += 1;
            count.long += u32::from(before.steps > 20 && !before.outcome.is_infeasible());
        }
    }
}

fn is_cut(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Exit(Ending::Cut(CutReason::Unrolling(_) | CutReason::Inlining(_))))
}

#[test]
fn splitting_and_unrolling_keep_runs() {
    let mut count = Count::default();
    for seed in 0..1_000 {
        let module = program(seed, seed % 3 > 0);
        compare(seed, &module, Calls::Kept, &mut count, |module, _, id| {
            let (split, notes) = passes::split(module.procedure(id), 1_000);
            assert!(notes.is_empty());
            let unrolling = Unrolling { iterations: seed as u32 % 3, size: 2_000, facts: true };
            let (procedure, notes) = passes::unroll(&split, &unrolling);
            Some(Made { procedure, notes })
        });
    }
    assert!(count.same > 4_000 && count.long > 50, "{count:?}");
}

#[test]
fn calls_by_contract_do_what_the_oracle_says() {
    let mut count = Count::default();
    for seed in 0..1_000 {
        let module = program(seed, seed % 3 > 0);
        compare(seed, &module, Calls::ByContract, &mut count, |module, effects, id| {
            let (procedure, calls) = passes::by_contract(module, effects, module.procedure(id));
            // Places that depend on specifications are not forgotten alone.
            let is_exact = |call: &ContractCall| {
                let listed = module.procedure(call.callee).contract.modifies.as_deref();
                let mut writes = call.writes.iter();
                writes
                    .all(|write| listed.is_none_or(|l| l[write.position].path.len() == write.steps))
            };
            calls.iter().all(is_exact).then_some(Made { procedure, notes: Vec::new() })
        });
    }
    assert!(count.same > 4_000 && count.long > 50, "{count:?}");
}

#[test]
fn inlining_keeps_runs() {
    let mut count = Count::default();
    for seed in 0..1_000 {
        let module = program(seed, seed % 3 > 0);
        compare(seed, &module, Calls::Inlined, &mut count, |module, effects, id| {
            let inlining = Inlining {
                stubs: passes::Stubs::Under,
                depth: 3,
                size: 4_000,
                otherwise: CallFallback::Cut,
                measures: true,
            };
            let bodies = |id| Rc::new(module.procedure(id).clone());
            let procedure = module.procedure(id);
            let (procedure, _, notes) =
                passes::inline(module, effects, procedure, &inlining, bodies);
            Some(Made { procedure, notes })
        });
    }
    assert!(count.same > 4_000 && count.long > 50, "{count:?}");
}

#[test]
fn preparing_keeps_runs() {
    let mut count = Count::default();
    for seed in 0..1_000 {
        let module = program(seed, seed % 3 > 0);
        compare(seed, &module, Calls::Inlined, &mut count, |module, effects, id| {
            let limits = Limits { unroll: 2, inline: 3, size: 8_000, ..Limits::default() };
            let Prepared { procedure, notes, .. } = passes::for_under(module, effects, id, &limits);
            assert!(is_straight(&procedure));
            Some(Made { procedure, notes })
        });
    }
    assert!(count.same > 4_000 && count.long > 50, "{count:?}");
}

/// Whether a body has neither loops nor calls.
fn is_straight(procedure: &Procedure) -> bool {
    let blocks = procedure.blocks.as_deref().expect("it has a body");
    let graph = Graph::new(blocks);
    let mut statements = blocks.iter().flat_map(|block| &block.statements);
    graph.is_reducible()
        && graph.loops().is_empty()
        && !statements.any(|statement| matches!(statement.kind, StatementKind::Call { .. }))
}

/// Passes are idempotent: a body without loops and calls stays as it is.
#[test]
fn passes_leave_alone_what_has_nothing_for_them() {
    for seed in 0..200 {
        let mut module = program(seed, true);
        let effects = Effects::of(&module);
        let limits = Limits { unroll: 1, size: 2_000, ..Limits::default() };
        let id = ProcedureId(0);
        if module.procedure(id).blocks.is_none() {
            continue;
        }
        let prepared = passes::for_under(&module, &effects, id, &limits).procedure;
        module.procedures[0] = prepared.clone();
        let again = passes::for_under(&module, &effects, id, &limits);
        assert_eq!(again.procedure, prepared, "seed {seed}");
        assert!(again.notes.is_empty() && again.calls.is_empty());
        assert_eq!(passes::for_over(&module, &effects, id, &limits).procedure, prepared);
    }
}

//! Random valid modules, run with random answers.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use interpret::{
    Enumerating, EvalError, Execution, Inputs, NewObject, Options, Outcome, Pointer, Recorded,
    Recording, Scope, Seeded, VirNames, enumerate, run,
};
use ir::address::ENVIRONMENT;
use ir::generate::{Shape, module};
use ir::{Module, ProcedureId, SortId, Storage};

fn scope() -> Scope {
    let pointers = vec![Pointer::to(ENVIRONMENT), Pointer { object: ENVIRONMENT + 1, offset: 3 }];
    Scope { pointers, sort_size: 3, ..Scope::default() }
}

fn inputs() -> Inputs {
    Inputs::default()
        .with_object(NewObject::new(8, Storage::Environment))
        .with_object(NewObject::new(16, Storage::Heap))
}

fn bodies(module: &Module) -> impl Iterator<Item = ProcedureId> + '_ {
    let ids = (0..).map(ProcedureId).zip(&module.procedures);
    ids.filter(|(_, procedure)| procedure.blocks.is_some()).map(|(id, _)| id)
}

fn kind(run: &Execution) -> &'static str {
    match &run.outcome {
        Outcome::Exit(_) => "exit",
        Outcome::Failed(_) => "failed",
        Outcome::Blocked { .. } => "blocked",
        Outcome::OutOfSteps => "out of steps",
        Outcome::Error { fault, .. } => match fault {
            EvalError::Undefined(_) => "undefined",
            EvalError::Undecided(_) => "undecided",
            EvalError::NoDecision(_) => "no answer",
            EvalError::BadDecision(_) => "bad answer",
            EvalError::Contract(..) => "contract",
            EvalError::IllTyped(_) => "ill typed",
            EvalError::OutOfScope(_) => "beyond",
            EvalError::OutOfSteps => "fault out of steps",
        },
    }
}

#[test]
fn any_valid_module_runs_to_some_end_and_again_to_the_same() {
    let mut kinds = BTreeMap::new();
    let options =
        Options { steps: 2_000, work: 200_000, facts: true, coverage: true, ..Options::default() };
    for seed in 0..1_500 {
        for shape in [Shape::everything(), Shape::runnable()] {
            let module = module(seed, &shape);
            for id in bodies(&module) {
                let mut seeded = Seeded::new(seed, scope());
                let mut recording = Recording::new(&mut seeded);
                let first = run(&module, id, &inputs(), &mut recording, &options);
                let kind = kind(&first);
                *kinds.entry(kind).or_insert(0_u32) += 1;
                let shown = first.show(&module, &VirNames);
                assert_ne!(kind, "ill typed", "seed {seed}:\n{shown}{}", ir::print(&module));
                let mut recorded = Recorded::new(recording.decisions);
                for sort in (0..module.sorts.len() as u32).map(SortId) {
                    recorded.atoms.insert(sort, scope().atoms(sort));
                }
                let second = run(&module, id, &inputs(), &mut recorded, &options);
                assert!(first == second, "seed {seed}:\n{shown}{}", ir::print(&module));
            }
        }
    }
    for expected in ["exit", "failed", "blocked", "undefined", "undecided"] {
        assert!(kinds.contains_key(expected), "{kinds:?}");
    }
}

#[test]
fn any_runnable_module_can_be_enumerated() {
    let options = Options { steps: 200, work: 20_000, trace: 0, ..Options::default() };
    for seed in 0..300 {
        let module = module(seed, &Shape::runnable());
        for id in bodies(&module) {
            let mut oracle = Enumerating::new(Scope { integers: -1..=1, ..scope() });
            let mut left = 200;
            let inputs = Inputs::default();
            enumerate(&module, id, &inputs, &mut oracle, &options, |run, _| {
                let kind = kind(run);
                assert!(
                    kind != "ill typed" && kind != "bad answer",
                    "seed {seed}: {}",
                    run.outcome
                );
                left -= 1;
                if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        }
    }
}

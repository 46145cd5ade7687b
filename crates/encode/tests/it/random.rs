//! Random procedures: what the evaluator says exists is exactly what enumerating all runs with the
//! interpreter finds, and what it says is doomed is never survived.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use encode::{Evaluation, Inquiry, Known, Scope, evaluate, replay};
use interpret::{Ending, Enumerating, Inputs, Outcome};
use ir::generate::{Shape, module};
use ir::{AssertKind, Module, PointId, ProcedureId};
use passes::{Effects, Limits, for_over, for_under};

/// More runs than this are not enumerated.
const RUNS: u64 = 3_000;

/// What some run does, as far as it can be compared.
#[derive(PartialEq, Eq, Debug, Default)]
struct Behaviour {
    fails: BTreeSet<(PointId, AssertKind)>,
    exits: [bool; 3],
    /// The points that some run passes; that some run passes and does not fail; that some run
    /// passes and exits.
    passed: BTreeSet<PointId>,
    survived: BTreeSet<PointId>,
    left: BTreeSet<PointId>,
}

/// What enumerating finds; nothing if there are too many runs or one cannot be judged.
fn enumerated(module: &Module, procedure: ProcedureId) -> Option<Behaviour> {
    let scope = interpret::Scope { sort_size: 2, length: 2, ..interpret::Scope::default() };
    let mut oracle = Enumerating::new(scope);
    let options = interpret::Options { coverage: true, trace: 0, ..interpret::Options::default() };
    let mut behaviour = Behaviour::default();
    let (mut count, mut judged) = (0, true);
    interpret::enumerate(module, procedure, &Inputs::default(), &mut oracle, &options, |run, _| {
        count += 1;
        let (survives, exits) = match &run.outcome {
            Outcome::Failed(failure) => {
                let point = failure.site.point(module).expect("a failure is somewhere");
                behaviour.fails.insert((point, failure.kind));
                (false, false)
            }
            Outcome::Exit(ending) => {
                match ending {
                    Ending::Normal(_) => behaviour.exits[0] = true,
                    Ending::Exceptional(_) => behaviour.exits[1] = true,
                    Ending::Intended(_) => behaviour.exits[2] = true,
                    Ending::Cut(_) => {}
                }
                (true, !matches!(ending, Ending::Cut(_)))
            }
            Outcome::Blocked { .. } => (false, false),
            Outcome::Error { .. } | Outcome::OutOfSteps => {
                judged = false;
                return ControlFlow::Break(());
            }
        };
        for &(_, point) in &run.passed {
            behaviour.passed.insert(point);
            if survives {
                behaviour.survived.insert(point);
            }
            if exits {
                behaviour.left.insert(point);
            }
        }
        if count > RUNS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (judged && count <= RUNS).then_some(behaviour)
}

fn asked<'e>(module: &'e Module, evaluation: &'e Evaluation) -> Inquiry<'e> {
    Inquiry::new(module, evaluation, sat::Options::default(), sat::Limits::none())
        .expect("the solver is built in")
}

/// What the evaluator says exists. Every failure is replayed on the original.
fn evaluated(module: &Module, procedure: ProcedureId, evaluation: &Evaluation) -> Behaviour {
    let mut inquiry = asked(module, evaluation);
    let mut behaviour = Behaviour::default();
    for obligation in &evaluation.obligations {
        if inquiry.ask(&[obligation.fails]) == Known::Exists {
            let witness = inquiry.witness();
            let run = replay(module, procedure, &witness, &interpret::Options::default());
            let Outcome::Failed(failure) = &run.outcome else {
                let text = ir::print_brief(module);
                let point = obligation.point;
                panic!(
                    "the run {}, but was to fail at {point:?}\n{text}\n{witness:?}",
                    run.outcome
                );
            };
            assert_eq!(failure.kind, obligation.kind);
            behaviour.fails.insert((obligation.point, obligation.kind));
        }
    }
    let exits = [evaluation.normal, evaluation.exceptional, evaluation.intended];
    behaviour.exits = exits.map(|exit| inquiry.ask(&[exit]) == Known::Exists);
    for point in &evaluation.points {
        if inquiry.ask(&[point.gate]) == Known::Exists {
            behaviour.passed.insert(point.id);
        }
        if inquiry.ask(&[point.gate, evaluation.survives]) == Known::Exists {
            behaviour.survived.insert(point.id);
        }
        if exits.iter().any(|&exit| inquiry.ask(&[point.gate, exit]) == Known::Exists) {
            behaviour.left.insert(point.id);
        }
    }
    behaviour
}

/// The scope that the enumeration is limited to.
fn scope() -> Scope {
    Scope { individuals: 2, sequence: 2, ..Scope::default() }
}

/// Words, maps, records, unions, choices, contracts, exceptions: nothing is approximated.
fn exact() -> Shape {
    Shape {
        procedures: 1,
        widths: vec![1, 2],
        integers: false,
        sorts: false,
        specifications: true,
        exceptions: true,
        cuts: true,
        calls: false,
        ..Shape::runnable()
    }
}

/// Compares on the procedures of many modules; gives how many could be compared, and how many of
/// them fail somewhere.
fn compare(seeds: std::ops::Range<u64>, shape: &Shape) -> (usize, usize) {
    let (mut compared, mut failing) = (0, 0);
    let limits = Limits { unroll: 2, facts: false, ..Limits::default() };
    for seed in seeds {
        let mut module = module(seed, shape);
        let procedure = ProcedureId(0);
        // A loop invariant that is only assumed may be false, and excuse what is not excused here.
        for block in module.procedures[0].blocks.iter_mut().flatten() {
            block.facts = None;
        }
        let effects = Effects::of(&module);
        let prepared = for_under(&module, &effects, procedure, &limits);
        let evaluation = evaluate(&module, &prepared.procedure, &prepared.calls, &scope());
        let mut bounded = module.clone();
        bounded.procedures[0] = prepared.procedure.clone();
        let Some(expected) = enumerated(&bounded, procedure) else { continue };
        let found = evaluated(&module, procedure, &evaluation);
        assert_eq!(found, expected, "seed {seed}:\n{}", ir::print_brief(&bounded));
        compared += 1;
        failing += usize::from(!expected.fails.is_empty());

        // Doom is claimed of the over-approximation, without any bound, and must hold within it.
        let over = for_over(&module, &effects, procedure, &limits);
        let over = evaluate(&module, &over.procedure, &over.calls, &scope());
        let mut inquiry = asked(&module, &over);
        for point in &over.points {
            if inquiry.ask(&[point.gate, over.survives]) == Known::Never {
                let left = expected.left.contains(&point.id);
                assert!(
                    !left,
                    "seed {seed}: {:?} is survived\n{}",
                    point.id,
                    ir::print_brief(&module)
                );
            }
        }
    }
    (compared, failing)
}

#[test]
fn loop_free_procedures_behave_as_enumerated() {
    let (compared, failing) = compare(0..4_000, &exact());
    assert!(compared > 3_000 && failing > 200, "{compared} compared, {failing} failing");
}

#[test]
fn procedures_with_loops_behave_as_enumerated_within_the_bound() {
    let shape = Shape { loops: true, ..exact() };
    let (compared, failing) = compare(10_000..12_500, &shape);
    assert!(compared > 1_800 && failing > 100, "{compared} compared, {failing} failing");
}

/// Examines the procedures of many modules; gives how many obligations fail. Each failure has been
/// replayed.
fn replayed(seeds: std::ops::Range<u64>, shape: &Shape) -> usize {
    let limits = Limits { facts: false, ..Limits::default() };
    let mut failing = 0;
    for seed in seeds {
        let module = module(seed, shape);
        let effects = Effects::of(&module);
        for number in 0..module.procedures.len() as u32 {
            let procedure = ProcedureId(number);
            if module.procedure(procedure).blocks.is_some() {
                let prepared = for_under(&module, &effects, procedure, &limits);
                let evaluation = evaluate(&module, &prepared.procedure, &prepared.calls, &scope());
                failing += evaluated(&module, procedure, &evaluation).fails.len();
            }
        }
    }
    failing
}

#[test]
fn what_is_found_where_much_is_approximated_replays() {
    let programs = Shape {
        sequences: true,
        ghosts: true,
        bodiless: true,
        exceptions: true,
        loops: true,
        cuts: true,
        widths: vec![1, 3, 8, 64],
        ..Shape::runnable()
    };
    // Random axioms and invariants contradict each other more often than not.
    let specified =
        Shape { functions: true, specifications: true, relations: true, ..programs.clone() };
    let failing = [replayed(20_000..21_500, &programs), replayed(30_000..31_500, &specified)];
    assert!(failing[0] > 200 && failing[1] > 10, "only {failing:?} obligations fail");
}

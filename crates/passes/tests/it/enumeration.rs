//! Small random programs run in all ways: over-approximation loses no execution, slicing no verdict.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use interpret::{
    Ending, Enumerating, Execution, Inputs, Options, Outcome, Scope, Value, enumerate,
};
use ir::generate::{Shape, module};
use ir::{
    AssertKind, Callee, GlobalId, Mode, Module, PointId, Procedure, ProcedureId, StatementKind,
    Type,
};
use passes::{Effects, Limits, Prepared};

use crate::program::tame;

const MAIN: ProcedureId = ProcedureId(0);

/// What programs over truth values are made of.
fn shape() -> Shape {
    Shape {
        procedures: 2,
        blocks: 6,
        statements: 2,
        variables: 2,
        depth: 2,
        widths: vec![1],
        integers: false,
        sorts: false,
        maps: false,
        records: false,
        variants: false,
        exceptions: true,
        loops: true,
        cuts: true,
        ..Shape::runnable()
    }
}

/// All inputs of a procedure over truth values.
fn all_inputs(module: &Module, procedure: &Procedure) -> Vec<Inputs> {
    let value = |ty: &Type, bit: bool| match ty {
        Type::Bool => Value::Bool(bit),
        Type::Bv(width) => Value::bv(*width, u64::from(bit)),
        other => Value::default_of(other, module),
    };
    let parameters: Vec<&Type> =
        procedure.locals_with(Mode::Parameter).map(|id| &procedure.local(id).ty).collect();
    let count = parameters.len() + module.globals.len();
    (0..1u32 << count)
        .map(|bits| {
            let bit = |index: usize| bits >> index & 1 == 1;
            let given = parameters.iter().enumerate().map(|(index, ty)| value(ty, bit(index)));
            let mut inputs = Inputs::new(given.collect::<Vec<_>>());
            for (index, global) in module.globals.iter().enumerate() {
                let value = value(&global.ty, bit(parameters.len() + index));
                inputs = inputs.with(GlobalId(index as u32), value);
            }
            inputs
        })
        .collect()
}

/// How an execution ends, as far as passes keep it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum End {
    Exit(String),
    Failure(AssertKind, Option<PointId>),
}

fn end(module: &Module, run: &Execution) -> Option<End> {
    match &run.outcome {
        Outcome::Exit(Ending::Cut(_)) | Outcome::Blocked { .. } => None,
        Outcome::Error { .. } | Outcome::OutOfSteps => None,
        Outcome::Exit(ending) => Some(End::Exit(format!("{ending:?} {:?}", run.globals))),
        Outcome::Failed(failure) if failure.site.procedure == MAIN => {
            Some(End::Failure(failure.kind, failure.site.point(module)))
        }
        Outcome::Failed(_) => None,
    }
}

/// Visits the executions of the first procedure from the given inputs, up to a limit; whether these are all.
fn visit(
    module: &Module,
    inputs: &Inputs,
    most: u64,
    mut each: impl FnMut(&Execution) -> ControlFlow<()>,
) -> bool {
    let options = Options { steps: 60, trace: 0, coverage: true, ..Options::default() };
    let mut oracle = Enumerating::new(Scope::default());
    let mut left = most;
    enumerate(module, MAIN, inputs, &mut oracle, &options, |run, _| {
        left -= 1;
        if left == 0 { ControlFlow::Break(()) } else { each(run) }
    });
    left > 0
}

#[test]
fn first_arbitrary_last_describes_every_run() {
    let (mut compared, mut given_up) = (0, 0);
    for seed in 0..500 {
        let module = tame(module(seed, &shape()), &mut fastrand::Rng::with_seed(seed));
        let original = module.procedure(MAIN);
        if original.blocks.is_none() {
            continue;
        }
        let limits = Limits { inline: (seed % 3) as u32, size: 400, ..Limits::default() };
        let Prepared { procedure, .. } =
            passes::for_over(&module, &Effects::of(&module), MAIN, &limits);
        let mut transformed = module.clone();
        transformed.procedures[0] = procedure;
        ir::debug_validate(&transformed);
        let statements = module.procedures.iter().flat_map(|procedure| &procedure.blocks);
        let mut statements = statements.flatten().flat_map(|block| &block.statements);
        let recursive = statements.any(|statement| match &statement.kind {
            StatementKind::Call { callee: Callee::Procedure(id), .. } => *id == MAIN,
            StatementKind::Call { callee: Callee::Choice(..), .. } => true,
            _ => false,
        });
        for inputs in all_inputs(&module, original) {
            // What happens in some execution: how it ends together with a point on its way.
            let mut wanted: BTreeSet<(End, PointId)> = BTreeSet::new();
            visit(&module, &inputs, 300, |run| {
                if let Some(end) = end(&module, run) {
                    let here = run.passed.iter().filter(|(id, _)| *id == MAIN);
                    wanted.extend(here.map(|&(_, point)| (end.clone(), point)));
                }
                ControlFlow::Continue(())
            });
            // A failure inside a callee that is not followed is none of the caller's.
            wanted.retain(|(end, _)| match end {
                End::Exit(_) => true,
                End::Failure(..) => !recursive,
            });
            compared += wanted.len();
            let mut is_cut = false;
            let all = visit(&transformed, &inputs, 20_000, |run| {
                is_cut |= matches!(run.outcome, Outcome::Exit(Ending::Cut(_)));
                if let Some(end) = end(&transformed, run) {
                    for &(_, point) in &run.passed {
                        wanted.remove(&(end.clone(), point));
                    }
                }
                if wanted.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if !all || is_cut {
                given_up += wanted.len();
                continue;
            }
            assert!(
                wanted.is_empty(),
                "seed {seed} {inputs:?}: lost {wanted:?}\n{}\n{}",
                ir::print_brief(&module),
                ir::print_brief(&transformed)
            );
        }
    }
    assert!(compared > 10_000 && given_up < compared / 20, "{compared}, {given_up} given up");
}

#[test]
fn slicing_keeps_what_is_asked_about() {
    let mut failures = 0;
    for seed in 0..1_000u64 {
        let shape = Shape {
            statements: 4,
            specifications: seed.is_multiple_of(2),
            loops: false,
            calls: false,
            cuts: false,
            ..shape()
        };
        let mut module = module(seed, &shape);
        module.procedures.truncate(1);
        let original = module.procedure(MAIN);
        if original.blocks.is_none() {
            continue;
        }
        let mut random = fastrand::Rng::with_seed(seed);
        let asked: BTreeSet<PointId> =
            (0..original.points).filter(|_| random.u8(..3) == 0).map(PointId).collect();
        let mut transformed = module.clone();
        transformed.procedures[0] = passes::slice(&module, original, &asked);
        ir::debug_validate(&transformed);
        for inputs in all_inputs(&module, original) {
            let failing = |module: &Module| {
                let mut failing = BTreeSet::new();
                let all = visit(module, &inputs, 50_000, |run| {
                    if let Some(End::Failure(kind, Some(point))) = end(module, run)
                        && asked.contains(&point)
                    {
                        failing.insert((kind, point));
                    }
                    ControlFlow::Continue(())
                });
                all.then_some(failing)
            };
            let (Some(before), Some(after)) = (failing(&module), failing(&transformed)) else {
                continue;
            };
            failures += before.len();
            assert_eq!(
                before,
                after,
                "seed {seed} {inputs:?} {asked:?}\n{}\n{}",
                ir::print(&module),
                ir::print(&transformed)
            );
        }
    }
    assert!(failures > 200, "{failures}");
}

#[test]
fn relaxing_loses_no_run_that_exits() {
    let mut exits = 0;
    for seed in 0..600u64 {
        let shape = Shape { loops: false, calls: false, cuts: false, ..shape() };
        let mut module = module(seed, &shape);
        module.procedures.truncate(1);
        let original = module.procedure(MAIN);
        if original.blocks.is_none() {
            continue;
        }
        let mut random = fastrand::Rng::with_seed(seed);
        let kept: BTreeSet<PointId> =
            (0..original.points).filter(|_| random.bool()).map(PointId).collect();
        let keeps = |part: passes::Constraint| match part {
            passes::Constraint::Point(point) => kept.contains(&point),
            passes::Constraint::Requires(position) => position.is_multiple_of(2),
        };
        let mut transformed = module.clone();
        transformed.procedures[0] = passes::relax(original, keeps);
        ir::debug_validate(&transformed);
        for inputs in all_inputs(&module, original) {
            let ending = |module: &Module| {
                let mut endings = BTreeSet::new();
                let all = visit(module, &inputs, 50_000, |run| {
                    // A variable that a relaxed run did not look at has no value to compare.
                    if let Outcome::Exit(ending) = &run.outcome {
                        endings.insert(format!("{ending:?}"));
                    }
                    ControlFlow::Continue(())
                });
                all.then_some(endings)
            };
            let (Some(before), Some(after)) = (ending(&module), ending(&transformed)) else {
                continue;
            };
            exits += before.len();
            assert!(
                before.is_subset(&after),
                "seed {seed} {inputs:?} {kept:?}\n{}\n{}",
                ir::print(&module),
                ir::print(&transformed)
            );
        }
    }
    assert!(exits > 1_000, "{exits}");
}

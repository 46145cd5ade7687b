//! The step sequences of the schedules, against outcomes that the tests choose.

use std::convert::Infallible;

use report::{Limit, Procedure, Reason, ReasonClass, Verdict};

use super::exact_sizes::ExactSizes;
use super::growing_scope::GrowingScope;
use super::merge::Step;
use super::together::Together;
use super::unrolling::{UnrollOutcome, UnrollStep, Unrolling};
use super::{Schedule, run};
use crate::context::LoopModel;
use crate::examine::{Effort, Examined};
use crate::options::{CheckOptions, Proofs, SearchBounds};

fn within(bounds: SearchBounds) -> CheckOptions {
    CheckOptions { bounds, ..CheckOptions::default() }
}

fn examined(step: &Step, verdict: Verdict) -> Examined {
    Examined {
        findings: Vec::new(),
        procedure: Procedure::new("p", verdict, step.options.bounds.stated()),
        effort: Effort { points: 1, queries: 1, solved: 1 },
        is_clear: true,
        is_cut: false,
        ends: true,
    }
}

/// The steps of a schedule, each as `view` shows it, and the schedule at its end.
fn steps<S: Schedule, V>(
    schedule: S,
    view: impl Fn(&S::Step) -> V,
    mut outcome: impl FnMut(&S::Step) -> S::Outcome,
) -> (Vec<V>, S) {
    let mut seen = Vec::new();
    let schedule = run(schedule, |step: &S::Step| {
        seen.push(view(step));
        Ok::<_, Infallible>(outcome(step))
    });
    (seen, schedule.unwrap_or_else(|never| match never {}))
}

fn none(step: &Step) -> Examined {
    examined(step, Verdict::NoneWithinBounds)
}

fn unknown(step: &Step, class: ReasonClass) -> Examined {
    examined(step, Verdict::Unknown(Reason::new(class)))
}

fn stated(examined: &Examined, name: &str) -> Option<u64> {
    let bounds = &examined.procedure.bounds.0;
    bounds.iter().find(|bound| bound.name == name).map(|bound| bound.value)
}

#[test]
fn scope_and_unrolling_grow_together_and_the_last_step_asks_for_proofs() {
    let options = within(SearchBounds { scope: 2, unroll: 4, ..SearchBounds::default() });
    let view = |step: &Step| {
        let CheckOptions { bounds, state, .. } = &step.options;
        (bounds.scope, bounds.unroll, state.proofs)
    };
    let (seen, schedule) = steps(Together::new(&options), view, none);
    let off = Proofs::Off;
    assert_eq!(seen, [(1, 1, off), (2, 2, off), (2, 3, off), (2, 4, Proofs::Full)]);
    let examined = schedule.conclude();
    assert_eq!(examined.procedure.bounds, options.bounds.stated());
    assert_eq!(examined.effort, Effort { points: 1, queries: 4, solved: 4 });
}

#[test]
fn an_exhausted_budget_keeps_the_verdict_of_smaller_bounds() {
    let options = within(SearchBounds { scope: 3, unroll: 3, ..SearchBounds::default() });
    let outcome = |step: &Step| match step.options.bounds.scope {
        3.. => unknown(step, ReasonClass::Budget),
        _ => none(step),
    };
    let together = steps(Together::new(&options), |_| (), outcome).1.conclude();
    let exact = steps(ExactSizes::new(&options), |_| (), outcome).1.conclude();
    for examined in [together, exact] {
        assert_eq!(examined.procedure.verdict, Verdict::NoneWithinBounds);
        assert_eq!(stated(&examined, "scope"), Some(2));
    }
}

#[test]
fn an_unsupported_construct_ends_the_search_as_unknown() {
    let options = within(SearchBounds { scope: 3, unroll: 3, ..SearchBounds::default() });
    let outcome = |step: &Step| match step.options.bounds.scope {
        1 => none(step),
        _ => unknown(step, ReasonClass::Unsupported),
    };
    let (seen, schedule) =
        steps(Together::new(&options), |step| step.options.bounds.scope, outcome);
    assert_eq!(seen, [1, 2]);
    let examined = schedule.conclude();
    let unsupported = Verdict::Unknown(Reason::new(ReasonClass::Unsupported));
    assert_eq!(examined.procedure.verdict, unsupported);
    assert_eq!(stated(&examined, "scope"), Some(1), "the largest scope that was finished");
}

fn round(step: &Step) -> (u32, u32, Option<u32>) {
    let CheckOptions { bounds, state, .. } = &step.options;
    (bounds.scope, bounds.unroll, state.exhausted)
}

#[test]
fn heaps_of_each_size_are_checked_once_if_no_execution_is_cut() {
    let options = within(SearchBounds { scope: 3, unroll: 5, ..SearchBounds::default() });
    let (seen, schedule) = steps(ExactSizes::new(&options), round, none);
    assert_eq!(seen, [(1, 1, None), (2, 1, Some(1)), (3, 1, Some(2))]);
    assert_eq!(schedule.conclude().procedure.bounds, options.bounds.stated());
}

#[test]
fn loops_are_unrolled_further_only_where_an_execution_is_cut() {
    let options =
        within(SearchBounds { scope: 3, unroll: 5, inline: 0, ..SearchBounds::default() });
    let outcome = |step: &Step| {
        let CheckOptions { bounds, .. } = &step.options;
        Examined { is_cut: bounds.unroll < bounds.scope, ..none(step) }
    };
    let (seen, _) = steps(ExactSizes::new(&options), round, outcome);
    // The second step is deferred, because an execution is cut and there is a greater depth.
    assert_eq!(
        seen,
        [(1, 1, None), (2, 1, Some(1)), (2, 2, Some(1)), (3, 2, Some(2)), (3, 3, Some(2))]
    );
}

#[test]
fn a_last_step_over_all_heaps_asks_what_small_ones_leave_open() {
    let options = within(SearchBounds { scope: 2, unroll: 1, ..SearchBounds::default() });
    let view = |step: &Step| (step.options.bounds.scope, step.options.state.proofs);
    let outcome = |step: &Step| Examined { is_clear: false, ..none(step) };
    let (seen, _) = steps(ExactSizes::new(&options), view, outcome);
    let pre_check = Proofs::PreCheck;
    assert_eq!(seen, [(1, pre_check), (2, pre_check), (2, Proofs::Full)]);
}

#[test]
fn a_procedure_of_which_no_execution_ends_is_unknown() {
    let options =
        within(SearchBounds { scope: 1, unroll: 1, inline: 0, ..SearchBounds::default() });
    let outcome = |step: &Step| {
        let mut examined = Examined { ends: false, is_cut: true, ..none(step) };
        examined.procedure.cut = Some("a loop".to_owned());
        examined
    };
    let examined = steps(ExactSizes::new(&options), round, outcome).1.conclude();
    let why = Reason::new(ReasonClass::Bounds).because("every execution is cut off: a loop");
    assert_eq!(examined.procedure.verdict, Verdict::Unknown(why));
}

#[test]
fn scopes_grow_to_the_bounds() {
    let options =
        within(SearchBounds { scope: 2, sequence: 4, int_width: 8, ..SearchBounds::default() });
    let view = |step: &Step| {
        let SearchBounds { scope, sequence, int_width, .. } = step.options.bounds;
        (scope, sequence, int_width)
    };
    let (seen, schedule) = steps(GrowingScope::new(&options), view, none);
    assert_eq!(seen, [(1, 1, 4), (2, 2, 5), (2, 3, 6), (2, 4, 8)]);
    let bounds = schedule.conclude().procedure.bounds;
    assert_eq!(bounds.to_string(), "scope 2, int bits 8, sequence 4");
}

#[test]
fn a_growing_scope_stops_at_the_first_finding() {
    let options = within(SearchBounds { scope: 4, ..SearchBounds::default() });
    let outcome = |step: &Step| match step.options.bounds.scope {
        1 => none(step),
        _ => examined(step, Verdict::Findings),
    };
    let (seen, schedule) =
        steps(GrowingScope::new(&options), |step| step.options.bounds.scope, outcome);
    assert_eq!(seen, [1, 2]);
    assert_eq!(schedule.conclude().procedure.verdict, Verdict::Findings);
}

#[test]
fn an_unknown_scope_names_the_largest_scope_that_was_finished() {
    let options = within(SearchBounds { scope: 4, ..SearchBounds::default() });
    let outcome = |step: &Step| match step.options.bounds.scope {
        1 | 2 => none(step),
        _ => unknown(step, ReasonClass::Budget),
    };
    let examined = steps(GrowingScope::new(&options), |_| (), outcome).1.conclude();
    let why = "nothing was found up to scope 2, int bits 5, sequence 2";
    let reason = Reason::new(ReasonClass::Budget).because(why);
    assert_eq!(examined.procedure.verdict, Verdict::Unknown(reason));
}

#[test]
fn no_step_begins_when_the_time_is_over() {
    let mut options = within(SearchBounds { scope: 4, ..SearchBounds::default() });
    options.solver.time = Some(std::time::Duration::ZERO);
    let (seen, schedule) =
        steps(GrowingScope::new(&options), |step| step.options.bounds.scope, none);
    assert_eq!(seen, [1]);
    let why = "out of time; nothing was found up to scope 1, int bits 4, sequence 1";
    let reason = Reason::new(ReasonClass::Time).because(why).limited_by(Limit::TimeLimit(0));
    assert_eq!(schedule.conclude().procedure.verdict, Verdict::Unknown(reason));
}

/// Iterations, calls, and how loops are modelled.
fn unrolled(step: &UnrollStep) -> (u32, u32, LoopModel) {
    let SearchBounds { unroll, inline, .. } = step.options.bounds;
    (unroll, inline, step.loops)
}

const CUT: UnrollOutcome = UnrollOutcome {
    statements: 0,
    gates: 100,
    is_cut: true,
    is_spent: false,
    is_decided: true,
    has_findings: false,
};

const FIRST: LoopModel = LoopModel::Unrolled { first: true };
const DEEPER: LoopModel = LoopModel::Unrolled { first: false };

fn many() -> CheckOptions {
    CheckOptions::default().for_many_procedures()
}

#[test]
fn a_loop_that_is_cut_is_unrolled_three_times_as_far() {
    let outcome = |step: &UnrollStep| {
        let SearchBounds { unroll, deepest, .. } = step.options.bounds;
        UnrollOutcome { statements: unroll as usize, is_cut: unroll < deepest, ..CUT }
    };
    let (seen, schedule) = steps(Unrolling::new(&many()), unrolled, outcome);
    assert_eq!(seen, [(4, 3, FIRST), (12, 3, DEEPER), (36, 3, DEEPER)]);
    assert_eq!(schedule.reached.bounds.unroll, 36);
}

#[test]
fn a_large_formula_leaves_loops_open() {
    let outcome = |step: &UnrollStep| {
        let unroll = step.options.bounds.unroll as usize;
        UnrollOutcome { statements: unroll, gates: unroll * 2_000, ..CUT }
    };
    let (seen, schedule) = steps(Unrolling::new(&many()), unrolled, outcome);
    assert_eq!(seen, [(4, 3, FIRST), (12, 3, DEEPER), (12, 3, LoopModel::Open)]);
    assert_eq!(schedule.reached.bounds.unroll, 12);
}

#[test]
fn unrolling_that_adds_no_statement_leaves_loops_open() {
    let outcome = |_: &UnrollStep| UnrollOutcome { statements: 50, ..CUT };
    let (seen, _) = steps(Unrolling::new(&many()), unrolled, outcome);
    assert_eq!(seen, [(4, 3, FIRST), (12, 3, DEEPER), (12, 3, LoopModel::Open)]);
}

#[test]
fn a_procedure_that_is_too_large_is_checked_with_less() {
    let outcome = |_: &UnrollStep| UnrollOutcome { is_decided: false, ..CUT };
    let (seen, schedule) = steps(Unrolling::new(&many()), unrolled, outcome);
    assert_eq!(seen, [(4, 3, FIRST), (1, 1, LoopModel::Least), (1, 0, LoopModel::Least)]);
    assert_eq!(schedule.reached.bounds.inline, 0);
}

#[test]
fn fixed_bounds_are_one_step() {
    let outcome = |_: &UnrollStep| UnrollOutcome { is_cut: false, is_decided: false, ..CUT };
    let (seen, schedule) = steps(Unrolling::new(&CheckOptions::default()), unrolled, outcome);
    assert_eq!(seen, [(4, 3, FIRST)]);
    assert_eq!(schedule.reached, CheckOptions::default());
}

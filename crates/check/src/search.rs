//! Iterative deepening: a procedure is checked within growing bounds, one step after another.
//!
//! A [`Schedule`] is a sequence of steps. It learns the outcome of each step before it chooses the next one, merges
//! it with the outcomes before, and decides when to stop. [`run`] is the loop. There are four schedules:
//!
//! | schedule | grows | stops |
//! | --- | --- | --- |
//! | [`Together`] | unrolling and scope together | at the bounds, or at the first step without an answer |
//! | [`ExactSizes`] | the number of objects, each heap once; unrolling where an execution is cut | when no execution is cut, or at the bounds |
//! | [`GrowingScope`] | atoms, lengths of sequences, width of integers | at the first finding |
//! | [`Unrolling`] | the number of iterations of loops | when no loop is cut, or the formula is too large |
//!
//! Small bounds come first, so that the execution shown for a finding is a small one (the small scope hypothesis,
//! Jackson 2006). A verdict states the largest bounds that were finished: if a step exhausts its budget,
//! the results of the steps before still hold ([`merge`]).

mod exact_sizes;
mod growing_scope;
mod merge;
mod together;
mod unrolling;

use ir::ProcedureId;
use report::{ReasonClass, Verdict};

use crate::checkers::Checker;
use crate::examine::{Examined, Program, examine_observed};
use crate::options::CheckOptions;
use crate::vacuity::unreached;
use exact_sizes::ExactSizes;
use growing_scope::GrowingScope;
use together::Together;
pub(crate) use unrolling::{UnrollOutcome, UnrollStep, Unrolling};

/// The order in which the bounds of a procedure grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search {
    /// The bounds at once.
    Once,
    /// The bounds at once, but loops are unrolled further where the bounds cut them, and each procedure, of which
    /// there are many, gets less of everything else.
    Unrolling,
    /// From a small scope to the bounds, until something is found.
    Growing,
    /// From small bounds to those requested: by exact sizes where heaps are canonical, otherwise all bounds
    /// together.
    Deepening,
}

/// A sequence of steps, each chosen after the outcome of the one before.
pub(crate) trait Schedule {
    /// Bounds, and the state of the search.
    type Step;
    /// The result of checking a procedure within them.
    type Outcome;

    /// The first step.
    fn first(&mut self) -> Self::Step;

    /// Merges the outcome of a step, and chooses the next; none at the end.
    fn next(&mut self, step: Self::Step, outcome: Self::Outcome) -> Option<Self::Step>;
}

/// Takes the steps of a schedule until it ends, and returns it with the merged outcomes.
///
/// # Errors
/// If one of the steps fails.
pub(crate) fn run<S: Schedule, E>(
    mut schedule: S,
    mut check: impl FnMut(&S::Step) -> Result<S::Outcome, E>,
) -> Result<S, E> {
    let mut next = Some(schedule.first());
    while let Some(step) = next {
        let outcome = check(&step)?;
        next = schedule.next(step, outcome);
    }
    Ok(schedule)
}

/// Checks a procedure within growing bounds. The observer sees each evaluation after its queries.
///
/// # Errors
/// If the solver cannot be started.
pub fn search(
    program: &Program<'_>,
    procedure: ProcedureId,
    checkers: &[&dyn Checker],
    options: &CheckOptions,
    order: Search,
    observer: &mut dyn FnMut(&encode::QuerySession<'_>),
) -> Result<Examined, encode::SolverError> {
    let bounds = options.bounds.stated_for(program, procedure);
    let options = &CheckOptions { bounds, ..options.clone() };
    let mut check =
        |options: &CheckOptions| examine_observed(program, procedure, checkers, options, observer);
    match order {
        Search::Once | Search::Unrolling => check(options),
        Search::Growing => {
            run(GrowingScope::new(options), |step| check(&step.options)).map(GrowingScope::conclude)
        }
        Search::Deepening if options.strategy.symmetry => {
            let schedule = run(ExactSizes::new(options), |step| check(&step.options))?;
            let mut examined = schedule.conclude();
            if options.policy.vacuity && may_be_vacuous(&examined.procedure.verdict) {
                examined.procedure.unreached = unreached(program, procedure, options)?;
            }
            Ok(examined)
        }
        Search::Deepening => {
            run(Together::new(options), |step| check(&step.options)).map(Together::conclude)
        }
    }
}

/// Whether nothing was found, which may be because there was nothing to check.
fn may_be_vacuous(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::NoneWithinBounds => true,
        Verdict::Unknown(reason) => reason.class == ReasonClass::Bounds,
        Verdict::Findings | Verdict::Skipped(_) => false,
    }
}

#[cfg(test)]
mod tests;

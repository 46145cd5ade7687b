//! Unrolling: few iterations of each loop first, then three times as many where a loop is cut.
//!
//! A finding that few iterations show is shown with few. Unrolling ends when no loop is cut any more, or when the formula or
//! its cost is too large. Then a last step leaves the loops open (Xie & Aiken 2007, §6.6): the variables that a loop may
//! change have any value behind it. A failure found so is a guess, and counts if an execution of the program from the same
//! inputs shows it.
//!
//! A procedure that is too large for the first step is checked with one iteration and one level of calls, then without calls.

use super::Schedule;
use crate::context::LoopModel;
use crate::limits::{UNROLL_FACTOR, UNROLLED_GATES};
use crate::options::CheckOptions;

/// A step: options, and how loops are modelled.
#[derive(Clone, Debug)]
pub(crate) struct UnrollStep {
    pub(crate) options: CheckOptions,
    pub(crate) loops: LoopModel,
}

/// The outcome of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct UnrollOutcome {
    /// The number of statements after unrolling and inlining.
    pub(crate) statements: usize,
    pub(crate) gates: usize,
    /// Whether the bounds cut a loop that may be unrolled further.
    pub(crate) is_cut: bool,
    /// Whether the budget is exhausted.
    pub(crate) is_spent: bool,
    /// Whether every query was answered.
    pub(crate) is_decided: bool,
    /// Whether there are findings, from this step or before.
    pub(crate) has_findings: bool,
}

/// The schedule that unrolls loops.
#[derive(Clone, Debug)]
pub(crate) struct Unrolling {
    first: CheckOptions,
    /// The bounds within which every query was answered; if none were, the last.
    pub(crate) reached: CheckOptions,
    /// The number of statements of the step before.
    statements: usize,
}

impl Unrolling {
    pub(crate) fn new(options: &CheckOptions) -> Unrolling {
        Unrolling { first: options.clone(), reached: options.clone(), statements: 0 }
    }

    /// The next smaller bounds, down to one iteration and no calls.
    fn reduced(&mut self, options: &CheckOptions) -> Option<UnrollStep> {
        let is_least = options.bounds.unroll <= 1 && options.bounds.inline == 0;
        if is_least {
            return None;
        }
        self.reached = options.reduced();
        Some(UnrollStep { options: self.reached.clone(), loops: LoopModel::Least })
    }

    /// More iterations, or open loops where that is too expensive.
    fn deeper(&mut self, options: CheckOptions, outcome: UnrollOutcome) -> UnrollStep {
        let bounds = &options.bounds;
        let deeper = bounds.unroll.saturating_mul(UNROLL_FACTOR).min(bounds.deepest);
        let grows = self.statements < outcome.statements;
        self.statements = outcome.statements;
        if outcome.is_spent || outcome.gates > UNROLLED_GATES || deeper == bounds.unroll || !grows {
            return UnrollStep { options, loops: LoopModel::Open };
        }
        let mut options = options;
        options.bounds.unroll = deeper;
        UnrollStep { options, loops: LoopModel::Unrolled { first: false } }
    }
}

impl Schedule for Unrolling {
    type Step = UnrollStep;
    type Outcome = UnrollOutcome;

    fn first(&mut self) -> UnrollStep {
        let loops = LoopModel::Unrolled { first: true };
        UnrollStep { options: self.first.clone(), loops }
    }

    fn next(&mut self, step: UnrollStep, outcome: UnrollOutcome) -> Option<UnrollStep> {
        match step.loops {
            LoopModel::Unrolled { first } => {
                let is_too_large = !outcome.is_decided && !outcome.has_findings;
                if first && is_too_large && step.options.bounds.unrolls_further() {
                    return self.reduced(&step.options);
                }
                if outcome.is_decided && !first {
                    self.reached = step.options.clone();
                }
                outcome.is_cut.then(|| self.deeper(step.options, outcome))
            }
            LoopModel::Least if outcome.is_decided => None,
            LoopModel::Least => self.reduced(&step.options),
            LoopModel::Open => None,
        }
    }
}

//! Growing scope: from a small scope to the bounds, until a witness is found.
//!
//! If nothing is found, the verdict names the largest scope that was finished (Sitaraman et al. 2003, §4.3, after the small
//! scope hypothesis).

use std::time::{Duration, Instant};

use report::{Reason, ReasonClass, Verdict};

use super::Schedule;
use super::merge::{Merge, Merged, Step};
use crate::examine::Examined;
use crate::limits::FIRST_INT_WIDTH;
use crate::options::{CheckOptions, Policy, SearchBounds, SolverLimits};

pub(super) struct GrowingScope<'o> {
    options: &'o CheckOptions,
    size: u32,
    start: Instant,
    is_out_of_time: bool,
    merged: Merged,
}

impl<'o> GrowingScope<'o> {
    pub(super) fn new(options: &'o CheckOptions) -> GrowingScope<'o> {
        let (start, merged) = (Instant::now(), Merged::default());
        GrowingScope { options, size: 1, start, is_out_of_time: false, merged }
    }

    fn step(&self) -> Step {
        let CheckOptions { bounds, policy, solver, .. } = self.options;
        let bounds = match self.size >= self.largest() {
            true => bounds.clone(),
            false => SearchBounds {
                sequence: bounds.sequence.min(self.size),
                int_width: bounds.int_width.min(FIRST_INT_WIDTH - 1 + self.size),
                ..bounds.with_at_most(self.size)
            },
        };
        let others = policy.others.max(1);
        Step {
            options: CheckOptions {
                bounds,
                policy: Policy { null_counts: true, others, ..policy.clone() },
                solver: SolverLimits { time: self.time_left(), ..solver.clone() },
                ..self.options.clone()
            },
            merge: Merge::Replace { if_uncut: None },
        }
    }

    fn largest(&self) -> u32 {
        self.options.bounds.scope.max(self.options.bounds.sequence).max(1)
    }

    fn time_left(&self) -> Option<Duration> {
        self.options.solver.time.map(|time| time.saturating_sub(self.start.elapsed()))
    }

    /// The result of the last step; if that has no answer, with the largest scope that was finished.
    pub(super) fn conclude(self) -> Examined {
        let Merged { decided, undecided, effort } = self.merged;
        let finished = decided
            .as_ref()
            .map(|finished| format!("nothing was found up to {}", finished.procedure.bounds));
        let examined = match (decided, undecided) {
            (decided, Some(mut undecided)) => {
                if let (Some(_), Verdict::Unknown(reason), Some(finished)) =
                    (decided, &mut undecided.procedure.verdict, finished)
                {
                    *reason = reason.clone().because(match &reason.detail {
                        Some(why) => format!("{why}; {finished}"),
                        None => finished,
                    });
                }
                undecided
            }
            (Some(mut decided), None) => {
                if self.is_out_of_time {
                    let why = format!("out of time; {}", finished.unwrap_or_default());
                    let reason = Reason::new(ReasonClass::Time).because(why);
                    let limit = self.options.solver.time_limit();
                    decided.procedure.verdict = Verdict::Unknown(Reason { limit, ..reason });
                }
                decided
            }
            (None, None) => unreachable!("the first step is decided or not"),
        };
        Examined { effort, ..examined }
    }
}

impl Schedule for GrowingScope<'_> {
    type Step = Step;
    type Outcome = Examined;

    fn first(&mut self) -> Step {
        self.step()
    }

    fn next(&mut self, step: Step, outcome: Examined) -> Option<Step> {
        let mut outcome = outcome;
        only_scope(&mut outcome);
        let is_finished = outcome.procedure.verdict == Verdict::NoneWithinBounds;
        self.merged.add(&step, outcome);
        if !is_finished || self.size >= self.largest() {
            return None;
        }
        self.is_out_of_time = self.time_left().is_some_and(|left| left.is_zero());
        self.size += 1;
        (!self.is_out_of_time).then(|| self.step())
    }
}

/// Loops are not unrolled and calls are not inlined here, so verdicts state the scope alone.
fn only_scope(examined: &mut Examined) {
    let findings = examined.findings.iter_mut().map(|finding| &mut finding.bounds);
    for bounds in findings.chain([&mut examined.procedure.bounds]) {
        bounds.0.retain(|bound| bound.name != "unroll" && bound.name != "inline");
    }
}

//! All bounds together: one object and one iteration, then two of each, up to the bounds.
//!
//! The last step alone asks what holds in every execution. The findings are those of the last step that was decided; each is
//! shown with the smallest execution (Jackson & Vaziri 2000, §4: counterexamples in small scopes first).

use report::{Procedure, ReasonClass, Verdict};

use super::Schedule;
use super::merge::{Merge, Merged, Progress, Step};
use crate::examine::Examined;
use crate::options::{CheckOptions, Proofs, SearchBounds, SearchState};

pub(super) struct Together<'o> {
    options: &'o CheckOptions,
    size: u32,
    merged: Merged,
}

impl<'o> Together<'o> {
    pub(super) fn new(options: &'o CheckOptions) -> Together<'o> {
        Together { options, size: 1, merged: Merged::default() }
    }

    fn step(&self) -> Step {
        let SearchBounds { unroll, .. } = self.options.bounds;
        let is_last = self.size >= self.largest();
        let proofs = if is_last { self.options.state.proofs } else { Proofs::Off };
        let bounds = self.options.bounds.with_at_most(self.size);
        Step {
            options: CheckOptions {
                bounds: SearchBounds { unroll: unroll.min(self.size), ..bounds },
                state: SearchState { proofs, ..self.options.state },
                ..self.options.clone()
            },
            merge: Merge::Replace { if_uncut: None },
        }
    }

    fn largest(&self) -> u32 {
        self.options.bounds.scope.max(self.options.bounds.unroll).max(1)
    }

    /// The result of all steps. A procedure that no step decided is unknown. So is one without findings that contains
    /// an unsupported construct, whatever the bounds.
    pub(super) fn conclude(self) -> Examined {
        let Merged { decided, undecided, effort } = self.merged;
        let examined = match (decided, undecided) {
            (Some(decided), Some(undecided))
                if !is_budget(&undecided.procedure) && decided.findings.is_empty() =>
            {
                let procedure =
                    Procedure { bounds: decided.procedure.bounds, ..undecided.procedure };
                Examined { procedure, ..undecided }
            }
            (Some(decided), _) => decided,
            (None, Some(undecided)) => undecided,
            (None, None) => unreachable!("the first step is decided or not"),
        };
        Examined { effort, ..examined }
    }
}

impl Schedule for Together<'_> {
    type Step = Step;
    type Outcome = Examined;

    fn first(&mut self) -> Step {
        self.step()
    }

    fn next(&mut self, step: Step, outcome: Examined) -> Option<Step> {
        let progress = Progress::of(&step, &outcome);
        self.merged.add(&step, outcome);
        // A query that small bounds leave undecided is undecided within larger ones too.
        if progress != Progress::Decided || self.size >= self.largest() {
            return None;
        }
        self.size += 1;
        Some(self.step())
    }
}

/// Whether the solver exhausted its budget, so that smaller bounds still say something.
fn is_budget(procedure: &Procedure) -> bool {
    match &procedure.verdict {
        Verdict::Unknown(reason) => reason.class == ReasonClass::Budget,
        Verdict::Findings | Verdict::NoneWithinBounds | Verdict::Skipped(_) => false,
    }
}

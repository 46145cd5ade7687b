//! Exact sizes: initial heaps of one object, of two, and so on, each heap once and with loops unrolled to their ends.
//!
//! A step leaves out the heaps of the sizes that were exhausted before. Loops are unrolled further only where an execution is
//! cut, so the verdict, if none is cut any more, holds for any number of iterations. The last step asks what holds in every
//! execution, and only if the small heaps leave that open: an execution that ends refutes that what it passes is doomed.
//! Each heap once, by size, is bounded exhaustive search as in Korat (Boyapati et al. 2002).

use report::{Limit, Reason, ReasonClass, Verdict};

use super::Schedule;
use super::merge::{Merge, Merged, Progress, Step};
use crate::examine::Examined;
use crate::limits::CALLS_BEYOND_LOOPS;
use crate::options::{CheckOptions, Proofs, SearchBounds, SearchState};

pub(super) struct ExactSizes<'o> {
    options: &'o CheckOptions,
    round: Round,
    /// Whether nothing is left open that holds in every execution.
    is_clear: bool,
    /// Whether the last step, which asks that, was taken.
    is_last: bool,
    /// Whether a step exhausted its budget after others were decided.
    gave_up: bool,
    /// Why executions are cut, if one is.
    cut: Option<String>,
    /// By which limit.
    limit: Option<Limit>,
    /// Whether some execution ends.
    ends: bool,
    merged: Merged,
}

/// The sizes of heaps, and the depth to which loops are unrolled and calls inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Round {
    size: u32,
    depth: u32,
    /// Heaps of up to this size were checked to this depth or to the ends of their executions.
    exhausted: Option<u32>,
}

impl<'o> ExactSizes<'o> {
    pub(super) fn new(options: &'o CheckOptions) -> ExactSizes<'o> {
        ExactSizes {
            options,
            round: Round { size: 1, depth: 1, exhausted: None },
            is_clear: options.state.proofs == Proofs::Off,
            is_last: false,
            gave_up: false,
            cut: None,
            limit: None,
            ends: false,
            merged: Merged::default(),
        }
    }

    fn deepest(&self) -> u32 {
        let SearchBounds { unroll, inline, .. } = self.options.bounds;
        unroll.max(inline.saturating_sub(CALLS_BEYOND_LOOPS)).max(1)
    }

    fn largest(&self) -> u32 {
        self.options.bounds.largest_scope().max(1)
    }

    fn is_last_depth(&self) -> bool {
        self.round.depth >= self.deepest()
    }

    fn is_last_size(&self) -> bool {
        self.round.size >= self.largest()
    }

    fn step(&self) -> Step {
        let proofs = if self.is_clear { Proofs::Off } else { Proofs::PreCheck };
        let defer_if_cut = self.round.size > 1 && !self.is_last_depth();
        let state = SearchState { exhausted: self.round.exhausted, defer_if_cut, proofs };
        Step { options: self.within(state), merge: Merge::Add }
    }

    /// The step that asks what holds in every execution, if that is open.
    fn last_step(&mut self) -> Option<Step> {
        self.is_last = !self.is_clear;
        let state = SearchState { exhausted: None, proofs: Proofs::Full, ..self.options.state };
        let if_uncut = self.is_last_size().then(|| self.options.bounds.stated());
        let step = Step { options: self.within(state), merge: Merge::Replace { if_uncut } };
        self.is_last.then_some(step)
    }

    fn within(&self, state: SearchState) -> CheckOptions {
        let SearchBounds { unroll, inline, .. } = self.options.bounds;
        let bounds = SearchBounds {
            unroll: unroll.min(self.round.depth),
            inline: inline.min(self.round.depth + CALLS_BEYOND_LOOPS),
            ..self.options.bounds.with_at_most(self.round.size)
        };
        CheckOptions { bounds, state, ..self.options.clone() }
    }

    /// The result of all steps.
    pub(super) fn conclude(self) -> Examined {
        let is_last_size = self.is_last_size();
        let Merged { decided, undecided, effort } = self.merged;
        let (decided, undecided) = match (self.is_last || self.gave_up, decided) {
            (true, Some(decided)) => (Some(decided), None),
            (_, decided) => (decided, undecided),
        };
        let mut examined = match (decided, undecided) {
            (decided, Some(undecided)) => {
                let findings = decided.map_or(Vec::new(), |decided| decided.findings);
                Examined { findings, ..undecided }
            }
            (Some(decided), None) => decided,
            (None, None) => unreachable!("the first step is decided or not"),
        };
        let procedure = &mut examined.procedure;
        if !examined.findings.is_empty() {
            procedure.verdict = Verdict::Findings;
        }
        if !examined.is_cut && is_last_size && !self.gave_up {
            // No execution is cut, so the result holds within all the bounds requested.
            procedure.bounds = self.options.bounds.stated();
        }
        if !self.ends && procedure.verdict == Verdict::NoneWithinBounds {
            let why = match &self.cut {
                Some(why) => format!("every execution is cut off: {why}"),
                None => "no input within the bounds satisfies the preconditions and assumptions"
                    .to_owned(),
            };
            let reason = Reason::new(ReasonClass::Bounds).because(why);
            procedure.verdict = Verdict::Unknown(Reason { limit: self.limit, ..reason });
        }
        if let Some(manner) = &mut procedure.manner {
            manner.ends &= self.cut.is_none();
        }
        (procedure.cut, procedure.limit) = (self.cut, self.limit);
        Examined { effort, ..examined }
    }
}

impl Schedule for ExactSizes<'_> {
    type Step = Step;
    type Outcome = Examined;

    fn first(&mut self) -> Step {
        self.step()
    }

    fn next(&mut self, step: Step, outcome: Examined) -> Option<Step> {
        let mut outcome = outcome;
        let progress = Progress::of(&step, &outcome);
        if self.is_last {
            self.merged.add(&step, outcome);
            return None;
        }
        self.is_clear |= outcome.is_clear;
        let is_cut = outcome.is_cut;
        if progress != Progress::Deferred {
            // Small heaps are checked again, so executions that were cut before may no longer be.
            if outcome.procedure.cut.is_some() || self.round.exhausted.is_none() {
                self.cut = outcome.procedure.cut.take();
                self.limit = outcome.procedure.limit.take();
            }
            self.ends |= outcome.ends;
        }
        self.merged.add(&step, outcome);
        match progress {
            Progress::Deferred => {
                self.round.depth += 1;
                return Some(self.step());
            }
            // The results for smaller heaps still hold.
            Progress::OutOfBudget if self.merged.decided.is_some() => {
                self.gave_up = true;
                let is_enough = self.options.policy.stop_at_first && self.merged.has_findings();
                return if is_enough { None } else { self.last_step() };
            }
            Progress::OutOfBudget | Progress::Undecided => return None,
            Progress::Decided => {}
        }
        if self.options.policy.stop_at_first && self.merged.has_findings() {
            return None;
        }
        let Round { size, depth, .. } = self.round;
        if is_cut && !self.is_last_depth() {
            let size = (size + 1).min(self.largest());
            self.round = Round { size, depth: depth + 1, exhausted: None };
        } else if !self.is_last_size() {
            self.round = Round { size: size + 1, depth, exhausted: Some(size) };
        } else {
            return self.last_step();
        }
        Some(self.step())
    }
}

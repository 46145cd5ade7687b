//! Merging the outcomes of steps: the smallest execution is shown, the largest bounds that were finished are stated, and
//! a step that exhausts its budget changes nothing.

use report::{Bounds, Finding, ReasonClass, Verdict};

use crate::examine::{Effort, Examined};
use crate::options::CheckOptions;

/// A step of a search: the options of one check, and how its findings join those known.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) options: CheckOptions,
    pub(super) merge: Merge,
}

/// How the findings of a step join those known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Merge {
    /// The step checks only executions that no step before has checked: its findings are added.
    Add,
    /// The step checks everything again: its findings replace those known, each with the execution that was shown
    /// for it first. If no execution is cut, the findings hold within these bounds.
    Replace {
        /// The bounds that the findings state then, if they differ from those of the step.
        if_uncut: Option<Bounds>,
    },
}

/// How far a step came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// Nothing was asked: the step was cut, and a later one has larger bounds.
    Deferred,
    /// Every query was answered.
    Decided,
    /// The budget was exhausted.
    OutOfBudget,
    /// Something else prevents an answer, and will within any bounds.
    Undecided,
}

impl Progress {
    pub(super) fn of(step: &Step, outcome: &Examined) -> Progress {
        if outcome.is_cut && step.options.state.defer_if_cut {
            return Progress::Deferred;
        }
        match &outcome.procedure.verdict {
            Verdict::Findings | Verdict::NoneWithinBounds | Verdict::Skipped(_) => {
                Progress::Decided
            }
            Verdict::Unknown(reason) if reason.class == ReasonClass::Budget => {
                Progress::OutOfBudget
            }
            Verdict::Unknown(_) => Progress::Undecided,
        }
    }
}

/// The results of all steps so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Merged {
    /// The result of the last step that was decided, with the findings of all.
    pub(super) decided: Option<Examined>,
    /// The result of the last step that was not.
    pub(super) undecided: Option<Examined>,
    pub(super) effort: Effort,
}

impl Merged {
    /// Merges the outcome of a step.
    pub(super) fn add(&mut self, step: &Step, outcome: Examined) {
        self.effort += outcome.effort;
        match Progress::of(step, &outcome) {
            Progress::Deferred => {}
            Progress::OutOfBudget | Progress::Undecided => self.undecided = Some(outcome),
            Progress::Decided => {
                let known = self.decided.take();
                self.decided = Some(merged(known, &step.merge, outcome));
            }
        }
    }

    /// Whether the steps so far have findings.
    pub(super) fn has_findings(&self) -> bool {
        self.decided.as_ref().is_some_and(|decided| !decided.findings.is_empty())
    }
}

fn merged(known: Option<Examined>, merge: &Merge, outcome: Examined) -> Examined {
    let Some(known) = known else { return outcome };
    match merge {
        Merge::Add => Examined { findings: united(known.findings, outcome.findings), ..outcome },
        Merge::Replace { if_uncut } => {
            let bounds = if_uncut.as_ref().filter(|_| !outcome.is_cut);
            let findings = outcome.findings.into_iter().map(|finding| {
                let bounds = bounds.cloned().unwrap_or(finding.bounds);
                shown_smaller(&known.findings, Finding { bounds, ..finding })
            });
            let mut procedure = outcome.procedure;
            procedure.manner = known.procedure.manner.or(procedure.manner);
            Examined { findings: findings.collect(), procedure, ..outcome }
        }
    }
}

/// The findings known, and those found besides.
fn united(mut known: Vec<Finding>, more: Vec<Finding>) -> Vec<Finding> {
    for finding in more {
        if !known.iter().any(|known| is_same(known, &finding)) {
            known.push(finding);
        }
    }
    known
}

/// A finding with the execution that smaller bounds have shown, if they have.
fn shown_smaller(known: &[Finding], finding: Finding) -> Finding {
    match known.iter().find(|known| is_same(known, &finding)) {
        Some(smaller) => {
            let Finding { extent, related, .. } = finding;
            // A proof about every execution holds within any bounds.
            let bounds = if extent.is_every() { finding.bounds } else { smaller.bounds.clone() };
            Finding { extent, related, bounds, ..smaller.clone() }
        }
        None => finding,
    }
}

/// Whether two findings report the same failure.
fn is_same(a: &Finding, b: &Finding) -> bool {
    a.place == b.place && a.rule == b.rule && a.detail == b.detail && a.message == b.message
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, more: Effort) {
        self.points = self.points.max(more.points);
        self.queries += more.queries;
        self.solved += more.solved;
    }
}

//! A case: one procedure, what can be asked about it, and the charges brought so far.

use std::collections::BTreeSet;

use encode::{Escape, Inquiry, Known, Witness, replay};
use interpret::{Failure, Outcome, Run};
use ir::{AssertKind, BlockId, CutReason, Module, Origin, PointId, ProcedureId, Span};

use crate::rule::Rule;

/// A charge: a rule that the procedure breaks, with the run that shows it.
#[derive(Clone, Debug)]
pub struct Charge {
    /// The rule that is broken.
    pub rule: Rule,
    /// Which obligation failed, if one did.
    pub kind: Option<AssertKind>,
    /// What is wrong, in a sentence.
    pub message: String,
    /// Where.
    pub span: Span,
    /// The run that shows it, as the interpreter confirmed it, and what it started from.
    pub run: Option<(Witness, Run)>,
}

/// Everything that checkers may ask about a procedure.
pub struct Case<'c> {
    pub(crate) module: &'c Module,
    pub(crate) procedure: ProcedureId,
    /// The evaluation in which every run is a run of the program.
    pub(crate) under: Inquiry<'c>,
    /// The evaluation in which every run of the program is described.
    pub(crate) over: Inquiry<'c>,
    pub(crate) replay: interpret::Options,
    pub(crate) charges: Vec<Charge>,
    /// Obligations that a charge speaks of already.
    pub(crate) charged: BTreeSet<(PointId, AssertKind)>,
    /// Why some question was not decided.
    pub(crate) undecided: BTreeSet<String>,
    /// How many models the interpreter did not confirm.
    pub(crate) unconfirmed: usize,
}

/// A point or a side of a branch, as a candidate for doom.
struct Candidate {
    place: Where,
    span: Span,
    gate: circuit::Gate,
    blocks: Vec<BlockId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Where {
    Edge(PointId, bool),
    Point(PointId),
}

impl Case<'_> {
    /// Charges every obligation of the selected kinds that some run does not meet, each once.
    pub(crate) fn charge_failing(&mut self, rule: &Rule, selected: impl Fn(AssertKind) -> bool) {
        let evaluation = self.under.evaluation();
        for obligation in &evaluation.obligations {
            let key = (obligation.point, obligation.kind);
            if !selected(obligation.kind) || self.charged.contains(&key) {
                continue;
            }
            match self.under.ask(&[obligation.fails]) {
                Known::Never => {}
                Known::Unknown(reason) => drop(self.undecided.insert(reason.to_string())),
                Known::Exists => {
                    let witness = self.under.witness();
                    let run = self.run(&witness);
                    match &run.outcome {
                        Outcome::Failed(failure) if failure.kind == obligation.kind => {
                            self.charged.insert(key);
                            self.charges.push(Charge {
                                rule: *rule,
                                kind: Some(obligation.kind),
                                message: sentence(&obligation.message, obligation.kind),
                                span: obligation.span,
                                run: Some((witness, run)),
                            });
                        }
                        _ => self.unconfirmed += 1,
                    }
                }
            }
        }
    }

    fn run(&self, witness: &Witness) -> Run {
        replay(self.module, self.procedure, witness, &self.replay)
    }

    /// Charges what every run fails that gets there, each cause once.
    pub(crate) fn charge_doomed(&mut self, rule: &Rule) {
        let survives = self.over.evaluation().survives;
        let doomed = self.over_candidates(Some(survives));
        let points: BTreeSet<Where> = doomed.iter().map(|candidate| candidate.place).collect();
        let mut causes = BTreeSet::new();
        for candidate in doomed {
            // A side of a branch is to blame only if the branch itself was not doomed already.
            if let Where::Edge(point, _) = candidate.place
                && points.contains(&Where::Point(point))
            {
                continue;
            }
            let Some(gate) = self.under_gate(candidate.place) else { continue };
            match self.under.ask(&[gate]) {
                // No run gets there within the bounds: that is for another rule to say.
                Known::Never => {}
                Known::Unknown(reason) => drop(self.undecided.insert(reason.to_string())),
                Known::Exists => {
                    let witness = self.under.witness();
                    let run = self.run(&witness);
                    let Outcome::Failed(failure) = &run.outcome else {
                        self.unconfirmed += 1;
                        continue;
                    };
                    let Some(point) = failure.site.point(self.module) else { continue };
                    if !causes.insert((point, failure.kind)) {
                        continue;
                    }
                    self.charged.insert((point, failure.kind));
                    let message = doom(candidate.place, failure);
                    let kind = Some(failure.kind);
                    // A side of a branch is to blame itself; elsewhere it is what fails.
                    let span = match candidate.place {
                        Where::Edge(..) => candidate.span,
                        Where::Point(_) => failure.site.span(self.module).unwrap_or(candidate.span),
                    };
                    let run = Some((witness, run));
                    self.charges.push(Charge { rule: *rule, kind, message, span, run });
                }
            }
        }
    }

    /// Charges what no run reaches, unless what leads to it is charged already.
    pub(crate) fn charge_unreachable(&mut self, rule: &Rule) {
        let mut spans = BTreeSet::new();
        // What follows a failure that is charged already is of course not reached.
        let evaluation = self.over.evaluation();
        let failing: Vec<BlockId> = evaluation
            .obligations
            .iter()
            .filter(|obligation| self.charged.contains(&(obligation.point, obligation.kind)))
            .map(|obligation| obligation.place.0)
            .collect();
        for candidate in self.over_candidates(None) {
            if candidate.blocks.iter().all(|block| failing.contains(block)) {
                continue;
            }
            let message = match candidate.place {
                Where::Edge(_, true) => "this condition is never true",
                Where::Edge(_, false) => "this condition is never false",
                Where::Point(_) => "this is never reached",
            };
            if spans.insert(candidate.span) {
                self.charges.push(Charge {
                    rule: *rule,
                    kind: None,
                    message: message.to_owned(),
                    span: candidate.span,
                    run: None,
                });
            }
        }
    }

    /// The points and sides of branches that no run of the program passes with the given gate. A
    /// run found by one question clears all it passes. Where a run may have left the scope before,
    /// nothing can be said.
    fn over_candidates(&mut self, also: Option<circuit::Gate>) -> Vec<Candidate> {
        let evaluation = self.over.evaluation();
        let edges =
            evaluation.edges.iter().filter(|edge| reportable(edge.origin)).map(|edge| Candidate {
                place: Where::Edge(edge.point, edge.taken),
                span: edge.span,
                gate: edge.gate,
                blocks: edge.blocks.clone(),
            });
        let points =
            evaluation.points.iter().filter(|point| reportable(point.origin)).map(|point| {
                Candidate {
                    place: Where::Point(point.id),
                    span: point.span,
                    gate: point.gate,
                    blocks: point.blocks.clone(),
                }
            });
        let candidates: Vec<Candidate> = edges.chain(points).collect();
        let lost = evaluation.reached_from(&self.lost_blocks());
        let mut cleared = vec![false; candidates.len()];
        let mut found = vec![false; candidates.len()];
        for (number, candidate) in candidates.iter().enumerate() {
            let lost_before = candidate.blocks.iter().any(|block| lost[block.0 as usize]);
            if cleared[number] || lost_before {
                continue;
            }
            let question: Vec<_> = [candidate.gate].into_iter().chain(also).collect();
            match self.over.ask(&question) {
                Known::Never => found[number] = true,
                Known::Unknown(reason) => drop(self.undecided.insert(reason.to_string())),
                Known::Exists => {
                    for (other, cleared) in candidates.iter().zip(&mut cleared) {
                        *cleared |= self.over.holds(other.gate);
                    }
                }
            }
        }
        candidates.into_iter().zip(found).filter(|(_, found)| *found).map(|(c, _)| c).collect()
    }

    /// The blocks in which runs of the over-approximation may leave the scope.
    fn lost_blocks(&mut self) -> Vec<BlockId> {
        let evaluation = self.over.evaluation();
        let mut lost = Vec::new();
        for cut in &evaluation.cuts {
            if !lost.contains(&cut.block) && self.over.ask(&[cut.gate]) != Known::Never {
                lost.push(cut.block);
            }
        }
        lost
    }

    /// The condition under which a run of the under-approximation gets to a candidate.
    fn under_gate(&self, place: Where) -> Option<circuit::Gate> {
        let evaluation = self.under.evaluation();
        match place {
            Where::Edge(point, taken) => {
                let same = |edge: &&encode::Edge| edge.point == point && edge.taken == taken;
                evaluation.edges.iter().find(same).map(|edge| edge.gate)
            }
            Where::Point(id) => {
                evaluation.points.iter().find(|point| point.id == id).map(|point| point.gate)
            }
        }
    }

    /// Why the procedure does not count as decided: something that has no meaning here lies on a
    /// path that runs take.
    pub(crate) fn unsupported(&mut self) -> Option<String> {
        let evaluation = self.under.evaluation();
        evaluation.cuts.iter().find_map(|cut| match &cut.why {
            Escape::Cut(CutReason::Unrolling(_) | CutReason::Inlining(_))
            | Escape::Integer
            | Escape::Sequence
            | Escape::Individuals
            | Escape::Undefined => None,
            Escape::Cut(CutReason::Unsupported(_))
            | Escape::UnboundedMaps
            | Escape::UnboundedQuantifier
            | Escape::Type(_)
            | Escape::Operation(_)
            | Escape::Recursion => {
                (self.under.ask(&[cut.gate]) != Known::Never).then(|| cut.why.to_string())
            }
        })
    }
}

/// Whether something may be reported: copies of callees and what passes made up may not.
fn reportable(origin: Origin) -> bool {
    match origin {
        Origin::Source | Origin::Macro(_) => true,
        Origin::Inlined(_) | Origin::Synthetic => false,
    }
}

fn doom(place: Where, failure: &Failure) -> String {
    let why = sentence(&failure.message, failure.kind);
    match place {
        Where::Edge(_, true) => format!("whenever this is true the run fails: {why}"),
        Where::Edge(_, false) => format!("whenever this is false the run fails: {why}"),
        Where::Point(_) => format!("every run fails: {why}"),
    }
}

/// What to say of a failed obligation that came without a message.
fn sentence(message: &str, kind: AssertKind) -> String {
    if !message.is_empty() {
        return message.to_owned();
    }
    match kind {
        AssertKind::Assertion => "the assertion does not hold",
        AssertKind::NullDereference => "what is dereferenced is null",
        AssertKind::OutOfBounds => "the index is out of bounds",
        AssertKind::UseAfterFree => "what is used has been freed",
        AssertKind::DoubleFree => "what is freed has been freed",
        AssertKind::InvalidFree => "what is freed did not come from the heap",
        AssertKind::DivisionByZero => "the divisor is zero",
        AssertKind::Overflow => "the result is out of range",
        AssertKind::Shift => "the shift amount is out of range",
        AssertKind::Uninitialised => "the value was never set",
        AssertKind::Precondition => "the precondition of the callee does not hold",
        AssertKind::Postcondition => "the postcondition does not hold",
        AssertKind::Invariant => "the invariant does not hold",
        AssertKind::LoopInvariant => "the loop invariant does not hold",
        AssertKind::Progress => "the measure does not decrease",
        AssertKind::Assignable => "this may not be assigned",
        AssertKind::Exception => "this exception is not allowed",
    }
    .to_owned()
}

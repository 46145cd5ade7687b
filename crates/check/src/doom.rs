//! Doom: points and sides of branches that no run survives, and those that no run reaches.
//!
//! Hoenicke, Leino, Podelski, Schäf and Wies, *It's Doomed; We Can Prove It*, FM 2009. All copies of a
//! point count together, so what unrolling or inlining made of it never creates a report. Each run
//! that is found to survive clears every point it passes, so few points need a question of their own.

use std::collections::BTreeSet;

use encode::{Condition, Edge, Escape, Obligation, Point, QueryAnswer, SolverReason, Witness};
use interpret::{EventKind, Execution, Outcome, Site};
use ir::{AssertKind, BlockId, Origin, PointId, Span};
use passes::Constraint;
use report::Extent;

use crate::assumptions::UNWRITTEN_BRANCH;
use crate::blame::{Core, Subject};
use crate::checkers::{kind_of, rule_of};
use crate::context::{CheckContext, Defect, Evidence, LoopModel, sentence};
use crate::path_class::Failing;
use crate::rule::Rule;

/// The maximum number of failing obligations examined to find one that no execution gets past.
const MAX_FAILURES: usize = 16;

/// What is noted where a run that fails depends on what is not modelled.
const RUNS_FAIL: &str = "runs that fail get there";

/// A point or a side of a branch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Where {
    Edge(PointId, bool),
    Point(PointId),
}

impl Where {
    /// The point, or that of the branch.
    fn point(self) -> PointId {
        match self {
            Where::Edge(point, _) | Where::Point(point) => point,
        }
    }
}

/// A point or a side of a branch, as a candidate for doom.
struct Candidate {
    place: Where,
    span: Span,
    gate: Condition,
    blocks: Vec<BlockId>,
}

impl Candidate {
    /// Whether it is a part of an assertion that fails: one of its conditions may well be false.
    fn is_part_of(&self, ending: &Ending) -> bool {
        let is_asserted = matches!(ending.failed, Some((_, AssertKind::Assertion)));
        is_asserted && matches!(self.place, Where::Edge(..)) && self.span == ending.span
    }
}

/// What becomes of runs that are doomed.
struct Ending {
    /// Where in the procedure: what fails, the call in which something fails, or the loop that is not
    /// left.
    span: Span,
    why: String,
    /// The obligation that fails, if it is one of this procedure or of a call in it.
    failed: Option<(PointId, AssertKind)>,
    /// What fails in a callee.
    inner: Option<Span>,
}

impl CheckContext<'_> {
    /// Reports what fails in every execution that gets somewhere, each cause once, under the rule and at the place of
    /// what fails; a loop that never ends has no other rule than the given one. What a cause explains besides is not
    /// reported again.
    pub(crate) fn report_doomed(&mut self, rule: &Rule) {
        if self.open.places.is_empty() || self.loop_model != (LoopModel::Unrolled { first: true }) {
            return;
        }
        let admissible = self.over.evaluation().admissible;
        let mut doomed = self.over_candidates(Some(admissible));
        let points: BTreeSet<Where> = doomed.iter().map(|candidate| candidate.place).collect();
        // A side of a branch is to blame only if the branch itself was not doomed already.
        doomed.retain(|candidate| match candidate.place {
            Where::Edge(point, _) => !points.contains(&Where::Point(point)),
            Where::Point(_) => true,
        });
        if self.options.policy.trust_inputs
            && self.options.policy.assumptions.has(&UNWRITTEN_BRANCH)
        {
            let facts = self.facts();
            doomed.retain(|candidate| match candidate.place {
                Where::Edge(branch, taken) => !facts.flow.is_unwritten(branch, taken),
                Where::Point(_) => true,
            });
        }
        let mut causes = BTreeSet::new();
        while !doomed.is_empty() {
            let candidate = doomed.remove(0);
            let Some(found) = self.doomed_run(candidate.place) else { continue };
            let accused = Subject::Doomed(candidate.place, &candidate.blocks);
            let core = self.core(&accused, &[candidate.span]);
            let meant = core.as_ref().and_then(|core| self.meant_run(candidate.place, core));
            let (witness, run) = meant.unwrap_or(found);
            let Some(ending) = self.ending(&run) else {
                self.unconfirmed += 1;
                continue;
            };
            if candidate.is_part_of(&ending) || self.is_ruled_out(candidate.place, &ending) {
                continue;
            }
            if let Some(core) = &core {
                let places: Vec<Where> = doomed.iter().map(|other| other.place).collect();
                let mut explained = self.explained(core, &places).into_iter();
                doomed.retain(|_| !explained.next().unwrap_or(false));
            }
            let is_known = ending.failed.is_some_and(|failed| self.reported.contains(&failed));
            let bears = ending.failed.map_or(*rule, |(_, kind)| rule_of(kind));
            let is_denied = self.options.policy.denied.contains(bears.id);
            if is_known || is_denied || !causes.insert((ending.span, ending.failed)) {
                continue;
            }
            let judged =
                ending.failed.map_or(Some(Vec::new()), |at| self.judged((&witness, &run), at));
            let Some(assumptions) = judged else {
                self.unconfirmed += 1;
                continue;
            };
            self.reported.extend(ending.failed);
            let condition = match candidate.place {
                Where::Edge(_, taken) => Some((candidate.span, taken)),
                Where::Point(_) => None,
            };
            let mut related = related(core, condition, &ending);
            let is_shared =
                ending.failed.is_some_and(|(at, _)| self.is_passed_by_others(at, &points));
            if condition.is_none() && candidate.span != ending.span && is_shared {
                related.retain(|(span, _)| *span != candidate.span);
                related.push((candidate.span, "every execution that gets here fails".to_owned()));
            }
            let defect = Defect {
                rule: bears,
                kind: ending.failed.map(|(_, kind)| kind),
                message: String::new(),
                span: ending.span,
                related,
                evidence: Evidence::Run(Box::new((witness, run))),
                others: None,
                assumptions,
                extent: match condition {
                    Some(_) => Extent::EveryExecutionOfBranch,
                    None => Extent::EveryExecution,
                },
                condition: None,
            };
            self.defects.push(match (condition, ending.failed) {
                (_, Some(_)) => Defect { message: ending.why, condition, ..defect },
                // The branch is to blame for a loop behind it.
                (Some((span, true)), None) => {
                    let message = "infinite loop whenever this condition is true".to_owned();
                    Defect { message, span, ..defect }
                }
                (Some((span, false)), None) => {
                    let message = "infinite loop whenever this condition is false".to_owned();
                    Defect { message, span, ..defect }
                }
                (None, None) => {
                    let message = "infinite loop: no execution leaves it".to_owned();
                    Defect { message, ..defect }
                }
            });
        }
    }

    /// Whether executions that do not fail get to a point, given the places that are doomed.
    fn is_passed_by_others(&self, at: PointId, doomed: &BTreeSet<Where>) -> bool {
        let mut points = self.over.evaluation().points.iter();
        let is_written = points.any(|point| point.id == at && !is_made_up(point.origin));
        is_written && !doomed.contains(&Where::Point(at))
    }

    /// Whether some assumption says that the branch is not a test as far as the failure is concerned.
    fn is_ruled_out(&mut self, place: Where, ending: &Ending) -> bool {
        match (place, ending.failed) {
            (Where::Edge(branch, _), Some((point, kind))) if self.options.policy.trust_inputs => {
                let facts = self.facts();
                let evaluation = self.under.evaluation();
                let is_in_callee = ending.inner.is_some();
                let failing = Failing {
                    kind,
                    point,
                    is_in_callee,
                    is_doomed: true,
                    evaluation,
                    facts: &facts,
                };
                self.options.policy.assumptions.ignore_branch(&failing, branch)
            }
            (Where::Edge(..) | Where::Point(_), _) => false,
        }
    }

    /// A run that gets to a doomed place, within the bounds or beyond them.
    fn doomed_run(&mut self, place: Where) -> Option<(Witness, Execution)> {
        if let Some(gate) = gate_of(self.under.evaluation(), place)
            && let Some(found) = self.bounded_run(gate)
        {
            return Some(found);
        }
        // If none gets there at all, that is for another rule to say.
        let procedure = self.procedure;
        let gets_there = |run: &Execution| match place {
            Where::Edge(point, taken) => run.taken.contains(&(procedure, point, taken)),
            Where::Point(point) => run.passed.contains(&(procedure, point)),
        };
        self.beyond().iter().find(|(_, run)| gets_there(run)).cloned()
    }

    /// A run within the bounds that gets to a doomed place and fails in something that is to blame. Where inputs
    /// are trusted, any that was found does.
    fn meant_run(&mut self, place: Where, core: &Core) -> Option<(Witness, Execution)> {
        let evaluation = self.under.evaluation();
        let gate = gate_of(evaluation, place).filter(|_| !self.options.policy.trust_inputs)?;
        let is_meant = |o: &&Obligation| core.parts.contains(&Constraint::Point(o.point));
        let mut meant = evaluation.obligations.iter().rev().filter(is_meant);
        let found = meant.find(|o| self.query_plainly(&[gate, o.fails]))?;
        self.is_independent(&[gate, found.fails], RUNS_FAIL).then(|| self.run_found())
    }

    /// A run through a gate behind which all fail. Where inputs are trusted, it fails in something that no
    /// run gets past that passes the gate: what some get past fails for want of a promise only.
    fn bounded_run(&mut self, gate: Condition) -> Option<(Witness, Execution)> {
        let evaluation = self.under.evaluation();
        if !self.options.policy.trust_inputs {
            let is_found = self.query_plainly(&[gate]) && self.is_independent(&[gate], RUNS_FAIL);
            return is_found.then(|| self.run_found());
        }
        let excluded = self.options.policy.assumptions.excluded_inputs(evaluation);
        let expected = excluded.iter().map(|&gate| !gate);
        let mut question: Vec<Condition> = [gate].into_iter().chain(expected).collect();
        let assumed = question.len();
        for _ in 0..MAX_FAILURES {
            if self.query(&question) != QueryAnswer::Sat {
                return None;
            }
            let groups = &evaluation.groups;
            let failing = groups.iter().find(|group| self.under.holds(group.fails))?;
            if self.query(&[gate, failing.reached, !failing.fails]) == QueryAnswer::Unsat {
                question.truncate(assumed);
                question.push(failing.fails);
                let is_found = self.query_plainly(&question)
                    && self.is_independent(&[gate, failing.fails], RUNS_FAIL);
                return is_found.then(|| self.run_found());
            }
            question.push(!failing.fails);
        }
        None
    }

    /// The run just found, followed to its end.
    fn run_found(&mut self) -> (Witness, Execution) {
        let witness = self.under.witness();
        let run = self.run_on(&witness);
        (witness, run)
    }

    /// How a run that was proved not to survive does not.
    fn ending(&self, run: &Execution) -> Option<Ending> {
        match &run.outcome {
            Outcome::Failed(failure) => {
                let why = sentence(&failure.message, failure.kind);
                let span = failure.site.span(self.module)?;
                if failure.site.procedure == self.procedure {
                    let failed = Some((failure.site.point(self.module)?, failure.kind));
                    return Some(Ending { span, why, failed, inner: None });
                }
                let call = self.last(run, |what| matches!(what, EventKind::Called(..)))?;
                Some(Ending {
                    span: call.span(self.module)?,
                    why,
                    failed: Some((call.point(self.module)?, failure.kind)),
                    inner: Some(span),
                })
            }
            Outcome::OutOfSteps => {
                let turn = self.last(run, |what| matches!(what, EventKind::Entered(_)))?;
                let (span, why) = (turn.span(self.module)?, "it never ends".to_owned());
                Some(Ending { span, why, failed: None, inner: None })
            }
            Outcome::Exit(_) | Outcome::Blocked { .. } | Outcome::Error { .. } => None,
        }
    }

    /// Where in the procedure itself something of a kind happened last.
    fn last(&self, run: &Execution, selected: impl Fn(&EventKind) -> bool) -> Option<Site> {
        let here = |site: Site| site.procedure == self.procedure;
        let events = run.trace.events().filter(|event| here(event.site) && selected(&event.kind));
        events.last().map(|event| event.site)
    }

    /// Reports unreachable code, unless the cause is reported already.
    pub(crate) fn report_unreachable(&mut self, rule: &Rule) {
        if self.open.places.is_empty() || self.loop_model != (LoopModel::Unrolled { first: true }) {
            return;
        }
        let never_begins = self.over.ask(&[self.over.evaluation().begins]) == QueryAnswer::Unsat;
        if never_begins {
            return;
        }
        let mut spans = BTreeSet::new();
        // Code after a reported failure is unreachable, of course.
        let evaluation = self.over.evaluation();
        let failing: Vec<BlockId> = evaluation
            .obligations
            .iter()
            .filter(|obligation| self.reported.contains(&(obligation.point, obligation.kind)))
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
                self.defects.push(Defect {
                    rule: *rule,
                    kind: None,
                    message: message.to_owned(),
                    span: candidate.span,
                    related: Vec::new(),
                    evidence: Evidence::Proof("no run of any length gets there"),
                    others: None,
                    assumptions: Vec::new(),
                    extent: Extent::SomeExecution,
                    condition: None,
                });
            }
        }
    }

    /// The points and sides of branches that no run of the program passes with the given gate. A
    /// run found by one question clears all it passes. Where a run may have left the scope before,
    /// nothing can be said.
    fn over_candidates(&mut self, also: Option<Condition>) -> Vec<Candidate> {
        let evaluation = self.over.evaluation();
        let edges = evaluation.edges.iter().filter(|edge| reportable(edge.origin));
        let points = evaluation.points.iter().filter(|point| !is_made_up(point.origin));
        let candidates = edges.map(Candidate::from).chain(points.map(Candidate::from));
        let open = &self.open.places;
        let candidates: Vec<Candidate> =
            candidates.filter(|candidate| open.contains(&candidate.place)).collect();
        let lost = self.lost_points();
        let mut cleared = vec![false; candidates.len()];
        let mut found = vec![false; candidates.len()];
        for (number, candidate) in candidates.iter().enumerate() {
            if cleared[number] || lost.contains(&candidate.place.point()) {
                continue;
            }
            if self.over.is_spent() {
                self.note_unanswered(&SolverReason::ConflictLimit);
                break;
            }
            let question: Vec<_> = [candidate.gate].into_iter().chain(also).collect();
            self.over.vary();
            match self.over.ask(&question) {
                QueryAnswer::Unsat => found[number] = true,
                QueryAnswer::Unknown(reason) => self.note_unanswered(&reason),
                QueryAnswer::Sat => {
                    for (other, cleared) in candidates.iter().zip(&mut cleared) {
                        *cleared |= self.over.holds(other.gate);
                    }
                }
            }
        }
        candidates.into_iter().zip(found).filter(|(_, found)| *found).map(|(c, _)| c).collect()
    }

    /// The points that runs of the over-approximation may get to in the program after they have left the scope, or
    /// that are behind where the formula ends: a point has as many copies as its loop has iterations, and one of
    /// which nothing is known is enough.
    fn lost_points(&mut self) -> BTreeSet<PointId> {
        let blocks = self.lost_blocks();
        let lost = self.over.evaluation().reached_from(&blocks);
        let body = self.over_body.procedure.blocks.iter().flatten();
        let behind = body.zip(lost).filter(|(_, is_lost)| *is_lost).map(|(block, _)| block);
        behind
            .flat_map(|block| {
                let statements = block.statements.iter().map(|statement| statement.point);
                statements.chain([block.terminator.point])
            })
            .collect()
    }

    /// The blocks in which runs of the over-approximation may leave the scope.
    fn lost_blocks(&mut self) -> Vec<BlockId> {
        let evaluation = self.over.evaluation();
        let mut lost = BTreeSet::new();
        for cut in &evaluation.cuts {
            // Where a formula grows too large nothing is to be gained by more questions.
            let is_lost = cut.why == Escape::Size || self.over.is_spent();
            if is_lost || self.over.ask(&[cut.gate]) != QueryAnswer::Unsat {
                lost.insert(cut.block);
            }
        }
        lost.into_iter().collect()
    }
}

/// The condition under which a run gets to a place.
pub(crate) fn gate_of(evaluation: &encode::Evaluation, place: Where) -> Option<Condition> {
    match place {
        Where::Edge(point, taken) => {
            let same = |edge: &&Edge| edge.point == point && edge.taken == taken;
            evaluation.edges.iter().find(same).map(|edge| edge.gate)
        }
        Where::Point(id) => {
            evaluation.points.iter().find(|point| point.id == id).map(|point| point.gate)
        }
    }
}

impl From<&Edge> for Candidate {
    fn from(edge: &Edge) -> Candidate {
        let (place, blocks) = (Where::Edge(edge.point, edge.taken), edge.blocks.clone());
        Candidate { place, span: edge.span, gate: edge.gate, blocks }
    }
}

impl From<&Point> for Candidate {
    fn from(point: &Point) -> Candidate {
        let (place, blocks) = (Where::Point(point.id), point.blocks.clone());
        Candidate { place, span: point.span, gate: point.gate, blocks }
    }
}

/// Whether a side of a branch may be reported: those of callees and what passes made up may not.
fn reportable(origin: Origin) -> bool {
    match origin {
        Origin::Source | Origin::Macro(_) => true,
        Origin::Inlined(_) | Origin::Synthetic => false,
    }
}

/// Whether a point stands for nothing in the source. What was inlined stands for the call.
fn is_made_up(origin: Origin) -> bool {
    match origin {
        Origin::Source | Origin::Macro(_) | Origin::Inlined(_) => false,
        Origin::Synthetic => true,
    }
}

/// The statements that contradict each other, but for the one at which the finding stands.
fn related(
    core: Option<Core>,
    condition: Option<(Span, bool)>,
    ending: &Ending,
) -> Vec<(Span, String)> {
    let mut related = core.map(|core| core.places).unwrap_or_default();
    match (condition, ending.failed) {
        (Some((span, taken)), Some((_, kind))) => {
            let what = if ending.inner.is_some() { "call" } else { kind_of(kind).noun };
            let role = format!("either this is never {taken} or the {what} always fails");
            related.retain(|(place, _)| *place != span);
            related.push((span, role));
        }
        (Some((span, _)), None) => {
            related.push((ending.span, "this loop is never left".to_owned()));
            related.retain(|(place, _)| *place != span);
        }
        (None, _) => {}
    }
    if ending.failed.is_some() {
        related.retain(|(place, _)| *place != ending.span);
    }
    related.extend(ending.inner.map(|span| (span, "this fails".to_owned())));
    related.sort();
    related.dedup_by_key(|(span, _)| *span);
    related
}

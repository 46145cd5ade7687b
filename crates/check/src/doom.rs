//! Doomed points and branch edges, which no execution survives, and those that no execution reaches.
//!
//! Hoenicke, Leino, Podelski, Schäf and Wies, *It's Doomed; We Can Prove It*, FM 2009. All copies of a point count
//! together, so unrolling and inlining never create a report. Each execution that survives clears every point that
//! it passes, so few points need a query of their own.

use std::collections::BTreeSet;

use encode::{Condition, Edge, Escape, Obligation, Point, QueryAnswer, SolverReason, Witness};
use interpret::{EventKind, Execution, Outcome, Site};
use ir::{AssertKind, BlockId, Origin, PointId, Span};
use passes::Constraint;
use report::{Extent, FailureKind};

use crate::assumptions::UNWRITTEN_BRANCH;
use crate::blame::{Core, Subject};
use crate::checkers::{failure_of, rule_of};
use crate::context::{CheckContext, Defect, Evidence, LoopModel, sentence};
use crate::limits::DOOMED_FAILURES;
use crate::path_class::Failing;
use crate::rule::Rule;

/// Noted where a failing execution depends on unmodelled operations.
const RUNS_FAIL: &str = "failing executions get there";

/// A point or a branch edge.
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

/// A point or a branch edge that may be doomed.
struct Candidate {
    place: Where,
    span: Span,
    gate: Condition,
    blocks: Vec<BlockId>,
}

impl Candidate {
    /// Whether it is part of an assertion that fails: one of the assertion's conditions may well be false.
    fn is_part_of(&self, ending: &Ending) -> bool {
        let is_asserted = matches!(ending.failed, Some((_, AssertKind::Assertion)));
        is_asserted && matches!(self.place, Where::Edge(..)) && self.span == ending.span
    }
}

/// How doomed executions end.
struct Ending {
    /// The place in the procedure: the failure, the call in which something fails, or the loop that does not end.
    span: Span,
    why: String,
    /// The obligation that fails, if it is one of this procedure or of a call in it.
    failed: Option<(PointId, AssertKind)>,
    /// The place of the failure in a callee.
    inner: Option<Span>,
}

impl CheckContext<'_> {
    /// Reports failures that happen in every execution through a point, each cause once, under the rule and at the
    /// place of the failure; for a loop that never ends the given rule is used. Other doomed points with the same
    /// cause are not reported again.
    pub(crate) fn report_doomed(&mut self, rule: &Rule) {
        if self.open.places.is_empty() || self.loop_model != (LoopModel::Unrolled { first: true }) {
            return;
        }
        let admissible = self.over.evaluation().admissible;
        let mut doomed = self.over_candidates(Some(admissible));
        let points: BTreeSet<Where> = doomed.iter().map(|candidate| candidate.place).collect();
        // A branch edge is the cause only if the branch itself is not doomed already.
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
            let subject = Subject::Doomed(candidate.place, &candidate.blocks);
            let core = self.core(&subject, &[candidate.span]);
            let meant = core.as_ref().and_then(|core| self.core_run(candidate.place, core));
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
                kind: ending
                    .failed
                    .map_or(FailureKind::Nontermination, |(_, kind)| failure_of(kind)),
                obligation: ending.failed.map(|(point, _)| point),
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
                // The branch is the cause of a loop behind it.
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

    /// Whether executions that do not fail reach a point, given the doomed places.
    fn is_passed_by_others(&self, at: PointId, doomed: &BTreeSet<Where>) -> bool {
        let mut points = self.over.evaluation().points.iter();
        let is_written = points.any(|point| point.id == at && !has_no_source(point.origin));
        is_written && !doomed.contains(&Where::Point(at))
    }

    /// Whether an assumption says that the branch does not test what the failure depends on.
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

    /// An execution that reaches a doomed place, within the bounds or beyond them.
    fn doomed_run(&mut self, place: Where) -> Option<(Witness, Execution)> {
        if let Some(gate) = gate_of(self.under.evaluation(), place)
            && let Some(found) = self.bounded_run(gate)
        {
            return Some(found);
        }
        // If none reaches it at all, another rule reports that.
        let procedure = self.procedure;
        let gets_there = |run: &Execution| match place {
            Where::Edge(point, taken) => run.taken.contains(&(procedure, point, taken)),
            Where::Point(point) => run.passed.contains(&(procedure, point)),
        };
        self.beyond().iter().find(|(_, run)| gets_there(run)).cloned()
    }

    /// An execution within the bounds that reaches a doomed place and fails at a part of the core. Where inputs are
    /// trusted, any execution that was found does.
    fn core_run(&mut self, place: Where, core: &Core) -> Option<(Witness, Execution)> {
        let evaluation = self.under.evaluation();
        let gate = gate_of(evaluation, place).filter(|_| !self.options.policy.trust_inputs)?;
        let is_meant = |o: &&Obligation| core.parts.contains(&Constraint::Point(o.point));
        let mut meant = evaluation.obligations.iter().rev().filter(is_meant);
        let found = meant.find(|o| self.query_plainly(&[gate, o.fails]))?;
        self.is_independent(&[gate, found.fails], RUNS_FAIL).then(|| self.run_found())
    }

    /// An execution through a gate behind which all executions fail. Where inputs are trusted, it fails at an
    /// obligation that no execution through the gate survives: an obligation that some survive fails only for want
    /// of an unwritten precondition.
    fn bounded_run(&mut self, gate: Condition) -> Option<(Witness, Execution)> {
        let evaluation = self.under.evaluation();
        if !self.options.policy.trust_inputs {
            let is_found = self.query_plainly(&[gate]) && self.is_independent(&[gate], RUNS_FAIL);
            return is_found.then(|| self.run_found());
        }
        let excluded = self.options.policy.assumptions.excluded_inputs(evaluation);
        let expected = excluded.iter().map(|&gate| !gate);
        let mut query: Vec<Condition> = [gate].into_iter().chain(expected).collect();
        let assumed = query.len();
        for _ in 0..DOOMED_FAILURES {
            if self.query(&query) != QueryAnswer::Sat {
                return None;
            }
            let groups = &evaluation.groups;
            let failing = groups.iter().find(|group| self.under.holds(group.fails))?;
            if self.query(&[gate, failing.reached, !failing.fails]) == QueryAnswer::Unsat {
                query.truncate(assumed);
                query.push(failing.fails);
                let is_found = self.query_plainly(&query)
                    && self.is_independent(&[gate, failing.fails], RUNS_FAIL);
                return is_found.then(|| self.run_found());
            }
            query.push(!failing.fails);
        }
        None
    }

    /// The execution just found, followed to its end.
    fn run_found(&mut self) -> (Witness, Execution) {
        let witness = self.under.witness();
        let run = self.run_on(&witness);
        (witness, run)
    }

    /// How an execution ends that was proved not to survive.
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

    /// The last place in the procedure itself where an event of a kind happened.
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
                    kind: FailureKind::Unreachable,
                    obligation: None,
                    message: message.to_owned(),
                    span: candidate.span,
                    related: Vec::new(),
                    evidence: Evidence::Proof("no execution of any length gets there"),
                    others: None,
                    assumptions: Vec::new(),
                    extent: Extent::SomeExecution,
                    condition: None,
                });
            }
        }
    }

    /// The points and branch edges that no execution passes with the given gate. An execution found by one query
    /// clears all points that it passes. Where an execution may have left the scope before, nothing is known.
    fn over_candidates(&mut self, also: Option<Condition>) -> Vec<Candidate> {
        let evaluation = self.over.evaluation();
        let edges = evaluation.edges.iter().filter(|edge| reportable(edge.origin));
        let points = evaluation.points.iter().filter(|point| !has_no_source(point.origin));
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
            let query: Vec<_> = [candidate.gate].into_iter().chain(also).collect();
            self.over.vary();
            match self.over.ask(&query) {
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

    /// The points that executions of the over-approximation may reach after they have left the scope, or that lie
    /// behind the end of the formula. A point has one copy for each iteration of its loop; one unknown copy is
    /// enough.
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

    /// The blocks in which executions of the over-approximation may leave the scope.
    fn lost_blocks(&mut self) -> Vec<BlockId> {
        let evaluation = self.over.evaluation();
        let mut lost = BTreeSet::new();
        for cut in &evaluation.cuts {
            // If the formula is too large, further queries gain nothing.
            let is_lost = cut.why == Escape::Size || self.over.is_spent();
            if is_lost || self.over.ask(&[cut.gate]) != QueryAnswer::Unsat {
                lost.insert(cut.block);
            }
        }
        lost.into_iter().collect()
    }
}

/// The condition under which an execution reaches a place.
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

/// Whether a branch edge may be reported: edges of callees and edges that passes create may not.
fn reportable(origin: Origin) -> bool {
    match origin {
        Origin::Source | Origin::Macro(_) => true,
        Origin::Inlined(_) | Origin::Synthetic => false,
    }
}

/// Whether a point has no counterpart in the source. An inlined point has the call.
fn has_no_source(origin: Origin) -> bool {
    match origin {
        Origin::Source | Origin::Macro(_) | Origin::Inlined(_) => false,
        Origin::Synthetic => true,
    }
}

/// The contradicting statements, except the one at which the finding stands.
fn related(
    core: Option<Core>,
    condition: Option<(Span, bool)>,
    ending: &Ending,
) -> Vec<(Span, String)> {
    let mut related = core.map(|core| core.places).unwrap_or_default();
    match (condition, ending.failed) {
        (Some((span, taken)), Some((_, kind))) => {
            let what = if ending.inner.is_some() { "call" } else { failure_of(kind).noun() };
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
    related.extend(ending.inner.map(|span| (span, "fails here".to_owned())));
    related.sort();
    related.dedup_by_key(|(span, _)| *span);
    related
}

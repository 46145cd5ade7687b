//! Minimal cores: which statements together doom a place.
//!
//! A place is doomed because of a few statements that contradict each other: a comparison with null and a
//! dereference, an assignment and a test. Relaxing the others ([`passes::relax`]) finds a minimal set of them: a
//! place that is still doomed in a procedure where only these have meaning is doomed by them. Ulrich Junker,
//! *QuickXplain*, AAAI 2004, finds such a set with few queries. If even these are too many, the core is the failure
//! alone.

use std::collections::BTreeSet;

use encode::{Direction, Evaluation, QueryAnswer, QuerySession, evaluate};
use ir::{Block, BlockId, Origin, PointId, Span, StatementKind, TerminatorKind};
use passes::{Constraint, relax};

use crate::context::CheckContext;
use crate::doom::{Where, gate_of};
use crate::limits::{RELAXED_GATES, RELAXED_PROCEDURES, RELAXED_STATEMENTS};

/// The impossible event that a core explains.
pub(crate) enum Subject<'a> {
    /// That an execution survives which reaches this place; copies of it are in these blocks.
    Doomed(Where, &'a [BlockId]),
    /// That an execution begins.
    Start,
}

impl Subject<'_> {
    /// The conditions that cannot hold together; none if the place has no gate.
    fn query(&self, evaluation: &Evaluation) -> Option<Vec<encode::Condition>> {
        match self {
            Subject::Doomed(place, _) => {
                Some(vec![gate_of(evaluation, *place)?, evaluation.admissible])
            }
            Subject::Start => Some(vec![evaluation.begins]),
        }
    }
}

/// A minimal core.
pub(crate) struct Core {
    pub(crate) parts: BTreeSet<Constraint>,
    /// The places of its statements, in the order of the source, each with its role.
    pub(crate) places: Vec<(Span, String)>,
}

impl CheckContext<'_> {
    /// A minimal set of contradicting statements. Preferred ones come first, then statements before assertions,
    /// then places near the end before distant ones. None if the search takes too long.
    pub(crate) fn core(&self, subject: &Subject<'_>, preferred: &[Span]) -> Option<Core> {
        let mut parts = self.parts(subject);
        parts.sort_by_key(|(part, span, role)| {
            let rank = preferred.iter().position(|preferred| preferred == span);
            let rank = rank.unwrap_or(preferred.len() + usize::from(*role == ASSERTED));
            (rank, std::cmp::Reverse(*part))
        });
        let mut search =
            Search { context: self, subject, left: RELAXED_PROCEDURES, size: 0, gates: 0 };
        let all: Vec<Constraint> = parts.iter().map(|(part, ..)| *part).collect();
        let core: BTreeSet<Constraint> = search.minimal(&all)?.into_iter().collect();
        let mut places: Vec<(Span, String)> = parts
            .into_iter()
            .filter(|(part, ..)| core.contains(part))
            .map(|(_, span, role)| (span, role.to_owned()))
            .collect();
        places.sort();
        places.dedup_by_key(|(span, _)| *span);
        Some(Core { parts: core, places })
    }

    /// For each place, whether a core alone dooms it.
    pub(crate) fn explained(&self, core: &Core, places: &[Where]) -> Vec<bool> {
        let evaluation = self.relaxed(&core.parts);
        let (options, limits) = (encode::SolverOptions::default(), self.options.solver.of_query());
        let Ok(mut session) = QuerySession::new(self.module, &evaluation, options, limits) else {
            return vec![false; places.len()];
        };
        let gates: Vec<_> = places.iter().map(|place| gate_of(&evaluation, *place)).collect();
        let mut survived = vec![false; places.len()];
        let mut explained = Vec::with_capacity(places.len());
        for (number, gate) in gates.iter().enumerate() {
            let Some(gate) = *gate else {
                explained.push(true);
                continue;
            };
            if survived[number] {
                explained.push(false);
                continue;
            }
            let known = session.ask(&[gate, evaluation.admissible]);
            if known == QueryAnswer::Sat {
                for (other, survived) in gates.iter().zip(&mut survived) {
                    *survived |= other.is_some_and(|other| session.holds(other));
                }
            }
            explained.push(known == QueryAnswer::Unsat);
        }
        explained
    }

    /// The evaluation of the procedure in which only these parts have meaning.
    fn relaxed(&self, kept: &BTreeSet<Constraint>) -> Evaluation {
        let relaxed = relax(&self.over_body.procedure, |part| kept.contains(&part));
        let scope = self.options.scope(Direction::Over);
        evaluate(self.module, &relaxed, &self.over_body.calls, &scope)
    }

    /// The parts on paths through the subject that can be relaxed, each with its place and its role.
    fn parts(&self, subject: &Subject<'_>) -> Vec<(Constraint, Span, &'static str)> {
        let evaluation = self.over.evaluation();
        let procedure = &self.over_body.procedure;
        let blocks = procedure.blocks.as_deref().unwrap_or_default();
        let mut parts = Vec::new();
        for (position, clause) in procedure.contract.requires.iter().enumerate() {
            parts.push((
                Constraint::Requires(position as u32),
                clause.span,
                "because this is required",
            ));
        }
        let Subject::Doomed(_, copies) = subject else { return parts };
        let mut seen = BTreeSet::new();
        let after = evaluation.reached_from(copies);
        let targets: Vec<bool> =
            (0..blocks.len() as u32).map(|id| copies.contains(&BlockId(id))).collect();
        let before = reaching(blocks, &targets);
        for (id, block) in blocks.iter().enumerate() {
            if !before[id] && !after[id] {
                continue;
            }
            for (point, span, role) in roles(block) {
                if seen.insert(point) {
                    parts.push((Constraint::Point(point), span, role));
                }
            }
        }
        parts
    }
}

/// The role of an assertion that holds.
const ASSERTED: &str = "because this holds";

/// The points of a block that restrict executions, each with its role.
fn roles(block: &Block) -> Vec<(PointId, Span, &'static str)> {
    let mut roles = Vec::new();
    for statement in &block.statements {
        let role = match (&statement.kind, statement.origin) {
            (_, Origin::Inlined(_)) => "because of this call",
            (StatementKind::Assign(_) | StatementKind::Call { .. }, _) => "because of this",
            (StatementKind::Havoc { condition: Some(_), .. }, _) => "because of this",
            (StatementKind::Assume { .. }, _) => "because this is assumed",
            (StatementKind::Assert { .. }, _) => ASSERTED,
            (
                StatementKind::Havoc { condition: None, .. }
                | StatementKind::Allocate { .. }
                | StatementKind::Free(_)
                | StatementKind::Unsupported { .. },
                _,
            ) => continue,
        };
        roles.push((statement.point, statement.span, role));
    }
    let end = &block.terminator;
    match end.kind {
        TerminatorKind::Branch(..) => {
            roles.push((end.point, end.span, "because of this condition"));
        }
        TerminatorKind::Goto(_) | TerminatorKind::Exit(_) => {}
    }
    roles
}

/// For each block, whether a path leads from it to one of the targets.
fn reaching(blocks: &[Block], targets: &[bool]) -> Vec<bool> {
    let mut reaching = targets.to_vec();
    loop {
        let mut changed = false;
        for (id, block) in blocks.iter().enumerate().rev() {
            let leads = match &block.terminator.kind {
                TerminatorKind::Goto(to) => to.iter().any(|to| reaching[to.0 as usize]),
                TerminatorKind::Branch(_, a, b) => reaching[a.0 as usize] || reaching[b.0 as usize],
                TerminatorKind::Exit(_) => false,
            };
            if leads && !std::mem::replace(&mut reaching[id], true) {
                changed = true;
            }
        }
        if !changed {
            return reaching;
        }
    }
}

/// A search for a minimal set of parts.
struct Search<'s> {
    context: &'s CheckContext<'s>,
    subject: &'s Subject<'s>,
    left: u32,
    size: usize,
    gates: usize,
}

impl Search<'_> {
    /// A sufficient set of parts from which none can be removed; none if the search takes too long.
    fn minimal(&mut self, parts: &[Constraint]) -> Option<Vec<Constraint>> {
        if !self.dooms(parts)? {
            return None;
        }
        self.explain(&[], false, parts)
    }

    /// The parts needed in addition to a background; the first ones are preferred.
    fn explain(
        &mut self,
        background: &[Constraint],
        grew: bool,
        parts: &[Constraint],
    ) -> Option<Vec<Constraint>> {
        if grew && self.dooms(background)? {
            return Some(Vec::new());
        }
        if parts.len() <= 1 {
            return Some(parts.to_vec());
        }
        let (first, second) = parts.split_at(parts.len() / 2);
        let with_first = [background, first].concat();
        let from_second = self.explain(&with_first, !first.is_empty(), second)?;
        let with_second = [background, &from_second].concat();
        let mut from_first = self.explain(&with_second, !from_second.is_empty(), first)?;
        from_first.extend(from_second);
        Some(from_first)
    }

    /// Whether the event is still impossible if only these parts have meaning.
    fn dooms(&mut self, parts: &[Constraint]) -> Option<bool> {
        let context = self.context;
        let blocks = context.over_body.procedure.blocks.iter().flatten();
        self.size += blocks.map(|block| 1 + block.statements.len()).sum::<usize>();
        let is_affordable = self.size <= RELAXED_STATEMENTS && self.gates <= RELAXED_GATES;
        self.left = self.left.checked_sub(1).filter(|_| is_affordable)?;
        let kept: BTreeSet<Constraint> = parts.iter().copied().collect();
        let evaluation = context.relaxed(&kept);
        self.gates += evaluation.size();
        let Some(query) = self.subject.query(&evaluation) else { return Some(true) };
        let (options, limits) =
            (encode::SolverOptions::default(), context.options.solver.of_query());
        let mut session = QuerySession::new(context.module, &evaluation, options, limits).ok()?;
        match session.ask(&query) {
            QueryAnswer::Unsat => Some(true),
            QueryAnswer::Sat => Some(false),
            QueryAnswer::Unknown(_) => None,
        }
    }
}

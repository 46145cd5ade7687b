//! Blame: which statements together doom a place.
//!
//! A place is doomed because of a few statements that contradict each other: a comparison with null and
//! a dereference, an assignment and a test. The least set of them is found by relaxing the others
//! ([`passes::relax`]): what is still doomed in a procedure of which only these mean anything is doomed by
//! them. Ulrich Junker, *QuickXplain*, AAAI 2004, finds such a set with few questions; if even these
//! are too many, nobody is blamed but what fails.

use std::collections::BTreeSet;

use encode::{Direction, Evaluation, QueryAnswer, QuerySession, evaluate};
use ir::{Block, BlockId, Origin, PointId, Span, StatementKind, TerminatorKind};
use passes::{Constraint, relax};

use crate::context::CheckContext;
use crate::doom::{Where, gate_of};
use crate::limits::{RELAXED_GATES, RELAXED_PROCEDURES, RELAXED_STATEMENTS};

/// What cannot be, and for which somebody is to blame.
pub(crate) enum Subject<'a> {
    /// That a run survives which gets to this place; copies of it are in these blocks.
    Doomed(Where, &'a [BlockId]),
    /// That a run begins.
    Beginning,
}

impl Subject<'_> {
    /// Everything that would have to hold together; nothing if there is not even a gate for it.
    fn question(&self, evaluation: &Evaluation) -> Option<Vec<encode::Condition>> {
        match self {
            Subject::Doomed(place, _) => {
                Some(vec![gate_of(evaluation, *place)?, evaluation.admissible])
            }
            Subject::Beginning => Some(vec![evaluation.begins]),
        }
    }
}

/// The least that is to blame.
pub(crate) struct Core {
    pub(crate) parts: BTreeSet<Constraint>,
    /// Where these stand, in the order of the source, each with what it says.
    pub(crate) places: Vec<(Span, String)>,
}

impl CheckContext<'_> {
    /// What contradicts itself. Those that are preferred are blamed rather than others, what does
    /// something rather than what is only asserted on the way, and what is near the end rather than
    /// what is far from it. Nothing if it takes too long to find out.
    pub(crate) fn core(&self, accused: &Subject<'_>, preferred: &[Span]) -> Option<Core> {
        let mut parts = self.parts(accused);
        parts.sort_by_key(|(part, span, role)| {
            let rank = preferred.iter().position(|preferred| preferred == span);
            let rank = rank.unwrap_or(preferred.len() + usize::from(*role == ASSERTED));
            (rank, std::cmp::Reverse(*part))
        });
        let mut search =
            Search { context: self, accused, left: RELAXED_PROCEDURES, size: 0, gates: 0 };
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
        let Ok(mut inquiry) = QuerySession::new(self.module, &evaluation, options, limits) else {
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
            let known = inquiry.ask(&[gate, evaluation.admissible]);
            if known == QueryAnswer::Sat {
                for (other, survived) in gates.iter().zip(&mut survived) {
                    *survived |= other.is_some_and(|other| inquiry.holds(other));
                }
            }
            explained.push(known == QueryAnswer::Unsat);
        }
        explained
    }

    /// The evaluation of the procedure with only these parts meaning anything.
    fn relaxed(&self, kept: &BTreeSet<Constraint>) -> Evaluation {
        let relaxed = relax(&self.over_body.procedure, |part| kept.contains(&part));
        let scope = self.options.scope(Direction::Over);
        evaluate(self.module, &relaxed, &self.over_body.calls, &scope)
    }

    /// What can be relaxed on the ways through the accused: where it stands, and its role.
    fn parts(&self, accused: &Subject<'_>) -> Vec<(Constraint, Span, &'static str)> {
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
        let Subject::Doomed(_, copies) = accused else { return parts };
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

/// The points of a block that say something, and what.
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

/// For each block, whether it leads to one of the targets.
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

/// A search for a least set of parts.
struct Search<'s> {
    context: &'s CheckContext<'s>,
    accused: &'s Subject<'s>,
    left: u32,
    size: usize,
    gates: usize,
}

impl Search<'_> {
    /// A set of parts that suffices and of which none can be left out; nothing if that takes too long.
    fn minimal(&mut self, parts: &[Constraint]) -> Option<Vec<Constraint>> {
        if !self.dooms(parts)? {
            return None;
        }
        self.explain(&[], false, parts)
    }

    /// The parts needed in addition to a background. Those that stand first are preferred.
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

    /// Whether it still cannot be if only these parts mean anything.
    fn dooms(&mut self, parts: &[Constraint]) -> Option<bool> {
        let context = self.context;
        let blocks = context.over_body.procedure.blocks.iter().flatten();
        self.size += blocks.map(|block| 1 + block.statements.len()).sum::<usize>();
        let is_affordable = self.size <= RELAXED_STATEMENTS && self.gates <= RELAXED_GATES;
        self.left = self.left.checked_sub(1).filter(|_| is_affordable)?;
        let kept: BTreeSet<Constraint> = parts.iter().copied().collect();
        let evaluation = context.relaxed(&kept);
        self.gates += evaluation.size();
        let Some(question) = self.accused.question(&evaluation) else { return Some(true) };
        let (options, limits) =
            (encode::SolverOptions::default(), context.options.solver.of_query());
        let mut inquiry = QuerySession::new(context.module, &evaluation, options, limits).ok()?;
        match inquiry.ask(&question) {
            QueryAnswer::Unsat => Some(true),
            QueryAnswer::Sat => Some(false),
            QueryAnswer::Unknown(_) => None,
        }
    }
}

//! Vacuity: the code that no execution within the bounds reaches, so that nothing was checked there (cf. vacuity detection
//! in model checking, Beer et al. 2001).
//!
//! If nothing is found, that may be because there was nothing to check: preconditions that no input satisfies, code behind a
//! loop that the bounds cut, a branch that is never taken. Every execution that some query found marks all the points it
//! passes. Each of the others is one query, with few conflicts; a point that these do not decide is marked as undecided.

use std::collections::BTreeSet;

use encode::{Condition, Escape, Evaluation, QueryAnswer, QuerySession, evaluate};
use ir::{AssertKind, Origin, PointId, Procedure, ProcedureId, Span};
use report::{Unreached, UnreachedKind};
use rustc_hash::FxHashMap;

use crate::analysis::session;
use crate::context::is_nowhere;
use crate::examine::Program;
use crate::limits::{REACHABILITY_CONFLICTS, REACHABILITY_QUERIES};
use crate::options::{CheckOptions, SearchState};

/// Something that an execution may reach.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Spot {
    Point(PointId),
    Clause(Span),
}

/// Something that no execution is known to reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Missed {
    kind: UnreachedKind,
    span: Span,
    proved: bool,
}

/// A spot of a procedure: its text, and the condition under which an execution reaches it.
struct Candidate {
    spot: Spot,
    kind: UnreachedKind,
    span: Span,
    gate: Condition,
}

/// The parts of a procedure that no execution is known to reach, within the largest bounds and with heaps of all sizes.
///
/// # Errors
/// If the solver cannot be started.
pub(crate) fn unreached(
    program: &Program<'_>,
    procedure: ProcedureId,
    options: &CheckOptions,
) -> Result<Vec<Unreached>, encode::SolverError> {
    let state = SearchState { exhausted: None, ..options.state };
    let options = CheckOptions { state, ..options.for_procedure(program, procedure) };
    let module = program.module;
    let body = passes::for_under(module, &program.effects, procedure, &options.depth());
    let scope = options.strategy.scope(module, &body.procedure, &options);
    let evaluation = evaluate(module, &body.procedure, &body.calls, &scope);
    let mut bounded = session(program, &evaluation, &options)?;
    let subject = module.procedure(procedure);
    watch(&mut bounded, subject);
    let missed = missed(&mut bounded, subject, &mut BTreeSet::new());
    Ok(described(program, &missed))
}

/// Lets every execution that is found mark the points it passes.
pub(crate) fn watch(bounded: &mut QuerySession<'_>, subject: &Procedure) {
    let candidates = candidates(bounded.evaluation(), subject);
    bounded.watch(candidates.into_iter().map(|candidate| candidate.gate));
}

/// The parts that are not reached, here or before.
pub(crate) fn missed(
    bounded: &mut QuerySession<'_>,
    subject: &Procedure,
    reached: &mut BTreeSet<Spot>,
) -> Vec<Missed> {
    let evaluation = bounded.evaluation();
    let candidates = candidates(evaluation, subject);
    for candidate in &candidates {
        if bounded.was_seen(candidate.gate) {
            reached.insert(candidate.spot);
        }
    }
    let requires = subject.contract.requires.iter().filter(|clause| !is_nowhere(clause.span));
    let requires: Vec<Span> = requires.map(|clause| clause.span).collect();
    if reached.is_empty()
        && !requires.is_empty()
        && bounded.ask_briefly(&[evaluation.begins], REACHABILITY_CONFLICTS) == QueryAnswer::Unsat
    {
        let clause = |span| Missed { kind: UnreachedKind::Precondition, span, proved: true };
        return requires.into_iter().map(clause).collect();
    }
    // If the formula was cut for its size, a point that it lacks may still be reached.
    let is_whole = !evaluation.cuts.iter().any(|cut| cut.why == Escape::Size);
    let mut asked = 0;
    let mut missed = Vec::new();
    for Candidate { spot, kind, span, gate } in candidates {
        if reached.contains(&spot) || bounded.was_seen(gate) {
            reached.insert(spot);
            continue;
        }
        let known = if gate == Condition::FALSE {
            Some(QueryAnswer::Unsat)
        } else {
            asked += 1;
            (asked <= REACHABILITY_QUERIES)
                .then(|| bounded.ask_briefly(&[gate], REACHABILITY_CONFLICTS))
        };
        let proved = match known {
            Some(QueryAnswer::Sat) => {
                reached.insert(spot);
                continue;
            }
            Some(QueryAnswer::Unsat) => is_whole,
            Some(QueryAnswer::Unknown(_)) | None => false,
        };
        missed.push(Missed { kind, span, proved });
    }
    missed
}

/// Everything missed, as reports show it: of code, each line once.
pub(crate) fn described(program: &Program<'_>, missed: &[Missed]) -> Vec<Unreached> {
    let unreached = missed.iter().map(|missed| {
        let Missed { kind, span, proved } = *missed;
        Unreached { kind, place: program.place(span), proved }
    });
    let mut unreached: Vec<Unreached> = unreached.collect();
    unreached.sort_by(|a, b| {
        let key = |one: &Unreached| (one.place.path.clone(), one.place.start, one.kind);
        key(a).cmp(&key(b))
    });
    unreached.dedup_by(|later, first| {
        let is_same = later.kind == first.kind
            && later.place.path == first.place.path
            && later.place.start.line == first.place.start.line;
        let is_code = later.kind == UnreachedKind::Code;
        if is_same && is_code {
            first.proved |= later.proved;
        }
        is_same && (is_code || later.place == first.place)
    });
    unreached
}

/// The points of the source text, and the clauses that are checked at exits and in loops.
fn candidates(evaluation: &Evaluation, subject: &Procedure) -> Vec<Candidate> {
    let mut seen = BTreeSet::new();
    let mut candidates = Vec::new();
    let mut add = |spot: Spot, kind: UnreachedKind, span: Span, gate: Condition| {
        if !is_nowhere(span) && seen.insert(spot) {
            candidates.push(Candidate { spot, kind, span, gate });
        }
    };
    let gates: FxHashMap<PointId, Condition> =
        evaluation.points.iter().map(|point| (point.id, point.gate)).collect();
    for block in subject.blocks.iter().flatten() {
        let statements = block.statements.iter().map(|one| (one.point, one.span, one.origin));
        let end = &block.terminator;
        for (point, span, origin) in statements.chain([(end.point, end.span, end.origin)]) {
            if is_written(origin) {
                let gate = gates.get(&point).copied().unwrap_or(Condition::FALSE);
                add(Spot::Point(point), UnreachedKind::Code, span, gate);
            }
        }
    }
    let clauses: BTreeSet<Span> =
        subject.contract.ensures.iter().map(|ensures| ensures.clause.span).collect();
    for span in clauses {
        let mut checked = evaluation.obligations.iter().filter(|obligation| {
            let kinds = [AssertKind::Postcondition, AssertKind::Invariant];
            obligation.span == span && kinds.contains(&obligation.kind)
        });
        // One gate for each clause: an execution that reaches a copy of it ends.
        if let Some(first) = checked.next() {
            let others = checked.any(|other| other.reached != first.reached);
            let gate = if others { evaluation.ends } else { first.reached };
            add(Spot::Clause(span), UnreachedKind::Postcondition, span, gate);
        }
    }
    candidates
}

fn is_written(origin: Origin) -> bool {
    match origin {
        Origin::Source | Origin::Macro(_) => true,
        Origin::Inlined(_) | Origin::Synthetic => false,
    }
}

//! Acquittal within bounds: if some run that ends passes here, no proof is needed that none does.
//!
//! What every run fails (doom) is asked of an evaluation that describes every run, which is costly where a
//! contract speaks of heaps. But a bounded run that ends well is a run. If such runs pass every point and
//! take every side of every branch, nothing is doomed and no precondition is contradictory, and the
//! other evaluation need not be made.

use std::collections::BTreeSet;

use circuit::Gate;
use encode::{Inquiry, Known};
use ir::{Origin, Procedure, TerminatorKind};

use crate::doom::{Where, gate_of};

/// After so many questions it is left to the proof.
const MOST: usize = 48;

/// Whether bounded runs that end pass everything in a procedure.
pub(crate) fn is_clear(under: &mut Inquiry<'_>, subject: &Procedure) -> bool {
    let evaluation = under.evaluation();
    let mut open: Vec<Gate> = vec![evaluation.begins];
    for place in places(subject) {
        match gate_of(evaluation, place) {
            Some(gate) => open.push(gate),
            None => return false,
        }
    }
    let ends = [evaluation.normal, evaluation.exceptional, evaluation.intended];
    for _ in 0..MOST {
        let Some(&gate) = open.first() else { return true };
        let passes =
            ends.iter().any(|&end| !under.is_spent() && under.ask(&[gate, end]) == Known::Exists);
        if !passes {
            return false;
        }
        open.retain(|&other| !under.holds(other));
    }
    open.is_empty()
}

/// The points and sides of branches that somebody wrote.
fn places(subject: &Procedure) -> BTreeSet<Where> {
    let is_written = |origin: Origin| match origin {
        Origin::Source | Origin::Macro(_) | Origin::Inlined(_) => true,
        Origin::Synthetic => false,
    };
    let mut places = BTreeSet::new();
    for block in subject.blocks.iter().flatten() {
        let statements = block.statements.iter().filter(|statement| is_written(statement.origin));
        places.extend(statements.map(|statement| Where::Point(statement.point)));
        let end = &block.terminator;
        if is_written(end.origin) {
            places.insert(Where::Point(end.point));
            if let TerminatorKind::Branch(..) = end.kind {
                places.extend([true, false].map(|taken| Where::Edge(end.point, taken)));
            }
        }
    }
    places
}

//! Acquittal within bounds: if some run that ends passes here, no proof is needed that none does.
//!
//! What every run fails (doom) is asked of an evaluation that describes every run, which is costly where
//! heaps are large or pointers may meet. But a bounded run that ends well is a run. What such runs pass is
//! not doomed; if they pass every point and take every side of every branch, the other evaluation need not
//! be made.

use std::collections::{BTreeSet, VecDeque};

use encode::{Condition, QueryAnswer, QuerySession};
use ir::{Origin, Procedure, TerminatorKind};

use crate::doom::{Where, gate_of};

/// After so many questions the rest is left to the proof.
const MOST: usize = 48;

/// What no bounded run that ends is known to pass.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Open {
    /// Whether that is so of the beginning: preconditions may contradict each other.
    pub(crate) beginning: bool,
    /// Points and sides of branches.
    pub(crate) places: BTreeSet<Where>,
}

impl Open {
    /// Whether nothing is left.
    pub(crate) fn is_empty(&self) -> bool {
        !self.beginning && self.places.is_empty()
    }
}

/// What is left open by bounded runs. After so many questions in vain the rest is left to the proof, too.
pub(crate) fn left_open(
    under: &mut QuerySession<'_>,
    subject: &Procedure,
    patience: usize,
) -> Open {
    let evaluation = under.evaluation();
    let gated = |place| (Some(place), gate_of(evaluation, place).unwrap_or(Condition::FALSE));
    let mut waiting = VecDeque::from([(None, evaluation.begins)]);
    waiting.extend(places(subject).into_iter().map(gated));
    let (mut open, mut asked, mut in_vain) = (Vec::new(), 0, 0);
    while let Some((place, gate)) = waiting.pop_front() {
        if asked == MOST || in_vain == patience || under.is_spent() {
            open.push(place);
            continue;
        }
        asked += 1;
        match under.ask(&[gate, evaluation.ends]) {
            QueryAnswer::Sat => waiting.retain(|(_, gate)| !under.holds(*gate)),
            QueryAnswer::Unsat | QueryAnswer::Unknown(_) => {
                in_vain += 1;
                open.push(place);
            }
        }
    }
    Open { beginning: open.contains(&None), places: open.into_iter().flatten().collect() }
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

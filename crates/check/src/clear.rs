//! The pre-check for doomed points: a point that a terminating execution passes is not doomed.
//!
//! Doomed points (Hoenicke et al. 2009) are queries about an over-approximation, which is expensive where heaps are large or
//! pointers may alias. But a terminating execution within the bounds is an execution of the program. If such executions pass
//! every point and take every branch edge, the over-approximation need not be built.

use std::collections::{BTreeSet, VecDeque};

use encode::{Condition, QueryAnswer, QuerySession};
use ir::{Origin, Procedure, TerminatorKind};

use crate::doom::{Where, gate_of};
use crate::limits::PRE_CHECKS;

/// The points that no bounded terminating execution is known to pass.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Open {
    /// Whether the entry is one: preconditions may contradict each other.
    pub(crate) beginning: bool,
    /// Points and branch edges.
    pub(crate) places: BTreeSet<Where>,
}

impl Open {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        !self.beginning && self.places.is_empty()
    }
}

/// The points that bounded executions leave open. After `most_fruitless` queries without an execution, the rest stays open too.
pub(crate) fn left_open(
    under: &mut QuerySession<'_>,
    subject: &Procedure,
    most_fruitless: usize,
) -> Open {
    let evaluation = under.evaluation();
    let gated = |place| (Some(place), gate_of(evaluation, place).unwrap_or(Condition::FALSE));
    let mut waiting = VecDeque::from([(None, evaluation.begins)]);
    waiting.extend(places(subject).into_iter().map(gated));
    let (mut open, mut asked, mut fruitless) = (Vec::new(), 0, 0);
    while let Some((place, gate)) = waiting.pop_front() {
        if asked == PRE_CHECKS || fruitless == most_fruitless || under.is_spent() {
            open.push(place);
            continue;
        }
        asked += 1;
        match under.ask(&[gate, evaluation.ends]) {
            QueryAnswer::Sat => waiting.retain(|(_, gate)| !under.holds(*gate)),
            QueryAnswer::Unsat | QueryAnswer::Unknown(_) => {
                fruitless += 1;
                open.push(place);
            }
        }
    }
    Open { beginning: open.contains(&None), places: open.into_iter().flatten().collect() }
}

/// The points and branch edges of the source text.
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

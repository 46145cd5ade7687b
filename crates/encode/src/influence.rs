//! Influence: which conditions of an evaluation depend on which others.
//!
//! The cone of influence of a condition is everything that it is computed from. Conditions are compared regardless of
//! negation: what depends on a condition depends on its negation too.

use circuit::{Bits, Fan, Gate, cone, fan};
use rustc_hash::FxHashSet;

use crate::evaluation::Evaluation;

/// A set of conditions, regardless of negation.
#[derive(Clone, Debug, Default)]
pub struct ConditionSet(FxHashSet<usize>);

impl ConditionSet {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a condition or its negation is in the set.
    pub fn contains(&self, condition: Gate) -> bool {
        self.0.contains(&condition.node())
    }

    /// Whether some bit of a value is in the set.
    pub fn contains_any(&self, value: &Bits) -> bool {
        value.iter().any(|bit| self.contains(bit))
    }

    /// Whether every bit of a value is in the set, constants aside; a constant value is not in any set.
    pub fn contains_all(&self, value: &Bits) -> bool {
        let mut open = value.iter().filter(|bit| bit.as_constant().is_none()).peekable();
        open.peek().is_some() && open.all(|bit| self.contains(bit))
    }
}

impl FromIterator<Gate> for ConditionSet {
    fn from_iter<I: IntoIterator<Item = Gate>>(conditions: I) -> ConditionSet {
        ConditionSet(conditions.into_iter().map(Gate::node).collect())
    }
}

impl Extend<Gate> for ConditionSet {
    fn extend<I: IntoIterator<Item = Gate>>(&mut self, conditions: I) {
        self.0.extend(conditions.into_iter().map(Gate::node));
    }
}

/// Everything that depends on some conditions.
#[derive(Clone, Debug)]
pub struct Dependents(Fan);

impl Dependents {
    /// Whether a condition depends on one of them.
    pub fn contains(&self, condition: Gate) -> bool {
        self.0.contains(condition)
    }
}

impl Evaluation {
    /// The number of gates of the formula.
    pub fn size(&self) -> usize {
        self.circuit.len()
    }

    /// All inputs, bit by bit.
    pub fn inputs(&self) -> impl Iterator<Item = Gate> + '_ {
        self.circuit.inputs()
    }

    /// The inputs that some conditions depend on, bit by bit.
    pub fn inputs_of(&self, conditions: &[Gate]) -> Vec<Gate> {
        cone(&self.circuit, conditions).inputs().collect()
    }

    /// The cone of influence of some conditions, they themselves included.
    pub fn influence(&self, conditions: &[Gate]) -> ConditionSet {
        ConditionSet(cone(&self.circuit, conditions).nodes().map(|(node, _)| node).collect())
    }

    /// Everything that depends on one of some conditions.
    pub fn dependents(&self, conditions: impl IntoIterator<Item = Gate>) -> Dependents {
        Dependents(fan(&self.circuit, conditions))
    }
}

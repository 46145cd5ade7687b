//! Instances: a value for every bounded relation.

use std::collections::BTreeMap;
use std::fmt;

use crate::error::Error;
use crate::face::Expr;
use crate::logic::RelationId;
use crate::tuples::TupleSet;
use crate::universe::Universe;

/// A value for each relation, over one universe.
///
/// An instance that a [`Finder`](crate::Finder) returns lies between the bounds and satisfies the
/// formulas: it has been judged by [`evaluate`](crate::Instance::holds), not by the solver.
#[derive(Clone, PartialEq, Eq)]
pub struct Instance {
    pub(crate) universe: Universe,
    pub(crate) relations: BTreeMap<RelationId, (String, TupleSet)>,
    pub(crate) integers: BTreeMap<i64, usize>,
    pub(crate) witnesses: Vec<(String, TupleSet)>,
}

impl Instance {
    /// The universe of the instance's tuples.
    pub fn universe(&self) -> &Universe {
        &self.universe
    }

    /// The value of a relation.
    ///
    /// # Errors
    /// If the expression is no relation, or had no bounds.
    pub fn get(&self, relation: Expr<'_>) -> Result<&TupleSet, Error> {
        let id = relation.logic.arena.borrow().as_relation(relation.id);
        let id = id.ok_or_else(|| Error::NotARelation(relation.to_string()))?;
        self.relation(id).ok_or_else(|| Error::Unbound(relation.to_string()))
    }

    pub(crate) fn relation(&self, id: RelationId) -> Option<&TupleSet> {
        self.relations.get(&id).map(|(_, value)| value)
    }

    /// The names and values of all relations.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &TupleSet)> {
        self.relations.values().map(|(name, value)| (name.as_str(), value))
    }

    /// The values that the finder chose for variables of outermost existential quantifiers.
    pub fn witnesses(&self) -> &[(String, TupleSet)] {
        &self.witnesses
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.iter() {
            writeln!(f, "{name} = {value}")?;
        }
        for (name, value) in &self.witnesses {
            writeln!(f, "witness {name} = {value}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

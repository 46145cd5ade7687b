//! Bounds: which tuples each relation must and may hold. A lower bound is a partial instance.

use std::collections::BTreeMap;
use std::fmt;

use crate::error::Error;
use crate::face::Expr;
use crate::logic::{AnyNode, Logic, RelationId};
use crate::matrix::Matrix;
use crate::tuples::TupleSet;
use crate::universe::Universe;

/// The universe, and for each relation what is known of its value before solving.
///
/// Invariants: every bound has its relation's arity and is drawn from the universe; a lower bound is
/// contained in its upper bound; an atom represents at most one integer.
///
/// ```
/// use relational::{Bounds, Logic, Universe};
/// let logic = Logic::new();
/// let next = logic.relation("next", 2);
/// let universe = Universe::new(["a", "b"])?;
/// let mut bounds = Bounds::new(&logic, &universe);
/// bounds.at_most(next, &universe.all().product(&universe.all())?)?;
/// assert_eq!(bounds.to_string(), "universe {a, b}\nnext ⊆ {a→a, a→b, b→a, b→b}\n");
/// # Ok::<(), relational::Error>(())
/// ```
#[derive(Clone)]
pub struct Bounds<'a> {
    logic: &'a Logic,
    universe: Universe,
    relations: BTreeMap<RelationId, Bound>,
    integers: BTreeMap<i64, usize>,
}

/// The bound of one relation.
#[derive(Clone)]
pub(crate) enum Bound {
    /// The value contains the lower set and is contained in the upper one.
    Between { lower: TupleSet, upper: TupleSet },
    /// The value is computed by gates of a circuit.
    Gates(Matrix),
}

impl<'a> Bounds<'a> {
    /// No relation is bounded yet.
    pub fn new(logic: &'a Logic, universe: &Universe) -> Bounds<'a> {
        let universe = universe.clone();
        Bounds { logic, universe, relations: BTreeMap::new(), integers: BTreeMap::new() }
    }

    /// The universe that tuples are drawn from.
    pub fn universe(&self) -> &Universe {
        &self.universe
    }

    /// The logic whose relations are bounded.
    pub fn logic(&self) -> &'a Logic {
        self.logic
    }

    /// The relation's value is this set.
    ///
    /// # Errors
    /// If the expression is no relation or the set has another arity or universe.
    pub fn exactly(&mut self, relation: Expr<'a>, value: &TupleSet) -> Result<(), Error> {
        self.between(relation, value, value)
    }

    /// The relation's value is contained in this set.
    ///
    /// # Errors
    /// If the expression is no relation or the set has another arity or universe.
    pub fn at_most(&mut self, relation: Expr<'a>, upper: &TupleSet) -> Result<(), Error> {
        self.between(relation, &self.universe.none(upper.arity())?, upper)
    }

    /// The relation's value contains `lower` and is contained in `upper`.
    ///
    /// # Errors
    /// If the expression is no relation, a set has another arity or universe, or the lower bound
    /// holds a tuple that the upper bound lacks.
    pub fn between(
        &mut self,
        relation: Expr<'a>,
        lower: &TupleSet,
        upper: &TupleSet,
    ) -> Result<(), Error> {
        let id = self.relation_id(relation)?;
        for bound in [lower, upper] {
            if *bound.universe() != self.universe {
                return Err(Error::UniverseMismatch);
            }
            self.check_arity(relation, bound.arity())?;
        }
        let outside = lower.difference(upper)?;
        if let Some(&tuple) = outside.numbers().first() {
            let tuple = TupleSet::from_sorted(self.universe.clone(), lower.arity(), vec![tuple]);
            let tuple = tuple.to_string();
            return Err(Error::Inconsistent {
                relation: relation.to_string(),
                tuple: tuple[1..tuple.len() - 1].to_owned(),
            });
        }
        self.relations.insert(id, Bound::Between { lower: lower.clone(), upper: upper.clone() });
        Ok(())
    }

    /// These gates compute the relation's value. They belong to the circuit that is passed to
    /// [`Finder::in_circuit`](crate::Finder::in_circuit) or [`translate`](crate::translate).
    ///
    /// # Errors
    /// If the expression is no relation or the matrix has another arity or universe size.
    pub fn gates(&mut self, relation: Expr<'a>, matrix: Matrix) -> Result<(), Error> {
        let id = self.relation_id(relation)?;
        self.check_arity(relation, matrix.arity())?;
        if matrix.atoms() != self.universe.size() {
            return Err(Error::UniverseMismatch);
        }
        self.relations.insert(id, Bound::Gates(matrix));
        Ok(())
    }

    /// The named atom represents this integer.
    ///
    /// # Errors
    /// If there is no such atom, or it already represents another integer.
    pub fn integer(&mut self, value: i64, atom: &str) -> Result<(), Error> {
        let position = self.universe.atom(atom)?;
        if self.integers.iter().any(|(&other, &at)| at == position && other != value) {
            return Err(Error::DuplicateAtom(atom.to_owned()));
        }
        self.integers.insert(value, position);
        Ok(())
    }

    fn relation_id(&self, relation: Expr<'a>) -> Result<RelationId, Error> {
        let id = relation.logic.arena.borrow().as_relation(relation.id);
        match id {
            Some(id) if std::ptr::eq(relation.logic, self.logic) => Ok(id),
            _ => Err(Error::NotARelation(relation.logic.text(AnyNode::Expr(relation.id)))),
        }
    }

    fn check_arity(&self, relation: Expr<'a>, found: usize) -> Result<(), Error> {
        let expected = relation.arity();
        if expected == found {
            return Ok(());
        }
        Err(Error::BoundArity { relation: relation.to_string(), expected, found })
    }

    pub(crate) fn get(&self, relation: RelationId) -> Option<&Bound> {
        self.relations.get(&relation)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (RelationId, &Bound)> {
        self.relations.iter().map(|(&id, bound)| (id, bound))
    }

    /// Narrows a relation to one value; the caller knows that it lies between the bounds.
    pub(crate) fn fix(&mut self, relation: RelationId, value: TupleSet) {
        self.relations.insert(relation, Bound::Between { lower: value.clone(), upper: value });
    }

    /// The integers that have atoms, with the atoms' positions.
    pub(crate) fn integers(&self) -> &BTreeMap<i64, usize> {
        &self.integers
    }

    pub(crate) fn relation_name(&self, relation: RelationId) -> String {
        self.logic.arena.borrow().relations[relation.index()].name.clone()
    }
}

impl fmt::Display for Bounds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "universe {}", self.universe)?;
        for (relation, bound) in self.iter() {
            let name = self.relation_name(relation);
            match bound {
                Bound::Between { lower, upper } if lower == upper => {
                    writeln!(f, "{name} = {upper}")?;
                }
                Bound::Between { lower, upper } if lower.is_empty() => {
                    writeln!(f, "{name} ⊆ {upper}")?;
                }
                Bound::Between { lower, upper } => writeln!(f, "{lower} ⊆ {name} ⊆ {upper}")?,
                Bound::Gates(matrix) => writeln!(f, "{name} computed by {} gates", matrix.len())?,
            }
        }
        for (value, &atom) in &self.integers {
            writeln!(f, "{} stands for {value}", self.universe.name(atom))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bounds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

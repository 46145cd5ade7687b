//! The relations of a problem, each declared together with its bounds.

use relational::{Bounds, Error, Expr, Formula, Logic, TupleSet, Universe};

/// Declares relations and bounds them.
pub(super) struct Vocabulary<'a> {
    logic: &'a Logic,
    bounds: Bounds<'a>,
}

impl<'a> Vocabulary<'a> {
    /// A universe with these numbers of atoms of each sort, in this order, and the set of each sort's atoms. An
    /// atom has its sort's name and a number.
    pub(super) fn new<const N: usize>(
        logic: &'a Logic,
        sorts: [(&str, usize); N],
    ) -> Result<(Vocabulary<'a>, [TupleSet; N]), Error> {
        let atoms = sorts
            .iter()
            .flat_map(|&(sort, size)| (0..size).map(move |number| format!("{sort}{number}")));
        let universe = Universe::new(atoms)?;
        let mut sets = sorts.map(|_| universe.all());
        let mut start = 0;
        for (set, (_, size)) in sets.iter_mut().zip(sorts) {
            *set = universe.range(start..start + size)?;
            start += size;
        }
        Ok((Vocabulary::over(logic, &universe), sets))
    }

    /// No relation is declared yet.
    pub(super) fn over(logic: &'a Logic, universe: &Universe) -> Vocabulary<'a> {
        Vocabulary { logic, bounds: Bounds::new(logic, universe) }
    }

    /// A relation that holds some of these tuples.
    pub(super) fn at_most(&mut self, name: &str, upper: &TupleSet) -> Result<Expr<'a>, Error> {
        let relation = self.logic.relation(name, upper.arity());
        self.bounds.at_most(relation, upper)?;
        Ok(relation)
    }

    /// A relation that holds exactly these tuples.
    pub(super) fn exactly(&mut self, name: &str, value: &TupleSet) -> Result<Expr<'a>, Error> {
        let relation = self.logic.relation(name, value.arity());
        self.bounds.exactly(relation, value)?;
        Ok(relation)
    }

    /// The bounds of all relations declared.
    pub(super) fn bounds(self) -> Bounds<'a> {
        self.bounds
    }
}

/// A total order on atoms.
///
/// Kodkod's programs let the ordered set be any part of the atoms, and its symmetry breaking then
/// narrows it to all of them, along with an order that is that of the universe. That loses the
/// instances with fewer atoms, so we say from the start what is meant: the set holds all of them.
pub(super) struct Order<'a> {
    /// The set that is ordered.
    pub(super) set: Expr<'a>,
    /// Its first atom.
    pub(super) first: Expr<'a>,
    /// Its last atom.
    pub(super) last: Expr<'a>,
    /// Each atom to the one after it.
    pub(super) next: Expr<'a>,
}

impl<'a> Order<'a> {
    /// Declares a set and the relations that order it.
    pub(super) fn declare(
        vocabulary: &mut Vocabulary<'a>,
        name: &str,
        atoms: &TupleSet,
    ) -> Result<Order<'a>, Error> {
        Ok(Order {
            set: vocabulary.exactly(name, atoms)?,
            first: vocabulary.at_most(&format!("{name}.first"), atoms)?,
            last: vocabulary.at_most(&format!("{name}.last"), atoms)?,
            next: vocabulary.at_most(&format!("{name}.next"), &atoms.product(atoms)?)?,
        })
    }

    /// The relations do order the set.
    pub(super) fn holds(&self) -> Formula<'a> {
        self.next.total_order(self.set, self.first, self.last)
    }
}

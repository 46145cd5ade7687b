//! Concrete sets of tuples over a universe.
//!
//! A tuple `(a₀, …, aₖ₋₁)` over a universe of `n` atoms is numbered `Σ aᵢ·nᵏ⁻¹⁻ⁱ`; a set is the
//! sorted list of its members' numbers.

use std::fmt;

use crate::algebra;
use crate::error::Error;
use crate::universe::Universe;

/// A finite set of tuples, all of the same arity, over one universe.
///
/// Invariant: the numbers are sorted, distinct, and below `size(universe)^arity`.
///
/// ```
/// use relational::Universe;
/// let universe = Universe::new(["a", "b", "c"])?;
/// let next = universe.tuples(2, [["a", "b"], ["b", "c"]])?;
/// assert_eq!(next.join(&next)?.to_string(), "{a→c}");
/// # Ok::<(), relational::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct TupleSet {
    universe: Universe,
    arity: usize,
    tuples: Vec<usize>,
}

impl TupleSet {
    pub(crate) fn from_sorted(universe: Universe, arity: usize, tuples: Vec<usize>) -> TupleSet {
        debug_assert!(tuples.windows(2).all(|w| w[0] < w[1]), "tuple numbers must be sorted");
        TupleSet { universe, arity, tuples }
    }

    /// The universe the tuples are drawn from.
    pub fn universe(&self) -> &Universe {
        &self.universe
    }

    /// The length of each tuple.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// The number of tuples.
    pub fn len(&self) -> usize {
        self.tuples.len()
    }

    /// Whether there is no tuple.
    pub fn is_empty(&self) -> bool {
        self.tuples.is_empty()
    }

    /// The tuples as lists of atom positions, in lexicographic order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Vec<usize>> + '_ {
        self.tuples.iter().map(|&tuple| atoms_of(tuple, self.arity, self.universe.size()))
    }

    pub(crate) fn numbers(&self) -> &[usize] {
        &self.tuples
    }

    pub(crate) fn has_number(&self, tuple: usize) -> bool {
        self.tuples.binary_search(&tuple).is_ok()
    }

    /// Whether this tuple of atom positions is a member.
    pub fn contains(&self, tuple: &[usize]) -> bool {
        tuple.len() == self.arity
            && tuple.iter().all(|&atom| atom < self.universe.size())
            && self.has_number(number_of(tuple, self.universe.size()))
    }

    /// Adds a tuple of atom positions.
    ///
    /// # Errors
    /// If its arity differs or an atom is outside the universe.
    pub fn insert(&mut self, tuple: &[usize]) -> Result<(), Error> {
        if tuple.len() != self.arity {
            return Err(Error::TupleArity { expected: self.arity, found: tuple.len() });
        }
        if let Some(atom) = tuple.iter().find(|&&atom| atom >= self.universe.size()) {
            return Err(Error::NoSuchAtom(format!("#{atom}")));
        }
        let number = number_of(tuple, self.universe.size());
        if let Err(place) = self.tuples.binary_search(&number) {
            self.tuples.insert(place, number);
        }
        Ok(())
    }

    /// Whether every tuple of this set is in the other.
    pub fn is_subset(&self, other: &TupleSet) -> bool {
        self.tuples.iter().all(|&tuple| other.has_number(tuple))
    }

    /// The tuples in either set.
    ///
    /// # Errors
    /// If the sets differ in universe or arity.
    pub fn union(&self, other: &TupleSet) -> Result<TupleSet, Error> {
        self.same_type(other)?;
        Ok(algebra::union(self, other))
    }

    /// The tuples in both sets.
    ///
    /// # Errors
    /// If the sets differ in universe or arity.
    pub fn intersection(&self, other: &TupleSet) -> Result<TupleSet, Error> {
        self.same_type(other)?;
        Ok(algebra::intersection(self, other))
    }

    /// The tuples in this set but not in the other.
    ///
    /// # Errors
    /// If the sets differ in universe or arity.
    pub fn difference(&self, other: &TupleSet) -> Result<TupleSet, Error> {
        self.same_type(other)?;
        Ok(algebra::difference(self, other))
    }

    /// Every concatenation of a tuple of this set and a tuple of the other.
    ///
    /// # Errors
    /// If the universes differ or the result's tuples are too many to be numbered.
    pub fn product(&self, other: &TupleSet) -> Result<TupleSet, Error> {
        self.same_universe(other)?;
        self.universe.none(self.arity + other.arity)?;
        Ok(algebra::product(self, other))
    }

    /// The relational join: the last column of this set against the first of the other.
    ///
    /// # Errors
    /// If the universes differ, or both sets are unary.
    pub fn join(&self, other: &TupleSet) -> Result<TupleSet, Error> {
        self.same_universe(other)?;
        self.universe.none((self.arity + other.arity).saturating_sub(2))?;
        Ok(algebra::join(self, other))
    }

    fn same_universe(&self, other: &TupleSet) -> Result<(), Error> {
        if self.universe == other.universe { Ok(()) } else { Err(Error::UniverseMismatch) }
    }

    fn same_type(&self, other: &TupleSet) -> Result<(), Error> {
        self.same_universe(other)?;
        if self.arity != other.arity {
            return Err(Error::TupleArity { expected: self.arity, found: other.arity });
        }
        Ok(())
    }
}

/// The number of a tuple of atom positions over `n` atoms.
pub(crate) fn number_of<'t>(tuple: impl IntoIterator<Item = &'t usize>, n: usize) -> usize {
    tuple.into_iter().fold(0, |number, &atom| number * n + atom)
}

/// The atom positions of a numbered tuple over `n` atoms.
pub(crate) fn atoms_of(mut tuple: usize, arity: usize, n: usize) -> Vec<usize> {
    let mut atoms = vec![0; arity];
    for atom in atoms.iter_mut().rev() {
        *atom = tuple % n;
        tuple /= n;
    }
    atoms
}

impl fmt::Display for TupleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (position, tuple) in self.iter().enumerate() {
            if position > 0 {
                f.write_str(", ")?;
            }
            for (column, &atom) in tuple.iter().enumerate() {
                if column > 0 {
                    f.write_str("→")?;
                }
                f.write_str(self.universe.name(atom))?;
            }
        }
        f.write_str("}")
    }
}

impl fmt::Debug for TupleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

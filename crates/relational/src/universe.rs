//! The universe: the finite, ordered set of atoms that relations are made of.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::tuples::TupleSet;

/// A finite, ordered set of named atoms. Cloning is cheap and yields the same universe.
///
/// Invariant: names are distinct and there is at least one.
///
/// ```
/// use relational::Universe;
/// let universe = Universe::new(["a", "b", "c"])?;
/// let ab = universe.set(["a", "b"])?;
/// assert_eq!(ab.product(&ab)?.to_string(), "{a→a, a→b, b→a, b→b}");
/// # Ok::<(), relational::Error>(())
/// ```
#[derive(Clone)]
pub struct Universe {
    inner: Arc<Atoms>,
}

struct Atoms {
    names: Vec<String>,
    index: FxHashMap<String, usize>,
}

impl Universe {
    /// The universe of these atoms, in this order.
    ///
    /// # Errors
    /// If there are none, or two bear the same name.
    pub fn new<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Result<Universe, Error> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        if names.is_empty() {
            return Err(Error::EmptyUniverse);
        }
        let mut index = FxHashMap::default();
        for (position, name) in names.iter().enumerate() {
            if index.insert(name.clone(), position).is_some() {
                return Err(Error::DuplicateAtom(name.clone()));
            }
        }
        Ok(Universe { inner: Arc::new(Atoms { names, index }) })
    }

    /// The number of atoms.
    pub fn size(&self) -> usize {
        self.inner.names.len()
    }

    /// The name of the atom at this position.
    pub fn name(&self, atom: usize) -> &str {
        &self.inner.names[atom]
    }

    /// The position of the atom with this name.
    ///
    /// # Errors
    /// If there is no such atom.
    pub fn atom(&self, name: &str) -> Result<usize, Error> {
        self.inner.index.get(name).copied().ok_or_else(|| Error::NoSuchAtom(name.to_owned()))
    }

    /// The number of tuples of this arity, if it is small enough to be numbered.
    pub(crate) fn capacity(&self, arity: usize) -> Option<usize> {
        u32::try_from(arity)
            .ok()
            .and_then(|arity| self.size().checked_pow(arity))
            .filter(|&capacity| capacity <= usize::MAX >> 2)
    }

    /// No tuple of this arity.
    ///
    /// # Errors
    /// If the arity is zero or too large for tuples over this universe to be numbered.
    pub fn none(&self, arity: usize) -> Result<TupleSet, Error> {
        if arity == 0 || self.capacity(arity).is_none() {
            return Err(Error::TooLarge { what: format!("arity {arity}"), atoms: self.size() });
        }
        Ok(TupleSet::from_sorted(self.clone(), arity, Vec::new()))
    }

    /// All atoms, as a set of tuples of arity one.
    pub fn all(&self) -> TupleSet {
        TupleSet::from_sorted(self.clone(), 1, (0..self.size()).collect())
    }

    /// The set of the named atoms.
    ///
    /// # Errors
    /// If there is no such atom.
    pub fn set<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Result<TupleSet, Error> {
        self.tuples(1, names.into_iter().map(|name| [name]))
    }

    /// The atoms at these positions.
    ///
    /// # Errors
    /// If a position is outside the universe.
    pub fn range(&self, atoms: std::ops::Range<usize>) -> Result<TupleSet, Error> {
        if atoms.end > self.size() {
            return Err(Error::NoSuchAtom(format!("#{}", atoms.end - 1)));
        }
        Ok(TupleSet::from_sorted(self.clone(), 1, atoms.collect()))
    }

    /// The set of the given tuples of atom names, all of the given arity.
    ///
    /// # Errors
    /// If an atom does not exist or a tuple has another arity.
    pub fn tuples<'n, T>(
        &self,
        arity: usize,
        tuples: impl IntoIterator<Item = T>,
    ) -> Result<TupleSet, Error>
    where
        T: AsRef<[&'n str]>,
    {
        let mut set = self.none(arity)?;
        for tuple in tuples {
            let tuple = tuple.as_ref();
            let atoms = tuple.iter().map(|name| self.atom(name)).collect::<Result<Vec<_>, _>>()?;
            set.insert(&atoms)?;
        }
        Ok(set)
    }
}

impl PartialEq for Universe {
    fn eq(&self, other: &Universe) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner) || self.inner.names == other.inner.names
    }
}

impl Eq for Universe {}

impl fmt::Display for Universe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", self.inner.names.join(", "))
    }
}

impl fmt::Debug for Universe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

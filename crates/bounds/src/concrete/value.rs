//! Values, as far as they are known.

use std::rc::Rc;

/// The greatest number of an atom; zero is `null`.
pub const MOST: u32 = 63;

/// A partly known value, which represents a set of values. The less is known the larger is the set, and the
/// result of an operator represents all its results on members of the set.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// It may be anything of its type.
    Unknown,
    /// A truth value.
    Truth(bool),
    /// An integer, or a word read in two's complement.
    Number(i64),
    /// An atom.
    Atom(u8),
    /// A value of a tagged union without arguments, by constructor.
    Constructor(u8),
    /// A map from atoms to truth values.
    Set(Set),
    /// A map from atoms to anything else.
    Row(Rc<Vec<Value>>),
    /// A map from pairs of atoms to truth values.
    Relation(Rc<Vec<Set>>),
}

/// A set of atoms: those that are certainly members, and those that may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Set {
    /// The certain members.
    pub yes: u64,
    /// The certain and the possible ones.
    pub maybe: u64,
}

impl Value {
    /// The truth value that it is, if that is known.
    pub(crate) fn truth(&self) -> Option<bool> {
        match self {
            Value::Truth(truth) => Some(*truth),
            _ => None,
        }
    }

    /// A value that represents both.
    pub(crate) fn either(&self, other: &Value) -> Value {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Value::Set(a), Value::Set(b)) => {
                Value::Set(Set { yes: a.yes & b.yes, maybe: a.maybe | b.maybe })
            }
            _ => Value::Unknown,
        }
    }
}

impl From<Option<bool>> for Value {
    fn from(truth: Option<bool>) -> Value {
        truth.map_or(Value::Unknown, Value::Truth)
    }
}

impl Set {
    /// The set of these members and no others.
    pub fn of(members: u64) -> Set {
        Set { yes: members, maybe: members }
    }

    /// Whether an atom is a member.
    pub(crate) fn has(self, atom: u8) -> Option<bool> {
        match (self.yes >> atom & 1, self.maybe >> atom & 1) {
            (1, _) => Some(true),
            (_, 1) => None,
            _ => Some(false),
        }
    }

    /// The same set, but for one atom.
    pub(crate) fn with(self, atom: u8, member: Option<bool>) -> Set {
        let bit = 1 << atom;
        Set {
            yes: if member == Some(true) { self.yes | bit } else { self.yes & !bit },
            maybe: if member == Some(false) { self.maybe & !bit } else { self.maybe | bit },
        }
    }

    pub(crate) fn union(self, other: Set) -> Set {
        Set { yes: self.yes | other.yes, maybe: self.maybe | other.maybe }
    }

    pub(crate) fn intersection(self, other: Set) -> Set {
        Set { yes: self.yes & other.yes, maybe: self.maybe & other.maybe }
    }

    pub(crate) fn difference(self, other: Set) -> Set {
        Set { yes: self.yes & !other.maybe, maybe: self.maybe & !other.yes }
    }

    pub(crate) fn is_subset(self, other: Set) -> Option<bool> {
        match (self.maybe & !other.yes, self.yes & !other.maybe) {
            (0, _) => Some(true),
            (_, 0) => None,
            _ => Some(false),
        }
    }

    /// The atoms in a word of bits, ascending.
    pub(crate) fn members(mut bits: u64) -> impl Iterator<Item = u8> {
        std::iter::from_fn(move || {
            let next = bits.trailing_zeros();
            (next < 64).then(|| {
                bits &= bits - 1;
                next as u8
            })
        })
    }
}

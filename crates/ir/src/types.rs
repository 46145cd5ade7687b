//! Types.

use serde::{Deserialize, Serialize};

use crate::module::SortId;

/// The type of a value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Type {
    /// Truth values.
    Bool,
    /// Bit-vectors of this width, at least one.
    Bv(u32),
    /// Mathematical integers.
    Int,
    /// Atoms without structure: Java objects, Boogie types, RESOLVE entries. Every sort has
    /// a distinguished atom `null`.
    Sort(SortId),
    /// C pointers: an object and a byte offset, or `null`, which is object zero at offset zero.
    Ptr,
    /// Total maps from tuples of keys; sets and relations are maps to `Bool`.
    Map(Vec<Type>, Box<Type>),
    /// Finite sequences.
    Seq(Box<Type>),
    /// Named products; declared in the module.
    Record(RecordId),
    /// Named tagged unions; declared in the module.
    Variant(VariantId),
    /// C memory: for each object and offset a byte or an undefined value, read and written through typed
    /// views.
    Bytes,
}

/// A record declared in a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct RecordId(pub u32);

/// A tagged union declared in a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct VariantId(pub u32);

/// A named product.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordType {
    /// Its name.
    pub name: String,
    /// Field names and types, in order; names are distinct.
    pub fields: Vec<(String, Type)>,
}

/// A named tagged union. It is not recursive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantType {
    /// Its name.
    pub name: String,
    /// Constructor names with the types of their arguments, in order; names are distinct.
    pub constructors: Vec<(String, Vec<Type>)>,
}

impl Type {
    /// The type of sets of tuples of these types.
    pub fn set(keys: Vec<Type>) -> Type {
        Type::Map(keys, Box::new(Type::Bool))
    }

    /// The key types if this is a set or relation.
    pub fn as_set(&self) -> Option<&[Type]> {
        match self {
            Type::Map(keys, value) if **value == Type::Bool => Some(keys),
            _ => None,
        }
    }
}

impl Type {
    /// The maximum width of a bit-vector.
    pub const MAX_WIDTH: u32 = 1 << 23;

    /// The maximum nesting depth of types. Types are trees that are compared and copied as a whole.
    pub const MAX_DEPTH: usize = 64;
}

//! Heaps: the objects that an execution begins or ends with, as far as variables lead to them.

use serde::{Deserialize, Serialize};

use crate::Binding;

/// A state: objects with fields.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Heap {
    /// When it is so, in a word: `before` or `after` of objects with fields, `entry` of memory, where the
    /// names of fields are places.
    pub when: String,
    /// Variables and their values. The value of an object is its name.
    pub variables: Vec<Binding>,
    /// The objects, in the order in which the variables lead to them.
    pub objects: Vec<Object>,
}

/// An object of a heap.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Object {
    /// Its name, distinct within the heap and the same before and after.
    pub name: String,
    /// Its class.
    pub kind: String,
    /// Its fields, or its length and elements.
    pub fields: Vec<Binding>,
}

//! Interface objects: objects that a caller and its callee share (Xie & Aiken 2007, §5.1 and §6.3).
//!
//! An access path begins at a parameter, a global variable or the result and follows pointers. Fields are offsets in
//! bytes; their names in source syntax are kept beside, and do not matter when paths are compared.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The root of a path.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Root {
    /// A parameter, by position.
    Parameter(u32),
    /// A global variable.
    Global(String),
    /// The result.
    Result,
}

/// A path to an object: the root's value, or, for a global variable, its address, then an offset in bytes for each
/// dereference.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Path {
    /// Its root.
    pub root: Root,
    /// The offsets; without any, the path is the root's value.
    pub steps: Vec<i64>,
}

impl Path {
    /// The root itself.
    pub fn root(root: Root) -> Path {
        Path { root, steps: Vec::new() }
    }

    /// The place at an offset in bytes from the target of the pointer at this place.
    #[must_use]
    pub fn then(&self, offset: i64) -> Path {
        let mut path = self.clone();
        path.steps.push(offset);
        path
    }
}

impl fmt::Display for Path {
    /// The notation of Xie & Aiken 2007, with offsets instead of field names.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = match &self.root {
            Root::Parameter(number) => format!("param{number}"),
            Root::Global(name) => name.clone(),
            Root::Result => "ret".to_owned(),
        };
        let mut steps = &self.steps[..];
        if let (Root::Global(_), [first, rest @ ..]) = (&self.root, steps) {
            if *first != 0 {
                text = format!("{text}.{first}");
            }
            steps = rest;
        }
        for step in steps {
            text = match step {
                0 => format!("*{text}"),
                _ => format!("(*{text}).{step}"),
            };
        }
        out.write_str(&text)
    }
}

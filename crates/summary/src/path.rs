//! Interface objects: names that a caller and its callee share (Xie & Aiken 2007, §5.1 and §6.3).
//!
//! A path begins at a parameter, a global variable or the result and follows pointers. Fields are offsets
//! in bytes; how the source writes them is kept beside where it is known, and counts for nothing when
//! paths are compared.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where a path begins.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Root {
    /// A parameter, by position.
    Parameter(u32),
    /// A global variable.
    Global(String),
    /// The result.
    Result,
}

/// A path to an object: the root's value, or, for a global variable, its address, then for each step so
/// many bytes further, the pointers in between followed.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Path {
    /// Where it begins.
    pub root: Root,
    /// The offsets; without any, it is the root's value itself.
    pub steps: Vec<i64>,
}

impl Path {
    /// The root itself.
    pub fn root(root: Root) -> Path {
        Path { root, steps: Vec::new() }
    }

    /// The place so many bytes behind where the pointer at this place points.
    #[must_use]
    pub fn then(&self, offset: i64) -> Path {
        let mut path = self.clone();
        path.steps.push(offset);
        path
    }
}

impl fmt::Display for Path {
    /// As the paper writes it, with offsets in the place of names of fields.
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

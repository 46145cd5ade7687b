//! The readable formula: an error hypothesis within a scope as a Boolean formula whose variables say what
//! they mean, such as `P0_Right_equals_Str_Z0` (the paper's §4.3, Figure 7 and Appendix).
//!
//! Entries are `Z0`, `Z1`, …; a string is one of those up to a length, or a longer one that no variable
//! denotes. For every term of the hypothesis there is a variable for each value that it is compared with. No
//! verdict depends on this: it is for readers, and tests compare its models with what the checker finds.

mod translate;
mod write;

use std::collections::BTreeSet;

use crate::table::State;

pub use translate::formula;

/// A Boolean formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// A variable.
    Variable(String),
    /// The negation of one.
    Not(Box<Formula>),
    /// All hold.
    And(Vec<Formula>),
    /// One of them holds.
    Or(Vec<Formula>),
    /// Both hold or none does.
    Iff(Box<Formula>, Box<Formula>),
}

/// The size of a formula's universe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// How many entries there are.
    pub entries: usize,
    /// The greatest length of a string.
    pub length: usize,
}

/// An error hypothesis as a Boolean formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BooleanHypothesis {
    /// The state whose confirm cell would fail.
    pub state: State,
    /// The conjuncts, grouped as in the hypothesis.
    pub groups: Vec<Vec<Formula>>,
    /// The side conditions of the variables, under titles.
    pub additional: Vec<(&'static str, Vec<Formula>)>,
}

impl Formula {
    /// Adds the variables within.
    fn variables(&self, found: &mut BTreeSet<String>) {
        match self {
            Formula::Variable(name) => {
                found.insert(name.clone());
            }
            Formula::Not(inner) => inner.variables(found),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| part.variables(found));
            }
            Formula::Iff(left, right) => {
                left.variables(found);
                right.variables(found);
            }
        }
    }
}

impl BooleanHypothesis {
    /// All conjuncts.
    pub fn conjuncts(&self) -> impl Iterator<Item = &Formula> {
        self.groups.iter().flatten().chain(self.additional.iter().flat_map(|(_, all)| all))
    }

    /// The variables, in order of their names.
    pub fn variables(&self) -> Vec<String> {
        let mut found = BTreeSet::new();
        self.conjuncts().for_each(|conjunct| conjunct.variables(&mut found));
        found.into_iter().collect()
    }
}

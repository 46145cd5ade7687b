//! Tight bounds: the possible contents of the parts of the initial state.
//!
//! With canonical numbering, most edges of a field occur in no heap that satisfies the preconditions: the left
//! child of the root of a tree can only be the second node. Such edges can be left out (Galeotti et al., ISSTA
//! 2010, §3.2). Only preconditions determine them, so they can be cached. This module defines the bounds and the
//! gates for computing them.

use std::collections::BTreeMap;

use circuit::{Bits, Circuit, Gate};
use ir::{Module, Type, Variable};

use crate::evaluation::Evaluation;
use crate::sym::Sym;

/// A part of the initial state that is an atom, a word or a truth value: a variable, or what a
/// map holds at an atom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Part {
    /// The variable.
    pub variable: Variable,
    /// The number of the atom, if the variable is a map.
    pub row: Option<u32>,
}

/// The possible contents of a part. Parts of absent atoms hold defaults besides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// One of these atoms, by number, ascending; zero is `null`.
    Atoms(Vec<u32>),
    /// One of these constructors of a tagged union, by number, ascending.
    Constructors(Vec<u32>),
    /// A number of this width, in two's complement.
    Width(u32),
    /// This number.
    Number(i128),
    /// A number from zero to this: no more numbers can be distinguished.
    UpTo(u32),
    /// This truth value.
    Truth(bool),
}

/// The known contents of the parts of initial states. Parts that are not listed are unknown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Feasible {
    /// The parts of which something is known.
    pub parts: BTreeMap<Part, Content>,
}

impl Feasible {
    /// All combinations in which every number with few possible values is fixed; the bounds themselves if there are
    /// more than `most` combinations.
    pub fn numbered(&self, most: usize) -> Vec<Feasible> {
        let mut cases = vec![self.clone()];
        for (part, content) in &self.parts {
            let Content::UpTo(greatest) = content else { continue };
            if cases.len() * (*greatest as usize + 1) > most {
                return vec![self.clone()];
            }
            let settled = |case: &Feasible, number: u32| {
                let mut case = case.clone();
                case.parts.insert(*part, Content::Number(i128::from(number)));
                case
            };
            cases = cases
                .iter()
                .flat_map(|case| (0..=*greatest).map(move |number| settled(case, number)))
                .collect();
        }
        cases
    }
}

/// The gates by which it can be asked what a part holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Held {
    /// Whether it is each of the atoms that exist, from `null` on.
    Atom(Vec<Gate>),
    /// Whether it is each of the constructors of a tagged union that have no arguments.
    Constructor(Vec<Gate>),
    /// A number.
    Number(Bits),
    /// A truth value.
    Truth(Gate),
}

impl Evaluation {
    /// The parts of the initial state, each with the condition under which it exists, and its contents. There are
    /// none where the numbering is not canonical.
    pub fn parts(&mut self, module: &Module) -> Vec<(Part, Gate, Held)> {
        let mut parts = Vec::new();
        let each = |circuit: &mut Circuit, word: &Bits, count: u32| {
            let is = |number| circuit.equal(word, &Bits::constant(word.width(), number));
            (0..u128::from(count)).map(is).collect()
        };
        for (variable, row, present, ty, value) in std::mem::take(&mut self.initial) {
            let held = match (&ty, value) {
                (Type::Sort(sort), Sym::Bits(word)) => {
                    let count = self.atoms[sort.0 as usize] + 1;
                    Held::Atom(each(&mut self.circuit, &word, count))
                }
                (Type::Variant(id), Sym::Tuple(values)) => {
                    let constructors = &module.variants[id.0 as usize].constructors;
                    if constructors.iter().any(|(_, arguments)| !arguments.is_empty()) {
                        continue;
                    }
                    let count = constructors.len() as u32;
                    Held::Constructor(each(&mut self.circuit, values[0].bits(), count))
                }
                (_, Sym::Bits(word)) => Held::Number(word),
                (_, Sym::Int(integer)) => Held::Number(integer.word),
                (_, Sym::Bool(gate)) => Held::Truth(gate),
                _ => continue,
            };
            parts.push((Part { variable, row }, present, held));
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use ir::{LocalId, Variable};

    use super::{Content, Feasible, Part};

    fn feasible(contents: &[Content]) -> Feasible {
        let part = |number| Part { variable: Variable::Local(LocalId(number)), row: None };
        Feasible { parts: (0..).map(part).zip(contents.iter().cloned()).collect() }
    }

    #[test]
    fn numbers_are_settled_in_every_way_unless_there_are_many() {
        let open = feasible(&[Content::UpTo(1), Content::Truth(true), Content::UpTo(2)]);
        let settled =
            |a, b| feasible(&[Content::Number(a), Content::Truth(true), Content::Number(b)]);
        let all: Vec<Feasible> = (0..=1)
            .flat_map(|a| (0..=2).map(move |b| (a, b)))
            .map(|(a, b)| settled(a, b))
            .collect();
        assert_eq!(open.numbered(6), all);
        assert_eq!(open.numbered(5), std::slice::from_ref(&open));
        assert_eq!(settled(0, 2).numbered(1), [settled(0, 2)]);
    }
}

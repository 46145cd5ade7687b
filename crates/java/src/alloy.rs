//! Formulas over relations, as Jackson and Vaziri write them (ISSTA 2000, Figures 1 and 3).
//!
//! A field is a relation, a variable a set of at most one object, `null` the empty set. A name with a
//! prime is the value after the method, one without the value before. The notation is theirs, with a few
//! words that Alloy got later: `lone` for `sole`, `^` for `+`, `and`, `or`, `implies`, `iff`, `not`.

mod lexer;
mod parser;

use crate::diagnostics::Diagnostics;
use crate::syntax::TextRange;

/// A formula.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Formula {
    True,
    Compare(Comparison, Box<Relation>, Box<Relation>),
    /// `no e`, `some e`.
    Count(Multiplicity, Box<Relation>),
    Quantified(Multiplicity, Vec<Variable>, Box<Formula>),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Iff(Box<Formula>, Box<Formula>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    In,
    NotIn,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Multiplicity {
    All,
    Some,
    No,
    One,
    /// At most one.
    Sole,
}

/// A bound variable, with the set that it ranges over if there is one.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) within: Option<Relation>,
    pub(crate) at: TextRange,
}

/// A set or relation.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Relation {
    pub(crate) kind: RelationKind,
    pub(crate) at: TextRange,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum RelationKind {
    /// A variable, field or class; whether it has a prime.
    Name(String, bool),
    Number(i64),
    Empty,
    Union(Box<Relation>, Box<Relation>),
    Difference(Box<Relation>, Box<Relation>),
    Intersection(Box<Relation>, Box<Relation>),
    Join(Box<Relation>, Box<Relation>),
    Transpose(Box<Relation>),
    Closure(Box<Relation>),
    ReflexiveClosure(Box<Relation>),
    Comprehension(Vec<Variable>, Box<Formula>),
    /// How many tuples there are.
    Size(Box<Relation>),
}

/// Parses a formula from a text that begins at a position of a file. None if it has an error, which is
/// reported.
pub(crate) fn parse(text: &str, start: u32, diagnostics: &mut Diagnostics) -> Option<Formula> {
    parser::parse(text, start, diagnostics)
}

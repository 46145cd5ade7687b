//! Errors of a problem before it is solved.

use thiserror::Error;

/// A problem that has no meaning, or none that can be represented. Nothing was solved.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// A universe without atoms.
    #[error("a universe needs at least one atom")]
    EmptyUniverse,
    /// Two atoms with the same name.
    #[error("the universe has two atoms named `{0}`")]
    DuplicateAtom(String),
    /// An atom that is not in the universe.
    #[error("the universe has no atom `{0}`")]
    NoSuchAtom(String),
    /// A tuple of the wrong length.
    #[error("a tuple of arity {found} does not fit where arity {expected} is expected")]
    TupleArity {
        /// The arity of the set.
        expected: usize,
        /// The arity of the tuple.
        found: usize,
    },
    /// Tuple sets over two universes were mixed.
    #[error("the tuples are drawn from another universe than the one in use")]
    UniverseMismatch,
    /// A formula of another logic than the bounds.
    #[error("the formula and the bounds belong to different logics")]
    LogicMismatch,
    /// An expression or formula that is not well formed.
    #[error("ill-typed: {why}\n  in `{text}`")]
    IllTyped {
        /// The smallest offending expression, as a person would write it.
        text: String,
        /// The type error.
        why: String,
    },
    /// A relation that occurs in the formula but has no bounds.
    #[error("relation `{0}` has no bounds")]
    Unbound(String),
    /// A variable that occurs outside the quantifier that declares it.
    #[error("variable `{variable}` is free\n  in `{text}`")]
    FreeVariable {
        /// The variable's name.
        variable: String,
        /// The formula it is free in.
        text: String,
    },
    /// Bounds given to something else than a relation.
    #[error("only a relation can be bounded, not `{0}`")]
    NotARelation(String),
    /// A lower bound that is not contained in the upper bound.
    #[error("the lower bound of `{relation}` holds {tuple}, which its upper bound lacks")]
    Inconsistent {
        /// The relation's name.
        relation: String,
        /// One such tuple.
        tuple: String,
    },
    /// Bounds whose arity is not the relation's.
    #[error("`{relation}` has arity {expected}, its bound has arity {found}")]
    BoundArity {
        /// The relation's name.
        relation: String,
        /// The relation's arity.
        expected: usize,
        /// The bound's arity.
        found: usize,
    },
    /// Something too large to be represented over this universe.
    #[error("{what} is too large over a universe of {atoms} atoms")]
    TooLarge {
        /// The offending expression or arity.
        what: String,
        /// The size of the universe.
        atoms: usize,
    },
    /// An integer that the chosen width cannot represent.
    #[error("`{text}` does not fit in {width} bits; choose a larger width or exact integers")]
    IntegerWidth {
        /// The offending integer expression.
        text: String,
        /// The chosen width.
        width: usize,
    },
    /// An expression nested beyond what the translator is willing to follow.
    #[error("an expression is nested {depth} deep; the limit is {limit}")]
    TooDeep {
        /// How deep it is nested.
        depth: usize,
        /// The limit.
        limit: usize,
    },
    /// The solver back end could not be set up as asked.
    #[error(transparent)]
    Solver(#[from] sat::Error),
}

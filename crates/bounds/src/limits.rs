//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Nesting of bound variables in a concrete execution; deeper quantifiers make its outcome unknown.
pub(crate) const BOUND_VARIABLES: u8 = 16;

/// Dead ends in a row before a solver decides whether there is another shape; then twice as many.
pub(crate) const DEAD_ENDS: u64 = 1_000;

/// Shapes that are returned where there are too many to enumerate.
pub(crate) const SAMPLED_SHAPES: usize = 30;

/// Dead ends in a row after which a sample of shapes ends.
pub(crate) const SAMPLED_DEAD_ENDS: u64 = 100;

/// Walks that miss a shape the solver knows of; then the solver enumerates the rest.
pub(crate) const FRUITLESS_WALKS: u32 = 6;

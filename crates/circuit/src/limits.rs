//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Gates of an at-most-one constraint that are compared pairwise; more use a ladder.
pub(crate) const PAIRWISE_GATES: usize = 7;

//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Gates of an at-most-one constraint that are compared pairwise; more use a ladder.
pub(crate) const PAIRWISE_GATES: usize = 7;

/// Batches of 64 patterns, and of models, that answer queries without the solver; the oldest are dropped.
pub(crate) const PATTERN_BATCHES: usize = 16;

/// The same for a circuit of more than [`LARGE_CIRCUIT`] gates.
pub(crate) const PATTERN_BATCHES_OF_LARGE: usize = 2;

/// Gates of a circuit beyond which fewer patterns are kept.
pub(crate) const LARGE_CIRCUIT: usize = 1 << 20;

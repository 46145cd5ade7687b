//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Learnt clauses of an all-SAT enumeration; then the least useful ones are dropped.
pub(crate) const LEARNT_CLAUSES: usize = 4_000;

/// Learnt clauses that are allowed in addition after each such reduction.
pub(crate) const MORE_LEARNT_CLAUSES: usize = 400;

/// Steps of an all-SAT enumeration between two looks at the clock.
pub(crate) const STEPS_PER_CHECK: u64 = 1_024;

/// Words of garbage in the proof checker below which it does not collect.
pub(crate) const GARBAGE_WORDS: usize = 1 << 16;

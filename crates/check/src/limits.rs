//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Levels of calls that a step inlines beyond the number of iterations it unrolls.
pub(crate) const CALLS_BEYOND_LOOPS: u32 = 2;

/// Bits of integers in the first step of a growing scope; each further step adds one.
pub(crate) const FIRST_INT_WIDTH: u32 = 4;

/// Factor by which each step unrolls loops further.
pub(crate) const UNROLL_FACTOR: u32 = 3;

/// Gates of a formula beyond which loops are not unrolled further but left open.
pub(crate) const UNROLLED_GATES: usize = 20_000;

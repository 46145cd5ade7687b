//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Bytes that are completed at once before a copy; with more they stay open.
pub(crate) const COMPLETED_BYTES: u64 = 1 << 16;

/// Keys that are tried one by one to find the tuples of a relation; with more the value is unknown.
pub(crate) const RELATION_KEYS: u128 = 1 << 20;

/// Keys that are tried one by one to compare two maps; with more the answer is unknown.
pub(crate) const COMPARED_KEYS: u128 = 1 << 16;

/// Nesting of expressions and applications; a deeper evaluation stops.
pub(crate) const EVALUATION_DEPTH: u32 = 100_000;

/// Arguments of an interpreted program; with more it does not start.
pub(crate) const PROGRAM_ARGUMENTS: usize = 4_000;

/// Bytes that one statement copies or fills; with more the execution stops.
pub(crate) const COPIED_BYTES: u64 = 1 << 24;

/// Values that a quantifier without a guard enumerates; over larger types the answer is unknown.
pub(crate) const QUANTIFIED_VALUES: u128 = 1 << 16;

/// Reads of one statement that are noted; a quantifier may read without end.
pub(crate) const NOTED_READS: usize = 64;

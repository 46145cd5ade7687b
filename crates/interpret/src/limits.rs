//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Bytes that are completed at once before a copy; with more they stay open.
pub(crate) const COMPLETED_BYTES: u64 = 1 << 16;

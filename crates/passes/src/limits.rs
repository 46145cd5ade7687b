//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Factor by which stubs may let a procedure grow beyond the limit for bodies.
pub(crate) const STUB_GROWTH: usize = 2;

/// Edges into one block of a passive procedure; with more there is a block between.
pub(crate) const JOIN_EDGES: usize = 8;

/// Entries of an irreducible region that are tried as the header; further ones are not tried.
pub(crate) const HEADER_CANDIDATES: usize = 16;

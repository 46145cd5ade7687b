//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Facts of a kind that the must-analysis keeps; further ones are dropped.
pub(crate) const FACTS: usize = 12;

/// Dereferences in a pointer fact of the must-analysis; deeper pointers have none.
pub(crate) const FACT_STEPS: usize = 1;

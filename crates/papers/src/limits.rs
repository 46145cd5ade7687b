//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Size of a shared expression that is printed each time; a larger one gets a name.
pub(crate) const REPEATED_EXPRESSION: u32 = 12;

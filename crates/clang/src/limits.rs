//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Nesting of response files; deeper ones are refused.
pub(crate) const RESPONSE_FILES: u32 = 8;

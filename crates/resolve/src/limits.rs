//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Diagnostics of one file; further ones are not reported.
pub(crate) const DIAGNOSTICS: usize = 100;

/// Depth to which inductive definitions are unfolded; deeper ones are not followed.
pub(crate) const DEFINITION_DEPTH: u32 = 8;

/// Nesting of expressions and statements; deeper text is refused with a diagnostic.
pub(crate) const PARSE_DEPTH: usize = 200;

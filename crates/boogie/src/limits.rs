//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Names that are compared with an unknown one for a suggestion; further ones are not suggested.
pub(crate) const SUGGESTED_NAMES: usize = 5_000;

/// Digits of a numeral; longer ones are refused with a diagnostic.
pub(crate) const LITERAL_DIGITS: usize = 100_000;

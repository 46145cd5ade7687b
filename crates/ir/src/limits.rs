//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Diagnostics of one VIR text; further ones are counted.
pub(crate) const DIAGNOSTICS: usize = 100;

/// Nesting of expressions in VIR text; deeper text is refused with a diagnostic.
pub(crate) const PARSE_DEPTH: usize = 100_000;

/// Size of a shared expression that brief text repeats; a larger one gets a name.
pub(crate) const REPEATED_EXPRESSION: u32 = 12;

/// Digits of a decimal number in VIR text; a longer one is refused with a diagnostic.
pub(crate) const LITERAL_DIGITS: usize = 5_000;

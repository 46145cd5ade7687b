//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Nesting to which formulas are printed; an ellipsis stands for the rest.
pub(crate) const PRINTED_DEPTH: usize = 40;

/// Cells and groundings that one translation visits; a larger problem is refused.
pub(crate) const TRANSLATION_CELLS: usize = 400_000_000;

/// Nesting of formulas; deeper ones are refused.
pub(crate) const FORMULA_DEPTH: usize = 200_000;

/// Bits of exact integers; wider ones are refused.
pub(crate) const INTEGER_BITS: usize = 100;

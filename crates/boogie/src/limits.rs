//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Names that are compared with an unknown one for a suggestion; further ones are not suggested.
pub(crate) const SUGGESTED_NAMES: usize = 5_000;

/// Digits of a numeral; longer ones are refused with a diagnostic.
pub(crate) const LITERAL_DIGITS: usize = 100_000;

/// Diagnostics of one file; further ones are counted.
pub(crate) const DIAGNOSTICS: usize = 100;

/// Repetitions of lowering that look for instances of polymorphic declarations; instances found later are missing.
pub(crate) const LOWERING_ROUNDS: usize = 5;

/// Conditions of globals times procedures of a file; with more, a contract states only those of the globals it
/// mentions.
pub(crate) const STATED_CONDITIONS: usize = 100_000;

/// Instances of a polymorphic function; further ones are not made.
pub(crate) const FUNCTION_INSTANCES: usize = 100;

/// Unique constants of a type that are stated to differ pair by pair; more are numbered.
pub(crate) const PAIRWISE_CONSTANTS: usize = 16;

/// Instances of a formula over type variables; with more the formula is left out.
pub(crate) const AXIOM_INSTANCES: usize = 48;

/// Instances of the polymorphic procedures of a file; further ones are not made.
pub(crate) const PROCEDURE_INSTANCES: usize = 100;

/// Nesting of statements and expressions; deeper text is refused with a diagnostic.
pub(crate) const PARSE_DEPTH: usize = 100_000;

/// Nesting of types; deeper ones are refused with a diagnostic.
pub(crate) const TYPE_DEPTH: usize = ir::Type::MAX_DEPTH;

/// Nodes of a type; polymorphic declarations have no instances at larger ones.
pub(crate) const TYPE_SIZE: u32 = 5_000;

//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Nesting of classes in class files; deeper ones are ignored.
pub(crate) const NESTED_CLASSES: usize = 8;

/// Characters of a constant string; a longer one is not computed.
pub(crate) const CONSTANT_CHARACTERS: usize = 1 << 16;

/// Repetitions of lowering until the sorts are stable; each has fewer sorts.
pub(crate) const LOWERING_ROUNDS: usize = 12;

/// Elements of an array of the caller; longer ones are not considered.
pub(crate) const ENVIRONMENT_ARRAY: i64 = 1 << 16;

/// Depth to which pure methods in specifications are expanded; deeper calls are unknown.
pub(crate) const PURE_CALLS: usize = 8;

/// Values in the range of a JML `\sum`; executions with a longer range are not considered.
pub(crate) const SUMMED_VALUES: i64 = 12;

/// Characters of a string that lowering computes; a longer one is unknown.
pub(crate) const COMPUTED_CHARACTERS: usize = 1 << 16;

/// Syntax errors of one file that are reported; further ones are not.
pub(crate) const SYNTAX_ERRORS: usize = 20;

/// Other source files that one file brings in; classes of further ones are unknown.
pub(crate) const READ_SOURCES: usize = 64;

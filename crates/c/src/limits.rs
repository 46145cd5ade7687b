//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Definitions that are followed back from a pointer to its origin; beyond them the origin is unknown.
pub(crate) const POINTER_STEPS: usize = 64;

/// Accesses of a block that are known to be checked; then they are forgotten and checked again.
pub(crate) const KNOWN_ACCESSES: usize = 256;

/// Characters before a branch that are searched for the start of its condition; a longer condition is not shown.
pub(crate) const CONDITION_CHARACTERS: usize = 400;

/// Cases of a switch that one branch decides; more are split.
pub(crate) const CASES_PER_BRANCH: usize = 8;

/// Nesting of anonymous structures; members deeper down have no name.
pub(crate) const ANONYMOUS_DEPTH: usize = 16;

/// Members of a structure that are searched for a name; further ones have none.
pub(crate) const TYPE_MEMBERS: usize = 4096;

/// Forms of values in one module; further types are shown as words and pointers.
pub(crate) const FORMS: usize = 4096;

/// Members or enumeration constants of a form; further ones are not shown.
pub(crate) const FORM_PARTS: usize = 512;

/// Typedefs and qualifiers that are followed to the name of a type; beyond them it has none.
pub(crate) const TYPEDEF_STEPS: usize = 64;

/// Functions that an indirect call chooses from; with more the callee is unknown.
pub(crate) const INDIRECT_CALLEES: usize = 32;

/// Bytes of the initializer of one object; the contents of a larger object are unknown.
pub(crate) const INITIALIZER_BYTES: u64 = 1 << 20;

/// Bytes of the initializers of all objects; the contents of further objects are unknown.
pub(crate) const ALL_INITIALIZER_BYTES: u64 = 1 << 26;

/// Constants of the initializer of one object; beyond them its contents are unknown.
pub(crate) const INITIALIZER_CONSTANTS: u32 = 1 << 20;

/// Nesting of an expression that a report shows in C syntax; a deeper one is shown as a value.
pub(crate) const EXPRESSION_DEPTH: u32 = 16;

/// Nesting of the operands of such an expression; a deeper one is shown as a value.
pub(crate) const OPERAND_DEPTH: u32 = 6;

/// Characters of such an expression; a longer one is shown as a value.
pub(crate) const EXPRESSION_CHARACTERS: usize = 120;

/// Characters of the source that are searched for the end of an expression; beyond them its text is unknown.
pub(crate) const TOKEN_SEARCH: usize = 2000;

/// Scalars of a structure that is a first-class value; a larger one is opaque.
pub(crate) const VALUE_PARTS: u32 = 64;

/// Nesting of structures in a first-class value; a deeper one is opaque.
pub(crate) const VALUE_DEPTH: u32 = 16;

/// Variables times blocks of a function; in larger functions the data-flow analysis of uninitialized variables is
/// skipped.
pub(crate) const UNSET_WORK: usize = 1 << 26;

/// Size of a value that is copied to each use; a larger one with several uses gets a variable.
pub(crate) const SHARED_VALUE_SIZE: u32 = 6;

/// Size of a value without a variable; a larger one gets one.
pub(crate) const VALUE_SIZE: u32 = 64;

/// Values without a variable at a time; with more, the oldest gets one.
pub(crate) const OPEN_VALUES: usize = 64;

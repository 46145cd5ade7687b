//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Instances of one quantified claim; further ones are not stated.
pub(crate) const CLAIM_INSTANCES: usize = 256;

/// Rounds of E-matching over the terms of new instances; later terms have no instances.
pub(crate) const MATCHING_ROUNDS: usize = 3;

/// Gates of all instances in the under-approximation; then no more are stated.
pub(crate) const CLAIM_GATES: usize = 500_000;

/// Gates of all instances in the over-approximation; then no more are stated, and less is proved.
pub(crate) const CLAIM_GATES_OVER: usize = 100_000;

/// Terms that E-matching keeps for one place; further ones have no instances.
pub(crate) const MATCHED_TERMS: usize = 64;

/// Depth to which function definitions are searched for the places of a bound variable; deeper ones do not trigger.
pub(crate) const MATCHED_DEFINITIONS: usize = 4;

/// Bits of the narrowest numbers that are minimized in a model; narrower words are choices.
pub(crate) const MINIMIZED_BITS: usize = 8;

/// Numbers of a model that are minimized; the others keep the solver's values.
pub(crate) const MINIMIZED_NUMBERS: usize = 40;

/// Gates of a formula whose models are minimized; models of a larger one keep the solver's values.
pub(crate) const MINIMIZED_GATES: usize = 200_000;

/// Cases of a quantifier that is expanded; with more it is instantiated.
pub(crate) const QUANTIFIER_CASES: usize = 4096;

/// Bits of a word that a quantifier enumerates; over wider words it is instantiated.
pub(crate) const QUANTIFIED_BITS: u32 = 8;

/// Clauses whose encoding counts as one conflict of the budget.
pub(crate) const CLAUSES_PER_CONFLICT: u64 = 1_000;

/// Sets from which a relation is followed step by step; with more its closure is computed.
pub(crate) const STEPPED_SETS: usize = 2;

/// Bytes of the initializer of a static object that are known one by one; larger contents are unknown.
pub(crate) const KNOWN_BYTES: u64 = 4096;

/// Keys of a map that is a table of gates; a larger map is an array.
pub(crate) const TABLE_KEYS: usize = 4096;

/// Bits of a key that a table enumerates; a map with wider keys is an array.
pub(crate) const KEY_BITS: u32 = 4;

/// Depth to which function definitions are expanded; a deeper application leaves the scope.
pub(crate) const DEFINITION_DEPTH: usize = 32;

/// Bytes of a zeroed object that a witness lists; further ones have no value.
pub(crate) const WITNESS_BYTES: u64 = 1 << 20;

/// Depth of sums that are searched for a tested value; deeper ones count as untested.
pub(crate) const TESTED_SUMS: u32 = 4;

/// Bits of a size that a program computes; greater sizes are assumed not to occur.
pub(crate) const SIZE_BITS: usize = 38;

/// Nodes of the decision diagram of a guard; a larger one becomes a gate.
pub(crate) const DIAGRAM_NODES: usize = 254;

/// Conditions in the diagrams of a procedure with many; others are gates.
pub(crate) const DIAGRAM_CONDITIONS: usize = 60_000;

/// Conditions in the diagrams of a procedure with few.
pub(crate) const FEW_DIAGRAM_CONDITIONS: usize = 4096;

/// Variables and sums in an access path; a pointer with a longer one may alias any other.
pub(crate) const ACCESS_PATH_STEPS: usize = 64;

/// Static objects that a pointer may be, of those that it is compared with; with more it may be any.
pub(crate) const ALIASED_STATICS: usize = 4;

//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Results of unknown functions that are varied to see whether a finding depends on them; further ones are not varied.
pub(crate) const VARIED_RESULTS: usize = 24;

/// Executions that one enumeration of a witness' completions tries; then the directed search follows.
pub(crate) const ENUMERATED_RUNS: usize = 1000;

/// Executions of one enumeration that may use up all their statements; the next one ends the enumeration.
pub(crate) const ENDLESS_RUNS: usize = 2;

/// Statements of one execution; a longer one shows nothing.
pub(crate) const RUN_STEPS: u64 = 400_000;

/// Statements of all executions of one enumeration; beyond them it ends.
pub(crate) const SEARCH_STEPS: u64 = 500_000;

/// Statements of all enumerations for the candidates of one procedure; beyond them the candidates are not confirmed.
pub(crate) const PROCEDURE_STEPS: u64 = 2_000_000;

/// Statements as which the start of an execution counts.
pub(crate) const START_STEPS: u64 = 1_000;

/// Executions that one directed search tries; then the candidate is not confirmed.
pub(crate) const DIRECTED_RUNS: usize = 400;

/// Statements of one execution of a directed search; a longer one shows nothing.
pub(crate) const DIRECTED_RUN_STEPS: u64 = 20_000;

/// Statements of all directed searches for the candidates of one procedure; beyond them the candidates are not confirmed.
pub(crate) const DIRECTED_STEPS: u64 = 1_000_000;

/// Comparisons of an execution that a directed search considers; of a longer execution these are the last ones.
pub(crate) const COMPARISONS: usize = 400;

/// Times that an execution takes one side of a branch; taking it more often is nothing new to a directed search.
pub(crate) const BRANCH_COUNT: u32 = 1_000;

/// Executions, each derived from the one before, that are nothing new to a directed search; no further one is derived.
pub(crate) const BARREN_RUNS: u32 = 40;

/// Calls that an execution may have open; a deeper recursion shows nothing.
pub(crate) const OPEN_CALLS: usize = 200;

/// Events of a recorded execution that are kept from its start and from its end; those between are dropped.
pub(crate) const RECORDED_EVENTS: usize = 10_000;

/// Objects of the caller that completion creates before open pointers are null first, since lists have an end.
pub(crate) const FOUND_OBJECTS: usize = 6;

/// Constants of a procedure that are tried for a number that it reads and the witness leaves open; further ones are
/// not tried.
pub(crate) const TRIED_CONSTANTS: usize = 6;

/// String literals of the program that are tried as a text of the caller; further ones are not tried.
pub(crate) const TRIED_WORDS: usize = 24;

/// Letters of a literal that is tried as a text of the caller; longer literals are not tried.
pub(crate) const WORD_LETTERS: usize = 16;

/// Letters of a long text of the caller, which exceeds most buffers; no longer one is tried.
pub(crate) const LONG_TEXT: usize = 300;

//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Facts of a kind that the must-analysis keeps; further ones are dropped.
pub(crate) const FACTS: usize = 12;

/// Dereferences in a pointer fact of the must-analysis; deeper pointers have none.
pub(crate) const FACT_STEPS: usize = 1;

/// Bytes of a block that is copied value by value; a larger copy is unknown.
pub(crate) const COPIED_BYTES: i64 = 1 << 16;

/// Access paths that the text of a summary lists; the others are counted.
pub(crate) const LISTED_PATHS: usize = 12;

/// Conditions at entry, and at exit, that a summary distinguishes; further ones are dropped.
pub(crate) const SUMMARY_CONDITIONS: usize = 3;

/// Conditions that are tried for a summary.
pub(crate) const CONDITION_CANDIDATES: usize = 12;

/// Access paths that a summary lists as modified; further ones are dropped.
pub(crate) const MODIFIED_PATHS: usize = 48;

/// Objects of the caller that a summary lists as freed or as escaping; further ones are dropped.
pub(crate) const ESCAPING_PATHS: usize = 128;

/// Analyses of the procedures of a strongly connected component; then the last summaries stand.
pub(crate) const FIXED_POINT_ROUNDS: usize = 3;

/// Components that are analysed before their summaries are written to the cache.
pub(crate) const CACHED_COMPONENTS: usize = 1024;

/// Paths that are proposed to the judge for one claim; further ones are not tried.
pub(crate) const PROPOSED_PATHS: usize = 4;

/// Nodes of an expression in a summary; larger ones are dropped.
pub(crate) const SHARED_EXPRESSION: usize = 48;

/// Nodes of a condition that a message shows; larger ones are not shown.
pub(crate) const SHOWN_CONDITION: usize = 8;

/// Conflicts of one query; beyond them the answer is unknown.
pub(crate) const QUERY_CONFLICTS: u64 = 2_000;

/// Bytes before an address that are searched for a value that overlaps it.
pub(crate) const VALUE_BYTES: i64 = 64;

/// Choices over which a comparison is distributed; with more it stays an opaque condition.
pub(crate) const PULLED_CHOICES: u32 = 12;

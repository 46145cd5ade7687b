//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

use std::time::Duration;

/// Time before the progress bar appears.
pub(crate) const PROGRESS_DELAY: Duration = Duration::from_secs(2);

/// Procedures in the table of the slowest.
pub(crate) const SLOWEST_PROCEDURES: usize = 10;

/// Compiler messages per file that are shown; the others are counted.
pub(crate) const COMPILER_MESSAGES: usize = 3;

/// Faults of a compilation database that are shown; the others are counted.
pub(crate) const DATABASE_FAULTS: usize = 5;

/// Bytes of a property file; a larger one is refused.
pub(crate) const PROPERTY_BYTES: u64 = 1 << 20;

/// Time since its last use after which the cache of another version is deleted.
pub(crate) const CACHE_AGE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

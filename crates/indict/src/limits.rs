//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

use std::time::Duration;

/// Time before the progress bar appears.
pub(crate) const PROGRESS_DELAY: Duration = Duration::from_secs(2);

/// Procedures in the table of the slowest.
pub(crate) const SLOWEST_PROCEDURES: usize = 10;

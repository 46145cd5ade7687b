//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

use std::time::Duration;

/// Interval at which the sandbox asks whether the program has ended.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(4);

/// Interval at which the sandbox measures the program's memory and processes.
pub(crate) const USAGE_INTERVAL: Duration = Duration::from_millis(40);

/// Time that the sandbox waits for output after the program has ended; later output is lost.
pub(crate) const OUTPUT_WAIT: Duration = Duration::from_secs(2);

//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

use std::time::Duration;

/// Time to wait for another process that writes to the cache; then the cache is not used.
pub(crate) const LOCK_WAIT: Duration = Duration::from_secs(20);

/// Interval at which is tried again what SQLite does not wait for.
pub(crate) const LOCK_RETRY: Duration = Duration::from_millis(5);

/// Bytes of the cache; a larger one is begun anew, since most of it is about programs that have changed since.
pub(crate) const CACHE_BYTES: u64 = 8 << 30;

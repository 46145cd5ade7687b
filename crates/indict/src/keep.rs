//! The cache of results, as the arguments select it.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use clap::{Args as Arguments, ValueHint};
use driver::{Config, Digest, Recollection};
use report::{Note, Severity};
use store::Store;

use crate::compile::cache_directory;

/// Whether and where results are cached.
#[derive(Arguments, Debug, Default)]
#[command(next_help_heading = "C")]
pub(crate) struct Keep {
    /// File that caches results [default: in ~/.cache/indict, per version]
    ///
    /// The default directory is $XDG_CACHE_HOME/indict if that is set. Function summaries are keyed by the
    /// content of the function and its callees, whole reports by files and settings: deleting the file
    /// changes time, not results. Several processes may share it.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) store: Option<PathBuf>,

    /// Do not read or write cached results
    #[arg(long, conflicts_with = "store")]
    pub(crate) no_store: bool,
}

/// After so long nobody comes back to a version.
const OLD: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// A store that remembers for the driver.
pub(crate) struct Kept(Store);

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kept")
    }
}

impl Recollection for Kept {
    fn recall(&self, key: &Digest) -> Option<Vec<u8>> {
        self.0.get(key)
    }

    fn keep(&self, entries: &[(Digest, Vec<u8>)]) {
        self.0.put(entries);
    }
}

impl Keep {
    /// The store, opened; none if nothing is to be kept, or if nobody knows where. A file that is named overrides
    /// the configuration.
    pub(crate) fn open(&self, config: Option<&Config>) -> Option<Arc<Kept>> {
        let is_off = self.store.is_none() && config.is_some_and(|config| config.no_store);
        if self.no_store || is_off {
            return None;
        }
        let version = version();
        let path = match &self.store {
            Some(path) => path.clone(),
            None => default(&version)?,
        };
        Some(Arc::new(Kept(Store::open(path, &version))))
    }
}

impl Kept {
    /// What there is to say about the file.
    pub(crate) fn notes(&self) -> Vec<Note> {
        let note = |message| Note { severity: Severity::Note, message, place: None };
        self.0.notes().into_iter().map(note).collect()
    }
}

/// Where the results of a version are kept if nobody says where. Those of versions that nobody has used for
/// long are thrown away.
fn default(version: &str) -> Option<PathBuf> {
    let directory = cache_directory()?;
    let path = directory.join(format!("store-{version}.db"));
    let is_old = |path: &Path| {
        let used = fs::metadata(path).and_then(|metadata| metadata.modified());
        used.is_ok_and(|used| used.elapsed().is_ok_and(|since| since > OLD))
    };
    for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
        let other = entry.path();
        let is_store = entry.file_name().as_encoded_bytes().starts_with(b"store-");
        if is_store && other != path && is_old(&other) {
            // Whoever still uses it makes it again.
            let _ = fs::remove_file(other);
        }
    }
    Some(path)
}

/// What tells this program from another of the same name: its version, its size and when it was made.
pub(crate) fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let metadata = std::env::current_exe().and_then(fs::metadata);
    let made = metadata.map(|metadata| {
        let made = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        (metadata.len(), made.unwrap_or_default().as_nanos())
    });
    match made {
        Ok((size, made)) => format!("{version}-{size:x}-{made:x}"),
        Err(_) => version.to_owned(),
    }
}

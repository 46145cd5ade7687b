//! The cache, as the arguments, the configuration and the environment select it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use clap::{Args as Arguments, ValueHint};
use driver::Config;
use report::{Note, Severity};
use store::Sqlite;

use crate::limits::CACHE_AGE;

/// Whether and where results are cached.
#[derive(Arguments, Clone, Debug, Default)]
pub(crate) struct CacheArguments {
    /// Do not read or write the cache
    ///
    /// The cache holds bitcode, bounds and shapes of heaps, function summaries and whole reports. It is keyed by the
    /// content of files and by settings: deleting it changes time, not results.
    #[arg(long, alias = "no-store", overrides_with = "no_cache", help_heading = "Running")]
    pub(crate) no_cache: bool,

    /// File of the cache [default: in ~/.cache/indict, per version]
    ///
    /// The default directory is $XDG_CACHE_HOME/indict if that is set. Several processes may share the file.
    #[arg(
        long, alias = "store", value_name = "FILE", value_hint = ValueHint::FilePath,
        conflicts_with = "no_cache", help_heading = "Running"
    )]
    pub(crate) cache: Option<PathBuf>,
}

impl CacheArguments {
    /// The cache, opened; none if it is disabled, or if there is no home directory. A file that is named overrides
    /// the configuration.
    pub(crate) fn open(&self, config: Option<&Config>) -> Option<Arc<Sqlite>> {
        let is_off = self.cache.is_none() && config.is_some_and(|config| config.no_cache);
        if self.no_cache || is_off {
            return None;
        }
        let version = version();
        let path = match &self.cache {
            Some(path) => path.clone(),
            None => default_file(&version)?,
        };
        Some(Arc::new(Sqlite::open(path, &version)))
    }
}

/// Notes about the file of a cache.
pub(crate) fn notes(cache: Option<&Sqlite>) -> Vec<Note> {
    let note = |message| Note { severity: Severity::Note, message, place: None };
    cache.into_iter().flat_map(Sqlite::notes).map(note).collect()
}

/// The default directory.
fn directory() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches =
        absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    caches.map(|caches| caches.join("indict"))
}

/// The default file of a version. Files of versions that have not been used for long are deleted.
fn default_file(version: &str) -> Option<PathBuf> {
    let directory = directory()?;
    let path = directory.join(format!("cache-{version}.db"));
    let is_old = |path: &Path| {
        let used = fs::metadata(path).and_then(|metadata| metadata.modified());
        used.is_ok_and(|used| used.elapsed().is_ok_and(|since| since > CACHE_AGE))
    };
    for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
        let other = entry.path();
        let is_cache = entry.file_name().as_encoded_bytes().starts_with(b"cache-");
        if is_cache && other != path && is_old(&other) {
            // A process that still uses it creates it again.
            let _ = fs::remove_file(other);
        }
    }
    Some(path)
}

/// Tells this program from another of the same name: its version, its size and when it was built.
fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let metadata = env::current_exe().and_then(fs::metadata);
    let built = metadata.map(|metadata| {
        let built = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        (metadata.len(), built.unwrap_or_default().as_nanos())
    });
    match built {
        Ok((size, built)) => format!("{version}-{size:x}-{built:x}"),
        Err(_) => version.to_owned(),
    }
}

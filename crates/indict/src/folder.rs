//! What is known of initial heaps, kept on disk between runs: a directory of files that are named by what they
//! follow from.
//!
//! A file is written beside its place and put there in one step, so that processes which use the directory at
//! the same time find all of it or nothing. What is damaged or of another version is replaced, and noted. What another
//! build of the same version has kept is left alone: it may number heaps in another way.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use driver::{Key, Store};
use report::{Note, Severity};

use crate::keep::version;

/// A directory of what is known.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Which build this is.
    build: String,
    written: AtomicU64,
    distrusted: Mutex<BTreeSet<String>>,
}

impl Folder {
    /// The directory at a path, which need not be there.
    pub(crate) fn new(path: &Path) -> Arc<Folder> {
        let (path, written) = (path.to_owned(), AtomicU64::new(0));
        Arc::new(Folder { path, build: version(), written, distrusted: Mutex::default() })
    }

    /// What there is to say of it when all is done.
    pub(crate) fn notes(&self) -> Vec<Note> {
        let distrusted = self.distrusted.lock().unwrap_or_else(PoisonError::into_inner).len();
        let told = match distrusted {
            0 => return Vec::new(),
            1 => "an entry of another version, or damaged, was made anew".to_owned(),
            count => format!("{count} entries of another version, or damaged, were made anew"),
        };
        let message = format!("in {} {told}", self.path.display());
        vec![Note { severity: Severity::Note, message, place: None }]
    }

    fn file(&self, key: &Key) -> PathBuf {
        self.path.join(format!("{key}.{}.txt", self.build))
    }
}

impl Store for Folder {
    fn get(&self, key: &Key) -> Option<String> {
        let bytes = fs::read(self.file(key)).ok()?;
        // What is no text is damaged, which the reader of the text finds out.
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn put(&self, key: &Key, text: &str) {
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let beside = self.path.join(format!(".{key}.{}.{number}", std::process::id()));
        let written = fs::create_dir_all(&self.path)
            .and_then(|()| fs::write(&beside, text))
            .and_then(|()| fs::rename(&beside, self.file(key)));
        if written.is_err() {
            // Without room on the disk there is only more to do next time.
            let _ = fs::remove_file(&beside);
        }
    }

    fn distrust(&self, key: &Key) {
        let mut all = self.distrusted.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(key.to_string());
    }
}

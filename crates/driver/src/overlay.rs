//! A file system with another text for one file.

use std::io;
use std::path::{Path, PathBuf};

use crate::files::{Entry, Files, Kind, plain};

/// The same files, except for one.
pub(crate) struct Overlay<'f> {
    files: &'f dyn Files,
    path: PathBuf,
    text: String,
}

impl<'f> Overlay<'f> {
    pub(crate) fn new(files: &'f dyn Files, path: &Path, text: String) -> Overlay<'f> {
        Overlay { files, path: plain(path), text }
    }
}

impl Files for Overlay<'_> {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.files.kind(path)
    }

    fn entries(&self, directory: &Path) -> io::Result<Vec<Entry>> {
        self.files.entries(directory)
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        if plain(path) != self.path {
            return self.files.read(path, most);
        }
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Ok(self.text.as_bytes()[..self.text.len().min(most)].to_vec())
    }
}

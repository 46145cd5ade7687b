//! The sources of the classes that a file mentions: below the folder in which its own package begins, and below
//! those that are named.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::files::{Files, shown};
use crate::source::{World, read};

/// Folders in which the source of a class is at the path that its name spells.
pub(crate) struct Packages<'w> {
    folders: Vec<PathBuf>,
    files: &'w dyn Files,
    /// The texts that have been asked for.
    read: RefCell<BTreeMap<String, String>>,
}

impl<'w> Packages<'w> {
    /// The folders that are named, and before them the one that a file's own package begins in.
    pub(crate) fn new(path: &Path, text: &str, world: World<'w>) -> Self {
        let declared = text.lines().map(str::trim).find_map(|line| line.strip_prefix("package "));
        let package = declared.map_or("", |name| name.trim_end_matches(';').trim());
        let depth = package.split('.').filter(|part| !part.is_empty()).count();
        let own = path.ancestors().nth(depth + 1).unwrap_or(Path::new(""));
        let folders = [own].into_iter().chain(world.source_path.iter().map(|folder| &**folder));
        let folders = folders.map(Path::to_owned).collect();
        Self { folders, files: world.files, read: RefCell::default() }
    }

    /// The texts that have been asked for, by their paths.
    pub(crate) fn into_texts(self) -> BTreeMap<String, String> {
        self.read.into_inner()
    }
}

impl java::Sources for Packages<'_> {
    fn find(&self, name: &str) -> Option<(String, String)> {
        let relative = format!("{}.java", name.replace('.', "/"));
        self.folders.iter().find_map(|folder| {
            let path = folder.join(&relative);
            let text = read(&path, self.files).ok()?;
            let name = shown(&path);
            self.read.borrow_mut().insert(name.clone(), text.clone());
            Some((name, text))
        })
    }
}

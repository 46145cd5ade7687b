//! The classes that a file refers to: their sources below the root of the file's package and below the source path,
//! signatures in class files, and separate specification files.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use report::{Note, Severity};

use crate::files::{Files, Kind, shown};
use crate::gather::unreadable;
use crate::jar::Jar;
use crate::limits::SOURCE_BYTES;
use crate::options::Classes;
use crate::source::{World, read};

/// Warnings about paths where nothing can be found. The check continues without them.
pub(crate) fn wrong_places(classes: &Classes, files: &dyn Files) -> Vec<Note> {
    let Classes { sources, class_files, specifications, nullness: _ } = classes;
    let folder = |path: &PathBuf| match files.kind(path) {
        Ok(Kind::Directory) => None,
        Ok(Kind::File | Kind::Other) => Some(format!("`{}` is not a folder", shown(path))),
        Err(why) => Some(unreadable(path, &why)),
    };
    let class_file = |path: &PathBuf| match files.kind(path) {
        Ok(Kind::Directory) => None,
        Ok(Kind::File | Kind::Other) => match files.read(path, SOURCE_BYTES).map(Jar::open) {
            Ok(Some(_)) => None,
            Ok(None) => {
                let path = shown(path);
                Some(format!("`{path}` is no archive of class files, or it is damaged"))
            }
            Err(why) => Some(unreadable(path, &why)),
        },
        Err(why) => Some(unreadable(path, &why)),
    };
    let folders = specifications.iter().chain(sources).filter_map(folder);
    folders
        .chain(class_files.iter().filter_map(class_file))
        .map(|message| Note { severity: Severity::Error, message, place: None })
        .collect()
}

/// The search path of classes, whose names determine their paths.
pub(crate) struct Packages<'w> {
    /// Directories of sources.
    folders: Vec<PathBuf>,
    classes: &'w Classes,
    /// The archives of class files, opened at their first use.
    archives: OnceCell<Vec<(String, Jar)>>,
    files: &'w dyn Files,
    /// The texts that were read.
    read: RefCell<BTreeMap<String, String>>,
    /// Notes about class files that were read.
    damaged: RefCell<BTreeSet<String>>,
}

impl<'w> Packages<'w> {
    /// The root of a file's own package, then the source path.
    pub(crate) fn new(path: &Path, text: &str, world: World<'w>) -> Self {
        let declared = text.lines().map(str::trim).find_map(|line| line.strip_prefix("package "));
        let package = declared.map_or("", |name| name.trim_end_matches(';').trim());
        let depth = package.split('.').filter(|part| !part.is_empty()).count();
        let own = path.ancestors().nth(depth + 1).unwrap_or(Path::new(""));
        let named = world.classes.sources.iter().map(|folder| &**folder);
        let folders = [own].into_iter().chain(named).map(Path::to_owned).collect();
        let (classes, files) = (world.classes, world.files);
        Self {
            folders,
            classes,
            archives: OnceCell::new(),
            files,
            read: RefCell::default(),
            damaged: RefCell::default(),
        }
    }

    /// The texts that were read, by path, and notes about class files.
    pub(crate) fn into_texts(self) -> (BTreeMap<String, String>, Vec<Note>) {
        let damaged = self.damaged.into_inner().into_iter();
        let damaged = damaged.map(|what| Note {
            severity: Severity::Error,
            message: format!("{what} is damaged: nothing is known of the class"),
            place: None,
        });
        (self.read.into_inner(), damaged.collect())
    }

    /// The text at a path below one of some directories.
    fn below(&self, folders: &[PathBuf], relative: &str) -> Option<(String, String)> {
        folders.iter().find_map(|folder| {
            let path = folder.join(relative);
            let text = read(&path, self.files).ok()?;
            let name = shown(&path);
            self.read.borrow_mut().insert(name.clone(), text.clone());
            Some((name, text))
        })
    }

    /// The class file of a name with slashes, and its path.
    fn class_file(&self, name: &str) -> Option<(String, Vec<u8>)> {
        let relative = format!("{name}.class");
        let folders = self.classes.class_files.iter();
        let found = folders.map(|folder| folder.join(&relative)).find_map(|path| {
            let bytes = self.files.read(&path, SOURCE_BYTES).ok()?;
            Some((format!("`{}`", shown(&path)), bytes))
        });
        found.or_else(|| {
            let archives = self.archives.get_or_init(|| {
                let paths = self.classes.class_files.iter();
                let opened = paths.filter_map(|path| {
                    let bytes = self.files.read(path, SOURCE_BYTES).ok()?;
                    Some((shown(path), Jar::open(bytes)?))
                });
                opened.collect()
            });
            let (path, archive) = archives.iter().find(|(_, archive)| archive.has(&relative))?;
            let what = format!("`{relative}` in `{path}`");
            let content = archive.read(&relative);
            if content.is_none() {
                self.damaged.borrow_mut().insert(what.clone());
            }
            Some((what, content?))
        })
    }
}

impl java::Sources for Packages<'_> {
    fn find(&self, name: &str) -> Option<(String, String)> {
        let relative = name.replace('.', "/");
        self.below(&self.folders, &format!("{relative}.java")).or_else(|| {
            let (what, bytes) = self.class_file(&relative)?;
            let others = |name: &str| self.class_file(name).map(|(_, bytes)| bytes);
            let text = java::signatures(&bytes, &others);
            if text.is_none() {
                self.damaged.borrow_mut().insert(what);
            }
            Some((format!("{relative}.class"), text?))
        })
    }

    fn specification(&self, name: &str) -> Option<(String, String)> {
        let relative = format!("{}.jml", name.replace('.', "/"));
        let named = self.below(&self.classes.specifications, &relative);
        // A directory with the classes of one package need not repeat the package in its structure.
        named.or_else(|| {
            let simple = relative.rsplit('/').next().unwrap_or(&relative).to_owned();
            self.below(&self.classes.specifications, &simple)
        })
    }

    fn nullness(&self) -> java::Nullness {
        self.classes.nullness
    }
}

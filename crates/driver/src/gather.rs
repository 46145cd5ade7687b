//! The files to check: those named, and those of supported types below directories that are named.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use report::{Note, Severity};

use crate::files::{Files, Kind, plain, shown};
use crate::language::{Language, is_auxiliary, of_path, unknown, written_extensions};
use crate::limits::SKIPPED_TYPES;

/// Directories of this name hold code that a package manager installed.
const INSTALLED: &str = "node_modules";

/// A directory with a file of this name is a cache, by <https://bford.info/cachedir/>; cargo marks `target` so.
const CACHE_TAG: &str = "CACHEDIR.TAG";

/// The files to check, and notes about paths without any.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Gathered {
    /// The files, each once, in the order of the paths, sorted within directories.
    pub files: Vec<PathBuf>,
    /// Notes about paths that could not be read.
    pub notes: Vec<Note>,
}

/// Finds the files to check. A file that is named is checked, whatever is excluded; below a directory
/// hidden files and directories, `node_modules` and caches are skipped, and links are not followed. One note
/// counts the files of unsupported types.
pub fn gather(paths: &[&Path], files: &dyn Files, exclude: &Exclude) -> Gathered {
    let mut gathered = Gathered::default();
    let mut seen = BTreeSet::new();
    let mut skipped = BTreeSet::new();
    for &path in paths {
        match files.kind(path) {
            Err(error) => gathered.note(unreadable(path, &error)),
            Ok(Kind::Other) => gathered.note(format!("`{}` is not a file", shown(path))),
            Ok(Kind::File) if of_path(path).is_none() => gathered.notes.push(unknown(path)),
            Ok(Kind::File) => gathered.file(path, &mut seen),
            Ok(Kind::Directory) => {
                let (found, failures) =
                    (walk(path, files, exclude, &mut skipped), gathered.notes.len());
                for file in found {
                    match file {
                        Ok(file) => gathered.file(&file, &mut seen),
                        Err(note) => gathered.note(note),
                    }
                }
                let shown = shown(path);
                let is_empty = !seen.iter().any(|file| file.starts_with(plain(path)));
                if is_empty && gathered.notes.len() == failures {
                    gathered.note(format!(
                        "no supported files in `{shown}`; supported: {}",
                        written_extensions()
                    ));
                }
            }
        }
    }
    gathered.notes.extend(note_of(&skipped));
    gathered
}

/// The note about files of unsupported types.
fn note_of(skipped: &BTreeSet<PathBuf>) -> Option<Note> {
    let total = skipped.len();
    let mut types: BTreeMap<String, usize> = BTreeMap::new();
    for path in skipped {
        let extension = path.extension().map(|extension| extension.to_string_lossy());
        let name = extension.map_or("no extension".to_owned(), |name| format!(".{name}"));
        *types.entry(name).or_default() += 1;
    }
    let mut types: Vec<(String, usize)> = types.into_iter().collect();
    types.sort_by_key(|(_, count)| Reverse(*count));
    let listed = types.iter().take(SKIPPED_TYPES).map(|(name, count)| format!("{name} ({count})"));
    let listed = listed.collect::<Vec<_>>().join(", ");
    let files = if total == 1 { "file" } else { "files" };
    let more = match types.len().saturating_sub(SKIPPED_TYPES) {
        0 => String::new(),
        1 => " and 1 more type".to_owned(),
        more => format!(" and {more} more types"),
    };
    let message = format!("skipped {total} unsupported {files}: {listed}{more}");
    (total > 0).then_some(Note { severity: Severity::Note, message, place: None })
}

impl Gathered {
    fn note(&mut self, message: String) {
        self.notes.push(Note { severity: Severity::Error, message, place: None });
    }

    fn file(&mut self, path: &Path, seen: &mut BTreeSet<PathBuf>) {
        if seen.insert(plain(path)) {
            self.files.push(path.to_owned());
        }
    }
}

/// The files below a directory, sorted by path, and notes about directories that cannot be read. Files of unsupported
/// types are added to `skipped`.
fn walk(
    directory: &Path,
    files: &dyn Files,
    exclude: &Exclude,
    skipped: &mut BTreeSet<PathBuf>,
) -> Vec<Result<PathBuf, String>> {
    let mut found = Vec::new();
    // A stack: directories are entered in the order of their names.
    let mut ahead = vec![(directory.to_owned(), Kind::Directory)];
    while let Some((path, kind)) = ahead.pop() {
        match kind {
            Kind::Other => {}
            Kind::File if of_path(&path).is_some_and(Language::is_written) => found.push(Ok(path)),
            // Bitcode is checked if it is named; headers and the like are read with other files.
            Kind::File if of_path(&path).is_some() || is_auxiliary(&path) => {}
            Kind::File => drop(skipped.insert(plain(&path))),
            Kind::Directory => match files.entries(&path) {
                Err(error) => found.push(Err(unreadable(&path, &error))),
                Ok(entries) if path != directory && entries.iter().any(|e| e.name == CACHE_TAG) => {
                }
                Ok(mut entries) => {
                    entries.retain(|entry| entry.name != INSTALLED);
                    entries.retain(|entry| !entry.name.as_encoded_bytes().starts_with(b"."));
                    entries.sort_by(|a, b| b.name.cmp(&a.name));
                    let within = |name| {
                        if path == Path::new(".") { PathBuf::from(name) } else { path.join(name) }
                    };
                    let entries = entries.into_iter().map(|entry| (within(entry.name), entry.kind));
                    ahead.extend(entries.filter(|(path, _)| !exclude.covers(path)));
                }
            },
        }
    }
    found
}

/// The note about a path that cannot be read.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> String {
    let path = shown(path);
    match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file or directory `{path}`"),
        io::ErrorKind::PermissionDenied => {
            format!("`{path}` may not be read; its permissions do not allow it")
        }
        _ => format!("`{path}` could not be read: {error}"),
    }
}

/// Patterns of files and directories that are skipped below directories.
///
/// A pattern without a slash is compared with the name of every file and directory; one with a slash with the path
/// from the directory of the configuration. Everything in a skipped directory is skipped.
#[derive(Clone, Debug, Default)]
pub struct Exclude {
    names: GlobSet,
    paths: GlobSet,
    /// The working directory and the directory of the configuration, both absolute.
    working: PathBuf,
    root: PathBuf,
}

impl Exclude {
    /// Nothing is skipped.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Files that match these patterns are skipped. Relative paths refer to the directory `working`, patterns with a
    /// slash to the directory `root`.
    ///
    /// # Errors
    /// If a pattern is malformed: its number in the list, and the reason.
    pub fn new(patterns: &[String], working: &Path, root: &Path) -> Result<Self, (usize, String)> {
        let (mut names, mut paths) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for (number, pattern) in patterns.iter().enumerate() {
            let bare = pattern.trim_end_matches('/');
            let set = if bare.contains('/') { &mut paths } else { &mut names };
            let bare = bare.trim_start_matches("./").trim_start_matches('/');
            let glob = GlobBuilder::new(bare).literal_separator(true).build();
            set.add(glob.map_err(|error| (number, error.kind().to_string()))?);
        }
        let build = |set: GlobSetBuilder| set.build().map_err(|e| (0, e.kind().to_string()));
        let (working, root) = (plain(working), plain(&working.join(root)));
        Ok(Self { names: build(names)?, paths: build(paths)?, working, root })
    }

    fn covers(&self, path: &Path) -> bool {
        let is_named = path.file_name().is_some_and(|name| self.names.is_match(name));
        let absolute = plain(&self.working.join(path));
        is_named || absolute.strip_prefix(&self.root).is_ok_and(|path| self.paths.is_match(path))
    }
}

//! The search path of imports: the directory of the importing file, then the library directories.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::files::{Kind, shown};
use crate::language::{LANGUAGES, Language, Lower};
use crate::limits::LIBRARY_DIRECTORIES;
use crate::source::{World, read};

/// The search path of a file.
pub(crate) struct SearchPath<'w> {
    /// The directory of the file.
    directory: PathBuf,
    world: World<'w>,
    /// The files of the libraries by the names of their modules, read at the first import.
    catalogue: OnceCell<BTreeMap<String, PathBuf>>,
}

impl<'w> SearchPath<'w> {
    /// The search path of the file at this path.
    pub(crate) fn new(path: &Path, world: World<'w>) -> Self {
        let directory = path.parent().unwrap_or(Path::new("")).to_owned();
        Self { directory, world, catalogue: OnceCell::new() }
    }

    fn text(&self, path: &Path) -> Option<resolve::SourceText> {
        let text = read(path, self.world.files).ok()?;
        resolve::is_resolve(&text).then(|| resolve::SourceText { path: shown(path), text })
    }

    /// All files of the libraries, in the order of the libraries and then of their paths.
    fn catalogue(&self) -> &BTreeMap<String, PathBuf> {
        self.catalogue.get_or_init(|| {
            let mut catalogue = BTreeMap::new();
            let mut ahead: Vec<PathBuf> = self.world.libraries.iter().rev().cloned().collect();
            for _ in 0..LIBRARY_DIRECTORIES {
                let Some(directory) = ahead.pop() else { break };
                let Ok(mut entries) = self.world.files.entries(&directory) else { continue };
                entries.sort_by(|a, b| b.name.cmp(&a.name));
                for entry in entries.into_iter().rev() {
                    let path = directory.join(&entry.name);
                    match entry.kind {
                        Kind::Directory => ahead.push(path),
                        Kind::File if is_linked(&path) => {
                            if let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) {
                                catalogue.entry(stem.to_owned()).or_insert(path);
                            }
                        }
                        Kind::File | Kind::Other => {}
                    }
                }
            }
            catalogue
        })
    }
}

fn linked_extensions() -> impl Iterator<Item = &'static str> {
    let is_linked = |language: &&Language| matches!(language.lower, Lower::Linked(_));
    LANGUAGES.iter().filter(is_linked).flat_map(|language| language.extensions.iter().copied())
}

fn is_linked(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| linked_extensions().any(|known| known == extension))
}

impl resolve::Library for SearchPath<'_> {
    fn find(&self, name: &str) -> Option<resolve::SourceText> {
        // A name becomes one component of a path, and must not be more.
        if name.contains(['/', '\\', '.']) {
            return None;
        }
        let own = linked_extensions()
            .map(|extension| self.directory.join(format!("{name}.{extension}")))
            .find_map(|path| self.text(&path));
        own.or_else(|| self.text(self.catalogue().get(name)?))
    }
}

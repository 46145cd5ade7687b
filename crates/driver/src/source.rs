//! From a path to a module: read, compile if necessary, lower; and the texts that its places refer to.
//!
//! A text is lowered as it is. Bitcode names its source files as the compiler saw them; here they get the paths that
//! the user passed, and their texts are read for lowering and reports.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bitcode::DebugNode;
use ir::{Diagnostic, Module};
use report::{LineIndex, Note, Place, Severity};

use crate::compiler::{Compiled, Compiler, Complaint};
use crate::contain::{Panic, contain};
use crate::files::{Files, plain, shown};
use crate::gather::unreadable;
use crate::language::{FromBitcode, Language, Lower};
use crate::limits::SOURCE_BYTES;
use crate::options::Classes;
use crate::packages::Packages;
use crate::search_path::SearchPath;

/// The sources of files and bitcode.
#[derive(Clone, Copy)]
pub(crate) struct World<'w> {
    pub(crate) files: &'w dyn Files,
    /// Directories that are searched for imported files.
    pub(crate) libraries: &'w [PathBuf],
    /// The class path.
    pub(crate) classes: &'w Classes,
    pub(crate) compiler: &'w dyn Compiler,
    /// Models of functions that are only declared.
    pub(crate) models: &'w [c::Models],
    /// Whether a rule about uninitialized values is selected.
    pub(crate) unset: bool,
    /// The absolute path of the working directory.
    pub(crate) working: &'w Path,
}

/// A file, lowered.
pub(crate) struct Source {
    pub(crate) module: Module,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The texts of the module's files, by path, where they are available, and that of the file itself.
    pub(crate) texts: BTreeMap<String, String>,
    /// Further notes.
    pub(crate) notes: Vec<Note>,
}

/// Why a file was not lowered.
pub(crate) enum NoSource {
    /// These notes say why; they may refer to these texts.
    Notes(Vec<Note>, BTreeMap<String, String>),
    /// A bug of Indict.
    Panic(Panic),
}

impl From<Note> for NoSource {
    fn from(note: Note) -> Self {
        Self::Notes(vec![note], BTreeMap::new())
    }
}

/// Reads and lowers a file.
pub(crate) fn load(path: &Path, language: &Language, world: World<'_>) -> Result<Source, NoSource> {
    match language.lower {
        Lower::Text(lower) => {
            let (text, path) = (read(path, world.files)?, shown(path));
            let (module, diagnostics) = contain(|| lower(&path, &text)).map_err(NoSource::Panic)?;
            let mut texts = BTreeMap::from([(path, text)]);
            for file in &module.files {
                if !texts.contains_key(&file.path)
                    && let Ok(text) = read(Path::new(&file.path), world.files)
                {
                    texts.insert(file.path.clone(), text);
                }
            }
            Ok(Source { module, diagnostics, texts, notes: Vec::new() })
        }
        Lower::Linked(lower) => {
            let (text, name) = (read(path, world.files)?, shown(path));
            if language.accepts.is_some_and(|accepts| !accepts(&text)) {
                return Err(other_language(path, language));
            }
            let search_path = SearchPath::new(path, world);
            let lowered = contain(|| lower(&name, &text, &search_path)).map_err(NoSource::Panic)?;
            let resolve::TableReport { module, diagnostics, texts, .. } = lowered;
            let texts = texts.into_iter().map(|text| (text.path, text.text)).collect();
            Ok(Source { module, diagnostics, texts, notes: Vec::new() })
        }
        Lower::Sourced(lower) => {
            let (text, name) = (read(path, world.files)?, shown(path));
            let packages = Packages::new(path, &text, world);
            let (module, diagnostics) =
                contain(|| lower(&name, &text, &packages)).map_err(NoSource::Panic)?;
            let (mut texts, notes) = packages.into_texts();
            texts.insert(name, text);
            Ok(Source { module, diagnostics, texts, notes })
        }
        Lower::Bitcode(lower) => {
            let bytes = read_bytes(path, world.files)?;
            let compiled = Compiled { bytes, directory: PathBuf::new() };
            let advice = "compile it again with clang 15 to 19 and -g, or name the C file instead";
            of_bitcode(path, &compiled, lower, advice, world)
        }
        Lower::Compiled(lower) => {
            let compiled = world.compiler.compile(path);
            let compiled = compiled.map_err(|complaints| refused(complaints, world))?;
            let advice = "name a clang of the versions 15 to 19 with --clang";
            of_bitcode(path, &compiled, lower, advice, world)
        }
    }
}

/// The note about files with the extension of a language that are not in it; it is printed once for all of them.
fn other_language(path: &Path, language: &Language) -> NoSource {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let name = language.name;
    let message = format!("files named .{extension} that are not {name} are left out");
    NoSource::from(Note { severity: Severity::Note, message, place: None })
}

fn error(message: String) -> Note {
    Note { severity: Severity::Error, message, place: None }
}

/// The diagnostics of a compiler as notes, with the paths that the user passed.
fn refused(complaints: Vec<Complaint>, world: World<'_>) -> NoSource {
    let mut texts = BTreeMap::new();
    let notes = complaints.into_iter().map(|Complaint { severity, message, place }| {
        let place = place.map(|(path, line, column)| {
            let name = known_as(&path, world.working);
            let read = || read_leniently(&path, world.files).unwrap_or_default();
            let text = texts.entry(name.clone()).or_insert_with(read);
            Place::of_token(name, &LineIndex::new(text), line, column)
        });
        Note { severity, message, place }
    });
    NoSource::Notes(notes.collect(), texts)
}

/// Lowers bitcode. `advice` says what to do if it cannot be read.
fn of_bitcode(
    path: &Path,
    compiled: &Compiled,
    lower: FromBitcode,
    advice: &str,
    world: World<'_>,
) -> Result<Source, NoSource> {
    let decoded = contain(|| bitcode::decode(&compiled.bytes)).map_err(NoSource::Panic)?;
    let decoded = decoded.map_err(|why| {
        error(format!("the bitcode of `{}` could not be read: {why}; {advice}", shown(path)))
    })?;
    let library = Library::new(&decoded, path, &compiled.directory, world);
    let (mut module, diagnostics) =
        contain(|| lower(&decoded, &library)).map_err(NoSource::Panic)?;
    let texts = library.rename(&mut module);
    Ok(Source { module, diagnostics, texts, notes: Vec::new() })
}

/// The source files of bitcode, by the paths in it. Each is read when it is needed.
struct Library<'w> {
    books: BTreeMap<String, Book>,
    path: &'w Path,
    directory: &'w Path,
    world: World<'w>,
}

struct Book {
    /// The path to read it from.
    path: PathBuf,
    /// The path that reports show.
    name: String,
    text: OnceCell<Option<String>>,
}

impl<'w> Library<'w> {
    fn new(
        module: &bitcode::Module,
        path: &'w Path,
        directory: &'w Path,
        world: World<'w>,
    ) -> Self {
        let mut library = Self { books: BTreeMap::new(), path, directory, world };
        let metadata = &module.metadata;
        library.add(&module.source_file, &module.source_file);
        for (_, node) in metadata.iter() {
            if let DebugNode::File(file) = node {
                let path = metadata.path(file);
                library.add(&path, &path);
                library.add(metadata.text(file.name), &path);
            }
        }
        library
    }

    /// Adds a file with its name in the bitcode and its path for the compiler.
    fn add(&mut self, name: &str, path: &str) {
        let book = self.book(path);
        self.books.insert(name.to_owned(), book);
    }

    fn book(&self, path: &str) -> Book {
        let working = self.world.working;
        let seen = plain(&working.join(self.directory).join(path));
        // Bitcode has no names that are not UTF-8, but the file's own is known.
        let (path, name) = if shown(&seen) == shown(&plain(&working.join(self.path))) {
            (self.path.to_owned(), shown(self.path))
        } else {
            let name = known_as(&seen, working);
            (seen, name)
        };
        Book { path, name, text: OnceCell::new() }
    }

    /// Renames the files of a module to the paths that the user passed, and returns their texts.
    fn rename(&self, module: &mut Module) -> BTreeMap<String, String> {
        let mut texts = BTreeMap::new();
        for file in &mut module.files {
            let other;
            let book = match self.books.get(&file.path) {
                Some(book) => book,
                None => {
                    other = self.book(&file.path);
                    &other
                }
            };
            file.path.clone_from(&book.name);
            if let Some(text) = book.text(self.world.files) {
                texts.insert(book.name.clone(), text.to_owned());
            }
        }
        texts
    }
}

impl Book {
    fn text(&self, files: &dyn Files) -> Option<&str> {
        self.text.get_or_init(|| read_leniently(&self.path, files)).as_deref()
    }
}

impl c::Sources for Library<'_> {
    fn text(&self, path: &str) -> Option<&str> {
        self.books.get(path)?.text(self.world.files)
    }

    fn models(&self) -> &[c::Models] {
        self.world.models
    }

    fn asserts_set(&self) -> bool {
        self.world.unset
    }
}

/// The path of a file in reports: relative to the working directory, if it is below that.
fn known_as(path: &Path, working: &Path) -> String {
    let path = plain(&working.join(path));
    shown(path.strip_prefix(working).unwrap_or(&path))
}

fn read_bytes(path: &Path, files: &dyn Files) -> Result<Vec<u8>, Note> {
    let bytes = files.read(path, SOURCE_BYTES + 1).map_err(|why| error(unreadable(path, &why)))?;
    if bytes.len() as u64 > SOURCE_BYTES {
        let (path, limit) = (shown(path), SOURCE_BYTES >> 20);
        return Err(error(format!(
            "`{path}` has more than {limit} MB; split it to have it checked"
        )));
    }
    Ok(bytes)
}

/// The text of a file, or why it cannot be checked.
pub(crate) fn read(path: &Path, files: &dyn Files) -> Result<String, Note> {
    let bytes = read_bytes(path, files)?;
    let path = shown(path);
    if bytes.contains(&0) {
        return Err(error(format!(
            "`{path}` is a binary file; name the source it was made from, or leave it out with \
             `exclude` in indict.toml"
        )));
    }
    match String::from_utf8(bytes) {
        // A byte order mark is ignored.
        Ok(text) => Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)),
        Err(why) => {
            let valid = &why.as_bytes()[..why.utf8_error().valid_up_to()];
            let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
            Err(error(format!(
                "`{path}` is not UTF-8 on line {line}; convert it, for instance with \
                 `iconv -f latin1 -t utf-8`"
            )))
        }
    }
}

/// The text of a file that a compiler has read, if it still exists. A byte that is not UTF-8 becomes a question mark,
/// so that columns do not change.
pub(crate) fn read_leniently(path: &Path, files: &dyn Files) -> Option<String> {
    let bytes = read_bytes(path, files).ok()?;
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    Some(text)
}

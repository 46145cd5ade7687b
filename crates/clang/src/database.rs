//! `compile_commands.json`: how every file of a build is compiled.
//!
//! The format is that of clang's *JSON Compilation Database*: a list of entries with `directory`, `file`
//! and either `arguments` or `command`, a line as a shell would read it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::command::{Command, Flags, is_cpp, is_source};
use crate::response::expand;

/// Commands, and what is wrong with some entries.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Database {
    /// How each file is compiled, in the order of the database; each file once, as it comes first.
    pub commands: Vec<Command>,
    /// How many entries compile C++, which is not C.
    pub cpp: usize,
    /// Messages about invalid entries.
    pub faults: Vec<String>,
}

/// Why there is no database.
#[derive(Debug)]
pub enum Error {
    /// It cannot be read.
    Unreadable(PathBuf, std::io::Error),
    /// It is not a list of entries.
    Malformed(PathBuf, serde_json::Error),
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    directory: Option<String>,
    file: Option<String>,
    #[serde(default)]
    arguments: Option<Vec<String>>,
    #[serde(default)]
    command: Option<String>,
}

/// Reads a database, named by its file or by the directory it is in.
///
/// # Errors
/// If there is none, or if it is no list of entries.
pub fn read(path: &Path) -> Result<Database, Error> {
    let path = match path.is_dir() {
        true => path.join("compile_commands.json"),
        false => path.to_owned(),
    };
    let bytes = std::fs::read(&path).map_err(|error| Error::Unreadable(path.clone(), error))?;
    let base = path.parent().unwrap_or(Path::new("."));
    parse(&bytes, base).map_err(|error| Error::Malformed(path, error))
}

/// Reads the text of a database. Relative directories are seen from the given one.
///
/// # Errors
/// If it is no list of entries.
pub fn parse(bytes: &[u8], base: &Path) -> Result<Database, serde_json::Error> {
    // Names that are not UTF-8 cannot be written in JSON; what is written in spite of that names no file.
    let entries: Vec<serde_json::Value> = serde_json::from_str(&String::from_utf8_lossy(bytes))?;
    let mut database = Database::default();
    let mut known = BTreeSet::new();
    for (number, entry) in (1..).zip(entries) {
        match command(entry, base) {
            Ok(EntryKind::C(command)) if !known.insert(command.path()) => {}
            Ok(EntryKind::C(command)) => database.commands.push(command),
            Ok(EntryKind::Cpp) => database.cpp += 1,
            Ok(EntryKind::Other) => {}
            Err(why) => database.faults.push(format!("entry {number} {why}")),
        }
    }
    Ok(database)
}

/// The kinds of entries.
enum EntryKind {
    C(Command),
    Cpp,
    /// Assembly, or another language.
    Other,
}

/// The command of an entry.
fn command(entry: serde_json::Value, base: &Path) -> Result<EntryKind, String> {
    let entry: Entry =
        serde_json::from_value(entry).map_err(|error| format!("has another shape: {error}"))?;
    let Some(file) = entry.file.map(PathBuf::from) else {
        return Err("names no file".to_owned());
    };
    if !is_source(&file) {
        return Ok(if is_cpp(&file) { EntryKind::Cpp } else { EntryKind::Other });
    }
    let words: Vec<OsString> = match (entry.arguments, entry.command) {
        (Some(arguments), _) => arguments.into_iter().map(OsString::from).collect(),
        (None, Some(line)) => split(&line).into_iter().map(OsString::from).collect(),
        (None, None) => return Err(format!("does not say how {} is compiled", file.display())),
    };
    let directory = entry.directory.map_or_else(|| base.to_owned(), |path| base.join(path));
    let arguments = expand(words.get(1..).unwrap_or_default(), &directory);
    let (flags, _) = Flags::split(&arguments);
    if !directory.join(&file).exists() {
        return Err(format!("names {}, which does not exist", directory.join(&file).display()));
    }
    Ok(EntryKind::C(Command { directory, file, flags }))
}

/// The words of a line as a shell reads them: quotes and backslashes, no expansion.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => {
                let word = word.get_or_insert_default();
                word.extend(letters.by_ref().take_while(|&letter| letter != '\''));
            }
            '"' => {
                let word = word.get_or_insert_default();
                while let Some(letter) = letters.next() {
                    match letter {
                        '"' => break,
                        '\\' => match letters.next() {
                            Some(next @ ('"' | '\\' | '$' | '`')) => word.push(next),
                            Some(next) => word.extend(['\\', next]),
                            None => word.push('\\'),
                        },
                        letter => word.push(letter),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(letters.next()),
            letter if letter.is_whitespace() => words.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unreadable(path, error) => write!(
                f,
                "cannot read {}: {error}; cmake makes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, and \
                 `indict capture -- make` for any build",
                path.display()
            ),
            Error::Malformed(path, error) => {
                write!(f, "{} is no list of compile commands: {error}", path.display())
            }
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_as_a_shell_would() {
        let line = r#"cc -DNAME='"a b"' "-DX=\"y\"" -I/a\ b  a.c"#;
        assert_eq!(split(line), ["cc", "-DNAME=\"a b\"", "-DX=\"y\"", "-I/a b", "a.c"]);
    }

    #[test]
    fn entries_with_faults_are_reported_and_the_rest_is_read() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        std::fs::create_dir_all(here.join("../../target/tmp/clang")).unwrap();
        let directory = here.join("../../target/tmp/clang");
        std::fs::write(directory.join("a b.c"), "int x;").unwrap();
        let text = r#"[
            {"directory": ".", "file": "a b.c", "command": "cc -DX -c 'a b.c' -o a.o"},
            {"directory": ".", "file": "missing.c", "arguments": ["cc", "missing.c"]},
            {"directory": ".", "file": "a b.c"},
            {"file": 7},
            {"file": "b.cpp", "command": "c++ b.cpp"},
            {"directory": ".", "file": "a b.c", "command": "cc -DY -c 'a b.c' -o again.o"}
        ]"#;
        let database = parse(text.as_bytes(), &directory).unwrap();
        let [command] = &database.commands[..] else { panic!("{database:?}") };
        assert_eq!(command.file, Path::new("a b.c"));
        assert_eq!(command.flags.get(), ["-DX"], "the first entry for a file counts");
        assert_eq!(database.cpp, 1);
        let faults = database.faults.join("\n");
        assert!(faults.contains("entry 2 names"), "{faults}");
        assert!(faults.contains("entry 3 does not say how"), "{faults}");
        assert!(faults.contains("entry 4 has another shape"), "{faults}");
        assert_eq!(database.faults.len(), 3);
        assert!(parse(b"{}", &directory).is_err());
    }
}

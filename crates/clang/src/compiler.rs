//! clang, which compiles a file once more: unoptimised, with debug information, as bitcode.

use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::Arc;

use store::{Cache, Key, Kind};

use crate::command::{Command, Flags};
use crate::inputs::{FileSnapshot, Inputs};

/// The oldest clang whose bitcode is understood.
pub const MINIMUM: u32 = 15;

/// The newest clang whose bitcode is known to be understood. Newer ones are tried last.
const NEWEST: u32 = 19;

/// Bitcode of files.
const BITCODE: Kind = Kind::new("bitcode");

/// The files that a compilation reads.
const INPUTS: Kind = Kind::new("inputs");

/// A clang that works.
#[derive(Debug)]
pub struct Compiler {
    program: PathBuf,
    /// Its version text, part of the keys of the cache.
    version: String,
    cache: Option<Arc<dyn Cache>>,
    looked: FileSnapshot,
}

/// The bitcode of one file, and the notes about its compilation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bitcode {
    /// The bitcode.
    pub bytes: Vec<u8>,
    /// Flags that clang does not know and that were dropped.
    pub dropped: Vec<String>,
    /// A hash of its inputs, if it was computed; equal hashes imply equal bitcode.
    pub fingerprint: Option<[u8; 32]>,
}

/// What went wrong, whose fault it is, and what to do.
#[derive(Debug)]
pub enum Error {
    /// No clang was found.
    Missing,
    /// The program that was named is no clang, or an old one.
    Unusable(PathBuf, String),
    /// clang could not be started.
    Failed(PathBuf, io::Error),
    /// clang refuses the file, in its own words.
    Refused(PathBuf, Vec<ClangDiagnostic>),
}

/// A diagnostic of clang about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClangDiagnostic {
    /// What, without a place.
    pub message: String,
    /// Where: the file as the compiler sees it, the line and the column in bytes, both from one.
    pub place: Option<(PathBuf, u32, u32)>,
}

/// The flags that are added to those of the build. Values keep their names, nothing is optimised, but
/// everything that `-O1` makes visible is present. Bitcode does not record where it was compiled, so a cached
/// file is valid for any copy of the same sources.
const OURS: &[&str] = &[
    "-w",
    "-Qunused-arguments",
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-g",
    "-fno-discard-value-names",
    "-fdebug-compilation-dir=.",
    "-fno-color-diagnostics",
    "-fno-caret-diagnostics",
];

impl Compiler {
    /// The clang that is named, or else the best that is on the path.
    ///
    /// # Errors
    /// If there is none that will do.
    pub fn find(named: Option<&Path>, cache: Option<Arc<dyn Cache>>) -> Result<Compiler, Error> {
        if let Some(program) = named {
            return Compiler::new(program, cache);
        }
        let plain = std::iter::once("clang".to_owned());
        let numbered = (MINIMUM..=NEWEST).rev().chain(NEWEST + 1..NEWEST + 10);
        for name in plain.chain(numbered.map(|number| format!("clang-{number}"))) {
            if let Ok(found) = Compiler::new(Path::new(&name), cache.clone()) {
                return Ok(found);
            }
        }
        Err(Error::Missing)
    }

    fn new(program: &Path, cache: Option<Arc<dyn Cache>>) -> Result<Compiler, Error> {
        // A path would be looked for where the build is.
        let program = match program.components().count() {
            0 | 1 => program.to_owned(),
            _ => std::path::absolute(program).unwrap_or_else(|_| program.to_owned()),
        };
        let output = std::process::Command::new(&program)
            .arg("--version")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| Error::Failed(program.clone(), error))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        match major(&text) {
            Some(number) if number >= MINIMUM => {
                Ok(Compiler { program, version: text, cache, looked: FileSnapshot::default() })
            }
            Some(number) => {
                let why = format!("is clang {number}, and {MINIMUM} or newer is needed");
                Err(Error::Unusable(program, why))
            }
            None => Err(Error::Unusable(program, "is no clang".to_owned())),
        }
    }

    /// The version text of the compiler.
    pub fn version(&self) -> &str {
        self.version.lines().next().unwrap_or("clang")
    }

    /// The program that is started.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The bitcode of a file.
    ///
    /// # Errors
    /// If clang cannot be started or refuses the file.
    pub fn compile(&self, command: &Command) -> Result<Bitcode, Error> {
        if let Some(Inputs { dropped, bitcode, .. }) = self.inputs(command)
            && let Some(bytes) = self.cache.as_ref().and_then(|cache| cache.get(BITCODE, &bitcode))
        {
            return Ok(Bitcode { bytes, dropped, fingerprint: Some(bitcode) });
        }
        let mut dropped = Vec::new();
        let mut flags = command.flags.clone();
        let preprocessed = loop {
            let output = self.run(command, &flags, &["-E", "-o", "-"])?;
            if output.status.success() {
                break output.stdout;
            }
            let said = String::from_utf8_lossy(&output.stderr);
            let unknown = unknown_flags(&said, &flags);
            if unknown.is_empty() {
                return Err(Error::Refused(command.path(), complaints(&said)));
            }
            for flag in unknown {
                flags = flags.without(&flag);
                dropped.push(flag.to_string_lossy().into_owned());
            }
        };
        let key = self.cache.as_ref().map(|cache| {
            let words = flags.get().iter().map(|flag| flag.as_bytes());
            let file = command.file.as_os_str().as_bytes();
            // Preprocessing loses columns, which bitcode has, so the files themselves count too.
            let texts = read_all(&preprocessed, &command.directory);
            let parts = [self.version.as_bytes(), file, &preprocessed].into_iter().chain(words);
            let key = key_of(parts.chain(texts.iter().map(|(_, text)| text.as_slice())));
            let inputs = Inputs::new(command, &flags, &texts, &dropped, key);
            // If it cannot be kept, files are preprocessed again.
            if let Ok(bytes) = serde_json::to_vec(&inputs) {
                cache.put(INPUTS, &self.inputs_key(command), &bytes);
            }
            key
        });
        if let (Some(cache), Some(key)) = (&self.cache, key)
            && let Some(bytes) = cache.get(BITCODE, &key)
        {
            return Ok(Bitcode { bytes, dropped, fingerprint: Some(key) });
        }
        let output = self.run(command, &flags, &["-c", "-emit-llvm", "-o", "-"])?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(Error::Refused(command.path(), complaints(&said)));
        }
        if let (Some(cache), Some(key)) = (&self.cache, key) {
            cache.put(BITCODE, &key, &output.stdout);
        }
        Ok(Bitcode { bytes: output.stdout, dropped, fingerprint: key })
    }

    /// The fingerprint of a file's bitcode, and the flags that would be dropped, if they are recorded and
    /// nothing has changed.
    pub fn fingerprint(&self, command: &Command) -> Option<([u8; 32], Vec<String>)> {
        self.inputs(command).map(|inputs| (inputs.bitcode, inputs.dropped))
    }

    /// The recorded inputs of a file, if they are still valid.
    fn inputs(&self, command: &Command) -> Option<Inputs> {
        let bytes = self.cache.as_ref()?.get(INPUTS, &self.inputs_key(command))?;
        let inputs: Inputs = serde_json::from_slice(&bytes).ok()?;
        inputs.are_same(&self.looked).then_some(inputs)
    }

    /// The key of a file's recorded inputs: its compile command.
    fn inputs_key(&self, command: &Command) -> Key {
        let words = command.flags.get().iter().map(|flag| flag.as_bytes());
        let (file, directory) = (command.file.as_os_str(), command.directory.as_os_str());
        // Where headers are looked for besides.
        let paths = ["CPATH", "C_INCLUDE_PATH"].map(|name| env::var_os(name).unwrap_or_default());
        let parts = [self.version.as_bytes(), file.as_bytes(), directory.as_bytes()];
        key_of(parts.into_iter().chain(paths.iter().map(|path| path.as_bytes())).chain(words))
    }

    fn run(&self, command: &Command, flags: &Flags, what: &[&str]) -> Result<Output, Error> {
        std::process::Command::new(&self.program)
            .current_dir(&command.directory)
            .args(flags.get())
            .args(OURS)
            .args(what)
            .arg("--")
            .arg(as_file(&command.file))
            .stdin(Stdio::null())
            .output()
            .map_err(|error| Error::Failed(self.program.clone(), error))
    }
}

/// A file by a name that cannot be taken for a response file, which clang reads wherever it is named.
fn as_file(file: &Path) -> PathBuf {
    match file.as_os_str().as_bytes().first() {
        Some(b'@' | b'-') => Path::new(".").join(file),
        _ => file.to_owned(),
    }
}

/// The major version of clang, from its version text.
fn major(text: &str) -> Option<u32> {
    let (_, after) = text.split_once("clang version ")?;
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The files that a preprocessed text includes, and their contents, in order, each once. Unreadable files are
/// left out.
fn read_all(preprocessed: &[u8], directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut names = BTreeSet::new();
    let mut last: &[u8] = b"";
    for line in preprocessed.split(|&byte| byte == b'\n') {
        // A line marker: # 12 "path" 1 3
        let Some(rest) = line.strip_prefix(b"# ") else { continue };
        let Some(start) = rest.iter().position(|&byte| byte == b'"') else { continue };
        let Some(end) = rest.iter().rposition(|&byte| byte == b'"') else { continue };
        let name = rest.get(start + 1..end).unwrap_or_default();
        if name != last && !name.starts_with(b"<") {
            last = name;
            names.insert(name);
        }
    }
    let unquoted = |name: &[u8]| {
        let mut bytes = Vec::new();
        let mut rest = name.iter();
        while let Some(&byte) = rest.next() {
            bytes.push(if byte == b'\\' { *rest.next().unwrap_or(&byte) } else { byte });
        }
        directory.join(OsString::from_vec(bytes))
    };
    let read = |name| {
        let path = unquoted(name);
        let text = std::fs::read(&path).ok()?;
        Some((path, text))
    };
    names.into_iter().filter_map(read).collect()
}

/// The errors among clang's diagnostics; all diagnostics if there are no errors.
fn complaints(said: &str) -> Vec<ClangDiagnostic> {
    let errors: Vec<ClangDiagnostic> = said.lines().filter_map(complaint).collect();
    if errors.is_empty() {
        return vec![ClangDiagnostic { message: said.trim().to_owned(), place: None }];
    }
    errors
}

/// Reads `path:line:column: error: message`.
fn complaint(line: &str) -> Option<ClangDiagnostic> {
    let (before, message) =
        line.split_once("fatal error: ").or_else(|| line.split_once("error: "))?;
    let message = message.trim().to_owned();
    let mut parts = before.trim_end().trim_end_matches(':').rsplitn(3, ':');
    let column = parts.next().and_then(|number| number.trim().parse().ok());
    let line = parts.next().and_then(|number| number.parse().ok());
    let place = match (parts.next(), line, column) {
        (Some(path), Some(line), Some(column)) => Some((PathBuf::from(path), line, column)),
        _ => None,
    };
    Some(ClangDiagnostic { message, place })
}

/// The flags that clang reports as unknown or unusable for this target.
fn unknown_flags(complaints: &str, flags: &Flags) -> Vec<OsString> {
    let mut unknown = Vec::new();
    for line in complaints.lines() {
        let Some((_, message)) = line.split_once("error: ") else { continue };
        // The flag that clang suggests instead may be another flag of the command.
        let message = message.split("; did you mean").next().unwrap_or(message);
        let is_about_flags = ["unknown argument", "unsupported option", "unsupported argument"]
            .iter()
            .any(|start| message.starts_with(start))
            || message.starts_with("invalid value")
            || message.starts_with("invalid argument")
            || message.starts_with("unknown target");
        if !is_about_flags {
            continue;
        }
        let quoted = message.split('\'').skip(1).step_by(2);
        let named: Vec<&OsString> = quoted
            .flat_map(|word| {
                let word = OsStr::new(word);
                flags.get().iter().filter(move |flag| {
                    let (flag, word) = (flag.as_bytes(), word.as_bytes());
                    flag == word
                        || !word.is_empty() && word.starts_with(b"-") && flag.starts_with(word)
                        || flag.starts_with(b"-") && !word.is_empty() && flag.ends_with(word)
                })
            })
            .collect();
        unknown.extend(named.into_iter().cloned());
    }
    unknown.sort();
    unknown.dedup();
    unknown
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Missing => write!(
                f,
                "no clang {MINIMUM} or newer was found, which is needed to read C; install one (Debian: \
                 apt-get install clang-19, Fedora: dnf install clang, Arch: pacman -S clang, macOS: \
                 xcode-select --install) or name one with --clang"
            ),
            Error::Unusable(program, why) => {
                write!(f, "{} {why}; name another with --clang, or leave it out", program.display())
            }
            Error::Failed(program, error) => {
                write!(f, "{} cannot be started: {error}", program.display())
            }
            Error::Refused(file, complaints) => {
                write!(f, "clang refuses {}", file.display())?;
                complaints.iter().try_for_each(|ClangDiagnostic { message, place }| match place {
                    Some((path, line, column)) => {
                        write!(f, "\n{}:{line}:{column}: {message}", path.display())
                    }
                    None => write!(f, "\n{message}"),
                })
            }
        }
    }
}

impl std::error::Error for Error {}

/// The key of parts, in order. Where a part ends matters.
fn key_of<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Key {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_distributions_write_them() {
        assert_eq!(major("Debian clang version 19.1.7 (3~deb12u1)\nTarget: x"), Some(19));
        assert_eq!(major("clang version 15.0.6"), Some(15));
        assert_eq!(major("gcc (Debian 12.2.0) 12.2.0"), None);
    }

    #[test]
    fn flags_are_dropped_by_clangs_own_word() {
        let words: Vec<OsString> =
            ["-DX", "-fconserve-stack", "-mpreferred-stack-boundary=3", "-Wall"]
                .map(OsString::from)
                .into();
        let flags = Flags::of(&words);
        let complaints = "clang: error: unknown argument: '-fconserve-stack'\n\
            clang: error: unknown argument: '-mpreferred-stack-boundary=3'\n\
            a.c:1:1: error: unknown type name 'X'";
        assert_eq!(
            unknown_flags(complaints, &flags),
            ["-fconserve-stack", "-mpreferred-stack-boundary=3"]
        );
    }

    #[test]
    fn keys_depend_on_where_parts_end() {
        assert_eq!(key_of([&b"ab"[..], b"c"]), key_of([&b"ab"[..], b"c"]));
        assert_ne!(key_of([&b"ab"[..], b"c"]), key_of([&b"a"[..], b"bc"]));
    }

    #[test]
    fn what_clang_would_have_liked_instead_is_kept() {
        let flags = Flags::of(&["--arch=x86", "-march=x86"].map(OsString::from));
        let said = "clang: error: unknown argument '--arch=x86'; did you mean '-march=x86'?";
        assert_eq!(unknown_flags(said, &flags), ["--arch=x86"]);
    }

    #[test]
    fn complaints_have_places_if_clang_gives_them() {
        let said = "In file included from a.c:1:\n\
            a:b.h:12:3: error: use of undeclared identifier 'x'\n\
            a.c:2:10: fatal error: 'y.h' file not found\n\
            clang: error: no such file or directory: 'z'\n2 errors generated.\n";
        let place = |path: &str, line, column| Some((PathBuf::from(path), line, column));
        let complaint =
            |message: &str, place| ClangDiagnostic { message: message.to_owned(), place };
        assert_eq!(
            complaints(said),
            [
                complaint("use of undeclared identifier 'x'", place("a:b.h", 12, 3)),
                complaint("'y.h' file not found", place("a.c", 2, 10)),
                complaint("no such file or directory: 'z'", None),
            ]
        );
        assert_eq!(complaints("it crashed\n"), [complaint("it crashed", None)]);
    }
}

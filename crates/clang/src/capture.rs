//! Watching a build: every compiler on the path is replaced by a wrapper that writes down how it is called
//! and then calls the real one. No root and no tracing is needed; what a build starts by its full
//! path is not seen.
//!
//! The wrappers are small scripts in a directory of their own that comes first on the path of the
//! build. Each calls this program back ([`wrap`]), which appends one line to the log and becomes the
//! compiler. Lines are written whole, so parallel builds do not mix them up.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::command::is_source;
use crate::response::expand;

/// Where the wrappers write, and the path without them.
const LOG: &str = "INDICT_CAPTURE_LOG";
const PATH: &str = "INDICT_CAPTURE_PATH";

/// The result of a captured build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaptureResult {
    /// The exit code of the build in the shell's convention: 128 plus the signal if one ended it.
    pub code: i32,
    /// How many files it compiled that are still there. If there are none, no database was written.
    pub files: usize,
    /// How many more have names that are not UTF-8, which a database cannot hold.
    pub nameless: usize,
}

/// One call of a compiler.
#[derive(Serialize, Deserialize)]
struct Call {
    directory: String,
    arguments: Vec<String>,
}

/// Runs a build and writes its compile commands to a database. `us` is this program, and `scratch` a
/// directory for the wrappers and the log.
///
/// # Errors
/// If the build cannot be started, or something cannot be written.
pub fn capture(
    us: &Path,
    build: &[OsString],
    scratch: &Path,
    database: &Path,
) -> io::Result<CaptureResult> {
    let wrappers = scratch.join("bin");
    fs::create_dir_all(&wrappers)?;
    let log = scratch.join("log");
    fs::write(&log, "")?;
    let path = env::var_os("PATH").unwrap_or_default();
    for name in compilers(&path) {
        write_wrapper(&wrappers.join(&name), us, &name)?;
    }
    let with_wrappers =
        env::join_paths(std::iter::once(wrappers.clone()).chain(env::split_paths(&path)))
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let Some((program, arguments)) = build.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no build command was given"));
    };
    let status = process::Command::new(program)
        .args(arguments)
        .env("PATH", with_wrappers)
        .env(PATH, &path)
        .env(LOG, &log)
        .status()?;
    let mut entries = entries(&fs::read_to_string(&log)?);
    // Files that configure scripts created for tests are gone by now.
    let is_nameless = |file: &str| file.contains(char::REPLACEMENT_CHARACTER);
    entries.retain(|(file, _)| is_nameless(file) || Path::new(file).exists());
    let all = entries.len();
    entries.retain(|(file, _)| Path::new(file).exists());
    let files = entries.len();
    // A build with nothing to do is no reason to lose what is known.
    if files > 0 {
        let entries: Vec<serde_json::Value> = entries.into_iter().map(|(_, entry)| entry).collect();
        let mut text = serde_json::to_vec_pretty(&entries)?;
        text.push(b'\n');
        fs::write(database, text)?;
    }
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    Ok(CaptureResult { code, files, nameless: all - files })
}

/// Writes down how a compiler is called, and becomes it. Returns only if that fails.
pub fn wrap(name: &OsStr, arguments: &[OsString]) -> io::Error {
    let path = env::var_os(PATH).unwrap_or_default();
    if let (Some(log), Ok(directory)) = (env::var_os(LOG), env::current_dir()) {
        let text = |word: &OsString| word.to_string_lossy().into_owned();
        let call = Call {
            directory: directory.to_string_lossy().into_owned(),
            arguments: std::iter::once(name.to_string_lossy().into_owned())
                .chain(arguments.iter().map(text))
                .collect(),
        };
        // A build goes on if its log cannot be written; the database then lacks this call.
        let _ = append(Path::new(&log), &call);
    }
    match find(name, &path) {
        Some(real) => process::Command::new(real).args(arguments).env("PATH", path).exec(),
        None => io::Error::new(
            io::ErrorKind::NotFound,
            format!("{} is not on the path", name.to_string_lossy()),
        ),
    }
}

fn append(log: &Path, call: &Call) -> io::Result<()> {
    let mut line = serde_json::to_vec(call)?;
    line.push(b'\n');
    fs::OpenOptions::new().append(true).open(log)?.write_all(&line)
}

/// The entries of a database, from a log of calls: one for each source file with its path, the last call
/// winning.
fn entries(log: &str) -> Vec<(String, serde_json::Value)> {
    let mut entries: Vec<(String, serde_json::Value)> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for call in log.lines().filter_map(|line| serde_json::from_str::<Call>(line).ok()) {
        let words: Vec<OsString> = call.arguments.iter().map(OsString::from).collect();
        let is_asked_only =
            call.arguments.iter().any(|word| matches!(word.as_str(), "-E" | "-M" | "-MM"));
        // Response files may be gone after the build, so what they say is written down.
        let arguments = expand(words.get(1..).unwrap_or_default(), Path::new(&call.directory));
        let written: Vec<_> =
            words.iter().take(1).chain(&arguments).map(|word| word.to_string_lossy()).collect();
        let (_, inputs) = crate::Flags::split(&arguments);
        for file in inputs.into_iter().filter(|file| is_source(file) && !is_asked_only) {
            let key = Path::new(&call.directory).join(&file).to_string_lossy().into_owned();
            let entry = json!({
                "directory": call.directory,
                "file": file.to_string_lossy(),
                "arguments": written,
            });
            match known.get(&key) {
                Some(&number) => entries[number].1 = entry,
                None => {
                    known.insert(key.clone(), entries.len());
                    entries.push((key, entry));
                }
            }
        }
    }
    entries
}

/// The names on the path that are those of C compilers.
fn compilers(path: &OsStr) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for directory in env::split_paths(path) {
        let Ok(files) = fs::read_dir(directory) else { continue };
        let files = files.flatten().filter_map(|file| file.file_name().into_string().ok());
        names.extend(files.filter(|name| is_compiler(name)));
    }
    names
}

/// Whether a program is a C compiler by its name: `cc`, `gcc-12`, `x86_64-linux-gnu-gcc`, `clang-19`.
fn is_compiler(name: &str) -> bool {
    let base = match name.rsplit_once('-') {
        Some((base, version))
            if !version.is_empty() && version.chars().all(|c| c.is_ascii_digit() || c == '.') =>
        {
            base
        }
        _ => name,
    };
    let last = base.rsplit('-').next().unwrap_or(base);
    matches!(last, "cc" | "gcc" | "clang" | "tcc" | "icx" | "c99" | "c89")
}

fn find(name: &OsStr, path: &OsStr) -> Option<PathBuf> {
    env::split_paths(path).map(|directory| directory.join(name)).find(|file| {
        fs::metadata(file)
            .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    })
}

fn write_wrapper(target: &Path, us: &Path, name: &str) -> io::Result<()> {
    let us = us.to_string_lossy().replace('\'', r"'\''");
    fs::write(target, format!("#!/bin/sh\nexec '{us}' wrap-compiler {name} \"$@\"\n"))?;
    fs::set_permissions(target, fs::Permissions::from_mode(0o755))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_are_recognised_by_their_names() {
        for name in ["cc", "gcc", "gcc-12", "x86_64-linux-gnu-gcc", "clang-19", "clang"] {
            assert!(is_compiler(name), "{name}");
        }
        for name in ["gcc-ar", "g++", "ccache-swig", "clang-format", "gcc-ranlib-12", "ld"] {
            assert!(!is_compiler(name), "{name}");
        }
    }

    #[test]
    fn the_last_call_for_a_file_counts_and_others_are_left_out() {
        let log = concat!(
            r#"{"directory":"/b","arguments":["cc","-DA","-c","x.c"]}"#,
            "\n",
            r#"{"directory":"/b","arguments":["cc","-E","y.c"]}"#,
            "\nnot a call\n",
            r#"{"directory":"/b","arguments":["cc","-DB","-c","x.c","-o","x.o"]}"#,
            "\n",
            r#"{"directory":"/b","arguments":["cc","x.o","-o","x"]}"#,
            "\n",
        );
        let entries = entries(log);
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].1["arguments"][1], "-DB");
    }
}

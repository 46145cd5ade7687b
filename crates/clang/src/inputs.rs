//! The inputs of a compilation, so that changes are detected without a compiler.
//!
//! The preprocessor lists the files that it read. A later run reads the same files if they are unchanged and
//! no new file precedes them in the search path; so the names in the include directories are inputs too. Each
//! file is read once per process.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::command::{Command, Flags};

type Digest = [u8; 32];

/// The inputs of a compilation, and its result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Inputs {
    /// Flags that clang does not know and that were dropped.
    pub(crate) dropped: Vec<String>,
    /// The key of the bitcode.
    pub(crate) bitcode: Digest,
    /// Files and what they held.
    files: Vec<(OsString, Option<Digest>)>,
    /// Directories and the names in them.
    directories: Vec<(OsString, Option<Digest>)>,
}

/// The contents of files and directories at first access.
#[derive(Debug, Default)]
pub(crate) struct FileSnapshot {
    files: Mutex<BTreeMap<PathBuf, Option<Digest>>>,
    directories: Mutex<BTreeMap<PathBuf, Option<Digest>>>,
}

impl Inputs {
    /// The inputs of a compilation that has read these files.
    pub(crate) fn new(
        command: &Command,
        flags: &Flags,
        texts: &[(PathBuf, Vec<u8>)],
        dropped: &[String],
        bitcode: Digest,
    ) -> Inputs {
        let digest = |(path, text): &(PathBuf, Vec<u8>)| {
            (path.clone().into_os_string(), Some(*blake3::hash(text).as_bytes()))
        };
        let paths: Vec<&Path> = texts.iter().map(|(path, _)| path.as_path()).collect();
        let directories = searched(command, flags, &paths).into_iter().map(|path| {
            let names = names_in(&path);
            (path.into_os_string(), names)
        });
        Inputs {
            dropped: dropped.to_vec(),
            bitcode,
            files: texts.iter().map(digest).collect(),
            directories: directories.collect(),
        }
    }

    /// Whether all is as it was.
    pub(crate) fn are_same(&self, looked: &FileSnapshot) -> bool {
        let file = |path: &Path| fs::read(path).ok().map(|text| *blake3::hash(&text).as_bytes());
        let same = |(path, digest): &(OsString, Option<Digest>), of, look: &dyn Fn(&Path) -> _| {
            once(of, Path::new(path), look) == *digest
        };
        self.files.iter().all(|one| same(one, &looked.files, &file))
            && self.directories.iter().all(|one| same(one, &looked.directories, &names_in))
    }
}

/// The contents of a path, read once.
fn once(
    seen: &Mutex<BTreeMap<PathBuf, Option<Digest>>>,
    path: &Path,
    look: &dyn Fn(&Path) -> Option<Digest>,
) -> Option<Digest> {
    let lock = || seen.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(digest) = lock().get(path) {
        return *digest;
    }
    let digest = look(path);
    lock().insert(path.to_owned(), digest);
    digest
}

/// The directories where headers may have been looked for: those of the files, those that the flags name,
/// and below these wherever one of the files is below another.
fn searched(command: &Command, flags: &Flags, files: &[&Path]) -> BTreeSet<PathBuf> {
    let mut named = vec![command.directory.clone()];
    let mut words = flags.get().iter();
    while let Some(word) = words.next() {
        let bytes = word.as_bytes();
        for flag in ["-I", "-isystem", "-iquote", "-idirafter"] {
            if let Some(rest) = bytes.strip_prefix(flag.as_bytes()) {
                let path = match rest {
                    [] => words.next().cloned().unwrap_or_default(),
                    _ => OsString::from_vec(rest.to_vec()),
                };
                named.push(command.directory.join(path));
                break;
            }
        }
    }
    named.extend(command.path().parent().map(Path::to_owned));
    let parents: BTreeSet<&Path> = files.iter().filter_map(|path| path.parent()).collect();
    let mut below = BTreeSet::new();
    for parent in &parents {
        below.extend(named.iter().filter_map(|root| parent.strip_prefix(root).ok()));
    }
    let mut all: BTreeSet<PathBuf> = parents.iter().map(|path| path.to_path_buf()).collect();
    for root in &named {
        all.extend(below.iter().map(|rest| root.join(rest)));
        all.insert(root.clone());
    }
    all
}

fn names_in(directory: &Path) -> Option<Digest> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(directory).ok()? {
        let name = entry.ok()?.file_name();
        // A compiler does not read the files that another writes beside its sources.
        let written = [".o", ".d", ".cmd", ".a", ".so", ".ko", ".gch"];
        if !written.iter().any(|end| name.as_bytes().ends_with(end.as_bytes())) {
            names.insert(name);
        }
    }
    let mut hasher = blake3::Hasher::new();
    for name in names {
        hasher.update(name.as_bytes()).update(&[0]);
    }
    Some(*hasher.finalize().as_bytes())
}

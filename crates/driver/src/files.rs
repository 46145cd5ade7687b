//! Access to files, behind one trait, so that tests and editors can pass in their own.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// A file system.
pub trait Files: Sync {
    /// The kind of a path. Links are followed.
    fn kind(&self, path: &Path) -> io::Result<Kind>;

    /// The entries of a directory, in any order. Links are not followed: they are [`Kind::Other`].
    fn entries(&self, directory: &Path) -> io::Result<Vec<Entry>>;

    /// The first bytes of a file, at most `most`.
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>>;
}

/// The kind of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A link, pipe, device or the like.
    Other,
}

/// An entry of a directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name, without the directory's.
    pub name: OsString,
    /// Its kind.
    pub kind: Kind,
}

/// The disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        fs::metadata(path).map(|metadata| kind_of(metadata.file_type()))
    }

    fn entries(&self, directory: &Path) -> io::Result<Vec<Entry>> {
        let entry = |entry: io::Result<fs::DirEntry>| {
            let entry = entry?;
            Ok(Entry { name: entry.file_name(), kind: kind_of(entry.file_type()?) })
        };
        fs::read_dir(directory)?.map(entry).collect()
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

fn kind_of(found: fs::FileType) -> Kind {
    if found.is_file() {
        Kind::File
    } else if found.is_dir() {
        Kind::Directory
    } else {
        Kind::Other
    }
}

/// Files in memory. Directories are where files are; `.` is the root.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryFiles(BTreeMap<PathBuf, Vec<u8>>);

impl MemoryFiles {
    /// Files with these paths and contents.
    pub fn new<P: AsRef<Path>, B: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, B)>) -> Self {
        Self(files.into_iter().map(|(path, bytes)| (plain(path.as_ref()), bytes.into())).collect())
    }

    /// The files below a directory, by their paths from there.
    fn below(&self, directory: &Path) -> impl Iterator<Item = &Path> {
        let directory = plain(directory);
        self.0.keys().filter_map(move |path| path.strip_prefix(&directory).ok())
    }
}

impl Files for MemoryFiles {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        if self.0.contains_key(&plain(path)) {
            Ok(Kind::File)
        } else if self.below(path).next().is_some() {
            Ok(Kind::Directory)
        } else {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    fn entries(&self, directory: &Path) -> io::Result<Vec<Entry>> {
        let mut entries = BTreeSet::new();
        for path in self.below(directory) {
            let mut parts = path.components();
            if let Some(Component::Normal(name)) = parts.next() {
                entries.insert((name.to_owned(), parts.next().is_some()));
            }
        }
        let kind = |is_directory| if is_directory { Kind::Directory } else { Kind::File };
        Ok(entries.into_iter().map(|(name, is)| Entry { name, kind: kind(is) }).collect())
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let bytes = self.0.get(&plain(path)).ok_or(io::ErrorKind::NotFound)?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Ok(bytes[..bytes.len().min(most)].to_vec())
    }
}

/// A normalized path: `./a//b` is `a/b`, and `a/../b` is `b`.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => match plain.components().next_back() {
                Some(Component::Normal(_)) => drop(plain.pop()),
                Some(Component::RootDir) => {}
                _ => plain.push(part),
            },
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => plain.push(part),
        }
    }
    plain
}

/// A path as reports show it, with `/` between its parts.
pub(crate) fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

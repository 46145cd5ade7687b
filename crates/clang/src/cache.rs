//! Bitcode that was made before, by the content of everything that went into it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A directory of bitcode files. What cannot be read or written is as if it was never there: a cache
/// changes time, not results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cache(PathBuf);

/// The key of a cached file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key(pub(crate) [u8; 32]);

impl Key {
    /// The key of parts, in order. Where a part ends matters.
    pub(crate) fn of<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Key {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Key(*hasher.finalize().as_bytes())
    }
}

impl Cache {
    /// The cache in a directory, which need not exist.
    pub fn new(directory: impl Into<PathBuf>) -> Cache {
        Cache(directory.into())
    }

    /// The file with a key.
    pub(crate) fn get(&self, key: Key) -> Option<Vec<u8>> {
        fs::read(self.path(key)).ok()
    }

    /// Puts something in. A reader sees all of it or nothing.
    pub(crate) fn put(&self, key: Key, bytes: &[u8]) {
        // If it cannot be kept it is made again.
        let _ = self.write(&self.path(key), bytes);
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        fs::create_dir_all(path.parent().unwrap_or(&self.0))?;
        let partial = path.with_extension(format!("{}.partial", std::process::id()));
        fs::write(&partial, bytes)?;
        fs::rename(&partial, path)
    }

    fn path(&self, key: Key) -> PathBuf {
        let name: String = key.0.iter().map(|byte| format!("{byte:02x}")).collect();
        self.0.join(&name[..2]).join(&name[2..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_is_found_under_its_key_only() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp/clang-cache");
        let _ = fs::remove_dir_all(&directory);
        let cache = Cache::new(&directory);
        let key = Key::of([&b"ab"[..], b"c"]);
        assert_eq!(cache.get(key), None);
        cache.put(key, b"bitcode");
        assert_eq!(cache.get(key).as_deref(), Some(&b"bitcode"[..]));
        assert_eq!(cache.get(Key::of([&b"a"[..], b"bc"])), None);
    }
}

//! The cache: results of earlier runs, by the content of everything that they depend on.
//!
//! A [`Cache`] maps a kind and a key to bytes. It changes time, not results: an entry that cannot be read is a miss,
//! and a result that cannot be written is computed again. [`Sqlite`] is a file that processes share, [`InMemory`]
//! lives as long as its value, [`NoCache`] has no entries.
//!
//! This crate knows nothing about programs: its users decide what a key is made of, and that two results with one key
//! are the same. Bitcode, shapes and bounds of heaps, summaries, and whole reports are all cached here.

mod limits;
mod sqlite;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

pub use sqlite::Sqlite;

/// A digest of everything that a result depends on.
pub type Key = [u8; 32];

/// What the bytes of an entry are. It is part of the key, so that the users of a cache do not see each other's
/// entries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kind(&'static str);

impl Kind {
    /// The kind with this name, which no other user has.
    pub const fn new(name: &'static str) -> Kind {
        Kind(name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0
    }
}

/// Results of earlier runs. Calls come from all threads.
pub trait Cache: fmt::Debug + Send + Sync {
    /// The bytes that were put in under a kind and a key.
    fn get(&self, kind: Kind, key: &Key) -> Option<Vec<u8>>;

    /// Puts entries of one kind in, all or none.
    fn put_all(&self, kind: Kind, entries: &[(Key, &[u8])]);

    /// Puts an entry in.
    fn put(&self, kind: Kind, key: &Key, bytes: &[u8]) {
        self.put_all(kind, &[(*key, bytes)]);
    }
}

/// A cache without entries.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCache;

impl Cache for NoCache {
    fn get(&self, _: Kind, _: &Key) -> Option<Vec<u8>> {
        None
    }

    fn put_all(&self, _: Kind, _: &[(Key, &[u8])]) {}
}

/// A cache in memory, for as long as it lives.
#[derive(Debug, Default)]
pub struct InMemory(Mutex<BTreeMap<(Kind, Key), Vec<u8>>>);

impl InMemory {
    /// The number of entries.
    pub fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Cache for InMemory {
    fn get(&self, kind: Kind, key: &Key) -> Option<Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&(kind, *key)).cloned()
    }

    fn put_all(&self, kind: Kind, entries: &[(Key, &[u8])]) {
        let entries = entries.iter().map(|(key, bytes)| ((kind, *key), bytes.to_vec()));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(entries);
    }
}

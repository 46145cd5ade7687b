//! A cache in a file, which is a database of SQLite: processes share it, and one that is killed loses what it had not
//! yet put in and nothing else.
//!
//! The key of a row is a hash of the version of the program, the kind and the key, and each row has a checksum. A row
//! whose checksum is wrong is a miss, and is deleted; a file that is no database is replaced.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::limits::{CACHE_BYTES, LOCK_RETRY, LOCK_WAIT};
use crate::{Cache, Key, Kind};

/// The version of the tables.
const LAYOUT: i32 = 2;

/// A cache in a file.
///
/// Invariant: an entry is returned only under the kind and key and to the version that it was put in with, and only if
/// its bytes are unchanged.
#[derive(Debug)]
pub struct Sqlite {
    path: PathBuf,
    version: String,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// None if the file cannot be used.
    connection: Option<Connection>,
    notes: Vec<String>,
    /// The number of damaged entries that were deleted.
    damaged: usize,
}

/// Why a file cannot be used.
enum Fault {
    /// It is damaged, or not ours: it is replaced.
    Useless(&'static str),
    /// It cannot be opened, read or written.
    Closed(rusqlite::Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Fault {
        match is_damage(&error) {
            true => Fault::Useless("is damaged"),
            false => Fault::Closed(error),
        }
    }
}

impl Sqlite {
    /// The cache in a file, which need not exist, of a version of the program. The file of another version, or of
    /// another program, is replaced, and noted. If there can be no such file, nothing is cached.
    pub fn open(path: impl Into<PathBuf>, version: &str) -> Sqlite {
        let path = path.into();
        let mut notes = Vec::new();
        let connection = match connect(&path, version) {
            Ok(connection) => Some(connection),
            Err(Fault::Useless(why)) => {
                notes.push(format!("the cache {} {why}; it was replaced", path.display()));
                replace(&path, version, &mut notes)
            }
            Err(Fault::Closed(error)) => {
                notes.push(unusable(&path, &error));
                None
            }
        };
        let state = Mutex::new(State { connection, notes, damaged: 0 });
        Sqlite { path, version: version.to_owned(), state }
    }

    /// Notes about the file, each a sentence.
    pub fn notes(&self) -> Vec<String> {
        let State { notes, damaged, .. } = &*self.state();
        let mut notes = notes.clone();
        if *damaged > 0 {
            let path = self.path.display();
            notes.push(match damaged {
                1 => format!("the cache {path} had a damaged entry, which was computed again"),
                _ => format!(
                    "the cache {path} had {damaged} damaged entries, which were computed again"
                ),
            });
        }
        notes
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key of a row. Processes of several versions may have the file open.
    fn row(&self, kind: Kind, key: &Key) -> Key {
        let mut hasher = blake3::Hasher::new();
        for part in [self.version.as_bytes(), kind.name().as_bytes(), key] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        }
        *hasher.finalize().as_bytes()
    }

    fn write(
        &self,
        connection: &mut Connection,
        kind: Kind,
        entries: &[(Key, &[u8])],
    ) -> rusqlite::Result<()> {
        let transaction = connection.transaction()?;
        {
            let mut insert = transaction.prepare_cached(
                "insert or replace into entries (key, value, checksum) values (?, ?, ?)",
            )?;
            for (key, bytes) in entries {
                insert.execute(params![self.row(kind, key), bytes, checksum(key, bytes)])?;
            }
        }
        transaction.commit()
    }

    fn replace_damaged(&self, state: &mut State) {
        state.connection = None;
        state.notes.push(format!("the cache {} is damaged; it was replaced", self.path.display()));
        state.connection = replace(&self.path, &self.version, &mut state.notes);
    }
}

impl Cache for Sqlite {
    fn get(&self, kind: Kind, key: &Key) -> Option<Vec<u8>> {
        let state = &mut *self.state();
        let connection = state.connection.as_ref()?;
        let row = self.row(kind, key);
        match find(connection, &row) {
            Ok(Some((bytes, sum))) if sum == checksum(key, &bytes) => Some(bytes),
            Ok(None) => None,
            Ok(Some(_)) => {
                state.damaged += 1;
                // If it stays, it is a miss again, and the next result replaces it.
                let _ = connection.execute("delete from entries where key = ?", params![row]);
                None
            }
            Err(error) => {
                if is_damage(&error) {
                    self.replace_damaged(state);
                }
                None
            }
        }
    }

    fn put_all(&self, kind: Kind, entries: &[(Key, &[u8])]) {
        let state = &mut *self.state();
        let Some(connection) = &mut state.connection else { return };
        // Another process may have locked the file, or the disk be full: the results are computed again.
        if let Err(error) = self.write(connection, kind, entries)
            && is_damage(&error)
        {
            self.replace_damaged(state);
            if let Some(connection) = &mut state.connection {
                let _ = self.write(connection, kind, entries);
            }
        }
    }
}

fn find(connection: &Connection, key: &Key) -> rusqlite::Result<Option<(Vec<u8>, Key)>> {
    let mut select =
        connection.prepare_cached("select value, checksum from entries where key = ?")?;
    select.query_row(params![key], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

/// Tells bytes from others that were changed by accident.
fn checksum(key: &Key, value: &[u8]) -> Key {
    let mut hasher = blake3::Hasher::new();
    hasher.update(key).update(value);
    *hasher.finalize().as_bytes()
}

fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase, TypeMismatch};
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => {
            matches!(failure.code, DatabaseCorrupt | NotADatabase | TypeMismatch)
        }
        rusqlite::Error::InvalidColumnType(..) | rusqlite::Error::FromSqlConversionFailure(..) => {
            true
        }
        _ => false,
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
    matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked))
}

/// Opens a file that is empty, or that this version has written. Where two processes create the file at once, SQLite
/// turns one of them away instead of letting it wait; that one tries again.
fn connect(path: &Path, version: &str) -> Result<Connection, Fault> {
    let begun = Instant::now();
    loop {
        match try_connect(path, version) {
            Err(Fault::Closed(error)) if is_busy(&error) && begun.elapsed() < LOCK_WAIT => {
                std::thread::sleep(LOCK_RETRY);
            }
            result => return result,
        }
    }
}

fn try_connect(path: &Path, version: &str) -> Result<Connection, Fault> {
    if let Some(parent) = path.parent() {
        // Opening the file says what is wrong.
        let _ = fs::create_dir_all(parent);
    }
    if fs::metadata(path).is_ok_and(|metadata| metadata.len() > CACHE_BYTES) {
        return Err(Fault::Useless("has grown too large"));
    }
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(LOCK_WAIT)?;
    // With a log beside the file readers and a writer do not wait for each other, and what was committed
    // survives the process, whatever ends it.
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "normal")?;
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let layout: i32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match layout {
        0 => {
            let tables: i64 =
                transaction
                    .query_row("select count(*) from sqlite_master", [], |row| row.get(0))?;
            if tables > 0 {
                return Err(Fault::Useless("is a database of another program"));
            }
            transaction.execute_batch(
                "create table entries (key blob primary key, value blob not null, checksum blob not null);
                 create table about (version text not null);",
            )?;
            transaction.execute("insert into about values (?)", params![version])?;
            transaction.pragma_update(None, "user_version", LAYOUT)?;
        }
        LAYOUT => {
            let written: String =
                transaction.query_row("select version from about", [], |row| row.get(0))?;
            if written != version {
                return Err(Fault::Useless("is that of another version"));
            }
        }
        _ => return Err(Fault::Useless("is that of another version")),
    }
    transaction.commit()?;
    Ok(connection)
}

/// Removes a file and opens it again.
fn replace(path: &Path, version: &str, notes: &mut Vec<String>) -> Option<Connection> {
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        // What is left over makes opening fail, and that is noted.
        let _ = fs::remove_file(PathBuf::from(name));
    }
    match connect(path, version) {
        Ok(connection) => Some(connection),
        Err(Fault::Useless(_)) => None,
        Err(Fault::Closed(error)) => {
            notes.push(unusable(path, &error));
            None
        }
    }
}

fn unusable(path: &Path, error: &rusqlite::Error) -> String {
    format!("results are not cached: {} cannot be used: {error}", path.display())
}

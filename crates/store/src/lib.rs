//! Results of earlier runs, in one file, keyed by the content of all their inputs.
//!
//! A [`Store`] maps keys to bytes. It changes time, not results: what cannot be read was never there, and
//! what cannot be written is worked out again. The file is a database of SQLite, so that processes share it,
//! and one that is killed loses what it had not yet put in and nothing else.
//!
//! This crate knows nothing about programs: the caller decides how a key is computed, and that two values
//! with one key are the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension as _, params};

/// The key of a value.
pub type Key = [u8; 32];

/// How long to wait for another process.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long to wait before trying again what SQLite does not wait for.
const PAUSE: Duration = Duration::from_millis(5);

/// A file that is larger is begun anew: most of it is about programs as they were long ago.
const LARGEST: u64 = 4 << 30;

/// Says which tables there are; another number, other tables.
const LAYOUT: i32 = 1;

/// Values by keys, in a file.
///
/// Invariant: a value is given back only under the key and to the version that it was put in with, and
/// only if its bytes are still what they were.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    version: String,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// None if the file cannot be used.
    connection: Option<Connection>,
    notes: Vec<String>,
}

/// Why a file cannot be used as it is.
enum FileError {
    /// Its contents cannot be used.
    Useless(String),
    /// There can be no such file.
    Closed(rusqlite::Error),
}

impl From<rusqlite::Error> for FileError {
    fn from(error: rusqlite::Error) -> FileError {
        match is_damage(&error) {
            true => FileError::Useless("is damaged".to_owned()),
            false => FileError::Closed(error),
        }
    }
}

impl Store {
    /// Opens the store in a file, which need not exist, for a version of the program. Contents of another
    /// version or of unknown origin are discarded, with a note. If the file cannot be created, nothing is
    /// stored.
    pub fn open(path: impl Into<PathBuf>, version: &str) -> Store {
        let path = path.into();
        let mut notes = Vec::new();
        let connection = match connect(&path, version) {
            Ok(connection) => Some(connection),
            Err(FileError::Useless(why)) => {
                notes.push(format!("the store {} {why}; it is made anew", path.display()));
                anew(&path, version, &mut notes)
            }
            Err(FileError::Closed(error)) => {
                notes.push(unusable(&path, &error));
                None
            }
        };
        Store { path, version: version.to_owned(), state: Mutex::new(State { connection, notes }) }
    }

    /// The value with a key.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let state = &mut *self.state();
        let row = find(state.connection.as_ref()?, &self.inner(key));
        match row {
            Ok(Some((value, sum))) if sum == sum_of(key, &value) => Some(value),
            Ok(None) => None,
            Ok(Some(_)) => {
                self.throw_away(state);
                None
            }
            Err(error) if is_damage(&error) => {
                self.throw_away(state);
                None
            }
            Err(_) => None,
        }
    }

    /// Puts values in, all or none.
    pub fn put(&self, entries: &[(Key, Vec<u8>)]) {
        let state = &mut *self.state();
        let Some(connection) = &mut state.connection else { return };
        // Another process may have it, or the disk be full. What is not kept is worked out again.
        if let Err(error) = self.write(connection, entries)
            && is_damage(&error)
        {
            self.throw_away(state);
            if let Some(connection) = &mut state.connection {
                let _ = self.write(connection, entries);
            }
        }
    }

    /// Notes about the file; sentences.
    pub fn notes(&self) -> Vec<String> {
        self.state().notes.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key in the file. Processes of several versions may have it open.
    fn inner(&self, key: &Key) -> Key {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.version.as_bytes()).update(key);
        *hasher.finalize().as_bytes()
    }

    fn write(
        &self,
        connection: &mut Connection,
        entries: &[(Key, Vec<u8>)],
    ) -> rusqlite::Result<()> {
        let transaction = connection.transaction()?;
        {
            let mut insert = transaction
                .prepare_cached("insert or replace into kept (key, value, sum) values (?, ?, ?)")?;
            for (key, value) in entries {
                insert.execute(params![self.inner(key), value, sum_of(key, value)])?;
            }
        }
        transaction.commit()
    }

    fn throw_away(&self, state: &mut State) {
        state.connection = None;
        state.notes.push(format!("the store {} is damaged; it is made anew", self.path.display()));
        state.connection = anew(&self.path, &self.version, &mut state.notes);
    }
}

fn find(connection: &Connection, key: &Key) -> rusqlite::Result<Option<(Vec<u8>, Key)>> {
    let mut select = connection.prepare_cached("select value, sum from kept where key = ?")?;
    select.query_row(params![key], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

/// The checksum that detects accidental changes of a value.
fn sum_of(key: &Key, value: &[u8]) -> Key {
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

/// Opens a file that is empty, or holds what this version has put in. Where two processes make the file at
/// once, SQLite turns one of them away instead of letting it wait; that one tries again.
fn connect(path: &Path, version: &str) -> Result<Connection, FileError> {
    let begun = Instant::now();
    loop {
        match try_connect(path, version) {
            Err(FileError::Closed(error)) if is_busy(&error) && begun.elapsed() < PATIENCE => {
                std::thread::sleep(PAUSE);
            }
            result => return result,
        }
    }
}

fn try_connect(path: &Path, version: &str) -> Result<Connection, FileError> {
    if let Some(parent) = path.parent() {
        // Opening the file reports the error.
        let _ = fs::create_dir_all(parent);
    }
    if fs::metadata(path).is_ok_and(|metadata| metadata.len() > LARGEST) {
        return Err(FileError::Useless("has grown too large".to_owned()));
    }
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
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
                return Err(FileError::Useless("is something else".to_owned()));
            }
            transaction.execute_batch(
                "create table kept (key blob primary key, value blob not null, sum blob not null);
                 create table about (version text not null);",
            )?;
            transaction.execute("insert into about values (?)", params![version])?;
            transaction.pragma_update(None, "user_version", LAYOUT)?;
        }
        LAYOUT => {
            let written: String =
                transaction.query_row("select version from about", [], |row| row.get(0))?;
            if written != version {
                return Err(FileError::Useless("is that of another version".to_owned()));
            }
        }
        _ => return Err(FileError::Useless("is that of another version".to_owned())),
    }
    transaction.commit()?;
    Ok(connection)
}

/// Removes a file and opens it again.
fn anew(path: &Path, version: &str, notes: &mut Vec<String>) -> Option<Connection> {
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        // A partial file makes opening fail, which is noted.
        let _ = fs::remove_file(PathBuf::from(name));
    }
    match connect(path, version) {
        Ok(connection) => Some(connection),
        Err(FileError::Useless(_)) => None,
        Err(FileError::Closed(error)) => {
            notes.push(unusable(path, &error));
            None
        }
    }
}

fn unusable(path: &Path, error: &rusqlite::Error) -> String {
    format!("nothing is kept, as the store {} cannot be used: {error}", path.display())
}

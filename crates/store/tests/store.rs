//! What a cache returns, whatever happens to its file.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use store::{Cache as _, InMemory, Key, Kind, NoCache, Sqlite};

const KIND: Kind = Kind::new("numbers");

fn file(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    directory.join("cache.db")
}

fn key(number: u32) -> Key {
    let mut key = [7; 32];
    key[..4].copy_from_slice(&number.to_le_bytes());
    key
}

fn value(number: u32) -> Vec<u8> {
    format!("value {number} ").repeat(100).into_bytes()
}

fn filled(path: &PathBuf, version: &str, count: u32) -> Sqlite {
    let cache = Sqlite::open(path, version);
    let entries: Vec<(Key, Vec<u8>)> = (0..count).map(|n| (key(n), value(n))).collect();
    let entries: Vec<(Key, &[u8])> =
        entries.iter().map(|(key, value)| (*key, &value[..])).collect();
    cache.put_all(KIND, &entries);
    cache
}

#[test]
fn what_was_put_in_is_found_by_the_next_process() {
    let path = file("found");
    drop(filled(&path, "1", 100));
    let cache = Sqlite::open(&path, "1");
    assert!((0..100).all(|n| cache.get(KIND, &key(n)) == Some(value(n))));
    assert_eq!(cache.get(KIND, &key(100)), None);
    assert!(cache.notes().is_empty());
}

#[test]
fn what_another_version_has_put_in_is_thrown_away() {
    let path = file("version");
    let old = filled(&path, "1", 3);
    let new = Sqlite::open(&path, "2");
    assert_eq!(new.get(KIND, &key(0)), None);
    let [note] = &new.notes()[..] else { panic!("{:?}", new.notes()) };
    assert!(note.ends_with("cache.db is that of another version; it was replaced"), "{note}");
    new.put(KIND, &key(0), &value(9));
    // A process that still has the old one open may continue.
    old.put(KIND, &key(0), &value(1));
    assert_eq!(new.get(KIND, &key(0)), Some(value(9)));
    drop((old, new));
    assert_eq!(Sqlite::open(&path, "2").get(KIND, &key(0)), Some(value(9)));
}

#[test]
fn a_file_that_is_no_cache_is_made_one() {
    for (name, content) in
        [("text", "I am a text, not a database, and long enough for one"), ("empty", "")]
    {
        let path = file(name);
        fs::create_dir_all(path.parent().expect("it is in a directory")).expect("there is room");
        fs::write(&path, content).expect("there is room");
        let cache = filled(&path, "1", 3);
        assert_eq!(cache.get(KIND, &key(2)), Some(value(2)));
        assert_eq!(cache.notes().len(), usize::from(!content.is_empty()), "{:?}", cache.notes());
    }
}

/// Whichever byte is changed, no other value than the one that was put in comes back.
#[test]
fn damage_is_never_taken_for_a_value() {
    let path = file("damage");
    drop(filled(&path, "1", 40));
    let whole = fs::read(&path).expect("it was written");
    let mut lost = 0;
    for at in (0..whole.len()).step_by(997) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x5a;
        for suffix in ["-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{suffix}", path.display()));
        }
        fs::write(&path, damaged).expect("there is room");
        let cache = Sqlite::open(&path, "1");
        for n in 0..40 {
            match cache.get(KIND, &key(n)) {
                Some(found) => assert_eq!(found, value(n), "byte {at}"),
                None => lost += 1,
            }
        }
        // It can be used again, if need be after it was made anew.
        cache.put(KIND, &key(50), &value(50));
        assert_eq!(Sqlite::open(&path, "1").get(KIND, &key(50)), Some(value(50)), "byte {at}");
    }
    assert!(lost > 0, "some of the damage must be seen");
}

/// A row whose bytes were changed is a miss, is noted, and is replaced by the next result; the others stay.
#[test]
fn a_damaged_entry_is_a_miss() {
    let path = file("entry");
    drop(filled(&path, "1", 3));
    let connection = rusqlite::Connection::open(&path).expect("it is a database");
    let changed = connection.execute(
        "update entries set value = x'00' where key in (select key from entries limit 1)",
        [],
    );
    assert_eq!(changed, Ok(1));
    drop(connection);
    let cache = Sqlite::open(&path, "1");
    let missing: Vec<u32> = (0..3).filter(|n| cache.get(KIND, &key(*n)).is_none()).collect();
    let [missing] = missing[..] else { panic!("{missing:?} are missing") };
    let [note] = &cache.notes()[..] else { panic!("{:?}", cache.notes()) };
    assert!(note.ends_with("had a damaged entry, which was computed again"), "{note}");
    cache.put(KIND, &key(missing), &value(missing));
    let again = Sqlite::open(&path, "1");
    assert!((0..3).all(|n| again.get(KIND, &key(n)) == Some(value(n))));
    assert!(again.notes().is_empty());
}

#[test]
fn kinds_are_apart() {
    let path = file("kinds");
    let other = Kind::new("letters");
    let caches: [&dyn store::Cache; 2] = [&Sqlite::open(&path, "1"), &InMemory::default()];
    for cache in caches {
        cache.put(KIND, &key(1), &value(1));
        assert_eq!(cache.get(other, &key(1)), None);
        cache.put(other, &key(1), &value(2));
        assert_eq!(cache.get(KIND, &key(1)), Some(value(1)));
        assert_eq!(cache.get(other, &key(1)), Some(value(2)));
    }
    NoCache.put(KIND, &key(1), &value(1));
    assert_eq!(NoCache.get(KIND, &key(1)), None);
}

#[test]
fn a_place_where_nothing_can_be_written_is_noted() {
    let cache = Sqlite::open("/dev/null/cache.db", "1");
    cache.put(KIND, &key(0), &value(0));
    assert_eq!(cache.get(KIND, &key(0)), None);
    let [note] = &cache.notes()[..] else { panic!("{:?}", cache.notes()) };
    assert!(note.starts_with("results are not cached: /dev/null/cache.db"), "{note}");
}

/// Becomes a process of its own when the environment names a cache: it puts in batches until it is killed.
#[test]
fn processes_share_a_cache_and_may_be_killed() {
    const FILE: &str = "CACHE_OF_TEST";
    if let Some(path) = std::env::var_os(FILE) {
        let cache = Sqlite::open(PathBuf::from(path), "1");
        for n in 0..100_000 {
            let (a, b) = (value(2 * n), value(2 * n + 1));
            cache.put_all(KIND, &[(key(2 * n), &a), (key(2 * n + 1), &b)]);
        }
        return;
    }
    let path = file("killed");
    let this = std::env::current_exe().expect("it is running");
    let start = || {
        Command::new(&this)
            .args(["--exact", "processes_share_a_cache_and_may_be_killed"])
            .env(FILE, &path)
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("it is running")
    };
    let cache = Sqlite::open(&path, "1");
    let mut running = [start(), start()];
    while cache.get(KIND, &key(60)).is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    for process in &mut running {
        process.kill().expect("it does not end by itself so soon");
        process.wait().expect("it was killed");
    }
    drop(cache);
    let cache = Sqlite::open(&path, "1");
    assert!(cache.notes().is_empty(), "{:?}", cache.notes());
    assert!((0..=60).all(|n| cache.get(KIND, &key(n)) == Some(value(n))));
    // Batches are there as a whole or not at all.
    let there = (0..200_000).take_while(|n| cache.get(KIND, &key(*n)).is_some()).count();
    assert_eq!(there % 2, 0);
}

#[test]
fn a_file_that_many_make_at_once_is_made_once() {
    for round in 0..40 {
        let path = file(&format!("at-once-{round}"));
        std::thread::scope(|scope| {
            let open = || scope.spawn(|| Sqlite::open(&path, "1").notes());
            for opened in [open(), open(), open(), open(), open(), open()] {
                assert_eq!(opened.join().unwrap(), [""; 0], "round {round}");
            }
        });
    }
}

//! What a store gives back, whatever happens to its file.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use store::{Key, Store};

fn file(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    directory.join("store.db")
}

fn key(number: u32) -> Key {
    let mut key = [7; 32];
    key[..4].copy_from_slice(&number.to_le_bytes());
    key
}

fn value(number: u32) -> Vec<u8> {
    format!("value {number} ").repeat(100).into_bytes()
}

fn filled(path: &PathBuf, version: &str, count: u32) -> Store {
    let store = Store::open(path, version);
    let entries: Vec<(Key, Vec<u8>)> = (0..count).map(|n| (key(n), value(n))).collect();
    store.put(&entries);
    store
}

#[test]
fn what_was_put_in_is_found_by_the_next_process() {
    let path = file("found");
    drop(filled(&path, "1", 100));
    let store = Store::open(&path, "1");
    assert!((0..100).all(|n| store.get(&key(n)) == Some(value(n))));
    assert_eq!(store.get(&key(100)), None);
    assert!(store.notes().is_empty());
}

#[test]
fn what_another_version_has_put_in_is_thrown_away() {
    let path = file("version");
    let old = filled(&path, "1", 3);
    let new = Store::open(&path, "2");
    assert_eq!(new.get(&key(0)), None);
    let [note] = &new.notes()[..] else { panic!("{:?}", new.notes()) };
    assert!(note.ends_with("store.db is that of another version; it is made anew"), "{note}");
    new.put(&[(key(0), value(9))]);
    // Whoever still has the old one open may go on.
    old.put(&[(key(0), value(1))]);
    assert_eq!(new.get(&key(0)), Some(value(9)));
    drop((old, new));
    assert_eq!(Store::open(&path, "2").get(&key(0)), Some(value(9)));
}

#[test]
fn a_file_that_is_no_store_is_made_one() {
    for (name, content) in
        [("text", "I am a text, not a database, and long enough for one"), ("empty", "")]
    {
        let path = file(name);
        fs::create_dir_all(path.parent().expect("it is in a directory")).expect("there is room");
        fs::write(&path, content).expect("there is room");
        let store = filled(&path, "1", 3);
        assert_eq!(store.get(&key(2)), Some(value(2)));
        assert_eq!(store.notes().len(), usize::from(!content.is_empty()), "{:?}", store.notes());
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
        let store = Store::open(&path, "1");
        for n in 0..40 {
            match store.get(&key(n)) {
                Some(found) => assert_eq!(found, value(n), "byte {at}"),
                None => lost += 1,
            }
        }
        // It can be used again, if need be after it was made anew.
        store.put(&[(key(50), value(50))]);
        assert_eq!(Store::open(&path, "1").get(&key(50)), Some(value(50)), "byte {at}");
    }
    assert!(lost > 0, "some of the damage must be seen");
}

#[test]
fn a_place_where_nothing_can_be_written_is_noted() {
    let store = Store::open("/dev/null/store.db", "1");
    store.put(&[(key(0), value(0))]);
    assert_eq!(store.get(&key(0)), None);
    let [note] = &store.notes()[..] else { panic!("{:?}", store.notes()) };
    assert!(note.starts_with("nothing is kept, as the store /dev/null/store.db"), "{note}");
}

/// Is a process by itself when it is told where the store is: it puts in batches until it is killed.
#[test]
fn processes_share_a_store_and_may_be_killed() {
    const STORE: &str = "STORE_OF_TEST";
    if let Some(path) = std::env::var_os(STORE) {
        let store = Store::open(PathBuf::from(path), "1");
        for n in 0..100_000 {
            store.put(&[(key(2 * n), value(2 * n)), (key(2 * n + 1), value(2 * n + 1))]);
        }
        return;
    }
    let path = file("killed");
    let this = std::env::current_exe().expect("it is running");
    let start = || {
        Command::new(&this)
            .args(["--exact", "processes_share_a_store_and_may_be_killed"])
            .env(STORE, &path)
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("it is running")
    };
    let store = Store::open(&path, "1");
    let mut running = [start(), start()];
    while store.get(&key(60)).is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    for process in &mut running {
        process.kill().expect("it does not end by itself so soon");
        process.wait().expect("it was killed");
    }
    drop(store);
    let store = Store::open(&path, "1");
    assert!(store.notes().is_empty(), "{:?}", store.notes());
    assert!((0..=60).all(|n| store.get(&key(n)) == Some(value(n))));
    // Batches are there as a whole or not at all.
    let there = (0..200_000).take_while(|n| store.get(&key(*n)).is_some()).count();
    assert_eq!(there % 2, 0);
}

#[test]
fn a_file_that_many_make_at_once_is_made_once() {
    for round in 0..40 {
        let path = file(&format!("at-once-{round}"));
        std::thread::scope(|scope| {
            let open = || scope.spawn(|| Store::open(&path, "1").notes());
            for opened in [open(), open(), open(), open(), open(), open()] {
                assert_eq!(opened.join().unwrap(), [""; 0], "round {round}");
            }
        });
    }
}

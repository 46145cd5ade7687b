//! The cache changes time, not results.

use std::fs;
use std::path::Path;
use std::process::Output;

use super::{directory, indict};

const HEADER: &str = "\
typedef struct { int raw; } spinlock_t;
void spin_lock(spinlock_t *l);
void spin_unlock(spinlock_t *l);
void *malloc(unsigned long n);
void free(void *p);
struct box { spinlock_t lock; int n; char *text; };
int work(int);
static inline void box_in(struct box *b) { spin_lock(&b->lock); }
static inline void box_out(struct box *b) { spin_unlock(&b->lock); }
";

/// Bodies that a function may have; `@` is the function that it calls.
const BODIES: [&str; 6] = [
    "box_in(b); b->n++; box_out(b); return 0;",
    "box_in(b); if (work(b->n)) return 0; box_out(b); return 0;",
    "box_in(b); n = @(b, n); box_out(b); return n;",
    "char *p = malloc(8); if (!p) return -1; if (work(n)) return -1; free(p); return @(b, n);",
    "if (n < 0) return -1; return @(b, n - 1);",
    "b->text = malloc(n); return b->text ? 0 : -1;",
];

/// File `file` of three: six functions, the first four of which call the last of the next file.
fn source(file: usize, bodies: &[usize; 6]) -> String {
    let mut text = "#include \"box.h\"\n".to_owned();
    text += &format!("int g{}_5(struct box *b, int n);\n", (file + 1) % 3);
    for (number, body) in bodies.iter().enumerate() {
        let callee = match number {
            5 => "(int)(long)malloc".to_owned(),
            4 => format!("g{file}_3"),
            _ => format!("g{}_5", (file + 1) % 3),
        };
        // The last one calls no other, so that there is an end.
        let body = if number == 5 { BODIES[body % 2] } else { BODIES[*body] };
        let body = body.replace('@', &callee);
        text += &format!("int g{file}_{number}(struct box *b, int n)\n{{\n\t{body}\n}}\n");
    }
    text
}

fn write(directory: &Path, bodies: &[[usize; 6]; 3]) {
    for (file, bodies) in bodies.iter().enumerate() {
        fs::write(directory.join(format!("{file}.c")), source(file, bodies)).unwrap();
    }
}

/// Checks the three files, and returns what was said without how long it took.
fn checked(directory: &Path, arguments: &[&str]) -> (Output, String) {
    let mut all = vec!["check", "0.c", "1.c", "2.c", "--format", "json"];
    all.extend(["--rule", "double-lock,double-unlock,lock-imbalance,memory-leak"]);
    all.extend(arguments);
    let mut command = indict(&all);
    command.current_dir(directory).env("XDG_CACHE_HOME", directory.join(".cache"));
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let lines = text.lines().filter(|line| !line.contains("\"milliseconds\""));
    let text = lines.collect::<Vec<_>>().join("\n");
    (output, text)
}

#[test]
fn cached_results_are_those_of_a_full_run_after_any_edit() {
    let directory = directory("store-edits");
    fs::write(directory.join("box.h"), HEADER).unwrap();
    let mut dice: u64 = 11;
    let mut roll = |below: u64| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((dice >> 33) % below) as usize
    };
    let mut bodies: [[usize; 6]; 3] = [[0, 1, 2, 3, 4, 0], [2, 3, 5, 0, 1, 1], [4, 4, 3, 2, 0, 0]];
    let cached = ["--cache", "kept.db"];
    let mut findings = 0;
    for edit in 0..8 {
        write(&directory, &bodies);
        if edit == 5 {
            // A header that all include.
            let header = format!("{HEADER}static inline int one(void) {{ return 1; }}\n");
            fs::write(directory.join("box.h"), header).unwrap();
        }
        let (full, expected) = checked(&directory, &["--no-cache"]);
        assert!(full.status.code().is_some_and(|code| code < 2), "{full:?}");
        let (_, first) = checked(&directory, &cached);
        assert_eq!(first, expected, "after edit {edit}");
        let (_, second) = checked(&directory, &cached);
        assert_eq!(second, expected, "after edit {edit}, once more");
        findings += expected.matches("\"rule\": ").count();
        bodies[roll(3)][roll(6)] = roll(6);
    }
    assert!(findings > 10, "there is something to be found");
}

#[test]
fn a_damaged_cache_is_replaced() {
    let directory = directory("store-damage");
    fs::write(directory.join("box.h"), HEADER).unwrap();
    write(&directory, &[[0, 1, 2, 3, 4, 0], [2, 3, 5, 0, 1, 1], [4, 4, 3, 2, 0, 0]]);
    let (_, expected) = checked(&directory, &["--no-cache"]);
    let cached = ["--cache", "deep/kept.db"];
    assert_eq!(checked(&directory, &cached).1, expected);
    let path = directory.join("deep/kept.db");
    fs::write(&path, "this is no database, and it never was one of any kind").unwrap();
    for end in ["-wal", "-shm"] {
        let _ = fs::remove_file(directory.join(format!("deep/kept.db{end}")));
    }
    let (_, message) = checked(&directory, &cached);
    assert!(message.contains("the cache deep/kept.db is damaged; it was replaced"), "{message}");
    assert_eq!(checked(&directory, &cached).1, expected);
    // A file that cannot be created is noted, and the report is complete.
    let (output, message) = checked(&directory, &["--cache", "/dev/null/kept.db"]);
    assert!(message.contains("results are not cached: /dev/null/kept.db"), "{message}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn processes_share_a_cache() {
    let directory = directory("store-shared");
    fs::write(directory.join("box.h"), HEADER).unwrap();
    write(&directory, &[[0, 1, 2, 3, 4, 0], [2, 3, 5, 0, 1, 1], [4, 4, 3, 2, 0, 0]]);
    let (_, expected) = checked(&directory, &["--no-cache"]);
    std::thread::scope(|scope| {
        let run = || scope.spawn(|| checked(&directory, &["--cache", "kept.db"]).1);
        for process in [run(), run(), run()] {
            assert_eq!(process.join().unwrap(), expected);
        }
    });
}

#[test]
fn a_file_that_has_vanished_is_reported_and_the_rest_goes_on() {
    let directory = directory("store-vanished");
    fs::write(directory.join("box.h"), HEADER).unwrap();
    write(&directory, &[[0, 1, 2, 3, 4, 0], [2, 3, 5, 0, 1, 1], [4, 4, 3, 2, 0, 0]]);
    let entry = |file: usize| {
        let place = directory.to_str().unwrap();
        format!(r#"{{"directory": "{place}", "file": "{file}.c", "command": "cc -c {file}.c"}}"#)
    };
    let all: Vec<String> = (0..3).map(entry).collect();
    fs::write(directory.join("compile_commands.json"), format!("[{}]", all.join(","))).unwrap();
    fs::remove_file(directory.join("1.c")).unwrap();
    let mut command =
        indict(&["check", "-p", ".", "--cache", "kept.db", "--rule", "lock-imbalance"]);
    command.current_dir(&directory).env("XDG_CACHE_HOME", directory.join(".cache"));
    for _ in 0..2 {
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("1.c, which does not exist"), "{text}");
        assert!(text.contains("0.c:9"), "the rest is checked: {text}");
    }
}

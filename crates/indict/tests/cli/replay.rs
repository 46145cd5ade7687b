//! Findings in C on the machine: programs that show them, and what the sanitizers say.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use super::{directory, indict, printed};

/// Writes behind a block of the heap, whose size a callee decides.
const BEYOND: &str = "\
#include <stdlib.h>
struct request { int kind; char *name; };
int length(void);
static int calls;
char *copy(struct request *r)
{
    int n = length();
    if (calls != 7 || r->kind != 3 || n < 1 || n > 8)
        return NULL;
    char *block = malloc(8);
    if (block == NULL)
        return NULL;
    block[n] = r->name[2];
    return block;
}
void count(void) { calls++; }
";

fn within(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = indict(arguments);
    command.current_dir(directory).env("XDG_CACHE_HOME", directory.join(".cache"));
    command.output().unwrap()
}

#[test]
fn the_run_is_reported_in_the_words_of_c_and_happens_on_the_machine() {
    let directory = directory("replay_beyond");
    fs::write(directory.join("a.c"), BEYOND).unwrap();
    let output = within(&directory, &["check", "a.c", "--replay", "--emit-test", "tests"]);
    let text = printed(&output);
    assert!(text.contains("confirmed by execution, compiled by"), "{text}");
    for expected in ["calls length(), whose body is", "n = 8", "r → struct request", "calls = 7"]
    {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    for expected in ["calls malloc(8): block → heap block", "r->kind = 3", "entry  *r"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("bv32") && !text.contains("object"), "{text}");
    // What is written can be compiled as it says, and fails.
    let program = fs::read_to_string(directory.join("tests/replay1.c")).unwrap();
    let build = program.strip_prefix("/* ").and_then(|text| text.split_once(" && ")).unwrap().0;
    let shell = |script: &str| {
        let mut command = Command::new("sh");
        command.current_dir(directory.join("tests")).args(["-c", script]).output().unwrap()
    };
    assert!(shell(build).status.success(), "{build}");
    let ran = shell("./replay1");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(said.contains("heap-buffer-overflow"), "{said}");
    assert!(said.contains("a.c:13"), "{said}");
}

#[test]
fn without_sanitizers_that_is_noted_and_nothing_else_changes() {
    let directory = directory("replay_without");
    fs::write(directory.join("a.c"), BEYOND).unwrap();
    // A path on which there is a clang, and no compiler that has sanitizers.
    let bin = directory.join("bin");
    fs::create_dir_all(&bin).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let clang = ["clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15"]
        .iter()
        .flat_map(|name| std::env::split_paths(&path).map(move |folder| folder.join(name)))
        .find(|file| file.is_file())
        .expect("there is a clang");
    // It refuses to use its sanitizers.
    let fake = directory.join("fake-clang");
    let clang = clang.display();
    let script =
        format!("#!/bin/sh\ncase \"$*\" in *-fsanitize*) exit 1 ;; esac\nexec {clang} \"$@\"\n");
    fs::write(&fake, script).unwrap();
    fs::set_permissions(&fake, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = indict(&["check", "a.c", "--replay", "--clang"]);
    command.arg(fake).current_dir(&directory).env("PATH", &bin);
    command.env("XDG_CACHE_HOME", directory.join(".cache"));
    let output = command.output().unwrap();
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("note: there is no gcc or clang on the path whose"), "{text}");
    assert!(
        text.contains("replayed by the interpreter, could not be executed (no compiler"),
        "{text}"
    );
}

#[test]
fn outcomes_are_in_every_format() {
    let directory = directory("replay_outcomes");
    let text = "int unset(int a)\n{\n    int n;\n    if (a > 3)\n        n = 1;\n    return n > 0 ? n : 7;\n}\n";
    fs::write(directory.join("a.c"), text).unwrap();
    let check = |format: &str| {
        let rule = "+uninitialized";
        let arguments = ["check", "a.c", "--rule", rule, "--replay", "--format", format];
        printed(&within(&directory, &arguments))
    };
    assert!(
        check("text").contains("not observable by execution (no sanitizer"),
        "{}",
        check("text")
    );
    for format in ["json", "sarif"] {
        let text = check(format);
        assert!(text.contains("\"outcome\": \"not-observable\""), "{text}");
        assert!(text.contains("\"reason\": \"uninitialized-read\""), "{text}");
    }
}

#[test]
fn compiling_runs_nothing_that_compile_commands_name() {
    let directory = directory("replay_plugin");
    fs::write(directory.join("a.c"), BEYOND).unwrap();
    let program = |name: &str| {
        let path = directory.join(name);
        fs::write(&path, format!("#!/bin/sh\necho {name} >> {}/ran\n", directory.display()))
            .unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    };
    for name in ["cc", "as", "ld", "cc1", "wrapper"] {
        program(name);
    }
    fs::write(directory.join("more"), "-fplugin=./plugin.so -DX").unwrap();
    let here = directory.display();
    let entries = format!(
        r#"[{{"directory": "{here}", "file": "a.c", "command": "{here}/cc -B{here} -wrapper {here}/wrapper -specs={here}/s -Xclang -load -Xclang {here}/p.so @more -c a.c"}}]"#
    );
    fs::write(directory.join("compile_commands.json"), entries).unwrap();
    let text = printed(&within(&directory, &["check", "-p", ".", "--replay"]));
    assert!(text.contains("confirmed by execution"), "{text}");
    let note = "these flags load code into a compiler or have it run programs, and were dropped:";
    assert_eq!(text.matches(note).count(), 1, "{text}");
    for flag in ["-fplugin=./plugin.so", "-wrapper ", "-specs=", "-Xclang -load"] {
        assert!(text.contains(flag), "{flag}: {text}");
    }
    assert!(!directory.join("ran").exists());
}

/// The rules of all findings, and what execution says of each: the outcome, and who saw it or why not.
fn executions(directory: &Path, arguments: &[&str]) -> Vec<(String, String, String)> {
    let arguments = [&["check", "--replay", "--format", "json"], arguments].concat();
    let text = printed(&within(directory, &arguments));
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"));
    let findings = report["findings"].as_array().unwrap_or_else(|| panic!("{text}"));
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let replayed = findings.iter().map(|finding| {
        let execution = &finding["execution"];
        let why = ["by", "detail", "reason"].map(|key| word(&execution[key]));
        let why = why.into_iter().find(|why| !why.is_empty()).unwrap_or_default();
        (word(&finding["rule"]), word(&execution["outcome"]), why)
    });
    replayed.collect()
}

#[test]
fn stubs_of_locks_confirm_what_they_see() {
    let directory = directory("replay_locks");
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/locks");
    for (name, locked, unlocked) in [("spin.c", 6, 5), ("posix.c", 2, 2), ("calls.c", 6, 4)] {
        fs::copy(golden.join(name), directory.join(name)).unwrap();
        let replayed = executions(&directory, &[name]);
        for (rule, count) in [("double-lock", locked), ("double-unlock", unlocked)] {
            let of_rule: Vec<_> = replayed.iter().filter(|(of, ..)| of == rule).collect();
            assert_eq!(of_rule.len(), count, "{name}: {replayed:?}");
            let is_confirmed = |(_, outcome, by): &&(String, String, String)| {
                outcome == "confirmed" && by == "lock-stub"
            };
            assert!(of_rule.iter().all(is_confirmed), "{name}: {replayed:?}");
        }
        // A difference between two runs is not seen by one.
        let mut others = replayed.iter().filter(|(rule, ..)| rule == "lock-imbalance");
        assert!(others.all(|(_, _, why)| why == "two-runs"), "{name}: {replayed:?}");
    }
}

/// A gate is the second argument; opening it fails with a negative number.
const GATE: &str = "\
[[property]]
name = \"gate\"
object = \"gate\"
states = [\"shut\", \"open\"]
[[property.operation]]
functions = [\"gate_open\"]
argument = 1
moves = [\"shut -> open if result >= 0\", \"open -> error double-lock\"]
results = [0, -1]
[[property.operation]]
functions = [\"gate_shut\"]
argument = 1
moves = [\"open -> shut\", \"shut -> error double-unlock\"]
";

/// Memory that the caller has, a static variable, an unknown function and an allocation decide about the path.
const YARD: &str = "\
#include <stdlib.h>
struct gate { int id; };
struct yard { struct gate *first; int count; };
int gate_open(int why, struct gate *g);
void gate_shut(int why, struct gate *g);
struct yard *next_yard(int key);
static int mode;
void set_mode(int to) { mode = to; }
int enter(int key)
{
    struct yard *y = next_yard(key);
    if (!y || gate_open(key, y->first) < 0)
        return -1;
    char *ticket = malloc(8);
    if (y->count == 4 && mode == 7 && !ticket)
        gate_open(2, y->first);
    free(ticket);
    gate_shut(key, y->first);
    return 0;
}
";

#[test]
fn stubs_know_the_properties_of_the_user() {
    let directory = directory("replay_gate");
    fs::write(directory.join("gate.toml"), GATE).unwrap();
    fs::write(directory.join("yard.c"), YARD).unwrap();
    let replayed = executions(&directory, &["yard.c", "--property", "gate.toml"]);
    let words = ["double-lock", "confirmed", "lock-stub"].map(str::to_owned);
    assert_eq!(replayed, [words.into()]);
}

#[test]
fn where_no_stub_can_be_the_lock_nothing_is_run() {
    let directory = directory("replay_no_stub");
    let defined = "typedef struct { int raw; } spinlock_t;\nvoid set(int *raw);\n\
        static void spin_lock(spinlock_t *l) { set(&l->raw); }\n\
        void twice(spinlock_t *l)\n{\n    spin_lock(l);\n    spin_lock(l);\n}\n";
    fs::write(directory.join("defined.c"), defined).unwrap();
    let replayed = executions(&directory, &["defined.c"]);
    let [(_, outcome, why)] = &replayed[..] else { panic!("{replayed:?}") };
    assert_eq!(outcome, "could-not-run");
    assert!(why.contains("`spin_lock()` is defined in the file"), "{why}");

    let head = "typedef struct { int raw; } spinlock_t;\nvoid spin_lock(spinlock_t *l);\n";
    let hold = format!("{head}void hold(spinlock_t *l) {{ spin_lock(l); }}\n");
    let twice = format!(
        "{head}void hold(spinlock_t *l);\nvoid twice(spinlock_t *l)\n{{\n    hold(l);\n    spin_lock(l);\n}}\n"
    );
    fs::write(directory.join("hold.c"), hold).unwrap();
    fs::write(directory.join("twice.c"), twice).unwrap();
    let replayed = executions(&directory, &["hold.c", "twice.c"]);
    let [(_, outcome, why)] = &replayed[..] else { panic!("{replayed:?}") };
    assert_eq!(outcome, "could-not-run");
    assert!(why.contains("enters `hold()`, which another file defines"), "{why}");
}

//! Findings in C on the machine: programs that show them, and what the sanitizers say.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

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
fn the_run_is_told_in_the_words_of_c_and_happens_on_the_machine() {
    let directory = directory("replay_beyond");
    fs::write(directory.join("a.c"), BEYOND).unwrap();
    let output = within(&directory, &["check", "a.c", "--replay", "--emit-test", "tests"]);
    let text = printed(&output);
    assert!(text.contains("confirmed by execution, compiled by"), "{text}");
    for told in ["calls length(), which may do this:", "n = 8", "r → struct request", "calls = 7"]
    {
        assert!(text.contains(told), "{told}: {text}");
    }
    for told in ["calls malloc(8): block → heap block", "r->kind = 3", "entry  *r"] {
        assert!(text.contains(told), "{told}: {text}");
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
        let rule = "+uninitialised";
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

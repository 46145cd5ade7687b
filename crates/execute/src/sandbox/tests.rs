//! Programs that misbehave, each with a clear end and nothing left behind.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Isolation, Limit, Limits, ProcessEnd, Ran, Sandbox};

fn limits() -> Limits {
    Limits { wall: Duration::from_secs(2), ..Limits::MOMENT }
}

fn words(script: &str) -> [OsString; 2] {
    ["-c".into(), script.into()]
}

fn run(script: &str, limits: &Limits) -> Ran {
    let sandbox = Sandbox::new().unwrap();
    sandbox.run(Path::new("/bin/sh"), &words(script), &[], limits).unwrap()
}

/// The processes whose command lines have a word.
fn with_word(word: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).into_owned());
    lines.filter(|line| line.contains(word)).collect()
}

#[test]
fn a_program_has_an_empty_directory_and_a_cleared_environment() {
    let ran = run("ls -A; pwd; echo \"$HOME $TMPDIR\"; env | sort | cut -d= -f1", &limits());
    assert_eq!(ran.ended, ProcessEnd::Exited(0), "{ran:?}");
    let lines: Vec<&str> = ran.output.lines().collect();
    let directory = lines[0];
    assert!(directory.contains("indict-"), "{lines:?}");
    assert_eq!(lines[1], format!("{directory} {directory}"));
    let names: Vec<&str> = lines[2..].iter().copied().filter(|name| *name != "OLDPWD").collect();
    assert_eq!(names, ["HOME", "LANG", "PATH", "PWD", "TMPDIR"]);
    assert!(!Path::new(directory).exists());
}

#[test]
fn what_is_reported_through_the_third_file_comes_back() {
    let ran = run("echo this >&3; echo that; exit 7", &limits());
    assert_eq!(
        ran,
        Ran { ended: ProcessEnd::Exited(7), output: "that\n".into(), report: "this\n".into() }
    );
}

#[test]
fn what_never_ends_is_ended_with_all_that_it_has_started() {
    let mark = format!("3600.{}", super::random());
    let start = Instant::now();
    let script = format!("sleep {mark} & (setsid sleep {mark} &) ; sleep {mark}");
    let ran = run(&script, &limits());
    assert_eq!(ran.ended, ProcessEnd::Stopped(Limit::Time), "{ran:?}");
    assert!(start.elapsed() < Duration::from_secs(30));
    assert!(with_word(&mark).is_empty(), "{:?}", with_word(&mark));
}

#[test]
fn what_a_program_leaves_running_is_ended() {
    let mark = format!("3600.{}", super::random());
    let script = format!("(setsid sleep {mark} >/dev/null 2>&1 &) ; exit 0");
    for isolation in [Isolation::None, Sandbox::new().unwrap().isolation()] {
        let sandbox = Sandbox::new().unwrap();
        let shell = Path::new("/bin/sh");
        let ran = sandbox.run_isolated(isolation, shell, &words(&script), &[], &limits()).unwrap();
        assert_eq!(ran.ended, ProcessEnd::Exited(0), "{ran:?}");
        assert!(with_word(&mark).is_empty(), "{isolation}: {:?}", with_word(&mark));
    }
}

#[test]
fn what_forks_in_a_loop_is_ended() {
    let mark = format!("3600.{}", super::random());
    let script = format!("n=0; while [ $n -lt 200 ]; do sleep {mark} & n=$((n+1)); done; wait");
    let limits = Limits { processes: 20, wall: Duration::from_secs(20), ..limits() };
    let ran = run(&script, &limits);
    assert_eq!(ran.ended, ProcessEnd::Stopped(Limit::Processes), "{ran:?}");
    assert!(with_word(&mark).is_empty(), "{:?}", with_word(&mark));
}

#[test]
fn what_eats_memory_is_ended() {
    // Each round the text is twice as long.
    let script = "t=xxxxxxxxxxxxxxxx; while :; do t=$t$t; done";
    let limits = Limits { memory: 64 << 20, wall: Duration::from_secs(20), ..limits() };
    let ran = run(script, &limits);
    assert_eq!(ran.ended, ProcessEnd::Stopped(Limit::Memory), "{:?}", ran.ended);
}

#[test]
fn endless_output_is_ended_and_cut() {
    let limits = Limits { output: 10_000, wall: Duration::from_secs(20), ..limits() };
    let ran = run("while :; do echo more and more; echo and more >&2; done", &limits);
    assert_eq!(ran.ended, ProcessEnd::Stopped(Limit::Output));
    assert!(ran.output.len() <= 10_001, "{}", ran.output.len());
}

#[test]
fn large_files_are_not_written() {
    let limits = Limits { file_size: 1 << 20, ..limits() };
    let ran = run("dd if=/dev/zero of=large bs=1M count=8 2>/dev/null || echo refused", &limits);
    assert!(ran.output.contains("refused") || ran.ended != ProcessEnd::Exited(0), "{ran:?}");
}

#[test]
fn files_elsewhere_and_the_network_are_out_of_reach() {
    let sandbox = Sandbox::new().unwrap();
    if sandbox.isolation() != Isolation::Full {
        return;
    }
    let elsewhere = std::env::temp_dir().join(format!("indict-elsewhere-{:016x}", super::random()));
    let script = format!(
        "echo here > file && cat file; echo there > {}; echo noted >&3; cat /proc/net/dev | grep -c :",
        elsewhere.display()
    );
    let ran = sandbox.run(Path::new("/bin/sh"), &words(&script), &[], &limits()).unwrap();
    assert!(!elsewhere.exists());
    assert!(ran.output.starts_with("here\n1\n"), "{ran:?}");
    assert_eq!(ran.report, b"noted\n");
    // There is no network, and no means to undo the isolation.
    let script = "mount -o remount,rw / 2>/dev/null || echo locked; kill -9 -1; echo alone";
    let ran = sandbox.run(Path::new("/bin/sh"), &words(script), &[], &limits()).unwrap();
    assert!(ran.output.contains("locked"), "{ran:?}");
}

#[test]
fn directories_without_permissions_are_removed() {
    let sandbox = Sandbox::new().unwrap();
    let shell = Path::new("/bin/sh");
    let script = "mkdir -p a/b && touch a/b/c && chmod 000 a/b && pwd";
    let ran = sandbox.run_isolated(Isolation::None, shell, &words(script), &[], &limits()).unwrap();
    assert!(!Path::new(ran.output.trim()).exists(), "{ran:?}");
    let root = PathBuf::from(sandbox.scratch());
    drop(sandbox);
    assert!(!root.exists());
}

#[test]
fn what_is_not_there_is_no_run() {
    let sandbox = Sandbox::new().unwrap();
    let ran = sandbox.run(Path::new("/nowhere/at/all"), &[], &[], &limits()).unwrap();
    assert!(matches!(ran.ended, ProcessEnd::Exited(126 | 127)), "{ran:?}");
}

//! The command line as a user meets it: what it prints, and how it ends.
//!
//! What is printed is compared with the files in `golden`. `UPDATE=1 cargo test -p indict` writes them
//! anew; read the difference before you commit it.

mod c;
mod cache;
mod check;
mod commands;
mod formula;
mod heaps;
mod java;
mod large;
mod part;
mod replay;
mod run;
mod vacuity;
mod why;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The command line, to be run where the workspace is.
fn indict(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_indict"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).args(arguments);
    // Neither the terminal nor the environment of the tests decides about widths.
    command.stdin(Stdio::null()).env_remove("NO_COLOR").env_remove("COLUMNS");
    command
}

/// Runs the command line.
fn run(arguments: &[&str]) -> Output {
    indict(arguments).output().unwrap()
}

/// The output of a run, without the time.
fn printed(output: &Output) -> String {
    let text = str::from_utf8(&output.stdout).unwrap();
    let (before, last) = text.trim_end().rsplit_once('\n').unwrap_or(("", text.trim_end()));
    let last = match last.rsplit_once("; ") {
        Some((rest, time)) if time.ends_with(" s") => format!("{rest}; TIME"),
        _ => last.to_owned(),
    };
    if before.is_empty() { last + "\n" } else { format!("{before}\n{last}\n") }
}

/// Compares a text with a golden file, or writes that anew.
fn expect(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/golden").join(name);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, golden, "{name} differs; UPDATE=1 writes it anew");
}

/// An empty directory of a test's own.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

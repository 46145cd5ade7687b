//! The papers' figures and tables as acceptance tests: the programs are in `tests/figures` of the
//! workspace, with what is to be reported beside them. `UPDATE=1` writes the reports anew; read the
//! difference before you commit it.

mod doomed;
mod golden_c;
mod golden_summaries;
mod humane;
mod instances;
mod jackson;
mod java;
mod taco;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder of figures.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(name)
}

/// What `indict check` prints, run in a folder, without how long it took.
fn report(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_indict"));
    command.current_dir(folder).arg("check").args(arguments);
    command.stdin(Stdio::null()).env_remove("NO_COLOR").env_remove("COLUMNS");
    let output = command.output().expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("reports are UTF-8");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors, "", "nothing else is printed");
    match text.trim_end().rsplit_once("; ") {
        Some((rest, time)) if time.ends_with(" s") => format!("{rest}\n"),
        _ => text,
    }
}

/// What a command prints, run in a folder.
fn indict(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_indict"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    let output = command.output().expect("the program starts");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "nothing went wrong");
    String::from_utf8(output.stdout).expect("what is printed is UTF-8")
}

/// Compares a report with a golden file, or writes that anew.
fn expect(path: &Path, text: &str) {
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, text).expect("the file can be written");
    }
    let golden = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(text, golden, "{} differs; UPDATE=1 writes it anew", path.display());
}

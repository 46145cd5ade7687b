//! Tests of the driver, in memory: what it does with files, good and bad.

mod bad_input;
mod compiled;
mod configuration;
mod heaps;
mod java;
mod mutants;
mod paths;
mod resolve;
mod suppression;
mod threads;

use std::path::Path;

use driver::{MemoryFiles, NoCompiler, Options, Outcome, Silent};

/// A procedure that is right.
const RIGHT: &str = "\
proc right(x: int) returns (y: int)
{
  entry:
    y := x;
    assert y == x \"a copy differs\";
    exit;
}
";

/// A procedure whose assertion on line 4 fails.
const WRONG: &str = "\
proc wrong(x: int)
{
  entry:
    assert x != 7 \"x is seven\";
    exit;
}
";

/// Checks paths among files.
fn run<B: Into<Vec<u8>>>(
    files: impl IntoIterator<Item = (&'static str, B)>,
    paths: &[&str],
) -> Outcome {
    let paths: Vec<&Path> = paths.iter().map(Path::new).collect();
    driver::run(&paths, &MemoryFiles::new(files), &NoCompiler, &Options::default(), &Silent)
}

/// The findings as `path:line:column: rule: message`.
fn findings(outcome: &Outcome) -> Vec<String> {
    let tell = |f: &report::Finding| format!("{}: {}: {}", f.place, f.rule, f.message);
    outcome.report.findings.iter().map(tell).collect()
}

/// The notes as `severity: path:line:column: message`.
fn notes(outcome: &Outcome) -> Vec<String> {
    let tell = |note: &report::Note| match &note.place {
        Some(place) => format!("{}: {place}: {}", note.severity.as_str(), note.message),
        None => format!("{}: {}", note.severity.as_str(), note.message),
    };
    outcome.report.notes.iter().map(tell).collect()
}

/// The verdicts as `name: verdict`.
fn verdicts(outcome: &Outcome) -> Vec<String> {
    let tell = |p: &report::Procedure| format!("{}: {}", p.name, p.verdict);
    outcome.report.procedures.iter().map(tell).collect()
}

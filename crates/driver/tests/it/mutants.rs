//! Seeded errors in Java: every mutant of the classes in `tests/figures/mutants` has a finding with the default
//! settings, and none of the originals has. Below a line, `//~ A => B` makes a mutant of it.

use std::fs;
use std::path::Path;

use driver::{MemoryFiles, NoCompiler, Options, Outcome, Selection, Silent};
use report::Verdict;

/// A mutant: the method that is changed, what is changed, and the text of its file.
struct Mutant {
    method: String,
    change: String,
    text: String,
}

/// The classes, as they are.
fn originals() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/figures/mutants");
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "java"));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        (name.to_owned(), fs::read_to_string(path).expect("the file can be read"))
    };
    paths.iter().map(read).collect()
}

fn mutants(class: &str, text: &str) -> Vec<Mutant> {
    let lines: Vec<&str> = text.lines().collect();
    let mut made = Vec::new();
    let (mut target, mut method) = (0, String::new());
    for (number, line) in lines.iter().enumerate() {
        let Some(change) = line.trim().strip_prefix("//~ ") else {
            target = number;
            // A method begins four columns in, with its parameters on the same line.
            let is_member = line.starts_with("    ") && !line.starts_with("     ");
            if let (true, Some((head, _))) =
                (is_member && line.ends_with('{'), line.split_once('('))
            {
                let name = head.rsplit(' ').next().expect("a method has a name");
                method = format!("{class}.{name}");
            }
            continue;
        };
        let (from, to) = change.split_once("=>").expect("a mutant is `A => B`");
        let (from, to) = (from.trim(), to.trim());
        assert!(lines[target].contains(from), "{class}:{}: {change}", number + 1);
        let mut changed: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        changed[target] = lines[target].replacen(from, to, 1);
        let change = format!("{class}.java:{}: {change}", number + 1);
        made.push(Mutant { method: method.clone(), change, text: changed.join("\n") });
    }
    made
}

fn check(text: &str, only: &[String]) -> Outcome {
    let part = Selection { only: only.to_vec(), ..Selection::default() };
    let options = Options { part, ..Options::default() };
    let files = MemoryFiles::new([("F.java", text)]);
    driver::run(&[Path::new("F.java")], &files, &NoCompiler, &options, &Silent)
}

#[test]
fn every_mutant_is_killed() {
    let mut survivors = Vec::new();
    let mut methods = std::collections::BTreeSet::new();
    let mut count = 0;
    for (class, text) in originals() {
        for Mutant { method, change, text } in mutants(&class, &text) {
            let outcome = check(&text, std::slice::from_ref(&method));
            if outcome.report.findings.is_empty() {
                let procedures = outcome.report.procedures.iter();
                let mut own = procedures.filter(|procedure| procedure.name == method);
                let verdict = own.next().map(|procedure| procedure.verdict.to_string());
                survivors.push(format!("{change}: {verdict:?}"));
            }
            methods.insert(method);
            count += 1;
        }
    }
    assert!(survivors.is_empty(), "{} of {count}: {survivors:#?}", survivors.len());
    assert!(count >= 40 && methods.len() >= 8, "{count} mutants of {methods:?}");
}

#[test]
fn no_original_has_a_finding() {
    for (class, text) in originals() {
        let outcome = check(&text, &[]);
        for procedure in &outcome.report.procedures {
            let is_right = match &procedure.verdict {
                Verdict::NoneWithinBounds | Verdict::Skipped(_) => true,
                Verdict::Findings | Verdict::Unknown(_) => false,
            };
            assert!(is_right, "{class}: {}: {}", procedure.name, procedure.verdict);
        }
    }
}

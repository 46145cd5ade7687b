//! How much of some Java is fully supported: `cargo run --release -p java --example share -- PATHS`.
//!
//! Classes of other files are looked for below the folder that the package of each file begins in. A method
//! counts as supported if nothing in it, nor in what it calls, is `unsupported`, and its file has no faults.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ir::{Callee, Module, StatementKind};

fn main() {
    let mut files = Vec::new();
    for path in std::env::args().skip(1) {
        gather(Path::new(&path), &mut files);
    }
    files.sort();
    let (mut methods, mut supported, mut faulty) = (0, 0, 0);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for path in &files {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let shelf = Shelf::new(path, &text);
        let (module, diagnostics) = java::lower_with(&path.to_string_lossy(), &text, &shelf);
        let errors: Vec<_> =
            diagnostics.iter().filter(|d| d.severity == ir::Severity::Error).collect();
        if let Some(first) = errors.first() {
            faulty += 1;
            let (line, _) = ir::line_and_column(&text, first.span.start);
            println!("{}:{line}: {first}", path.display());
        }
        let broken = broken(&module, &mut reasons);
        for (procedure, is_broken) in module.procedures.iter().zip(broken) {
            if procedure.blocks.is_some() && procedure.span.end > procedure.span.start {
                methods += 1;
                supported += usize::from(!is_broken && errors.is_empty());
            }
        }
    }
    let mut reasons: Vec<(usize, String)> = reasons.into_iter().map(|(a, b)| (b, a)).collect();
    reasons.sort_unstable_by(|a, b| b.cmp(a));
    println!("what is not supported most often:");
    for (count, reason) in reasons.iter().take(60) {
        println!("  {count:6}  {reason}");
    }
    let share = 100.0 * f64::from(supported as u32) / f64::from((methods as u32).max(1));
    println!(
        "{} files, {faulty} of them with faults; {methods} methods, {supported} fully supported \
         ({share:.1} %)",
        files.len()
    );
}

/// The folder that the package of a file begins in.
struct Shelf(PathBuf);

impl Shelf {
    fn new(path: &Path, text: &str) -> Shelf {
        let package = text.lines().find_map(|line| line.strip_prefix("package ")).unwrap_or("");
        let depth = package.split('.').filter(|part| !part.trim().is_empty()).count();
        Shelf(path.ancestors().nth(depth + 1).unwrap_or(Path::new("")).to_owned())
    }
}

impl java::Sources for Shelf {
    fn find(&self, name: &str) -> Option<(String, String)> {
        let path = self.0.join(format!("{}.java", name.replace('.', "/")));
        let text = std::fs::read_to_string(&path).ok()?;
        Some((path.to_string_lossy().into_owned(), text))
    }
}

/// Java files below a path.
fn gather(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        for entry in entries {
            gather(&entry.path(), files);
        }
    } else if path.extension().is_some_and(|extension| extension == "java") {
        files.push(path.to_owned());
    }
}

/// Which procedures come to something unsupported, by themselves or through calls.
fn broken(module: &Module, reasons: &mut BTreeMap<String, usize>) -> Vec<bool> {
    let mut broken = vec![false; module.procedures.len()];
    let mut calls = vec![Vec::new(); module.procedures.len()];
    for (number, procedure) in module.procedures.iter().enumerate() {
        for statement in procedure.blocks.iter().flatten().flat_map(|block| &block.statements) {
            match &statement.kind {
                StatementKind::Unsupported { what, .. } => {
                    broken[number] = true;
                    *reasons.entry(what.clone()).or_default() += 1;
                }
                StatementKind::Call { callee: Callee::Procedure(id), .. } => {
                    calls[number].push(id.0 as usize);
                }
                StatementKind::Call { callee: Callee::Choice(_, table), .. } => {
                    calls[number].extend(table.iter().map(|(_, id)| id.0 as usize));
                }
                _ => {}
            }
        }
    }
    loop {
        let mut changed = false;
        for (number, callees) in calls.iter().enumerate() {
            if !broken[number] && callees.iter().any(|&callee| broken[callee]) {
                broken[number] = true;
                changed = true;
            }
        }
        if !changed {
            return broken;
        }
    }
}

//! RESOLVE files written by others: what share of them is read and type-checked.
//!
//! The argument is a directory, such as a copy of a public RESOLVE workspace. A file refers to others by
//! their names: what is beside it comes first, then whatever is in the directory, then what is bundled.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ir::Severity;
use resolve::{Library, SourceText};

fn main() -> ExitCode {
    let Some(directory) = std::env::args_os().nth(1) else {
        eprintln!("usage: workspace DIRECTORY, with RESOLVE files");
        return ExitCode::from(2);
    };
    bench::conclude(read_all(Path::new(&directory)))
}

const EXTENSIONS: [&str; 4] = ["co", "en", "rb", "fa"];

/// The files of a directory, as seen from one of them.
struct Shelf<'s> {
    beside: &'s Path,
    all: &'s [PathBuf],
}

impl Library for Shelf<'_> {
    fn find(&self, name: &str) -> Option<SourceText> {
        let is_named = |path: &&PathBuf| path.file_stem().is_some_and(|stem| stem == name);
        let beside =
            self.all.iter().filter(is_named).find(|path| path.parent() == Some(self.beside));
        let path = beside.or_else(|| self.all.iter().find(is_named))?;
        let text = fs::read_to_string(path).ok()?;
        Some(SourceText { path: path.display().to_string(), text })
    }
}

fn read_all(directory: &Path) -> Result<bool, String> {
    let mut all: Vec<PathBuf> = Vec::new();
    let mut ahead = vec![directory.to_owned()];
    while let Some(directory) = ahead.pop() {
        let entries = fs::read_dir(&directory);
        let entries = entries.map_err(|error| format!("{}: {error}", directory.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            let extension = path.extension().and_then(|extension| extension.to_str());
            if path.is_dir() {
                ahead.push(path);
            } else if extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) {
                all.push(path);
            }
        }
    }
    all.sort();
    // By kind of file: how many there are, and how many have no errors.
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for path in &all {
        let text =
            fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        if !resolve::is_resolve(&text) {
            continue;
        }
        let beside = path.parent().unwrap_or(directory);
        let shown = path.display().to_string();
        let report = resolve::read(&shown, &text, &Shelf { beside, all: &all });
        let mut errors = report.diagnostics.iter().filter(|one| one.severity == Severity::Error);
        let first = errors.next();
        let kind =
            path.extension().map_or(String::new(), |kind| kind.to_string_lossy().into_owned());
        let count = counts.entry(kind).or_default();
        count.0 += 1;
        count.1 += usize::from(first.is_none());
        if let Some(first) = first {
            let text = &report.texts[first.span.file.0 as usize];
            let (line, column) = ir::line_and_column(&text.text, first.span.start);
            println!("{}:{line}:{column}: {first}", text.path);
        }
    }
    let (files, sound) = counts.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    for (kind, (files, sound)) in &counts {
        println!(".{kind}: {sound} of {files} read and type-checked");
    }
    println!("all: {sound} of {files}, {} %", 100 * sound / files.max(1));
    Ok(files > 0)
}

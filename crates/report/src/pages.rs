//! The pages of a run, each with the name of its file: files with reasoning tables, then findings in other files.

use std::path::Path;

use crate::tables::{self, CheckedTables};
use crate::{Finding, Severity, Sources, page};

/// A page of HTML.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// The name of its file.
    pub name: String,
    /// Its text.
    pub html: String,
}

/// The pages of a run.
pub fn render(files: &[CheckedTables], findings: &[Finding], sources: &dyn Sources) -> Vec<Page> {
    let (mut pages, mut taught) = (Vec::new(), Vec::new());
    for file in files {
        let is_wrong = file.notes.iter().any(|note| note.severity == Severity::Error);
        if !is_wrong && (!file.is_examined || file.operations.is_empty()) {
            continue;
        }
        let stem = Path::new(&file.path).file_stem().and_then(|stem| stem.to_str());
        let name = free(stem.unwrap_or("tables"), &pages);
        pages.push(Page { name, html: tables::page(file) });
        taught.push(&file.path);
    }
    for finding in findings {
        if taught.contains(&&finding.place.path) {
            continue;
        }
        let stem = Path::new(&finding.place.path).file_stem().and_then(|stem| stem.to_str());
        let subject = finding.function.as_deref().or(stem).unwrap_or("finding");
        let stem: String = format!("{subject}.{}", finding.rule)
            .chars()
            .map(|c| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' })
            .collect();
        let name = free(&stem, &pages);
        pages.push(Page { name, html: page::render(finding, sources) });
    }
    pages
}

/// A name for a page that no other has.
fn free(stem: &str, pages: &[Page]) -> String {
    let taken = |name: &str| pages.iter().any(|page| page.name == name);
    let mut name = format!("{stem}.html");
    let mut number = 2;
    while taken(&name) {
        name = format!("{stem}-{number}.html");
        number += 1;
    }
    name
}

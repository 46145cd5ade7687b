//! From texts to tables, hypotheses, formulas and VIR.

mod bad_input;
mod elaboration;
mod formulas;
mod language;
mod robust;

use resolve::{Library, SourceText, TableReport};

/// Modules by their names.
struct Shelf<'s>(&'s [(&'s str, &'s str)]);

impl Library for Shelf<'_> {
    fn find(&self, name: &str) -> Option<SourceText> {
        let (_, text) = self.0.iter().find(|(known, _)| *known == name)?;
        Some(SourceText { path: format!("{name}.co"), text: (*text).to_owned() })
    }
}

/// Reads a text beside which there are others.
fn read_beside(text: &str, beside: &[(&str, &str)]) -> TableReport {
    resolve::read("test.rb", text, &Shelf(beside))
}

/// Reads a text that needs nothing but what is bundled.
fn read(text: &str) -> TableReport {
    read_beside(text, &[])
}

/// The messages about a text, with lines.
fn messages(report: &TableReport) -> Vec<String> {
    let one = |diagnostic: &ir::Diagnostic| {
        let text = &report.texts[diagnostic.span.file.0 as usize];
        let (line, column) = ir::line_and_column(&text.text, diagnostic.span.start);
        format!("{}:{line}:{column}: {diagnostic}", text.path)
    };
    report.diagnostics.iter().map(one).collect()
}

/// The paper's own files.
const FIGURES: [(&str, &str); 3] = [
    ("List_Template", include_str!("../../../../tests/figures/humane/List_Template.co")),
    (
        "Reversal_Capability",
        include_str!("../../../../tests/figures/humane/Reversal_Capability.en"),
    ),
    ("Recursive_Realiz", include_str!("../../../../tests/figures/humane/Recursive_Realiz.rb")),
];

//! Errors of a text, and notes about unmodelled constructs.

use crate::syntax::{BEHIND, TextRange};

/// Errors and notes, in the order in which they were found.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    /// The current file.
    pub(crate) file: u32,
    /// Whether it is the file behind that.
    pub(crate) is_behind: bool,
    found: Vec<ir::Diagnostic>,
}

impl Diagnostics {
    /// Something is wrong with the text.
    pub(crate) fn error(&mut self, at: TextRange, message: impl Into<String>) {
        self.add(at, message.into(), ir::Severity::Error);
    }

    /// Something is right and not modelled.
    pub(crate) fn note(&mut self, at: TextRange, message: impl Into<String>) {
        self.add(at, message.into(), ir::Severity::Note);
    }

    fn add(&mut self, at: TextRange, message: String, severity: ir::Severity) {
        let mark = if self.is_behind { BEHIND } else { 0 };
        let span = span(self.file, TextRange { start: at.start | mark, end: at.end | mark });
        self.found.push(ir::Diagnostic { severity, message, span, note: None });
    }

    /// All of them, each once, in the order of the text.
    pub(crate) fn into_diagnostics(mut self) -> Vec<ir::Diagnostic> {
        self.found.sort_by(|a, b| (a.span, &a.message).cmp(&(b.span, &b.message)));
        self.found.dedup();
        self.found
    }
}

/// A place of a file, or of the one behind it, as the IR has it.
pub(crate) fn span(file: u32, at: TextRange) -> ir::Span {
    let (file, start) = match at.start & BEHIND {
        0 => (file, at.start),
        _ => (file + 1, at.start & !BEHIND),
    };
    ir::Span { file: ir::FileId(file), start, end: (at.end & !BEHIND).max(start) }
}

impl Diagnostics {
    /// Appends other diagnostics.
    pub(crate) fn append(&mut self, mut others: Diagnostics) {
        self.found.append(&mut others.found);
    }
}

//! Diagnostics about a source text.

use std::fmt;

use crate::span::Span;

/// A message about a source text. Lowering collects diagnostics and continues.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// Its location.
    pub span: Span,
    /// What is wrong; a sentence without its full stop.
    pub message: String,
    /// What was expected, or how to fix it.
    pub note: Option<String>,
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The text is wrong: the module does not mean what its author intended.
    Error,
    /// The text is correct, and the module represents it, if only as unsupported.
    Note,
}

impl Diagnostic {
    /// An error in the text.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, span, message: message.into(), note: None }
    }

    /// A note about something that is not an error.
    pub fn note(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Note, ..Self::error(span, message) }
    }

    /// Adds what was expected, or how to fix it.
    pub fn with_note(mut self, note: Option<String>) -> Self {
        self.note = note;
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.note {
            Some(note) => write!(f, " ({note})"),
            None => Ok(()),
        }
    }
}

/// The line and column of a byte of a text, both from one; columns count characters.
pub fn line_and_column(source: &str, byte: u32) -> (usize, usize) {
    let mut byte = (byte as usize).min(source.len());
    while !source.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &source[..byte];
    let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (line, before[start..].chars().count() + 1)
}

//! What is wrong with a text, told to the person who wrote it.

use std::fmt;

use crate::span::Span;

/// Something to say about a source text. Lowering collects these and goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// Where it is.
    pub span: Span,
    /// What is wrong, as a sentence without its full stop.
    pub message: String,
    /// What was expected, or how to put it right.
    pub note: Option<String>,
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The text is faulty: what was lowered is not what its author meant.
    Error,
    /// The text is sound, and what it says is in the module, if only as something unsupported.
    Note,
}

impl Diagnostic {
    /// A fault of the text.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, span, message: message.into(), note: None }
    }

    /// A remark on something that is no fault of the text.
    pub fn note(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Note, ..Self::error(span, message) }
    }

    /// With what was expected, or how to put it right.
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

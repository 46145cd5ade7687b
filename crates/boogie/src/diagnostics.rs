//! Errors and notes about a text, collected in bounded lists and turned into diagnostics last, in the order
//! of the text.

use ir::{Diagnostic, FileId, Span};
use rustc_hash::FxHashSet;

use crate::limits::DIAGNOSTICS;

/// A stretch of the text that is being read, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct TextRange {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl TextRange {
    /// From the start of this one to the end of another.
    pub(crate) fn to(self, other: TextRange) -> TextRange {
        TextRange { start: self.start, end: other.end.max(self.start) }
    }

    /// The same stretch as a span of the module's only file.
    pub(crate) fn span(self) -> Span {
        Span { file: FileId(0), start: self.start, end: self.end }
    }
}

/// The errors and notes found so far.
#[derive(Default)]
pub(crate) struct Diagnostics {
    errors: Vec<(TextRange, String, Option<String>)>,
    more: usize,
    notes: Vec<(TextRange, String)>,
    noted: FxHashSet<(TextRange, String)>,
}

impl Diagnostics {
    pub(crate) fn add(&mut self, at: TextRange, message: impl Into<String>) {
        self.push(at, message.into(), None);
    }

    pub(crate) fn add_with(
        &mut self,
        at: TextRange,
        message: impl Into<String>,
        note: impl Into<String>,
    ) {
        self.push(at, message.into(), Some(note.into()));
    }

    fn push(&mut self, at: TextRange, message: String, note: Option<String>) {
        if self.errors.len() < DIAGNOSTICS {
            self.errors.push((at, message, note));
        } else {
            self.more += 1;
        }
    }

    /// Says that something sound is not modelled; the same thing at the same place only once.
    pub(crate) fn note(&mut self, at: TextRange, message: impl Into<String>) {
        let message = message.into();
        if self.notes.len() < DIAGNOSTICS && self.noted.insert((at, message.clone())) {
            self.notes.push((at, message));
        }
    }

    /// Whether one more error would still be reported.
    pub(crate) fn is_open(&self) -> bool {
        self.errors.len() < DIAGNOSTICS
    }

    /// How many errors there are so far, those that are only counted included.
    pub(crate) fn count(&self) -> usize {
        self.errors.len() + self.more
    }

    /// Everything, in the order of the text.
    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        let errors = self
            .errors
            .into_iter()
            .map(|(at, message, note)| Diagnostic::error(at.span(), message).with_note(note));
        let notes =
            self.notes.into_iter().map(|(at, message)| Diagnostic::note(at.span(), message));
        let mut diagnostics: Vec<Diagnostic> = errors.chain(notes).collect();
        diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.severity));
        if let (Some(last), true) = (diagnostics.last(), self.more > 0) {
            let message = format!("there are {} more errors", self.more);
            diagnostics.push(Diagnostic::error(last.span, message));
        }
        diagnostics
    }
}

//! Faults found while reading a text: collected in a bounded list, turned into diagnostics last.

use crate::diagnostic::Diagnostic;
use crate::limits::DIAGNOSTICS;
use crate::span::{FileId, Span};

/// A stretch of the text that is being read, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TextRange {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl TextRange {
    /// From the start of this one to the end of another.
    pub(super) fn to(self, other: TextRange) -> TextRange {
        TextRange { start: self.start, end: other.end.max(self.start) }
    }
}

#[derive(Default)]
pub(super) struct Diagnostics {
    list: Vec<(TextRange, String, Option<String>)>,
    more: usize,
}

impl Diagnostics {
    pub(super) fn add(&mut self, at: TextRange, message: impl Into<String>) {
        self.push(at, message.into(), None);
    }

    pub(super) fn add_with(
        &mut self,
        at: TextRange,
        message: impl Into<String>,
        note: impl Into<String>,
    ) {
        self.push(at, message.into(), Some(note.into()));
    }

    fn push(&mut self, at: TextRange, message: String, note: Option<String>) {
        if self.list.len() < DIAGNOSTICS {
            self.list.push((at, message, note));
        } else {
            self.more += 1;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many diagnostics are listed; with [`forget`](Diagnostics::forget), undoes a speculation.
    pub(super) fn mark(&self) -> (usize, usize) {
        (self.list.len(), self.more)
    }

    pub(super) fn forget(&mut self, (listed, more): (usize, usize)) {
        self.list.truncate(listed);
        self.more = more;
    }

    /// The diagnostics in the order of the text, in a file of the module.
    pub(super) fn into_diagnostics(mut self, file: FileId) -> Vec<Diagnostic> {
        self.list.sort_by_key(|(at, ..)| at.start);
        let span = |at: TextRange| Span { file, start: at.start, end: at.end };
        let mut diagnostics: Vec<Diagnostic> = self
            .list
            .into_iter()
            .map(|(at, message, note)| Diagnostic::error(span(at), message).with_note(note))
            .collect();
        if let (Some(last), true) = (diagnostics.last(), self.more > 0) {
            let message = format!("there are {} more errors", self.more);
            diagnostics.push(Diagnostic::error(last.span, message));
        }
        diagnostics
    }
}

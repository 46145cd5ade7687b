//! Errors and notes about texts, collected as they are found and sorted last.

use std::collections::BTreeSet;

use ir::{Diagnostic, Severity, Span};

use crate::limits::DIAGNOSTICS;

/// The errors and notes found so far. Duplicates are dropped.
#[derive(Default)]
pub(crate) struct Diagnostics {
    list: Vec<Diagnostic>,
    seen: BTreeSet<(Span, String)>,
}

impl Diagnostics {
    /// Something is wrong with the text.
    pub(crate) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::error(span, message));
    }

    /// Something is wrong with the text, and this may help.
    pub(crate) fn error_with(
        &mut self,
        span: Span,
        message: impl Into<String>,
        note: impl Into<String>,
    ) {
        self.push(Diagnostic::error(span, message).with_note(Some(note.into())));
    }

    /// Something is sound, but there is something to say about it.
    pub(crate) fn note(&mut self, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::note(span, message));
    }

    /// How many errors there are.
    pub(crate) fn errors(&self) -> usize {
        self.list.iter().filter(|fault| fault.severity == Severity::Error).count()
    }

    fn push(&mut self, fault: Diagnostic) {
        if self.list.len() < DIAGNOSTICS && self.seen.insert((fault.span, fault.message.clone())) {
            self.list.push(fault);
        }
    }

    /// Everything, in the order of the texts.
    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        let mut list = self.list;
        list.sort_by_key(|fault| (fault.span.file, fault.span.start, fault.severity));
        list
    }
}

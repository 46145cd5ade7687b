//! What procedures came to before, by everything that went into it (paper 001, §5.6: the summary database).
//!
//! What a component of the call graph comes to depends on the bodies of its procedures, on the summaries of
//! those that they call, on what is declared, and on the names of variables. The key is made of these, so
//! that to remember gives what to analyse would give, whatever else has changed. Places are kept relative to
//! the procedure: what stands above it in its file may grow.

use std::fmt;

use ir::{FileId, Module, Procedure, Span};
use serde::{Deserialize, Serialize};

use crate::analyse::Analysed;
use crate::summary::Summary;
use crate::walk::GaveUp;

/// A digest of content.
pub type Digest = [u8; 32];

/// Whoever remembers. Calls come from all threads. To forget changes time, not results.
pub trait Memory: fmt::Debug + Send + Sync {
    /// What was kept under a key.
    fn recall(&self, key: &Digest) -> Option<Vec<u8>>;

    /// Keeps values under their keys.
    fn keep(&self, entries: &[(Digest, Vec<u8>)]);
}

/// Nobody remembers anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forgetful;

impl Memory for Forgetful {
    fn recall(&self, _: &Digest) -> Option<Vec<u8>> {
        None
    }

    fn keep(&self, _: &[(Digest, Vec<u8>)]) {}
}

pub(crate) type Outcome = Result<Analysed, GaveUp>;

/// What the procedures of a component came to.
#[derive(Serialize, Deserialize)]
struct Kept {
    outcomes: Vec<Outcome>,
    /// The files that places are in, by position; [`OWN`] is that of the procedure itself.
    files: Vec<String>,
}

/// The file of the procedure.
const OWN: FileId = FileId(u32::MAX);

/// Writes down what procedures came to; nothing if that cannot be.
pub(crate) fn write(outcomes: &[(&Module, &Procedure, &Outcome)]) -> Option<Vec<u8>> {
    let mut kept = Kept { outcomes: Vec::new(), files: Vec::new() };
    for (module, procedure, outcome) in outcomes {
        // Static objects are numbered by their file, of which the key says nothing.
        let statics = 1..=module.objects.len() as u64;
        let findings = outcome.as_ref().map_or(&[][..], |analysed| &analysed.findings);
        let proposals = findings.iter().flat_map(|finding| finding.proposals.iter().flatten());
        if proposals
            .into_iter()
            .any(|one| one.witness.mentions(&|object| statics.contains(&object)))
        {
            return None;
        }
        let base = procedure.span;
        let mut outcome = Outcome::clone(outcome);
        for span in spans(&mut outcome) {
            if span.file == base.file {
                let moved = |at: u32| at.wrapping_sub(base.start);
                *span = Span { file: OWN, start: moved(span.start), end: moved(span.end) };
            } else {
                let path = &module.files.get(span.file.0 as usize)?.path;
                let known = kept.files.iter().position(|file| file == path);
                let number = known.unwrap_or_else(|| {
                    kept.files.push(path.clone());
                    kept.files.len() - 1
                });
                span.file = FileId(number as u32);
            }
        }
        kept.outcomes.push(outcome);
    }
    postcard::to_allocvec(&kept).ok()
}

/// Reads what was written of these procedures; nothing if it is not about them.
pub(crate) fn read(bytes: &[u8], of: &[(&Module, &Procedure)]) -> Option<Vec<Outcome>> {
    let Kept { mut outcomes, files } = postcard::from_bytes(bytes).ok()?;
    if outcomes.len() != of.len() {
        return None;
    }
    for (outcome, (module, procedure)) in outcomes.iter_mut().zip(of) {
        let base = procedure.span;
        for span in spans(outcome) {
            if span.file == OWN {
                let moved = |at: u32| at.wrapping_add(base.start);
                *span = Span { file: base.file, start: moved(span.start), end: moved(span.end) };
            } else {
                let path = files.get(span.file.0 as usize)?;
                let number = module.files.iter().position(|file| file.path == *path)?;
                span.file = FileId(number as u32);
            }
        }
    }
    Some(outcomes)
}

fn spans(outcome: &mut Outcome) -> impl Iterator<Item = &mut Span> {
    let findings = outcome.as_mut().map(|analysed| analysed.findings.iter_mut());
    findings.into_iter().flatten().flat_map(|finding| [&mut finding.span, &mut finding.end])
}

/// What tells summaries apart.
pub(crate) fn digest(summary: &Summary) -> Option<Digest> {
    Some(*blake3::hash(&postcard::to_allocvec(summary).ok()?).as_bytes())
}

//! Cached summaries and candidates of components of the call graph (Xie & Aiken 2007, §5.6: the summary database).
//!
//! The key of a component is a digest of the bodies of its procedures, the summaries of their callees, the properties,
//! and the names of variables: nothing else affects the result. Spans are relative to the procedure, so that an edit
//! above it in its file does not matter.

use ir::{FileId, Module, Procedure, Span};
use serde::{Deserialize, Serialize};
use store::Kind;

use crate::analyse::Analysed;
use crate::summary::Summary;
use crate::walk::GaveUp;

/// A digest of content.
pub type Digest = store::Key;

/// Results of components.
pub(crate) const COMPONENT: Kind = Kind::new("summaries");

pub(crate) type Outcome = Result<Analysed, GaveUp>;

/// The results of the procedures of a component.
#[derive(Serialize, Deserialize)]
struct Entry {
    outcomes: Vec<Outcome>,
    /// The files that places are in, by position; [`OWN`] is that of the procedure itself.
    files: Vec<String>,
}

/// The file of the procedure.
const OWN: FileId = FileId(u32::MAX);

/// The bytes of results; none if they cannot be cached.
pub(crate) fn write(outcomes: &[(&Module, &Procedure, &Outcome)]) -> Option<Vec<u8>> {
    let mut entry = Entry { outcomes: Vec::new(), files: Vec::new() };
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
                let known = entry.files.iter().position(|file| file == path);
                let number = known.unwrap_or_else(|| {
                    entry.files.push(path.clone());
                    entry.files.len() - 1
                });
                span.file = FileId(number as u32);
            }
        }
        entry.outcomes.push(outcome);
    }
    postcard::to_allocvec(&entry).ok()
}

/// The results of these procedures from bytes; none if the bytes are about others.
pub(crate) fn read(bytes: &[u8], of: &[(&Module, &Procedure)]) -> Option<Vec<Outcome>> {
    let Entry { mut outcomes, files } = postcard::from_bytes(bytes).ok()?;
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

/// The digest of a summary.
pub(crate) fn digest(summary: &Summary) -> Option<Digest> {
    Some(*blake3::hash(&postcard::to_allocvec(summary).ok()?).as_bytes())
}

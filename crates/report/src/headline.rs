//! The line at which a trace begins: the one that names the procedure, not the contract above it.

use crate::limits::HEADLINE_LINES;
use crate::{Finding, LineIndex, Place, Step, StepKind};

/// The place of a step as it is shown. That of an entry begins at the line with the procedure's name, if
/// that is below its first.
pub(crate) fn headline(
    finding: &Finding,
    step: &Step,
    index: Option<&LineIndex<'_>>,
) -> Option<Place> {
    let place = step.place.clone()?;
    let named = (step.kind == StepKind::Entry).then(|| name(finding)).flatten();
    let (Some(name), Some(index)) = (named, index) else { return Some(place) };
    let last = place.end.line.min(place.start.line.saturating_add(HEADLINE_LINES));
    let mut lines = (place.start.line..=last).filter_map(|line| Some((line, index.line(line)?)));
    match lines.find(|(_, text)| calls(text, name)) {
        Some((line, text)) if line > place.start.line => {
            let mut moved = place;
            let indent = text.chars().take_while(|c| c.is_whitespace()).count();
            moved.start.line = line;
            moved.start.column = u32::try_from(indent).unwrap_or(0).saturating_add(1);
            Some(moved)
        }
        _ => Some(place),
    }
}

/// The name of the procedure, without what it belongs to.
fn name(finding: &Finding) -> Option<&str> {
    finding.function.as_deref()?.rsplit(['.', ':']).next().filter(|name| !name.is_empty())
}

/// Whether a name is followed by a parenthesis somewhere in a line.
fn calls(line: &str, name: &str) -> bool {
    let mut found = line.match_indices(name);
    found.any(|(at, _)| line[at + name.len()..].trim_start().starts_with('('))
}

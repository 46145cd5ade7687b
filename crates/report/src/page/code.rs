//! The source with the path marked: which lines the execution passes, and at which steps.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::escape;
use crate::headline::headline;
use crate::limits::{LINES_AROUND, SHOWN_GAP};
use crate::{Finding, LineIndex, Sources};

pub(super) fn render(finding: &Finding, sources: &dyn Sources, out: &mut String) {
    let mut paths: Vec<&str> = vec![&finding.place.path];
    for place in finding.places() {
        if !paths.contains(&place.path.as_str()) {
            paths.push(&place.path);
        }
    }
    for path in paths {
        let Some(text) = sources.text(path) else { continue };
        file(finding, path, &LineIndex::new(text), out);
    }
}

fn file(finding: &Finding, path: &str, index: &LineIndex<'_>, out: &mut String) {
    let steps = steps(finding, path, index);
    let others = finding.related.iter().map(|related| &related.place).chain([&finding.place]);
    let others = others.filter(|place| place.path == path).map(|place| place.start.line);
    let mut lines: Vec<u32> = steps.keys().copied().chain(others).collect();
    lines.sort_unstable();
    lines.dedup();
    let _ = writeln!(out, "<h2>{}</h2>", escape(path));
    out.push_str("<pre>");
    let mut shown = 0;
    for (position, &line) in lines.iter().enumerate() {
        let first = line.saturating_sub(LINES_AROUND).max(shown + 1).max(1);
        if shown > 0 && first > shown + 1 {
            out.push_str("<span class=\"gap\">⋮</span>");
        }
        let next = lines.get(position + 1);
        let last = match next {
            Some(next) if next - line <= SHOWN_GAP => next - 1,
            Some(_) | None => line.saturating_add(LINES_AROUND),
        };
        for number in first..=last {
            let Some(text) = index.line(number) else { break };
            source_line(finding, path, number, text, steps.get(&number), out);
            shown = number;
        }
    }
    out.push_str("</pre>\n");
}

/// The steps at each line, with their columns: number, first column, one past the last.
fn steps(
    finding: &Finding,
    path: &str,
    index: &LineIndex<'_>,
) -> BTreeMap<u32, Vec<(usize, u32, u32)>> {
    let mut steps: BTreeMap<u32, Vec<(usize, u32, u32)>> = BTreeMap::new();
    for (number, step) in finding.trace.iter().enumerate() {
        let place = headline(finding, step, Some(index));
        let Some(place) = place.filter(|place| place.path == path) else { continue };
        let end = if place.end.line == place.start.line { place.end.column } else { u32::MAX };
        steps.entry(place.start.line).or_default().push((number, place.start.column, end));
    }
    steps
}

fn source_line(
    finding: &Finding,
    path: &str,
    number: u32,
    text: &str,
    steps: Option<&Vec<(usize, u32, u32)>>,
    out: &mut String,
) {
    let steps = steps.map_or(&[][..], Vec::as_slice);
    let fails = |&(step, ..): &(usize, u32, u32)| finding.trace[step].kind.is_failure();
    let is_failing = finding.place.path == path && finding.place.start.line == number;
    let mut class = "line".to_owned();
    if !steps.is_empty() {
        class.push_str(" passed");
    }
    if is_failing || steps.iter().any(fails) {
        class.push_str(" failing");
    }
    let spans: Vec<String> =
        steps.iter().map(|(step, start, end)| format!("{step}:{start}:{end}")).collect();
    // Lines are blocks; an end of line between them would be one more.
    let _ = write!(
        out,
        "<span class=\"{class}\" data-steps=\"{}\"><i>{number}</i><span>{}</span></span>",
        spans.join(" "),
        escape(text)
    );
}

//! Source lines with the places marked that a finding is about.
//!
//! The drawing is done by `annotate-snippets`. It wants byte ranges that are right, so this file
//! brings places into range first, and hands over only the lines around them, cut where they are
//! very long.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Element, Level, Origin, Snippet};
use unicode_width::UnicodeWidthChar;

use super::plain::{cut, is_hidden, one_line};
use crate::limits::{LABEL_COLUMNS, MARKED_LINES, SNIPPET_COLUMNS, SNIPPET_DISTANCE};
use crate::sources::Library;
use crate::{Finding, LineIndex, Place, Related};

/// The most that line numbers, bars and the frames of several lines take away from the page.
const GUTTER: usize = 14;

/// The place of a finding with the values at its failure, and the related places.
pub(super) fn elements(
    finding: &Finding,
    library: &Library<'_>,
    page: usize,
) -> Vec<Element<'static>> {
    let failure = finding.failure().filter(|step| step.place.as_ref() == Some(&finding.place));
    let label = failure.map(|step| {
        let values: Vec<String> = step.values.iter().map(ToString::to_string).collect();
        if values.is_empty() { step.text.clone() } else { values.join(", ") }
    });
    primary(&finding.place, label.as_deref(), &finding.related, library, page)
}

/// A place that is the main one, and related places. Those that are near share its snippet.
pub(super) fn primary(
    place: &Place,
    label: Option<&str>,
    related: &[Related],
    library: &Library<'_>,
    page: usize,
) -> Vec<Element<'static>> {
    let main = Mark { place, label: label.unwrap_or(""), kind: AnnotationKind::Primary };
    let is_near = |mark: &Mark<'_>| {
        mark.place.path == place.path
            && mark.place.start.line.abs_diff(place.start.line) <= SNIPPET_DISTANCE
            && is_shown(mark.place, library)
    };
    let (near, far): (Vec<_>, Vec<_>) = related.iter().map(Mark::context).partition(is_near);
    let mut elements = Vec::new();
    if is_shown(place, library) {
        let marks: Vec<Mark<'_>> = std::iter::once(main).chain(near).collect();
        elements.extend(snippet(&marks, library, page));
        elements.extend(far.iter().map(|mark| elsewhere(mark, library, page)));
    } else {
        let origin = Origin::path(one_line(&place.path)).line(place.start.line as usize);
        elements.push(origin.char_column(place.start.column as usize).into());
        elements.extend(near.iter().chain(&far).map(|mark| elsewhere(mark, library, page)));
    }
    elements
}

/// A place to mark, and what to write beside it.
struct Mark<'a> {
    place: &'a Place,
    label: &'a str,
    kind: AnnotationKind,
}

impl<'a> Mark<'a> {
    fn context(related: &'a Related) -> Self {
        let Related { place, message } = related;
        Self { place, label: message, kind: AnnotationKind::Context }
    }
}

/// A related place in a snippet of its own, or in words if its line cannot be shown.
fn elsewhere(mark: &Mark<'_>, library: &Library<'_>, page: usize) -> Element<'static> {
    let shown = if is_shown(mark.place, library) {
        snippet(std::slice::from_ref(mark), library, page)
    } else {
        None
    };
    shown.unwrap_or_else(|| {
        let text = format!("{} ({})", one_line(mark.label), one_line(&mark.place.to_string()));
        Level::NOTE.message(text).into()
    })
}

/// Whether there is a source line to show for a place.
pub(super) fn is_shown(place: &Place, library: &Library<'_>) -> bool {
    library.line(place).is_some() && place.start.column <= SNIPPET_COLUMNS
}

/// One snippet for marks in one file, all of them on lines that exist.
fn snippet(marks: &[Mark<'_>], library: &Library<'_>, page: usize) -> Option<Element<'static>> {
    let path = &marks.first()?.place.path;
    let file = library.file(path)?;
    let first = marks.iter().map(|mark| mark.place.start.line).min()?;
    let last = marks.iter().map(|mark| last_line(mark.place, file)).max()?;
    let mut text = String::new();
    // The start of each line of the window in `text`.
    let mut starts = Vec::new();
    for number in first..=last {
        starts.push(text.len());
        let on_line =
            |mark: &&Mark<'_>| (mark.place.start.line..=mark.place.end.line).contains(&number);
        let columns = marks.iter().filter(on_line).flat_map(|mark| {
            [mark.place.start, mark.place.end].map(|position| position.column.min(SNIPPET_COLUMNS))
        });
        let marked = columns.max().unwrap_or(0) as usize;
        text.push_str(&shortened(file.line(number)?, marked, page.saturating_sub(GUTTER)));
        text.push('\n');
    }
    let annotation = |mark: &Mark<'_>| -> Annotation<'static> {
        let annotation = mark.kind.span(range(mark.place, file, first, &starts, &text));
        let label = cut(&one_line(mark.label), LABEL_COLUMNS);
        if label.is_empty() { annotation } else { annotation.label(label) }
    };
    let snippet = Snippet::source(text.clone()).path(one_line(path)).line_start(first as usize);
    Some(snippet.annotations(marks.iter().map(annotation)).into())
}

/// The last line of a place that is marked: its own, unless that is far away or does not exist.
fn last_line(place: &Place, file: &LineIndex<'_>) -> u32 {
    let (start, end) = (place.start.line, place.end.line);
    let is_good = end >= start && end - start < MARKED_LINES && file.line(end).is_some();
    if is_good { end } else { start }
}

/// The start of a line: the first `marked` characters, and as many after them as fit into `columns` columns. No
/// character is hidden, and each stands for one of the original.
fn shortened(line: &str, marked: usize, columns: usize) -> String {
    let mut shown = String::new();
    // The position of the cut, so that the dots fit, and the columns before it.
    let (mut fit, mut used) = (0, 0);
    for (i, c) in line.chars().enumerate() {
        let visible = if c != '\t' && is_hidden(c) { char::REPLACEMENT_CHARACTER } else { c };
        used += if c == '\t' { 4 } else { visible.width().unwrap_or(0) };
        if used > columns && i >= marked {
            shown.truncate(fit);
            shown.push_str("...");
            return shown;
        }
        shown.push(visible);
        if used + 3 <= columns || i < marked {
            fit = shown.len();
        }
    }
    shown
}

/// The bytes of `text` that a place covers. The lines from number `first` on begin at `starts`.
fn range(
    place: &Place,
    file: &LineIndex<'_>,
    first: u32,
    starts: &[usize],
    text: &str,
) -> Range<usize> {
    let offset = |line: u32, column: u32| {
        let start = starts[(line - first) as usize];
        let shown = text[start..].lines().next().unwrap_or("");
        let before = (column as usize).saturating_sub(1);
        start + shown.char_indices().nth(before).map_or(shown.len(), |(at, _)| at)
    };
    let start = offset(place.start.line, place.start.column);
    let end = match last_line(place, file) {
        line if line == place.end.line => offset(line, place.end.column),
        line => offset(line, u32::MAX),
    };
    start..end.max(start)
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn lines_are_cut_to_the_page_but_not_within_what_is_marked() {
        assert_eq!(shortened("abcdefghij", 3, 10), "abcdefghij");
        assert_eq!(shortened("abcdefghijk", 3, 10), "abcdefg...");
        assert_eq!(shortened("abcdefghijk", 9, 10), "abcdefghi...");
        assert_eq!(shortened("abcdefghijklmno", 13, 10), "abcdefghijklm...");
        assert_eq!(shortened("\tabcdefg", 0, 10), "\tabc...");
        assert_eq!(shortened("日本語日本語", 0, 10), "日本語...");
    }
}

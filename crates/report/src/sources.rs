//! Source text: where renderers get it, and how they find lines and columns in it.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use crate::{Place, Position};

/// The source text of files. Renderers request each file by the path that places carry; the caller decides whether
/// that means a disk, an editor's buffer or a test's string. Bytes that are not UTF-8 are to be replaced by
/// replacement characters.
pub trait Sources {
    /// The text of a file, or `None` if it cannot be had.
    fn text(&self, path: &str) -> Option<&str>;
}

impl Sources for BTreeMap<String, String> {
    fn text(&self, path: &str) -> Option<&str> {
        self.get(path).map(String::as_str)
    }
}

/// A text and the places where its lines begin.
#[derive(Clone, Debug)]
pub struct LineIndex<'a> {
    text: &'a str,
    starts: Vec<usize>,
    /// How many bytes each line has, if there is no text.
    ruled: Option<NonZeroU32>,
}

impl<'a> LineIndex<'a> {
    /// Finds the lines of a text. Even the empty text has one.
    pub fn new(text: &'a str) -> Self {
        let feeds = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(feeds.map(|(at, _)| at + 1)).collect();
        Self { text, starts, ruled: None }
    }

    /// The lines of a file without text, each counted as this number of bytes.
    pub fn ruled(bytes: NonZeroU32) -> Self {
        Self { ruled: Some(bytes), ..Self::new("") }
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// A line without its end, by its number from 1.
    pub fn line(&self, number: u32) -> Option<&'a str> {
        let number = usize::try_from(number).ok().filter(|_| self.ruled.is_none())?;
        let start = *self.starts.get(number.checked_sub(1)?)?;
        let end = self.starts.get(number).map_or(self.text.len(), |next| next - 1);
        let line = &self.text[start..end];
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    /// The position at an offset. Beyond the end, or within a character, it is the last position before.
    pub fn position(&self, offset: u32) -> Position {
        if let Some(bytes) = self.ruled {
            let (line, column) = (offset / bytes, offset % bytes);
            return Position { line: line + 1, column: column + 1, offset };
        }
        let offset = boundary(self.text, offset as usize);
        let line = self.starts.partition_point(|&start| start <= offset);
        let column = self.text[self.starts[line - 1]..offset].chars().count() + 1;
        Position { line: number(line), column: number(column), offset: number(offset) }
    }

    /// The word, or else the one character, that begins at a line and byte column, both from 1.
    pub(crate) fn token(&self, line: u32, byte_column: u32) -> (Position, Position) {
        let Some(text) = self.line(line) else {
            let nowhere = Position { line, column: byte_column, offset: number(self.text.len()) };
            return (nowhere, nowhere);
        };
        let at = boundary(text, (byte_column as usize).saturating_sub(1));
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let word = text[at..].find(|c| !is_word(c)).unwrap_or(text.len() - at);
        let first = text[at..].chars().next().map_or(0, char::len_utf8);
        let start = self.starts[line as usize - 1] + at;
        (self.position(number(start)), self.position(number(start + word.max(first))))
    }
}

/// The sources that a report needs, each indexed once. A place whose path is not in here has no text.
pub(crate) struct Library<'a>(BTreeMap<&'a str, Option<LineIndex<'a>>>);

impl<'a> Library<'a> {
    /// Fetches the files that the places mention.
    pub(crate) fn new(sources: &'a dyn Sources, places: impl Iterator<Item = &'a Place>) -> Self {
        let mut files = BTreeMap::new();
        for Place { path, .. } in places {
            files.entry(path.as_str()).or_insert_with(|| sources.text(path).map(LineIndex::new));
        }
        Self(files)
    }

    /// A file, if it could be had.
    pub(crate) fn file(&self, path: &str) -> Option<&LineIndex<'a>> {
        self.0.get(path)?.as_ref()
    }

    /// The line on which a place begins.
    pub(crate) fn line(&self, place: &Place) -> Option<&'a str> {
        self.file(&place.path)?.line(place.start.line)
    }
}

/// The last place at or before `at` where a character begins, or the end.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::LineIndex;

    #[test]
    fn lines_come_without_their_ends() {
        let index = LineIndex::new("one\r\ntwo\n\nfour");
        let lines: Vec<_> = (0..6).map(|n| index.line(n)).collect();
        assert_eq!(lines, [None, Some("one"), Some("two"), Some(""), Some("four"), None]);
        assert_eq!(LineIndex::new("").line(1), Some(""));
    }

    #[test]
    fn positions_count_characters_and_never_leave_the_text() {
        let index = LineIndex::new("aé\nλx");
        let at = |offset| (index.position(offset).line, index.position(offset).column);
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (1, 2), "within é");
        assert_eq!(at(3), (1, 3));
        assert_eq!(at(4), (2, 1));
        assert_eq!(at(6), (2, 2));
        assert_eq!(at(u32::MAX), (2, 3));
    }

    #[test]
    fn without_text_lines_are_ruled() {
        let index = LineIndex::ruled(NonZeroU32::new(100).expect("it is not zero"));
        let at = |offset| (index.position(offset).line, index.position(offset).column);
        assert_eq!([at(0), at(99), at(100), at(2_341)], [(1, 1), (1, 100), (2, 1), (24, 42)]);
        assert_eq!(index.line(1), None);
    }

    #[test]
    fn tokens_are_words_or_single_characters() {
        let index = LineIndex::new("  p->next = é9;\n");
        let columns = |line, column| {
            let (start, end) = index.token(line, column);
            (start.column, end.column)
        };
        assert_eq!(columns(1, 3), (3, 4));
        assert_eq!(columns(1, 4), (4, 5));
        assert_eq!(columns(1, 6), (6, 10));
        assert_eq!(columns(1, 13), (13, 15));
        assert_eq!(columns(1, 99), (16, 16));
        assert_eq!(columns(7, 2), (2, 2));
    }
}

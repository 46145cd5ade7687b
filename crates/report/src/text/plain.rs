//! Text that is safe to print, measured in columns of a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A space at which [`wrap`] does not break.
pub(super) const NO_BREAK: char = '\u{a0}';

/// How many columns a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// A text on one line, without characters that would move the cursor, change colours or reorder
/// what the reader sees: white space becomes a space, the others are written as escapes.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            '\n' | '\t' => line.push(' '),
            '\r' => {}
            c if is_hidden(c) => line.extend(c.escape_unicode()),
            c => line.push(c),
        }
    }
    line
}

/// A source line with its tabs widened to four columns; hidden characters become visible.
pub(super) fn source_line(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '\t' => shown.push_str("    "),
            c if is_hidden(c) => shown.push(char::REPLACEMENT_CHARACTER),
            c => shown.push(c),
        }
    }
    shown
}

/// Control characters, and those that change the direction of text around them.
pub(super) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || c == '\u{feff}'
}

/// A text of at most `columns` columns, with dots where it was cut.
pub(super) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let (head, _) = split(text, columns.saturating_sub(3));
    format!("{}...", head.trim_end())
}

/// The part of a line of at most `columns` columns that shows the text from column `start` to column `end`, or as
/// much of it as there is room for; dots mark the cuts.
pub(super) fn cut_around(text: &str, start: usize, end: usize, columns: usize) -> String {
    // Three columns for the dots at the end, three for those at the start.
    if width(text) <= columns || end + 3 <= columns {
        return cut(text, columns);
    }
    let skip = (end + 6).saturating_sub(columns).min(start);
    let (_, tail) = split(text, skip);
    format!("...{}", cut(tail, columns.saturating_sub(3)))
}

/// The lines of a text that is wrapped at spaces, or within a word that is longer than a line. A
/// no-break space is printed as a space.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(2);
    let mut lines = Vec::new();
    let mut rest = text;
    while width(rest) > columns {
        let (head, tail) = split(rest, columns);
        // A line that ends just before a space ends well; otherwise it ends at the last space in it.
        let end = if tail.starts_with(' ') { head.len() } else { head.rfind(' ').unwrap_or(0) };
        let end = if end == 0 { head.len() } else { end };
        lines.push(rest[..end].trim_end().replace(NO_BREAK, " "));
        rest = rest[end..].trim_start();
    }
    lines.push(rest.replace(NO_BREAK, " "));
    lines
}

/// The longest head of at most `columns` columns, and the rest.
fn split(text: &str, columns: usize) -> (&str, &str) {
    let mut used = 0;
    let fits = |&(_, c): &(usize, char)| {
        used += c.width().unwrap_or(0);
        used > columns
    };
    let at = text.char_indices().find(fits).map_or(text.len(), |(at, _)| at);
    text.split_at(at)
}

#[cfg(test)]
mod tests {
    use super::{cut, cut_around, one_line, source_line, width, wrap};

    #[test]
    fn nothing_printed_can_take_over_the_terminal() {
        assert_eq!(one_line(" a\r\nb\u{1b}[31m\u{202e} "), "a b\\u{1b}[31m\\u{202e}");
        assert_eq!(source_line("\tx\u{1b}"), "    x\u{fffd}");
    }

    #[test]
    fn cutting_counts_columns() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdefg", 6), "abc...");
        assert_eq!(cut("日本語日本語", 8), "日本...");
    }

    #[test]
    fn cutting_keeps_what_matters_in_sight() {
        assert_eq!(cut_around("abcdefghijklmnop", 0, 2, 10), "abcdefg...");
        assert_eq!(cut_around("abcdefghijklmnop", 8, 10, 10), "...ghij...");
        assert_eq!(cut_around("abcdefghijklmnop", 14, 16, 10), "...mnop");
        assert_eq!(cut_around("abcdefghijklmnop", 4, 16, 10), "...efgh...");
        assert_eq!(cut_around("abcdefghij", 8, 10, 10), "abcdefghij");
    }

    #[test]
    fn wrapping_keeps_words_whole_where_it_can() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij kl", 4), ["abcd", "efgh", "ij", "kl"]);
        assert_eq!(wrap("one two", 3), ["one", "two"]);
        assert_eq!(wrap("a = 1,\u{a0}b c", 5), ["a =", "1, b", "c"]);
        assert_eq!(wrap("", 3), [""]);
        assert!(wrap("日本語日本語", 3).iter().all(|line| width(line) <= 3));
    }
}

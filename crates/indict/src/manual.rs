//! Markdown on a terminal: as much of it as the rules' manual pages use.
//!
//! Headings, paragraphs, lists, code blocks (fenced or indented) and code in the middle of a sentence.
//! Paragraphs are filled; code is kept as it is.

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

/// Lays out a page in `width` columns.
pub(crate) fn render(markdown: &str, width: usize, color: bool) -> String {
    let mut page = Page { width: width.max(20), color, out: String::new(), paragraph: None };
    let mut is_fenced = false;
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
            page.fill();
        } else if is_fenced {
            page.fill();
            page.verbatim(&format!("    {line}"));
        } else if line.starts_with("    ") && page.paragraph.is_none() {
            page.fill();
            page.verbatim(line);
        } else {
            page.line(line);
        }
    }
    page.fill();
    page.out.trim_end().to_owned() + "\n"
}

struct Page {
    width: usize,
    color: bool,
    out: String,
    /// The paragraph that is being read: what its first line begins with, and its words.
    paragraph: Option<(&'static str, String)>,
}

impl Page {
    fn line(&mut self, line: &str) {
        let text = line.trim();
        if text.is_empty() {
            self.fill();
            self.gap();
        } else if let Some(title) = text.strip_prefix('#') {
            self.fill();
            self.gap();
            let title = title.trim_start_matches('#').trim();
            let title = self.paint(Style::new().bold(), title);
            self.out.push_str(&title);
            self.out.push('\n');
        } else if let Some(item) = text.strip_prefix("- ").or_else(|| text.strip_prefix("* ")) {
            self.fill();
            self.paragraph = Some(("- ", item.to_owned()));
        } else {
            let (_, words) = self.paragraph.get_or_insert_with(|| ("", String::new()));
            words.push_str(if words.is_empty() { "" } else { " " });
            words.push_str(text);
        }
    }

    fn verbatim(&mut self, line: &str) {
        let line = if line.starts_with("    ") { line.to_owned() } else { format!("    {line}") };
        let line = self.paint(AnsiColor::Cyan.on_default(), line.trim_end());
        self.out.push_str(&line);
        self.out.push('\n');
    }

    /// An empty line, if there is none yet.
    fn gap(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// Writes the paragraph that has been read.
    fn fill(&mut self) {
        let Some((bullet, words)) = self.paragraph.take() else { return };
        let indent = " ".repeat(bullet.len());
        let (mut line, mut is_first) = (String::new(), true);
        let mut lines = Vec::new();
        // Code is not broken: its spaces are put back when the lines are made.
        for word in unbroken(&words).split_whitespace() {
            if !line.is_empty() && line.width() + 1 + word.width() + bullet.len() > self.width {
                lines.push(std::mem::take(&mut line));
            }
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
        lines.push(line);
        for line in lines {
            let start = if std::mem::take(&mut is_first) { bullet } else { &indent };
            let line = self.codes(&line.replace(SPACE, " "));
            self.out.push_str(&format!("{start}{line}\n"));
        }
    }

    /// Colours what stands between backticks, which then need not be seen.
    fn codes(&self, line: &str) -> String {
        if !self.color {
            return line.to_owned();
        }
        let paint = |(number, part): (usize, &str)| match number % 2 {
            0 => part.to_owned(),
            _ => self.paint(AnsiColor::Cyan.on_default(), part),
        };
        line.split('`').enumerate().map(paint).collect()
    }

    fn paint(&self, style: Style, text: &str) -> String {
        if self.color && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.into() }
    }
}

/// Stands for a space within code.
const SPACE: char = '\u{1f}';

fn unbroken(words: &str) -> String {
    let mut is_code = false;
    let keep = |c: char| {
        is_code ^= c == '`';
        if is_code && c == ' ' { SPACE } else { c }
    };
    words.chars().map(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::render;

    #[test]
    fn paragraphs_are_filled_and_code_is_kept() {
        let page = "# Title\n\nOne two three\nfour five `six seven`.\n\n- an item that is long\n- b\n\n    x := 1;\n";
        let expected = "Title\n\nOne two three four\nfive `six seven`.\n\n- an item that is\n  long\n- b\n\n    x := 1;\n";
        assert_eq!(render(page, 20, false), expected);
    }

    #[test]
    fn colour_takes_the_place_of_backticks() {
        let page = render("a `b` c", 80, true);
        assert!(!page.contains('`'));
        assert!(page.contains("\u{1b}[36mb\u{1b}[0m"));
    }
}

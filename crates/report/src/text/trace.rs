//! The execution that shows a finding, as a table of numbered steps.
//!
//! ```text
//!      1  18 | void unlink(struct node *n) {    enter: n = #1, n->next = null
//!      2  19 |     if (n->next)                 false
//!      3  21 |     n->next->prev = n->prev;     fails: n->next = null
//! ```
//!
//! The source lines lose the indentation that all lines at their call depth share, and gain two columns for each
//! call. Events stand to the right of them and wrap there; on a narrow page they stand below.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::Page;
use super::plain::{NO_BREAK, cut, cut_around, one_line, source_line, width, wrap};
use crate::headline::headline;
use crate::limits::{
    ELIDED_VALUES, INDENTED_CALLS, READABLE_COLUMNS, SOURCE_CHARACTERS, STEP_COLUMNS,
    UNBROKEN_COLUMNS,
};
use crate::sources::Library;
use crate::{Binding, Finding, Place, Step, StepKind};

/// The columns left of the step numbers.
const INDENT: usize = 5;
/// The columns between a source line and what happens there.
const GAP: usize = 3;

impl Page {
    /// Writes the table of an execution that a finding shows.
    pub(super) fn trace(
        &self,
        finding: &Finding,
        steps: &[Step],
        library: &Library<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let rows = rows(finding, steps, library);
        let table = Layout::new(&rows, self.width);
        let mut path = finding.place.path.as_str();
        let mut number = 0;
        for row in &rows {
            if row.step.kind == StepKind::Elided {
                self.gap(&row.note, out)?;
                continue;
            }
            if let Some(place) = &row.step.place
                && place.path != path
            {
                path = &place.path;
                let bar = self.paint(blue(), ":::");
                writeln!(out, "{:1$}{bar} {2}", "", table.bar - 1, one_line(path))?;
            }
            number += 1;
            self.row(number, row, &table, out)?;
        }
        Ok(())
    }

    /// Writes what stands for elided steps. It is not a step, and has no number.
    fn gap(&self, note: &str, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.width.saturating_sub(INDENT + GAP).max(UNBROKEN_COLUMNS);
        for (number, line) in wrap(note, columns).iter().enumerate() {
            // A long text continues below itself.
            let indent = INDENT + if number == 0 { 0 } else { 2 };
            writeln!(out, "{:indent$}{}", "", self.paint(Style::new().dimmed(), line))?;
        }
        Ok(())
    }

    fn row(
        &self,
        number: usize,
        row: &Row<'_>,
        table: &Layout,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let fails = row.step.kind.is_failure();
        let red = AnsiColor::BrightRed.on_default().bold();
        let (number_style, note_style) =
            if fails { (red, red) } else { (Style::new().dimmed(), Style::new()) };
        let source = row.source.as_ref().map_or(String::new(), |Source { text, start, end }| {
            cut_around(text, *start, *end, table.source)
        });
        let number = self.paint(number_style, &format!("{number:>0$}", table.number));
        let line = row.line.map_or(String::new(), |line| line.to_string());
        let line = self.paint(blue(), &format!("{line:>0$} |", table.line));
        write!(out, "{:INDENT$}{number}  {line}", "")?;
        if !source.is_empty() {
            write!(out, " {source}")?;
        }
        // The column of the notes, and the used columns of the first line.
        let (hang, mut used) = match (source.is_empty(), table.is_stacked) {
            (true, _) => (0, Some(0)),
            (false, true) => (2 * GAP, None),
            (false, false) => (table.source + GAP, Some(1 + width(&source))),
        };
        let columns = table.room - hang;
        for note in wrap(&row.note, columns).into_iter().filter(|note| !note.is_empty()) {
            let note = self.paint(note_style, &note);
            match used.take() {
                Some(used) => write!(out, "{:1$}{note}", "", 1 + hang - used)?,
                None => {
                    let bar = self.paint(blue(), "|");
                    write!(out, "\n{:1$}{bar} {2:hang$}{note}", "", table.bar, "")?;
                }
            }
        }
        writeln!(out)
    }
}

fn blue() -> Style {
    AnsiColor::BrightBlue.on_default().bold()
}

/// A step and what the table shows of it.
struct Row<'a> {
    step: &'a Step,
    /// The line number, if there is a place.
    line: Option<u32>,
    /// The source line, if there is one.
    source: Option<Source>,
    /// The event.
    note: String,
}

/// A source line, and the columns from which and up to which it is about the step.
struct Source {
    text: String,
    start: usize,
    end: usize,
}

impl Source {
    /// The line of a place, tabs widened; a line that is empty shows nothing.
    fn new(place: &Place, line: &str) -> Option<Self> {
        // The end of a line that is far longer than any terminal need not be read.
        let head = |column: u32| {
            let characters = (column as usize).saturating_sub(1).min(SOURCE_CHARACTERS);
            source_line(&line.chars().take(characters).collect::<String>())
        };
        let text = head(u32::MAX).trim_end().to_owned();
        let start = width(&head(place.start.column)).min(width(&text));
        let end = if place.end.line == place.start.line { place.end.column } else { u32::MAX };
        let end = width(&head(end)).clamp(start, width(&text));
        if text.is_empty() { None } else { Some(Self { text, start, end }) }
    }

    /// The spaces at the start; tabs are gone by now.
    fn indentation(&self) -> usize {
        self.text.len() - self.text.trim_start_matches(' ').len()
    }

    /// The condition of the step, if the line has several.
    fn part(&self) -> Option<&str> {
        let is_joined = |text: &str| text.contains("&&") || text.contains("||");
        let part = self.text.is_ascii().then(|| &self.text[self.start..self.end])?;
        (is_joined(&self.text) && !is_joined(part) && !part.is_empty()).then_some(part)
    }

    /// The same line with fewer spaces at its start, and then some more.
    fn indented(&self, fewer: usize, more: usize) -> Self {
        let text = format!("{:more$}{}", "", &self.text[fewer..]);
        let moved = |column: usize| (column + more).saturating_sub(fewer);
        Self { text, start: moved(self.start), end: moved(self.end) }
    }
}

fn rows<'a>(finding: &Finding, steps: &'a [Step], library: &Library<'_>) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = steps.iter().map(|step| row(finding, step, library)).collect();
    let mut shared: BTreeMap<u32, usize> = BTreeMap::new();
    for Row { step, source, .. } in &rows {
        if let Some(source) = source {
            let indent = shared.entry(step.depth).or_insert(usize::MAX);
            *indent = source.indentation().min(*indent);
        }
    }
    for Row { step, source, .. } in &mut rows {
        if let Some(source) = source {
            let depth = 2 * step.depth.min(INDENTED_CALLS) as usize;
            *source = source.indented(shared[&step.depth], depth);
        }
    }
    rows
}

fn row<'a>(finding: &Finding, step: &'a Step, library: &Library<'_>) -> Row<'a> {
    let index = step.place.as_ref().and_then(|place| library.file(&place.path));
    let place = headline(finding, step, index);
    let source = place.as_ref().and_then(|place| Source::new(place, library.line(place)?));
    let note = note(step, source.as_ref().and_then(Source::part));
    Row { step, line: place.map(|place| place.start.line), source, note }
}

/// The event of a step, which may concern only a part of a condition. A short value stays on one line with its
/// name.
fn note(step: &Step, part: Option<&str>) -> String {
    let together = |binding: &Binding| {
        let text = one_line(&binding.to_string());
        if width(&text) <= UNBROKEN_COLUMNS {
            text.replace(' ', &NO_BREAK.to_string())
        } else {
            text
        }
    };
    let shown = match step.kind {
        // Many values hide what the line is for.
        StepKind::Elided if step.values.len() > ELIDED_VALUES => &[],
        _ => &step.values[..],
    };
    let values: Vec<String> = shown.iter().map(together).collect();
    let mut text = one_line(&step.text);
    if let (StepKind::Branch, Some(part)) = (step.kind, part) {
        text = format!("`{part}` is {text}");
    }
    let colon = if text.is_empty() || values.is_empty() { "" } else { ": " };
    cut(&format!("{text}{colon}{}", values.join(", ")), STEP_COLUMNS)
}

/// The widths of the columns.
struct Layout {
    /// Step numbers.
    number: usize,
    /// Line numbers.
    line: usize,
    /// All that is left of the bar between numbers and source.
    bar: usize,
    /// All that is right of it.
    room: usize,
    /// Source lines.
    source: usize,
    /// Whether what happens stands below the source lines and not beside them.
    is_stacked: bool,
}

impl Layout {
    fn new(rows: &[Row<'_>], page: usize) -> Self {
        let longest = |of: fn(&Row<'_>) -> usize| rows.iter().map(of).max().unwrap_or(0);
        let number = rows.len().to_string().len();
        let line = longest(|row| row.line.map_or(0, |line| line.to_string().len()));
        let source = longest(|row| row.source.as_ref().map_or(0, |s| width(&s.text)));
        let note = longest(|row| row.source.as_ref().map_or(0, |_| width(&row.note)));
        let bar = INDENT + number + 2 + line + 1;
        let room = page.saturating_sub(bar + 2).max(UNBROKEN_COLUMNS);
        // If there is too much for both, a little more than half belongs to the source, unless that
        // leaves no line readable.
        let beside = (room - GAP).saturating_sub(note).max(room * 11 / 20);
        let is_stacked = source > beside && beside < READABLE_COLUMNS;
        let source = source.min(if is_stacked { room } else { beside });
        Self { number, line, bar, room, source, is_stacked }
    }
}

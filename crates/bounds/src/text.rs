//! Bounds and shapes as text, for the cache: a line for each part, and a last line that shows that the text is
//! complete.

use std::fmt::Write;

use encode::{Content, Feasible, Part};
use ir::{GlobalId, LocalId, Variable};

use crate::tighten::TightBounds;

/// An entry of the cache.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Entry {
    /// All shapes.
    Shapes(Vec<Feasible>),
    /// There are more shapes than this.
    More(usize),
    /// Tight bounds.
    Tight(TightBounds),
}

/// The last line.
const END: &str = "end\n";

/// The text of an entry.
pub(crate) fn write(entry: &Entry) -> String {
    let mut out = String::new();
    match entry {
        Entry::Shapes(shapes) => {
            out.push_str("shapes\n");
            for shape in shapes {
                out.push_str("shape\n");
                parts(shape, &mut out);
            }
        }
        Entry::More(than) => {
            let _ = writeln!(out, "more {than}");
        }
        Entry::Tight(tight) => {
            let TightBounds { feasible, loose, tight, queries, open, is_satisfiable } = tight;
            let is = u8::from(*is_satisfiable);
            let _ = writeln!(out, "tight {loose} {tight} {queries} {open} {is}");
            parts(feasible, &mut out);
        }
    }
    out.push_str(END);
    out
}

fn parts(feasible: &Feasible, out: &mut String) {
    for (part, content) in &feasible.parts {
        let (letter, id) = match part.variable {
            Variable::Global(id) => ('g', id.0),
            Variable::Local(id) => ('l', id.0),
        };
        let _ = write!(out, "{letter} {id} ");
        let _ = match part.row {
            Some(row) => write!(out, "{row}"),
            None => write!(out, "-"),
        };
        let _ = match content {
            Content::Atoms(numbers) => writeln!(out, " one {}", listed(numbers)),
            Content::Constructors(numbers) => writeln!(out, " made {}", listed(numbers)),
            Content::Width(width) => writeln!(out, " width {width}"),
            Content::Number(number) => writeln!(out, " number {number}"),
            Content::UpTo(greatest) => writeln!(out, " upto {greatest}"),
            Content::Truth(truth) => writeln!(out, " truth {truth}"),
        };
    }
}

fn listed(numbers: &[u32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
    numbers.join(" ")
}

/// The entry that a text describes, if it is complete.
pub(crate) fn read(text: &str) -> Option<Entry> {
    let mut lines = text.strip_suffix(END)?.lines();
    let words: Vec<&str> = lines.next()?.split(' ').collect();
    match words[..] {
        ["shapes"] => {
            let mut shapes: Vec<Feasible> = Vec::new();
            for line in lines {
                match line {
                    "shape" => shapes.push(Feasible::default()),
                    _ => {
                        let (part, content) = part(line)?;
                        shapes.last_mut()?.parts.insert(part, content);
                    }
                }
            }
            Some(Entry::Shapes(shapes))
        }
        ["more", than] => Some(Entry::More(than.parse().ok()?)),
        ["tight", loose, tight, queries, open, is_satisfiable] => Some(Entry::Tight(TightBounds {
            feasible: Feasible { parts: lines.map(part).collect::<Option<_>>()? },
            loose: loose.parse().ok()?,
            tight: tight.parse().ok()?,
            queries: queries.parse().ok()?,
            open: open.parse().ok()?,
            is_satisfiable: is_satisfiable == "1",
        })),
        _ => None,
    }
}

fn numbers<'t>(words: impl Iterator<Item = &'t str>) -> Option<Vec<u32>> {
    words.filter(|word| !word.is_empty()).map(|word| word.parse().ok()).collect()
}

fn part(line: &str) -> Option<(Part, Content)> {
    let mut words = line.split(' ');
    let letter = words.next()?;
    let id = words.next()?.parse().ok()?;
    let variable = match letter {
        "g" => Variable::Global(GlobalId(id)),
        "l" => Variable::Local(LocalId(id)),
        _ => return None,
    };
    let row = match words.next()? {
        "-" => None,
        row => Some(row.parse().ok()?),
    };
    let content = match words.next()? {
        "one" => Content::Atoms(numbers(words)?),
        "made" => Content::Constructors(numbers(words)?),
        "width" => Content::Width(words.next()?.parse().ok()?),
        "number" => Content::Number(words.next()?.parse().ok()?),
        "upto" => Content::UpTo(words.next()?.parse().ok()?),
        "truth" => Content::Truth(words.next()?.parse().ok()?),
        _ => return None,
    };
    Some((Part { variable, row }, content))
}

#[cfg(test)]
mod tests {
    use encode::{Content, Feasible, Part};
    use ir::{GlobalId, LocalId, Variable};

    use super::{Entry, read, write};
    use crate::tighten::TightBounds;

    fn feasible() -> Feasible {
        let global = |id, row| Part { variable: Variable::Global(GlobalId(id)), row: Some(row) };
        let local = Part { variable: Variable::Local(LocalId(2)), row: None };
        let parts = [
            (global(0, 1), Content::Atoms(vec![0, 2])),
            (global(0, 2), Content::Atoms(Vec::new())),
            (global(3, 1), Content::Number(-7)),
            (global(4, 1), Content::Truth(true)),
            (global(5, 1), Content::UpTo(9)),
            (local, Content::Width(5)),
        ];
        Feasible { parts: parts.into_iter().collect() }
    }

    fn all() -> [Entry; 3] {
        let tight = TightBounds {
            feasible: feasible(),
            loose: 30,
            tight: 9,
            queries: 12,
            open: 1,
            is_satisfiable: true,
        };
        [
            Entry::Shapes(vec![feasible(), Feasible::default(), feasible()]),
            Entry::More(60),
            Entry::Tight(tight),
        ]
    }

    #[test]
    fn an_entry_is_read_as_it_was_written() {
        for entry in all() {
            assert_eq!(read(&write(&entry)), Some(entry));
        }
    }

    #[test]
    fn a_text_that_is_cut_short_is_no_entry() {
        for entry in all() {
            let text = write(&entry);
            for end in 0..text.len() {
                assert_eq!(read(&text[..end]), None, "cut at {end}");
            }
        }
    }
}

//! Heaps as text: a line for the variables, then chains of objects, so that a list is read like one.
//!
//! ```text
//!      before  l = List#1, v = Val#1
//!              List#1 {val = Val#2} -next-> List#2 {val = Val#1} -next-> null
//!      after   l = List#1, v = Val#1
//!              List#1 {val = Val#2} -next-> null
//!              no longer reached: List#2
//! ```
//!
//! Every object stands in one chain, with what is no link of the chain in braces.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::Page;
use super::plain::{cut, one_line, width};
use crate::limits::HEAP_OBJECTS;
use crate::{Binding, Finding, Heap, Object};

/// The columns left of the word that says when.
const INDENT: usize = 5;
/// The indentation of the continuation of a chain.
const HANG: usize = 2;

/// A part of a chain that is not torn, and whether the execution has changed it.
struct Piece {
    text: String,
    is_changed: bool,
}

impl Page {
    /// Writes the heaps of a finding, below its trace.
    pub(super) fn heaps(&self, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
        let hang =
            finding.heaps.iter().map(|heap| width(&one_line(&heap.when))).max().unwrap_or(0) + 2;
        let mut before = None;
        for heap in &finding.heaps {
            if heap.when == "entry" {
                self.memory(heap, out)?;
                continue;
            }
            self.heap(heap, before, hang, out)?;
            before = Some(heap);
        }
        Ok(())
    }

    /// Writes heaps that have nothing to do with each other.
    pub(super) fn gallery(&self, heaps: &[Heap], out: &mut dyn Write) -> io::Result<()> {
        let hang = heaps.iter().map(|heap| width(&one_line(&heap.when))).max().unwrap_or(0) + 2;
        heaps.iter().try_for_each(|heap| self.heap(heap, None, hang, out))
    }

    fn heap(
        &self,
        heap: &Heap,
        before: Option<&Heap>,
        hang: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let when = self.paint(Style::new().bold(), &format!("{:hang$}", one_line(&heap.when)));
        let variables: Vec<String> =
            heap.variables.iter().map(|binding| one_line(&binding.to_string())).collect();
        let room = self.width.saturating_sub(INDENT + hang).max(20);
        let left = INDENT + hang;
        writeln!(out, "{:INDENT$}{when}{}", "", cut(&variables.join(", "), room))?;
        if before.is_some_and(|before| before.objects == heap.objects) {
            return writeln!(
                out,
                "{:left$}{}",
                "",
                self.paint(Style::new().dimmed(), "objects as before")
            );
        }
        let (chains, left_out) = chains(heap, before);
        for chain in chains {
            self.chain(&chain, left, room, out)?;
        }
        if left_out > 0 {
            writeln!(out, "{:left$}... and {left_out} more", "")?;
        }
        let is_there = |name: &str| heap.objects.iter().any(|object| object.name == name);
        let gone = before.map_or(&[][..], |before| &before.objects);
        let gone: Vec<String> = gone
            .iter()
            .filter(|object| !is_there(&object.name))
            .map(|object| one_line(&object.name))
            .collect();
        if !gone.is_empty() {
            let text = cut(&format!("no longer reached: {}", gone.join(", ")), room);
            writeln!(out, "{:left$}{}", "", self.paint(Style::new().dimmed(), &text))?;
        }
        Ok(())
    }

    /// Writes a chain, on several lines if need be.
    fn chain(
        &self,
        chain: &[Piece],
        left: usize,
        room: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut used = 0;
        write!(out, "{:left$}", "")?;
        for piece in chain {
            let text = cut(&one_line(&piece.text), room - HANG);
            let needed = width(&text) + usize::from(used > 0);
            if used > 0 && used + needed > room {
                write!(out, "\n{:1$}", "", left + HANG)?;
                used = HANG;
            } else if used > 0 {
                write!(out, " ")?;
                used += 1;
            }
            used += width(&text);
            let style = match piece.is_changed {
                true => AnsiColor::Yellow.on_default().bold(),
                false => Style::new(),
            };
            write!(out, "{}", self.paint(style, &text))?;
        }
        writeln!(out)
    }
}

/// The chains of a heap, and how many objects are in none because there are too many.
fn chains(heap: &Heap, before: Option<&Heap>) -> (Vec<Vec<Piece>>, usize) {
    // An object without fields appears in those that refer to it.
    let shown: Vec<&Object> =
        heap.objects.iter().filter(|object| !object.fields.is_empty()).collect();
    let mut drawn: Vec<&str> = Vec::new();
    let mut chains = Vec::new();
    for &first in &shown {
        let mut chain = Vec::new();
        let mut next = Some((first, None));
        while let Some((object, via)) = next
            && drawn.len() < HEAP_OBJECTS
            && !drawn.contains(&object.name.as_str())
        {
            drawn.push(&object.name);
            let old = before
                .and_then(|before| before.objects.iter().find(|known| known.name == object.name));
            let is_open = |field: &&Binding| {
                let target = shown.iter().find(|known| known.name == field.value);
                target.is_some_and(|target| !drawn.contains(&target.name.as_str()))
            };
            let link = object.fields.iter().find(is_open).or_else(|| last_link(object, via, heap));
            tell(object, link, old, &mut chain);
            next = link.and_then(|link| {
                let target = shown.iter().find(|known| known.name == link.value);
                target.map(|target| (*target, Some(link.name.as_str())))
            });
        }
        if !chain.is_empty() {
            chains.push(chain);
        }
    }
    (chains, shown.len().saturating_sub(HEAP_OBJECTS))
}

/// The reference that ends a chain: the one by which it came so far, or the only field.
fn last_link<'o>(object: &'o Object, via: Option<&str>, heap: &Heap) -> Option<&'o Binding> {
    let link = match (via, &object.fields[..]) {
        (None, [only]) => Some(only),
        (Some(via), fields) => fields.iter().find(|field| field.name == via),
        (None, _) => None,
    };
    let is_object = |name: &str| heap.objects.iter().any(|object| object.name == name);
    link.filter(|link| link.value == "null" || is_object(&link.value))
}

/// An object's name, its other fields in braces, and where the link leads.
fn tell(object: &Object, link: Option<&Binding>, old: Option<&Object>, chain: &mut Vec<Piece>) {
    let is_changed = |field: &Binding| old.is_some_and(|old| !old.fields.contains(field));
    // The end of the link before has the name already.
    let is_named =
        chain.last().is_some_and(|last: &Piece| last.text.ends_with(&format!("> {}", object.name)));
    if !is_named {
        chain.push(Piece { text: object.name.clone(), is_changed: false });
    }
    let others = || object.fields.iter().filter(|field| Some(*field) != link);
    let last = others().count().saturating_sub(1);
    for (number, field) in others().enumerate() {
        let open = if number == 0 { "{" } else { "" };
        let close = if number == last { "}" } else { "," };
        let text = format!("{open}{field}{close}");
        chain.push(Piece { text, is_changed: is_changed(field) });
    }
    if let Some(link) = link {
        let text = format!("-{}-> {}", link.name, link.value);
        chain.push(Piece { text, is_changed: is_changed(link) });
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Options, Page};
    use crate::{Binding, Confirmation, FailureKind, Finding, Heap, LineIndex, Object, Place};

    /// Heaps, written as `a next b; b next null`, as they are shown.
    fn shown(width: usize, heaps: &[&str]) -> String {
        let place = Place::of_offsets("a", &LineIndex::new(""), 0, 0);
        let mut finding = Finding::new(
            "r",
            FailureKind::Assertion,
            "m",
            place,
            Confirmation::ReplayedByInterpreter,
        );
        for (when, text) in ["before", "after"].iter().zip(heaps) {
            let object = |text: &str| {
                let words: Vec<&str> = text.split_whitespace().collect();
                let fields = words[1..]
                    .chunks(2)
                    .map(|pair| Binding { name: pair[0].to_owned(), value: pair[1].to_owned() });
                let (name, kind) = (words[0].to_owned(), "T".to_owned());
                Object { name, kind, fields: fields.collect() }
            };
            let objects = text.split(';').map(object).collect();
            let variables = vec![Binding { name: "l".to_owned(), value: "a".to_owned() }];
            finding.heaps.push(Heap { when: (*when).to_owned(), variables, objects });
        }
        let mut out = Vec::new();
        let page = Page::new(&Options { width, ..Options::default() });
        page.heaps(&finding, &mut out).expect("memory takes it");
        String::from_utf8(out).expect("it is text")
    }

    #[test]
    fn a_list_is_one_chain_and_what_is_lost_is_named() {
        assert_eq!(
            shown(80, &["a next b val 1; b next c val 2; c next null val 3", "a next null val 1"]),
            "     before  l = a\n             a {val = 1} -next-> b {val = 2} -next-> c {val = 3} \
             -next-> null\n     after   l = a\n             a {next = null, val = 1}\n             \
             no longer reached: b, c\n"
        );
    }

    #[test]
    fn what_branches_or_comes_back_is_reported_in_braces_and_once() {
        assert_eq!(
            shown(80, &["a left b right c; b left null right a; c left null right null"]),
            "     before  l = a\n             a {right = c} -left-> b {right = a} -left-> null\n             \
             c {left = null, right = null}\n"
        );
    }

    #[test]
    fn a_long_chain_goes_on_below() {
        let text = shown(40, &["a next b; b next c; c next d; d next e; e next a"]);
        assert!(text.lines().all(|line| line.len() <= 40), "{text}");
        assert_eq!(text.matches("-next->").count(), 5, "{text}");
    }

    #[test]
    fn unchanged_objects_are_not_shown_again() {
        assert!(shown(80, &["a next a", "a next a"]).ends_with("             objects as before\n"));
    }
}

//! Heaps as text: a line for the variables, then one for each object.
//!
//! ```text
//!      before  l = List#1, v = Val#1
//!              List#1  next -> List#2  val -> Val#1
//!              List#2  next -> null  val -> Val#2
//! ```

use std::io::{self, Write};

use anstyle::Style;

use super::Page;
use super::plain::{cut, one_line, width};
use crate::{Finding, Heap};

/// The columns left of the word that says when.
const INDENT: usize = 5;
/// A heap with more objects is cut.
const MOST: usize = 24;

impl Page {
    /// Writes the heaps of a finding, below its run.
    pub(super) fn heaps(&self, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
        let hang = finding.heaps.iter().map(|heap| width(&heap.when)).max().unwrap_or(0) + 2;
        for heap in &finding.heaps {
            self.heap(heap, hang, out)?;
        }
        Ok(())
    }

    fn heap(&self, heap: &Heap, hang: usize, out: &mut dyn Write) -> io::Result<()> {
        let when = self.paint(Style::new().bold(), &format!("{:hang$}", heap.when));
        let variables: Vec<String> =
            heap.variables.iter().map(|binding| one_line(&binding.to_string())).collect();
        let room = self.width.saturating_sub(INDENT + hang).max(20);
        let line = |text: &str| cut(text, room);
        writeln!(out, "{:INDENT$}{when}{}", "", line(&variables.join(", ")))?;
        // An object without fields is told by those that lead to it.
        let objects = heap.objects.iter().filter(|object| !object.fields.is_empty());
        let count = objects.clone().count();
        let shown = objects.take(MOST);
        let name = shown.clone().map(|object| width(&object.name)).max().unwrap_or(0);
        for object in shown {
            let fields: Vec<String> = object
                .fields
                .iter()
                .map(|field| one_line(&format!("{} -> {}", field.name, field.value)))
                .collect();
            let text = format!("{:name$}  {}", object.name, fields.join("  "));
            writeln!(out, "{:1$}{2}", "", INDENT + hang, line(text.trim_end()))?;
        }
        if count > MOST {
            let more = format!("... and {} more", count - MOST);
            writeln!(out, "{:1$}{more}", "", INDENT + hang)?;
        }
        Ok(())
    }
}

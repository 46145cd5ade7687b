//! Memory as text: a row for each object, with the places in it that matter.
//!
//! ```text
//!      entry  *list        list->next = NULL, list->value = 3
//!             counters[4]  counters[0] = 7
//! ```

use std::io::{self, Write};

use anstyle::Style;

use super::Page;
use super::plain::{one_line, width, wrap};
use crate::Heap;
use crate::limits::{MEMORY_OBJECTS, OBJECT_NAME_COLUMNS};

/// The columns left of the word that says when.
const INDENT: usize = 5;

impl Page {
    /// Writes the memory that an execution begins with, below the execution.
    pub(super) fn memory(&self, heap: &Heap, out: &mut dyn Write) -> io::Result<()> {
        let shown = &heap.objects[..heap.objects.len().min(MEMORY_OBJECTS)];
        let name = |object: &crate::Object| one_line(&object.name);
        let widest = shown
            .iter()
            .map(|object| width(&name(object)))
            .max()
            .unwrap_or(0)
            .min(OBJECT_NAME_COLUMNS);
        let when = one_line(&heap.when);
        let left = INDENT + width(&when) + 2;
        let room = self.width.saturating_sub(left + widest + 2).max(20);
        for (number, object) in shown.iter().enumerate() {
            let head = match number {
                0 => format!("{:INDENT$}{}  ", "", self.paint(Style::new().bold(), &when)),
                _ => " ".repeat(left),
            };
            let fields: Vec<String> =
                object.fields.iter().map(|field| one_line(&field.to_string())).collect();
            let mut lines = wrap(&fields.join(", "), room).into_iter();
            let first = lines.next().unwrap_or_default();
            writeln!(out, "{head}{:widest$}  {first}", name(object))?;
            for line in lines {
                writeln!(out, "{:1$}{line}", "", left + widest + 2)?;
            }
        }
        if heap.objects.len() > MEMORY_OBJECTS {
            writeln!(out, "{:left$}... and {} more", "", heap.objects.len() - MEMORY_OBJECTS)?;
        }
        Ok(())
    }
}

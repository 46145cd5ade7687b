//! The form that most metadata has: a name and `key: value` fields.

use super::Printer;
use super::literals::escaped;
use crate::id::{MetadataId, TextId};
use crate::metadata::node::tag_name;

impl Printer<'_> {
    /// Begin a node; the fields follow, and `end`.
    pub(super) fn node(&mut self, name: &str, distinct: bool) -> NodeFields<'_> {
        self.push(if distinct { "distinct !" } else { "!" });
        self.push(name);
        self.push("(");
        let Printer { module, out, parts_left, .. } = self;
        // The parts of one node are few; what they use up is not worth counting.
        NodeFields { printer: Printer::with_parts(module, *parts_left), out, first: true }
    }
}

/// The fields of a node, between its parentheses.
pub(super) struct NodeFields<'p> {
    printer: Printer<'p>,
    out: &'p mut String,
    first: bool,
}

impl NodeFields<'_> {
    fn key(&mut self, key: &str) -> &mut String {
        if !std::mem::replace(&mut self.first, false) {
            self.out.push_str(", ");
        }
        self.out.push_str(key);
        self.out.push_str(": ");
        self.out
    }

    pub fn number(mut self, key: &str, value: impl ToString) -> Self {
        self.key(key).push_str(&value.to_string());
        self
    }

    pub fn nonzero(self, key: &str, value: impl Into<u64>) -> Self {
        match value.into() {
            0 => self,
            value => self.number(key, value),
        }
    }

    pub fn flag(self, key: &str, value: bool) -> Self {
        if value { self.number(key, true) } else { self }
    }

    pub fn reference(mut self, key: &str, id: Option<MetadataId>) -> Self {
        self.printer.out.clear();
        self.printer.metadata_operand(id, None);
        let text = std::mem::take(&mut self.printer.out);
        self.key(key).push_str(&text);
        self
    }

    pub fn optional(self, key: &str, id: Option<MetadataId>) -> Self {
        if id.is_some() { self.reference(key, id) } else { self }
    }

    pub fn text_always(self, key: &str, id: Option<TextId>) -> Self {
        let text = format!("\"{}\"", escaped(self.printer.module.metadata.text(id).as_bytes()));
        self.number(key, text)
    }

    pub fn text(self, key: &str, id: Option<TextId>) -> Self {
        if self.printer.module.metadata.text(id).is_empty() {
            self
        } else {
            self.text_always(key, id)
        }
    }

    pub fn tag(self, tag: u16) -> Self {
        match tag_name(tag) {
            Some(name) => self.number("tag", format_args!("DW_TAG_{name}")),
            None => self.number("tag", tag),
        }
    }

    /// A number that may have a name.
    pub fn word(self, key: &str, prefix: &str, name: Option<&str>, number: u32) -> Self {
        match (name, number) {
            (Some(name), _) => self.number(key, format_args!("{prefix}{name}")),
            (None, 0) => self,
            (None, number) => self.number(key, number),
        }
    }

    pub fn flags(self, key: &str, (names, rest): (Vec<&str>, u32)) -> Self {
        let mut parts: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        if rest != 0 {
            parts.push(rest.to_string());
        }
        if parts.is_empty() { self } else { self.number(key, parts.join(" | ")) }
    }

    pub fn end(self) {
        self.out.push(')');
    }
}

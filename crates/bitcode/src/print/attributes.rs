//! Attributes as text.

use super::Printer;
use super::literals::escaped;
use crate::attribute::{Access, Attribute, AttributeGroup, AttributeKind, MemoryEffects};

impl Printer<'_> {
    /// The groups that functions and calls refer to as `#n`.
    pub(super) fn attribute_groups(&mut self) {
        let module = self.module;
        let mut used: Vec<u32> =
            module.attribute_lists.iter().filter_map(|list| list.function).collect();
        used.sort_unstable();
        used.dedup();
        for number in used {
            if let Some(group) = module.attribute_groups.get(number as usize) {
                self.display(format_args!("attributes #{number} = {{ "));
                for attribute in &group.attributes {
                    self.attribute(attribute, true);
                    self.push(" ");
                }
                self.push("}\n");
            }
        }
    }

    /// The attributes of a result or parameter, each followed by a space.
    pub(super) fn attributes(&mut self, group: Option<&AttributeGroup>) {
        for attribute in group.into_iter().flat_map(|group| &group.attributes) {
            self.attribute(attribute, false);
            self.push(" ");
        }
    }

    pub(super) fn attribute(&mut self, attribute: &Attribute, in_group: bool) {
        match attribute {
            Attribute::Plain(kind) => self.push(kind.name()),
            Attribute::Integer(kind, value) => self.integer_attribute(*kind, *value, in_group),
            Attribute::Type(kind, ty) => {
                self.push(kind.name());
                if let Some(ty) = ty {
                    self.push("(");
                    self.ty(*ty);
                    self.push(")");
                }
            }
            Attribute::Range(kind, bits, [low, high]) => {
                self.display(format_args!("{}(i{bits} {low}, {high})", kind.name()));
            }
            Attribute::Ranges(kind, _, ranges) => {
                self.push(kind.name());
                self.push("(");
                self.list(ranges, |p, [low, high]| p.display(format_args!("({low}, {high})")));
                self.push(")");
            }
            Attribute::Text(key, value) => {
                self.display(format_args!("\"{}\"", escaped(key.as_bytes())));
                if !value.is_empty() {
                    self.display(format_args!("=\"{}\"", escaped(value.as_bytes())));
                }
            }
        }
    }

    fn integer_attribute(&mut self, kind: AttributeKind, value: u64, in_group: bool) {
        let name = kind.name();
        match kind {
            AttributeKind::Align if in_group => self.display(format_args!("align={value}")),
            AttributeKind::Align => self.display(format_args!("align {value}")),
            AttributeKind::AlignStack if in_group => {
                self.display(format_args!("alignstack={value}"));
            }
            AttributeKind::UwTable => {
                self.push(if value == 1 { "uwtable(sync)" } else { "uwtable" });
            }
            AttributeKind::AllocSize => {
                let (size, count) = (value >> 32, value as u32);
                if count == u32::MAX {
                    self.display(format_args!("allocsize({size})"));
                } else {
                    self.display(format_args!("allocsize({size},{count})"));
                }
            }
            AttributeKind::VscaleRange => {
                self.display(format_args!("vscale_range({},{})", value >> 32, value as u32));
            }
            AttributeKind::AllocKind => {
                let words = ["alloc", "realloc", "free", "uninitialized", "zeroed", "aligned"];
                let set = (0..).zip(words).filter(|&(bit, _)| value >> bit & 1 == 1);
                let set: Vec<&str> = set.map(|(_, word)| word).collect();
                self.display(format_args!("allockind(\"{}\")", set.join(",")));
            }
            AttributeKind::Memory => {
                let group = AttributeGroup { attributes: vec![Attribute::Integer(kind, value)] };
                self.memory_effects(group.memory_effects());
            }
            _ => self.display(format_args!("{name}({value})")),
        }
    }

    fn memory_effects(&mut self, effects: MemoryEffects) {
        let word = |access: Access| match (access.reads, access.writes) {
            (false, false) => "none",
            (true, false) => "read",
            (false, true) => "write",
            (true, true) => "readwrite",
        };
        // The access to other memory is the default, the others are named if they differ.
        let mut parts = Vec::new();
        if effects.other.reads
            || effects.other.writes
            || (effects.arguments == effects.other && effects.inaccessible == effects.other)
        {
            parts.push(word(effects.other).to_owned());
        }
        for (name, access) in
            [("argmem", effects.arguments), ("inaccessiblemem", effects.inaccessible)]
        {
            if access != effects.other {
                parts.push(format!("{name}: {}", word(access)));
            }
        }
        self.display(format_args!("memory({})", parts.join(", ")));
    }
}

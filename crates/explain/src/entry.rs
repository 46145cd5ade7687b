//! The contents of memory at the start of an execution, as a small table: each object that a pointer refers to,
//! with the parts that the execution reads.

use interpret::{Pointer, Value, Word};
use ir::{FormId, FormKind};
use report::{Binding, Heap, Object};

use crate::blocks::{Blocks, Depth, ObjectName, Part};
use crate::limits::OBJECT_PARTS;
use crate::literal::quoted;

/// When such a table is so.
const WHEN: &str = "entry";

impl Blocks<'_> {
    /// The parts of an object that anybody asked about, with what they hold at entry.
    pub(crate) fn parts_at_entry(&self, object: u64) -> Vec<(Part, Value)> {
        let Some(known) = self.known.get(&object) else { return Vec::new() };
        let mut parts = Vec::new();
        let mut behind = i64::MIN;
        // Bytes beyond the end of a variable belong to none.
        let extent = match known {
            ObjectName::Variable(_, Some(form)) => 0..self.bytes(*form),
            _ => i64::MIN..i64::MAX,
        };
        for (_, offset) in self.entry.range((object, i64::MIN)..=(object, i64::MAX)).map(|e| *e.0) {
            if !extent.contains(&offset) || offset < behind || parts.len() > 4 * OBJECT_PARTS {
                continue;
            }
            let found = self.part(known, offset, Depth::Innermost);
            let size = found.form.map_or(1, |form| self.bytes(form)).max(1);
            let (start, size) = match size > 16 || found.rest >= size {
                true => (offset, 1),
                false => (offset - found.rest, size),
            };
            behind = start + size;
            let value = self.value_at(object, start, size, found.form);
            // A place far from the target of a pointer has no name.
            let has_name = found.form.is_some() || found.rest == 0;
            if has_name && !found.is_bits {
                parts.push((found, value));
            }
        }
        parts
    }

    fn value_at(&self, object: u64, start: i64, size: i64, form: Option<FormId>) -> Value {
        let byte = |offset| self.entry.get(&(object, offset)).copied().unwrap_or(0);
        let bytes: Vec<u8> = (start..start + size).map(byte).collect();
        let word = Word::from_bytes(8 * size as u32, &bytes);
        let is_pointer =
            form.is_some_and(|form| matches!(self.module.form(form).kind, FormKind::Pointer(_)));
        match word.small() {
            Some(address) if is_pointer && size == 8 => Value::Ptr(Pointer::at(address)),
            _ => Value::Bv(word),
        }
    }

    /// The table; none if it is empty.
    pub(crate) fn table(&self, variables: Vec<Binding>) -> Option<Heap> {
        let statics = self.known.keys().copied().filter(|number| {
            let next = self.entry.range((*number, i64::MIN)..).next();
            next.is_some_and(|((object, _), _)| object == number) && !self.given.contains(number)
        });
        let mut objects = Vec::new();
        for number in self.given.iter().copied().chain(statics) {
            let (name, kind) = match self.known.get(&number) {
                Some(ObjectName::Pointee(name, _, form)) => (format!("*{name}"), form),
                Some(ObjectName::Variable(name, form @ Some(_))) => (name.clone(), form),
                _ => continue,
            };
            let kind = kind.map(|form| self.module.form(form).name.clone()).unwrap_or_default();
            let fields = self.fields(number);
            if !fields.is_empty() {
                objects.push(Object { name, kind, fields });
            }
        }
        let when = WHEN.to_owned();
        (!objects.is_empty()).then_some(Heap { when, variables, objects })
    }

    /// The parts of an object; consecutive characters are a text.
    fn fields(&self, object: u64) -> Vec<Binding> {
        let mut fields: Vec<Binding> = Vec::new();
        let mut text: Vec<u8> = Vec::new();
        for (part, value) in self.parts_at_entry(object) {
            let is_character = part
                .form
                .is_some_and(|form| matches!(self.module.form(form).kind, FormKind::Character));
            let byte = match &value {
                Value::Bv(word) if word.width() == 8 && is_character => word.small(),
                _ => None,
            };
            let run = (part.text.rsplit_once('[')).filter(|(_, index)| *index != "0]");
            let goes_on = !text.is_empty() && run.is_some();
            match byte.map(|byte| byte as u8) {
                Some(byte) if goes_on && text.last() != Some(&0) => {
                    text.push(byte);
                    if let Some(last) = fields.last_mut() {
                        last.value = quoted(&text);
                        let name = last.name.trim_start_matches('*');
                        last.name = name.strip_suffix("[0]").unwrap_or(name).to_owned();
                    }
                }
                byte => {
                    text = byte.into_iter().collect();
                    fields.push(self.bind(&part.text, &value, part.form));
                }
            }
        }
        fields.truncate(OBJECT_PARTS);
        fields
    }
}

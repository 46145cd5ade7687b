//! Forms: the types of debug information as the presentation of values.
//!
//! Types refer to each other in cycles, so a form gets its number first and its content later, after all
//! requests.

use bitcode::{BasicType, CompositeType, DebugNode, DerivedType, MetadataId};
use ir::{Form, FormId, FormKind, Member};
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::limits::{FORM_PARTS, FORMS, TYPEDEF_STEPS};

const ARRAY: u16 = 0x01;
const CLASS: u16 = 0x02;
const ENUMERATION: u16 = 0x04;
const MEMBER: u16 = 0x0d;
const POINTER: u16 = 0x0f;
const STRUCTURE: u16 = 0x13;
const TYPEDEF: u16 = 0x16;
const UNION: u16 = 0x17;

/// The forms that were asked for.
#[derive(Default)]
pub(crate) struct Forms {
    known: FxHashMap<MetadataId, FormId>,
    /// Those in the order of their numbers; the second number is the dimension from which an array counts.
    asked: Vec<(MetadataId, usize)>,
    /// Arrays less their first dimensions.
    rows: FxHashMap<(MetadataId, usize), FormId>,
}

impl Context<'_> {
    /// The form of a type.
    pub(crate) fn form(&mut self, ty: MetadataId) -> Option<FormId> {
        if let Some(known) = self.forms.known.get(&ty) {
            return Some(*known);
        }
        let id = self.ask(ty, 0)?;
        self.forms.known.insert(ty, id);
        Some(id)
    }

    fn ask(&mut self, ty: MetadataId, dimension: usize) -> Option<FormId> {
        if self.forms.asked.len() == FORMS {
            return None;
        }
        self.forms.asked.push((ty, dimension));
        Some(FormId(self.forms.asked.len() as u32 - 1))
    }

    /// Notes the forms of static objects, and works out all that were asked for.
    pub(crate) fn complete_forms(&mut self) {
        let source = self.source;
        for (number, address) in self.globals.clone().into_iter().enumerate() {
            let variable = self.variables.get(&bitcode::GlobalId(number as u32)).copied();
            let ty = variable.and_then(|node| match source.metadata.get(node)? {
                DebugNode::GlobalVariable(node) => node.ty,
                _ => None,
            });
            if let Some(form) = ty.and_then(|ty| self.form(ty)) {
                self.module.described.push((address, form));
            }
        }
        self.module.described.sort();
        while let Some(&(ty, dimension)) = self.forms.asked.get(self.module.forms.len()) {
            let form = self.work_out(ty, dimension);
            self.module.forms.push(form);
        }
    }

    fn work_out(&mut self, ty: MetadataId, dimension: usize) -> Form {
        let metadata = &self.source.metadata;
        let name = self.type_name(ty);
        let plain = metadata.unqualified(ty).and_then(|id| metadata.get(id));
        let (bits, kind) = match plain {
            Some(DebugNode::BasicType(node)) => (node.size, basic(node, metadata.text(node.name))),
            Some(DebugNode::DerivedType(DerivedType { tag: POINTER, base, .. })) => {
                let base = *base;
                (64, FormKind::Pointer(base.and_then(|base| self.form(base))))
            }
            Some(DebugNode::CompositeType(node)) => match node.tag {
                STRUCTURE | CLASS | UNION => (node.size, FormKind::Record(self.parts(node))),
                ENUMERATION => (node.size, FormKind::Enumeration(self.constants(node))),
                ARRAY => {
                    let Some(id) = metadata.unqualified(ty) else { return opaque(name) };
                    return self.array(name, id, node, dimension);
                }
                _ => (node.size, FormKind::Opaque),
            },
            Some(DebugNode::SubroutineType(_)) => (0, FormKind::Code),
            _ => (0, FormKind::Opaque),
        };
        Form { name, bits, kind }
    }

    /// How C writes a type, as far as it has a name.
    fn type_name(&self, ty: MetadataId) -> String {
        let metadata = &self.source.metadata;
        let mut next = Some(ty);
        for _ in 0..TYPEDEF_STEPS {
            match next.and_then(|id| metadata.get(id)) {
                Some(DebugNode::DerivedType(node)) if node.tag == TYPEDEF => {
                    return metadata.text(node.name).to_owned();
                }
                Some(DebugNode::DerivedType(node)) if node.tag != POINTER => next = node.base,
                Some(DebugNode::BasicType(node)) => return metadata.text(node.name).to_owned(),
                Some(DebugNode::CompositeType(node)) => {
                    let name = metadata.text(node.name);
                    let keyword = match node.tag {
                        UNION => "union",
                        ENUMERATION => "enum",
                        _ => "struct",
                    };
                    let has_name = !name.is_empty() && node.tag != ARRAY;
                    return if has_name { format!("{keyword} {name}") } else { String::new() };
                }
                _ => break,
            }
        }
        String::new()
    }

    fn parts(&mut self, node: &CompositeType) -> Vec<Member> {
        let metadata = &self.source.metadata;
        let mut parts = Vec::new();
        for id in metadata.tuple(node.elements).iter().take(FORM_PARTS).flatten() {
            let Some(DebugNode::DerivedType(member)) = metadata.get(*id) else { continue };
            if member.tag != MEMBER {
                continue;
            }
            let Some(form) = member.base.and_then(|base| self.form(base)) else { continue };
            let name = metadata.text(member.name).to_owned();
            let width = member.is_bit_field().then_some(member.size);
            parts.push(Member { name, offset: member.offset, width, form });
        }
        parts
    }

    fn constants(&self, node: &CompositeType) -> Vec<(i64, String)> {
        let metadata = &self.source.metadata;
        let elements = metadata.tuple(node.elements).iter().take(FORM_PARTS).flatten();
        let constants = elements.filter_map(|id| match metadata.get(*id)? {
            DebugNode::Enumerator(node) => Some((node.value, metadata.text(node.name).to_owned())),
            _ => None,
        });
        constants.collect()
    }

    /// An array, whose elements are arrays if it has further dimensions.
    fn array(
        &mut self,
        name: String,
        ty: MetadataId,
        node: &CompositeType,
        dimension: usize,
    ) -> Form {
        let metadata = &self.source.metadata;
        let dimensions = metadata.tuple(node.elements);
        let counts: Vec<Option<u64>> =
            dimensions.iter().map(|id| (*id).and_then(|id| self.count(id))).collect();
        let count = counts.get(dimension).copied().flatten();
        let element = match dimension + 1 < counts.len() {
            true => match self.forms.rows.get(&(ty, dimension + 1)) {
                Some(known) => Some(*known),
                None => {
                    let row = self.ask(ty, dimension + 1);
                    self.forms.rows.extend(row.map(|row| ((ty, dimension + 1), row)));
                    row
                }
            },
            false => node.base.and_then(|base| self.form(base)),
        };
        let Some(element) = element else { return opaque(name) };
        let outer = counts.iter().take(dimension).copied();
        let bits = outer.fold(node.size, |bits, count| match count {
            Some(count) if count > 0 => bits / count,
            _ => 0,
        });
        Form { name, bits, kind: FormKind::Array(element, count) }
    }

    /// How many elements a dimension has.
    fn count(&self, id: MetadataId) -> Option<u64> {
        let DebugNode::Subrange(node) = self.source.metadata.get(id)? else { return None };
        let value = self.source.metadata.value(node.count?)?;
        u64::try_from(self.source.integer(value)?).ok().filter(|count| *count < 1 << 40)
    }
}

fn opaque(name: String) -> Form {
    Form { name, bits: 0, kind: FormKind::Opaque }
}

fn basic(node: &BasicType, name: &str) -> FormKind {
    match node.encoding {
        // DW_ATE_boolean, float, signed, signed_char, unsigned, unsigned_char, UTF
        2 => FormKind::Truth,
        4 => FormKind::Floating,
        // Of the three types of characters one is for texts.
        6 | 8 if name == "char" => FormKind::Character,
        5 | 6 => FormKind::Signed,
        7 | 8 => FormKind::Unsigned,
        16 => FormKind::Character,
        _ => FormKind::Opaque,
    }
}

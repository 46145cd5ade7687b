//! Places in source syntax: `d->lock` where a path has offsets (Xie & Aiken 2007, §5.1).
//!
//! Procedures carry the types of the source as forms. A path is translated along them; where they end, offsets
//! remain.

use ir::{FormId, FormKind, Mode, Module, Procedure};

use crate::path::{Path, Root};

/// The procedure in whose syntax places are printed.
#[derive(Clone, Copy, Debug)]
pub struct Wording<'w> {
    module: &'w Module,
    procedure: &'w Procedure,
}

/// The parameter that is the handle of an object, such as an open file, if a path leads to one.
pub(crate) fn number_of<'p>(procedure: &'p Procedure, path: &Path) -> Option<&'p str> {
    let (Root::Parameter(number), [0]) = (&path.root, &path.steps[..]) else { return None };
    let id = procedure.locals_with(Mode::Parameter).nth(*number as usize)?;
    match procedure.local(id).ty {
        ir::Type::Bv(_) => Some(procedure.display(id)),
        _ => None,
    }
}

/// The width of a pointer in bits.
const ADDRESS: u64 = ir::ADDRESS_BITS as u64;

/// A place so far: its text, and its form.
struct Told {
    text: String,
    form: Option<FormId>,
}

impl<'w> Wording<'w> {
    /// The syntax of a procedure.
    pub fn new(module: &'w Module, procedure: &'w Procedure) -> Wording<'w> {
        Wording { module, procedure }
    }

    /// A place in source syntax; its width in bits chooses between a record and its first member, if it is known.
    pub fn place(&self, path: &Path, bits: Option<u64>) -> String {
        if let Some(name) = number_of(self.procedure, path) {
            return name.to_owned();
        }
        let last = path.steps.len();
        // A place from which the path continues holds a pointer.
        let wanted = |number: usize| if number == last { bits } else { Some(ADDRESS) };
        let mut steps = (1..).zip(&path.steps);
        let mut wording = match &path.root {
            Root::Parameter(number) => self.parameter(*number),
            Root::Result => Told { text: "the result".to_owned(), form: None },
            Root::Global(name) => {
                let whole = Told { text: name.clone(), form: self.global(name) };
                match steps.next() {
                    Some((number, offset)) => self.part(whole, *offset, wanted(number)),
                    None => whole,
                }
            }
        };
        for (number, offset) in steps {
            wording = self.behind(wording, *offset, wanted(number));
        }
        wording.text
    }

    fn parameter(&self, number: u32) -> Told {
        let mut parameters = self.procedure.locals_with(Mode::Parameter);
        let Some(id) = parameters.nth(number as usize) else {
            return Told { text: format!("param{number}"), form: None };
        };
        let text = self.procedure.display(id).to_owned();
        Told { text, form: self.procedure.form(id) }
    }

    fn global(&self, name: &str) -> Option<FormId> {
        // Variables that several files have are called by the file's name too.
        let name = name.rsplit(':').next().unwrap_or(name);
        let mut objects = self.module.objects.iter().map(|object| object.address);
        let address = objects.find(|address| self.module.function(*address).name == name)?;
        let found = self.module.described.binary_search_by_key(&address, |(of, _)| *of).ok()?;
        Some(self.module.described[found].1)
    }

    /// The place at an offset in bytes from the target of a pointer.
    fn behind(&self, Told { text, form }: Told, offset: i64, bits: Option<u64>) -> Told {
        let to = form.and_then(|form| self.module.pointee(form));
        let base = if text.starts_with('*') { format!("({text})") } else { text };
        let names = self.names(to, offset, bits);
        if let Some((names, form)) = names.filter(|(names, _)| !names.is_empty()) {
            let text = match names.strip_prefix('.') {
                Some(names) => format!("{base}->{names}"),
                None => format!("(*{base}){names}"),
            };
            return Told { text, form: Some(form) };
        }
        match offset {
            0 => Told { text: format!("*{base}"), form: to },
            _ => Told { text: format!("(*{base}).{offset}"), form: None },
        }
    }

    /// The place at an offset in bytes from the start of a variable.
    fn part(&self, Told { text, form }: Told, offset: i64, bits: Option<u64>) -> Told {
        match self.names(form, offset, bits) {
            Some((names, form)) => Told { text: format!("{text}{names}"), form: Some(form) },
            None if offset == 0 => Told { text, form },
            None => Told { text: format!("{text}.{offset}"), form: None },
        }
    }

    /// The members that lead to an offset, as `.lock` or `.entries[2].next`, and the form there.
    /// A record and its first member start at the same place: the width in bits distinguishes them.
    fn names(
        &self,
        form: Option<FormId>,
        offset: i64,
        bits: Option<u64>,
    ) -> Option<(String, FormId)> {
        let mut form = form?;
        let mut left = u64::try_from(offset).ok()?.checked_mul(8)?;
        let mut names = String::new();
        loop {
            let here = self.module.form(form).bits;
            if left == 0 && bits.is_none_or(|bits| here <= bits) {
                return Some((names, form));
            }
            match &self.module.form(form).kind {
                FormKind::Record(parts) => {
                    let part = parts.iter().rev().find(|part| {
                        let bits = self.module.form(part.form).bits.max(1);
                        part.offset <= left && left < part.offset + bits
                    })?;
                    if !part.name.is_empty() {
                        names.push('.');
                        names.push_str(&part.name);
                    }
                    left -= part.offset;
                    form = part.form;
                }
                FormKind::Array(element, _) => {
                    let bits = self.module.form(*element).bits;
                    if bits == 0 {
                        return None;
                    }
                    names.push_str(&format!("[{}]", left / bits));
                    left %= bits;
                    form = *element;
                }
                FormKind::Signed
                | FormKind::Unsigned
                | FormKind::Character
                | FormKind::Truth
                | FormKind::Floating
                | FormKind::Enumeration(_)
                | FormKind::Pointer(_)
                | FormKind::Code
                | FormKind::Opaque => return (left == 0).then_some((names, form)),
            }
        }
    }
}

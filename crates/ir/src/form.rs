//! Forms: properties of a value that the source language has and VIR does not, for printing.
//!
//! A word of 32 bits may be a signed number, an index, a character or the constant of an enumeration; an
//! object of memory is a record, or an array of records. No execution depends on forms, and they are not part
//! of the text form of VIR.

use crate::module::Module;

/// A form of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FormId(pub u32);

/// The form of a value in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    /// How the source writes the type; empty if it has no name.
    pub name: String,
    /// The size of a value in memory in bits; zero if unknown.
    pub bits: u64,
    /// The kind of the value.
    pub kind: FormKind,
}

/// The kinds of values that print differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormKind {
    /// A signed number.
    Signed,
    /// An unsigned number.
    Unsigned,
    /// A character.
    Character,
    /// A truth value.
    Truth,
    /// A floating-point number.
    Floating,
    /// One of these constants, or a signed number.
    Enumeration(Vec<(i64, String)>),
    /// The address of a value of a form, if the form is known.
    Pointer(Option<FormId>),
    /// Parts with names, in the order of the source; those of a union overlap.
    Record(Vec<Member>),
    /// Values of one form in a row; their number if it is known.
    Array(FormId, Option<u64>),
    /// Code.
    Code,
    /// Something else.
    Opaque,
}

/// A member of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name; empty if its own members count as those of the record.
    pub name: String,
    /// Its offset in bits.
    pub offset: u64,
    /// Its width in bits if it is a bit-field.
    pub width: Option<u64>,
    /// Its form.
    pub form: FormId,
}

/// The source text of a place, and the form of its value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PlaceText {
    /// The text.
    pub text: String,
    /// The form of the value.
    pub form: Option<FormId>,
}

impl Module {
    /// A form.
    pub fn form(&self, id: FormId) -> &Form {
        &self.forms[id.0 as usize]
    }

    /// The form of the value that a pointer of a form points to.
    pub fn pointee(&self, id: FormId) -> Option<FormId> {
        match &self.form(id).kind {
            FormKind::Pointer(to) => *to,
            FormKind::Array(element, _) => Some(*element),
            FormKind::Signed
            | FormKind::Unsigned
            | FormKind::Character
            | FormKind::Truth
            | FormKind::Floating
            | FormKind::Enumeration(_)
            | FormKind::Record(_)
            | FormKind::Code
            | FormKind::Opaque => None,
        }
    }
}

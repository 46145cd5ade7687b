//! Conversions: of numbers, into boxes and out of them, and of references (JLS §5).

use ir::AssertKind;

use super::body::{Body, Val};
use crate::program::{FieldId, Program};
use crate::syntax::TextRange;
use crate::types::Ty;

/// The classes that hold a number or truth value.
const BOXES: [(&str, Ty); 8] = [
    ("java.lang.Boolean", Ty::Boolean),
    ("java.lang.Byte", Ty::Byte),
    ("java.lang.Short", Ty::Short),
    ("java.lang.Character", Ty::Char),
    ("java.lang.Integer", Ty::Int),
    ("java.lang.Long", Ty::Long),
    ("java.lang.Float", Ty::Float),
    ("java.lang.Double", Ty::Double),
];

/// The type of what is in a box.
pub(super) fn unboxed(program: &Program<'_>, ty: &Ty) -> Option<Ty> {
    let Ty::Class(id, _) = ty else { return None };
    let found = BOXES.iter().find(|(name, _)| program.library(name) == Some(*id));
    found.map(|(_, inner)| inner.clone())
}

/// The box for values of a type.
pub(super) fn boxed(program: &Program<'_>, ty: &Ty) -> Option<Ty> {
    let (name, _) = BOXES.iter().find(|(_, inner)| inner == ty)?;
    program.library(name).map(|id| Ty::Class(id, Vec::new()))
}

impl Body<'_, '_> {
    /// A value as one of a type, as in an assignment.
    pub(super) fn convert(&mut self, value: &Val, to: &Ty, at: TextRange) -> Val {
        let program = self.cx.program;
        let known = |id| Val { id, ty: to.clone() };
        match (&value.ty, to) {
            (Ty::Null, to) if to.is_reference() || *to == Ty::Unknown => {
                let vir = self.cx.vir(to);
                known(self.null(vir))
            }
            (from, to) if from == to => value.clone(),
            (from, to) if from.is_numeric() && to.is_numeric() => {
                match self.number_as(value.id, from, to) {
                    Some(id) => known(id),
                    None => self.unknown("this conversion", to.clone(), at),
                }
            }
            (from, to) if from.is_reference() && (to.is_numeric() || *to == Ty::Boolean) => {
                let inner = self.unbox(value, at);
                match inner.ty == *from {
                    true => self.unknown("this conversion", to.clone(), at),
                    false => self.convert(&inner, to, at),
                }
            }
            (from, to) if (from.is_numeric() || *from == Ty::Boolean) && to.is_reference() => {
                // A constant may go into a smaller box.
                let inner = unboxed(program, to).unwrap_or_else(|| from.clone());
                let value = self.convert(value, &inner, at);
                let Some(holder) = boxed(program, &inner) else {
                    return self.unknown("this conversion", to.clone(), at);
                };
                let object = self.box_up(&value, &holder, at);
                self.cx.unify(&holder, to);
                known(object.id)
            }
            (from, to) if from.is_reference() && (to.is_reference() || *to == Ty::Unknown) => {
                self.cx.unify(from, to);
                known(value.id)
            }
            // Where the value came from it has been noted that it may be anything.
            (Ty::Unknown, to) => self.received(to.clone(), at),
            _ => self.unknown("this conversion", to.clone(), at),
        }
    }

    /// Unboxes a box; any other value stays as it is.
    pub(super) fn unbox(&mut self, value: &Val, at: TextRange) -> Val {
        let Some(inner) = unboxed(self.cx.program, &value.ty) else { return value.clone() };
        let Some(field) = self.box_field(&value.ty) else { return value.clone() };
        self.not_null(value, "the unboxed object is null", at);
        Val { id: self.field_value(field, value.id), ty: inner }
    }

    fn box_up(&mut self, value: &Val, holder: &Ty, at: TextRange) -> Val {
        let value = self.save(value, at);
        let object = self.make(holder, at);
        if let Some(field) = self.box_field(holder) {
            let place = self.field_place(field, Some(object.id));
            let kind = ir::StatementKind::Assign(vec![(place, value.id)]);
            self.emit(kind, at, ir::Origin::Synthetic);
        }
        object
    }

    fn box_field(&self, holder: &Ty) -> Option<FieldId> {
        self.cx.program.find_field(holder, "value").map(|(id, _)| id)
    }

    /// `(T) value`.
    pub(super) fn cast(&mut self, value: &Val, to: &Ty, at: TextRange) -> Val {
        let program = self.cx.program;
        if !(value.ty.is_reference() && to.is_reference()) || value.ty == Ty::Null {
            return self.convert(value, to, at);
        }
        self.cx.unify(&value.ty, to);
        let is_up = match (program.class_of(&value.ty), program.class_of(to)) {
            (Some(from), Some(above)) => {
                !matches!(to, Ty::Array(_)) && program.is_subclass(from, above)
            }
            _ => false,
        };
        if !is_up {
            let is_null = self.is_null(value.id);
            let fits = self.is_instance(value.id, &value.ty, to);
            let condition = self.or(is_null, fits);
            let wanted = program.show(to);
            let message = format!("the cast object is not an instance of `{wanted}`");
            let exception = "java.lang.ClassCastException";
            self.check(condition, AssertKind::Exception, exception, &message, at);
        }
        Val { id: value.id, ty: to.clone() }
    }

    /// A value whose declared type is a type variable, as the type that the variable denotes: as in Java, the
    /// conversion is not checked.
    pub(super) fn refine(&mut self, value: &Val, actual: &Ty, at: TextRange) -> Val {
        let program = self.cx.program;
        if !value.ty.is_reference() || program.erased(&value.ty) == program.erased(actual) {
            return Val { id: value.id, ty: actual.clone() };
        }
        self.cx.unify(&value.ty, actual);
        let value = self.save(value, at);
        if self.class_of(value.id, &value.ty).is_some() {
            let is_null = self.is_null(value.id);
            let fits = self.is_instance(value.id, &value.ty, actual);
            let condition = self.or(is_null, fits);
            self.assume(condition, at);
        }
        Val { id: value.id, ty: actual.clone() }
    }
}

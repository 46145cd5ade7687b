//! Resolution of names in a body: variables, fields of this object or of enclosing ones, classes (JLS §6.5).

use ir::LocalId;

use super::body::{Body, Val};
use crate::constant::{self, Constant};
use crate::program::{ClassId, FieldId};
use crate::read::dotted;
use crate::syntax::{Expr, ExprKind, Ident, TextRange};
use crate::types::Ty;

/// An lvalue, which can be read and often assigned.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Local(LocalId, Ty),
    /// A field, with its type as seen from here, and its object, whose checks are still to come.
    Field {
        id: FieldId,
        ty: Ty,
        object: Option<(Val, TextRange)>,
    },
    /// An element, with the text ranges of the array and of the whole; neither array nor index has been
    /// checked.
    Element {
        array: Val,
        index: Val,
        ty: Ty,
        array_at: TextRange,
        at: TextRange,
    },
    Length(Val, TextRange),
    /// Something that could not be made out, and why.
    Unknown(String),
}

impl<'p> Body<'_, 'p> {
    /// The type of the object that a method of this class is called on.
    pub(super) fn own_type(&self, class: ClassId) -> Ty {
        let vars = &self.cx.program.class(class).vars;
        Ty::Class(class, vars.iter().map(|var| Ty::Var(*var)).collect())
    }

    pub(super) fn this_value(&mut self) -> Option<Val> {
        let this = self.this?;
        let ty = self.own_type(self.class);
        Some(Val { id: self.read(this), ty })
    }

    /// The object of an enclosing class for which a condition holds, if there is one, and the class.
    pub(super) fn enclosing(
        &mut self,
        mut holds: impl FnMut(&Self, ClassId) -> bool,
    ) -> Option<(ClassId, Option<Val>)> {
        let program = self.cx.program;
        let mut class = self.class;
        let mut object = self.this_value();
        loop {
            if holds(self, class) {
                return Some((class, object));
            }
            let outer = program.class(class).outer?;
            object = match (object, program.class(class).outer_field) {
                (Some(object), Some(field)) => {
                    let id = self.field_value(field, object.id);
                    Some(Val { id, ty: self.own_type(outer) })
                }
                _ => None,
            };
            class = outer;
        }
    }

    /// The meaning of a simple name.
    pub(super) fn named(&mut self, name: &str) -> Target {
        if let Some((local, ty)) = self.find(name) {
            return Target::Local(local, ty);
        }
        let program = self.cx.program;
        let has = |body: &Self, class: ClassId| {
            let own = body.own_type(class);
            program.find_field(&own, name).is_some() || body.captured(class, name).is_some()
        };
        match self.enclosing(has) {
            Some((class, object)) => {
                let own = self.own_type(class);
                let found = program.find_field(&own, name).or_else(|| self.captured(class, name));
                match found {
                    Some((id, ty)) => self.field_target(id, ty, object),
                    None => Target::Unknown(format!("`{name}`")),
                }
            }
            None => match self.cx.program.imported_field(name, self.file) {
                Some((id, ty)) => Target::Field { id, ty, object: None },
                None => Target::Unknown(format!("`{name}`")),
            },
        }
    }

    /// The field that holds the value of a variable that a class has captured.
    fn captured(&self, class: ClassId, name: &str) -> Option<(FieldId, Ty)> {
        let program = self.cx.program;
        let captured = &program.class(class).captured;
        let (_, field) = captured.iter().find(|(known, _)| known == name)?;
        Some((*field, program.field(*field).ty.clone()))
    }

    fn field_target(&self, id: FieldId, ty: Ty, object: Option<Val>) -> Target {
        let is_static = self.cx.program.field(id).is_static;
        match (is_static, object) {
            (true, _) => Target::Field { id, ty, object: None },
            (false, Some(object)) => {
                Target::Field { id, ty, object: Some((object, TextRange::default())) }
            }
            (false, None) => {
                let name = &self.cx.program.field(id).name;
                Target::Unknown(format!("`{name}` needs an object"))
            }
        }
    }

    /// The class that an expression names, if it names no variable.
    pub(super) fn class_named(&self, expr: &Expr) -> Option<ClassId> {
        let name = dotted(expr)?;
        let first = name.split('.').next().unwrap_or("");
        let program = self.cx.program;
        let is_variable = self.find(first).is_some()
            || program.find_field(&self.own_type(self.class), first).is_some();
        match is_variable {
            true => None,
            false => program.find_class(&name, self.class),
        }
    }

    /// The lvalue of an expression. Objects and indices are evaluated; [`Body::check_target`] checks them.
    pub(super) fn target(&mut self, expr: &'p Expr) -> Target {
        match &expr.kind {
            ExprKind::Name(name) => self.named(name),
            ExprKind::Field(object, field) => match self.class_named(object) {
                Some(class) => {
                    let found =
                        self.cx.program.find_field(&Ty::Class(class, Vec::new()), &field.name);
                    match found {
                        Some((id, ty)) => self.field_target(id, ty, None),
                        None => {
                            let class = self.cx.program.class(class);
                            Target::Unknown(format!("`{}.{}`", class.name, field.name))
                        }
                    }
                }
                None => {
                    let value = self.expr(object);
                    self.member(value, field, object.at)
                }
            },
            ExprKind::Index(array, index) => {
                let array_value = self.expr(array);
                let array_value = match index.has_effects() {
                    true => self.save(&array_value, array.at),
                    false => array_value,
                };
                let index_value = self.expr(index);
                let index_value = self.convert_index(&index_value, index.at);
                match &array_value.ty {
                    Ty::Array(element) => Target::Element {
                        ty: (**element).clone(),
                        array: array_value,
                        index: index_value,
                        array_at: array.at,
                        at: expr.at,
                    },
                    _ => Target::Unknown("this array access".to_owned()),
                }
            }
            _ => Target::Unknown("this assignment".to_owned()),
        }
    }

    /// A field of a value.
    fn member(&mut self, object: Val, field: &Ident, at: TextRange) -> Target {
        if matches!(object.ty, Ty::Array(_)) && field.name == "length" {
            return Target::Length(object, at);
        }
        match self.cx.program.find_field(&object.ty, &field.name) {
            Some((id, ty)) if self.cx.program.field(id).is_static => {
                Target::Field { id, ty, object: None }
            }
            Some((id, ty)) => {
                let owner = Ty::Class(self.cx.program.field(id).class, Vec::new());
                self.cx.unify(&object.ty, &owner);
                Target::Field { id, ty, object: Some((object, at)) }
            }
            None => Target::Unknown(format!("the field `{}`", field.name)),
        }
    }

    /// Java's checks before a place is read or written.
    pub(super) fn check_target(&mut self, target: &Target) {
        match target {
            Target::Field { object: Some((object, at)), .. } if *at != TextRange::default() => {
                let message = self.null_message(*at);
                self.not_null(object, &message, *at);
            }
            Target::Length(object, at) => {
                let message = self.null_message(*at);
                self.not_null(object, &message, *at);
            }
            Target::Element { array, index, array_at, at, .. } => {
                self.check_element(array, index, *array_at, *at);
            }
            Target::Field { .. } | Target::Local(..) | Target::Unknown(_) => {}
        }
    }

    /// The message for a null dereference.
    pub(super) fn null_message(&self, at: TextRange) -> String {
        match self.cx.text(self.file, at) {
            "" => "a null reference is dereferenced".to_owned(),
            text => format!("`{}` is null here", crate::jml::one_line(text)),
        }
    }

    /// The value of what a name means.
    pub(super) fn value_of(&mut self, target: &Target, at: TextRange) -> Val {
        match target {
            Target::Local(local, ty) => Val { id: self.read(*local), ty: ty.clone() },
            Target::Field { id, ty, object } => {
                if let Some(constant) = self.constant(*id, at, true) {
                    return constant;
                }
                let declared = self.cx.program.field(*id).ty.clone();
                let value = match object {
                    Some((object, _)) => self.field_value(*id, object.id),
                    None => {
                        let global = self.cx.field(*id);
                        self.global(global)
                    }
                };
                self.refine(&Val { id: value, ty: declared }, ty, at)
            }
            Target::Element { array, index, ty, .. } => {
                let value = self.element_value(array, index.id);
                self.refine(&Val { id: value.id, ty: value.ty }, ty, at)
            }
            Target::Length(array, _) => self.length(array),
            Target::Unknown(what) => self.external_value(&what.clone(), Ty::Unknown, at),
        }
    }

    /// The value of a constant variable (JLS §4.12.4), where a statement or a specification stands.
    pub(super) fn constant(
        &mut self,
        id: FieldId,
        at: TextRange,
        is_statement: bool,
    ) -> Option<Val> {
        let value = constant::of_field(self.cx.program, id)?;
        Some(self.constant_value(&value, at, is_statement))
    }

    /// The value of a constant expression that takes texts or floating-point numbers to compute.
    pub(super) fn folded(&mut self, expr: &Expr) -> Option<Val> {
        let program = self.cx.program;
        let is_variable = |name: &str| self.find(name).is_some();
        let (value, is_plain) = constant::of_expr(program, self.class, &is_variable, expr)?;
        (!is_plain).then(|| self.constant_value(&value, expr.at, true))
    }

    fn constant_value(&mut self, value: &Constant, at: TextRange, is_statement: bool) -> Val {
        match (value, value.primitive(), value.bits()) {
            (Constant::Boolean(value), ..) => Val { id: self.truth(*value), ty: Ty::Boolean },
            (Constant::Text(text), ..) => match is_statement {
                true => self.text(text, at),
                false => self.text_constant(text),
            },
            (_, ty, bits) => {
                let ty = ty.unwrap_or(Ty::Int);
                let width = ty.width().unwrap_or(32);
                Val { id: self.word(width, bits.unwrap_or(0)), ty }
            }
        }
    }
}

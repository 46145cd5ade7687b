//! Constant expressions (JLS §15.28 and §15.29) and constant variables (§4.12.4).
//!
//! The value of a constant expression is computed here, in Java's own arithmetic: whole numbers wrap around,
//! floating-point numbers are IEEE 754, texts are texts. Something that is no constant expression, or whose
//! evaluation would end in an exception, has no value here.

use crate::limits::CONSTANT_CHARACTERS;
use crate::program::{ClassId, FieldId, Program};
use crate::read::dotted;
use crate::syntax::{Binary, Expr, ExprKind, Literal, TypeRef, TypeRefKind};
use crate::types::Ty;

mod number;
mod text;

pub(crate) use number::{double, single};
pub(crate) use text::display;

/// The value of a constant expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Constant {
    Boolean(bool),
    Byte(i8),
    Short(i16),
    Char(u16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Text(String),
}

impl Constant {
    /// Its type; nothing if it is a text, whose type is a class.
    pub(crate) fn primitive(&self) -> Option<Ty> {
        Some(match self {
            Constant::Boolean(_) => Ty::Boolean,
            Constant::Byte(_) => Ty::Byte,
            Constant::Short(_) => Ty::Short,
            Constant::Char(_) => Ty::Char,
            Constant::Int(_) => Ty::Int,
            Constant::Long(_) => Ty::Long,
            Constant::Float(_) => Ty::Float,
            Constant::Double(_) => Ty::Double,
            Constant::Text(_) => return None,
        })
    }

    /// The bits of a number or truth value, as a word of its width; nothing if it is a text.
    pub(crate) fn bits(&self) -> Option<i64> {
        Some(match self {
            Constant::Boolean(value) => i64::from(*value),
            Constant::Byte(value) => i64::from(*value),
            Constant::Short(value) => i64::from(*value),
            Constant::Char(value) => i64::from(*value),
            Constant::Int(value) => i64::from(*value),
            Constant::Long(value) => *value,
            Constant::Float(value) => i64::from(value.to_bits()),
            Constant::Double(value) => value.to_bits() as i64,
            Constant::Text(_) => return None,
        })
    }
}

/// The value of a field that is a constant variable.
pub(crate) fn of_field(program: &Program<'_>, field: FieldId) -> Option<Constant> {
    let class = program.field(field).class;
    Folder { program, class, is_variable: &|_| false, open: Vec::new(), is_plain: true }
        .field(field)
}

/// The value of a constant expression within a class, where some names are those of variables, and whether
/// it takes no more than whole numbers and truth values to compute it.
pub(crate) fn of_expr(
    program: &Program<'_>,
    class: ClassId,
    is_variable: &dyn Fn(&str) -> bool,
    expr: &Expr,
) -> Option<(Constant, bool)> {
    let mut folder = Folder { program, class, is_variable, open: Vec::new(), is_plain: true };
    let value = folder.expr(expr)?;
    Some((value, folder.is_plain))
}

/// A number as one of another type.
pub(crate) fn converted(value: &Constant, to: &Ty) -> Option<Constant> {
    number::convert(value, to)
}

struct Folder<'f, 's> {
    program: &'f Program<'s>,
    class: ClassId,
    is_variable: &'f dyn Fn(&str) -> bool,
    /// The fields whose values are being computed.
    open: Vec<FieldId>,
    /// Whether the expression has no string and no floating-point number so far.
    is_plain: bool,
}

impl Folder<'_, '_> {
    fn expr(&mut self, expr: &Expr) -> Option<Constant> {
        let value = stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.expr_kind(expr))?;
        self.is_plain &=
            !matches!(value, Constant::Float(_) | Constant::Double(_) | Constant::Text(_));
        Some(value)
    }

    fn expr_kind(&mut self, expr: &Expr) -> Option<Constant> {
        match &expr.kind {
            ExprKind::Literal(literal) => literal_value(literal),
            ExprKind::Unary(operator, operand) => {
                let operand = self.expr(operand)?;
                number::unary(*operator, &operand)
            }
            ExprKind::Binary(operator, a, b) => {
                let a = self.expr(a)?;
                let b = self.expr(b)?;
                self.binary(*operator, &a, &b)
            }
            ExprKind::Conditional(condition, a, b) => {
                let condition = self.expr(condition)?;
                // Both have to be constant, whichever is chosen.
                let (a_value, b_value) = (self.expr(a)?, self.expr(b)?);
                let Constant::Boolean(condition) = condition else { return None };
                let chosen = if condition { &a_value } else { &b_value };
                match self.chosen_type(&a_value, &b_value) {
                    Some(ty) => number::convert(chosen, &ty),
                    None => Some(chosen.clone()),
                }
            }
            ExprKind::Cast(ty, value) => {
                let value = self.expr(value)?;
                self.cast(ty, value)
            }
            ExprKind::Name(name) => self.named(name),
            ExprKind::Field(object, field) => {
                let class = self.class_named(object)?;
                let own = Ty::Class(class, Vec::new());
                let (id, _) = self.program.find_field(&own, &field.name)?;
                self.field(id)
            }
            ExprKind::This
            | ExprKind::OuterThis(_)
            | ExprKind::Index(..)
            | ExprKind::Call { .. }
            | ExprKind::New { .. }
            | ExprKind::NewArray { .. }
            | ExprKind::Elements(_)
            | ExprKind::Update { .. }
            | ExprKind::Assign(..)
            | ExprKind::InstanceOf(..)
            | ExprKind::Switch(..)
            | ExprKind::ClassLiteral(_)
            | ExprKind::Spec(_)
            | ExprKind::Unknown(_) => None,
        }
    }

    fn binary(&self, operator: Binary, a: &Constant, b: &Constant) -> Option<Constant> {
        let is_text = matches!((a, b), (Constant::Text(_), _) | (_, Constant::Text(_)));
        if !is_text {
            return number::binary(operator, a, b);
        }
        match (operator, a, b) {
            (Binary::Add, a, b) => {
                let whole = format!("{}{}", display(a), display(b));
                (whole.len() <= CONSTANT_CHARACTERS).then_some(Constant::Text(whole))
            }
            // Constants of the same text are the same object.
            (Binary::Eq, Constant::Text(a), Constant::Text(b)) => Some(Constant::Boolean(a == b)),
            (Binary::Ne, Constant::Text(a), Constant::Text(b)) => Some(Constant::Boolean(a != b)),
            _ => None,
        }
    }

    /// The type of a choice between constants (JLS §15.25): nothing if both have the same.
    fn chosen_type(&self, a: &Constant, b: &Constant) -> Option<Ty> {
        let (a_type, b_type) = (a.primitive()?, b.primitive()?);
        if a_type == b_type || !a_type.is_numeric() || !b_type.is_numeric() {
            return None;
        }
        // A constant `int` goes into a smaller type that has its value.
        let fits = |value: &Constant, into: &Ty| {
            matches!(value, Constant::Int(_))
                && matches!(into, Ty::Byte | Ty::Short | Ty::Char)
                && number::convert(value, into).and_then(|small| number::convert(&small, &Ty::Int))
                    == Some(value.clone())
        };
        Some(match (&a_type, &b_type) {
            (Ty::Byte, Ty::Short) | (Ty::Short, Ty::Byte) => Ty::Short,
            (_, into) if fits(a, into) => into.clone(),
            (into, _) if fits(b, into) => into.clone(),
            (a, b) => a.promoted(b),
        })
    }

    fn cast(&self, ty: &TypeRef, value: Constant) -> Option<Constant> {
        let TypeRefKind::Named(name, _) = &ty.kind else { return None };
        if let Some(to) = Ty::primitive(name) {
            return number::convert(&value, &to);
        }
        let is_text = self.program.find_class(name, self.class) == self.string();
        (is_text && matches!(value, Constant::Text(_))).then_some(value)
    }

    fn string(&self) -> Option<ClassId> {
        self.program.library("java.lang.String")
    }

    fn named(&mut self, name: &str) -> Option<Constant> {
        if (self.is_variable)(name) {
            return None;
        }
        let mut class = Some(self.class);
        while let Some(id) = class {
            let own = Ty::Class(id, Vec::new());
            if let Some((field, _)) = self.program.find_field(&own, name) {
                return self.field(field);
            }
            if self.program.class(id).captured.iter().any(|(captured, _)| captured == name) {
                return None;
            }
            class = self.program.class(id).outer;
        }
        let file = self.program.class(self.class).file;
        let (field, _) = self.program.imported_field(name, file)?;
        self.field(field)
    }

    /// The class that a qualified name begins with.
    fn class_named(&self, expr: &Expr) -> Option<ClassId> {
        let name = dotted(expr)?;
        let first = name.split('.').next().unwrap_or("");
        let own = Ty::Class(self.class, Vec::new());
        let is_variable =
            (self.is_variable)(first) || self.program.find_field(&own, first).is_some();
        match is_variable {
            true => None,
            false => self.program.find_class(&name, self.class),
        }
    }

    fn field(&mut self, id: FieldId) -> Option<Constant> {
        let program = self.program;
        let field = program.field(id);
        let value = field.value.filter(|_| field.is_final && field.spec.is_none())?;
        let is_text = field.ty.class().is_some() && field.ty.class() == self.string();
        if !(is_text || field.ty.is_numeric() || field.ty == Ty::Boolean) {
            return None;
        }
        // A cyclic definition has no value.
        if self.open.contains(&id) {
            return None;
        }
        self.open.push(id);
        let mut inner = Folder {
            program,
            class: field.class,
            is_variable: &|_| false,
            open: std::mem::take(&mut self.open),
            is_plain: true,
        };
        let found = inner.expr(value);
        self.open = inner.open;
        self.open.pop();
        let found = found?;
        match is_text {
            true => matches!(found, Constant::Text(_)).then_some(found),
            false => number::convert(&found, &field.ty),
        }
    }
}

fn literal_value(literal: &Literal) -> Option<Constant> {
    Some(match literal {
        Literal::Null => return None,
        Literal::Bool(value) => Constant::Boolean(*value),
        Literal::Integer(value, true) => Constant::Long(*value as i64),
        Literal::Integer(value, false) => Constant::Int(*value as u32 as i32),
        Literal::Char(value) => Constant::Char(*value),
        Literal::String(text) => Constant::Text(text.clone()),
        Literal::Float(text, true) => Constant::Float(single(text)?),
        Literal::Float(text, false) => Constant::Double(double(text)?),
    })
}

#[cfg(test)]
mod tests;

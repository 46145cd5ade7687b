//! Literals.

use ir::{Expr, Type};

use super::body::{Body, Val};
use super::heap::distinct;
use crate::faults::span;
use crate::syntax::{At, Literal};
use crate::types::Ty;

impl Body<'_, '_> {
    pub(super) fn literal(&mut self, literal: &Literal, at: At) -> Val {
        match literal {
            Literal::Null => {
                let object = self.cx.program.library_type("java.lang.Object");
                let vir = self.cx.vir(&object);
                Val { id: self.null(vir), ty: Ty::Null }
            }
            Literal::Bool(value) => Val { id: self.truth(*value), ty: Ty::Boolean },
            Literal::Integer(value, is_long) => {
                let ty = if *is_long { Ty::Long } else { Ty::Int };
                let width = if *is_long { 64 } else { 32 };
                Val { id: self.word(width, *value as i64), ty }
            }
            Literal::Char(value) => Val { id: self.word(16, i64::from(*value)), ty: Ty::Char },
            Literal::Float(text, is_single) => self.float(text, *is_single, at),
            Literal::String(text) => self.text(text, at),
        }
    }

    /// Floating-point numbers are their bits.
    fn float(&mut self, text: &str, is_single: bool, at: At) -> Val {
        let ty = if is_single { Ty::Float } else { Ty::Double };
        let digits = text.replace('_', "");
        let digits = digits.trim_end_matches(['f', 'F', 'd', 'D']);
        let bits = match is_single {
            true => digits.parse::<f32>().map(|value| i64::from(value.to_bits())),
            false => digits.parse::<f64>().map(|value| value.to_bits() as i64),
        };
        match bits {
            Ok(bits) => Val { id: self.word(if is_single { 32 } else { 64 }, bits), ty },
            Err(_) => self.unknown("a hexadecimal floating-point number", ty, at),
        }
    }

    /// A text is a constant object: not null, a `String`, and another than those of other texts.
    fn text(&mut self, text: &str, at: At) -> Val {
        let ty = self.cx.program.library_type("java.lang.String");
        let vir = self.cx.vir(&ty);
        let known = self.cx.texts.get(text).copied();
        let function = known.unwrap_or_else(|| self.new_text(text, vir.clone()));
        let id = self.push(Expr::Apply(function, Vec::new()), vir.clone());
        let is_null = self.is_null(id);
        let mut conditions = vec![self.not(is_null)];
        if self.class_of(id, &ty).is_some() {
            conditions.push(self.is_instance(id, &ty, &ty));
        }
        let mut others: Vec<(String, ir::FunctionId)> = self.texts.iter().cloned().collect();
        others.retain(|(other, _)| other != text);
        for (_, other) in others {
            let other = self.push(Expr::Apply(other, Vec::new()), vir.clone());
            let same = self.equal(id, other);
            conditions.push(self.not(same));
        }
        self.texts.insert((text.to_owned(), function));
        let condition = self.all_of(conditions);
        self.assume(condition, at);
        Val { id, ty }
    }

    fn new_text(&mut self, text: &str, result: Type) -> ir::FunctionId {
        let shown: String = text.chars().take(24).collect();
        let module = &self.cx.module;
        let is_taken = |name: &str| {
            module.functions.iter().any(|function| function.name == name)
                || module.globals.iter().any(|global| global.name == name)
        };
        let name = distinct(&format!("{shown:?}"), is_taken);
        let span = span(self.file, At::default());
        let function =
            ir::Function { name, parameters: Vec::new(), result, definition: None, span };
        self.cx.module.functions.push(function);
        let id = ir::FunctionId(self.cx.module.functions.len() as u32 - 1);
        self.cx.texts.insert(text.to_owned(), id);
        id
    }
}

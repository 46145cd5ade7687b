//! Literals.

use super::body::{Body, Val};
use crate::constant;
use crate::syntax::{Literal, TextRange};
use crate::types::Ty;

impl Body<'_, '_> {
    pub(super) fn literal(&mut self, literal: &Literal, at: TextRange) -> Val {
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
    fn float(&mut self, text: &str, is_single: bool, at: TextRange) -> Val {
        let ty = if is_single { Ty::Float } else { Ty::Double };
        let bits = match is_single {
            true => constant::single(text).map(|value| i64::from(value.to_bits())),
            false => constant::double(text).map(|value| value.to_bits() as i64),
        };
        match bits {
            Some(bits) => Val { id: self.word(if is_single { 32 } else { 64 }, bits), ty },
            None => self.unknown("this floating-point number", ty, at),
        }
    }
}

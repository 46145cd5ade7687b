//! Final fields that are declared with a value: what is known of them whenever a method is called.
//!
//! A constant has its value wherever it is read ([`crate::constant`]). For another initializer only that it
//! is an object, and the length of an array, are known. More would require executing static initializers: a
//! static field that is set there may hold anything, and no finding depends on it
//! ([`ir::Module::unevaluated`]).

use ir::{ExprId, GlobalId};

use super::Lowering;
use super::body::{Body, Val};
use super::convert::unboxed;
use crate::constant::{self, Constant};
use crate::program::{ClassId, FieldId};
use crate::syntax::{Expr, ExprKind, Literal};
use crate::types::Ty;

impl Lowering<'_> {
    /// The value of a static field comes from code that is not executed.
    pub(super) fn leave_unevaluated(&mut self, global: GlobalId) {
        if let Err(position) = self.module.unevaluated.binary_search(&global) {
            self.module.unevaluated.insert(position, global);
        }
    }
}

impl Body<'_, '_> {
    /// The condition that the declaration of a field implies for its value, and whether it is complete or the
    /// field may hold any other value as well.
    pub(super) fn initial_holds(&mut self, field: FieldId, value: ExprId) -> (Vec<ExprId>, bool) {
        let program = self.cx.program;
        let declared = program.field(field);
        let is_open = !declared.is_final
            || declared.constant.is_some()
            || declared.spec.is_some()
            || program.is_bundled(declared.class);
        match declared.value {
            _ if is_open => (Vec::new(), true),
            None => (Vec::new(), !declared.is_static),
            Some(initial) => {
                if let Some(constant) = constant::of_field(program, field)
                    && let Some(same) = self.is_constant_value(value, &constant)
                {
                    return (vec![same], true);
                }
                let value = Val { id: value, ty: declared.ty.clone() };
                self.expression_holds(initial, &value, declared.class)
            }
        }
    }

    fn is_constant_value(&mut self, value: ExprId, constant: &Constant) -> Option<ExprId> {
        let known = match constant {
            Constant::Boolean(known) => self.truth(*known),
            Constant::Text(text) => self.text_constant(text).id,
            _ => {
                let width = constant.primitive()?.width()?;
                self.word(width, constant.bits()?)
            }
        };
        (self.type_of(known) == self.type_of(value)).then(|| self.equal(value, known))
    }

    /// The condition that an expression implies for its value.
    fn expression_holds(
        &mut self,
        initial: &Expr,
        value: &Val,
        class: ClassId,
    ) -> (Vec<ExprId>, bool) {
        let program = self.cx.program;
        let count = |elements: &Expr| match &elements.kind {
            ExprKind::Elements(all) => Some(all.len() as i64),
            _ => None,
        };
        let folded = |expr: &Expr| {
            let found = constant::of_expr(program, class, &|_| false, expr);
            found.and_then(|(constant, _)| constant.bits())
        };
        match &initial.kind {
            ExprKind::New { .. } | ExprKind::ClassLiteral(_) => (vec![self.is_there(value)], true),
            ExprKind::Elements(all) => (self.array_holds(value, Some(all.len() as i64)), true),
            ExprKind::NewArray { lengths, initial, .. } => {
                let length = match initial {
                    Some(initial) => count(initial),
                    None => lengths.first().and_then(folded),
                };
                (self.array_holds(value, length), length.is_some())
            }
            ExprKind::Literal(Literal::Null) => (vec![self.is_null(value.id)], true),
            ExprKind::Literal(Literal::String(_)) => (vec![self.is_there(value)], true),
            ExprKind::Cast(_, inner) if value.ty.is_reference() => {
                self.expression_holds(inner, value, class)
            }
            _ => self.box_holds(initial, value, class),
        }
    }

    fn is_there(&mut self, value: &Val) -> ExprId {
        let is_null = self.is_null(value.id);
        self.not(is_null)
    }

    fn array_holds(&mut self, value: &Val, length: Option<i64>) -> Vec<ExprId> {
        let mut conditions = vec![self.is_there(value)];
        if let (Some(length), Ty::Array(_)) = (length, &value.ty) {
            let (known, length) = (self.word(32, length), self.length(value));
            conditions.push(self.equal(length.id, known));
        }
        conditions
    }

    /// A box holds the constant that it was made of.
    fn box_holds(&mut self, initial: &Expr, value: &Val, class: ClassId) -> (Vec<ExprId>, bool) {
        let program = self.cx.program;
        let Some(inner) = unboxed(program, &value.ty) else { return (Vec::new(), false) };
        let found = constant::of_expr(program, class, &|_| false, initial);
        let constant = found.and_then(|(constant, _)| constant::converted(&constant, &inner));
        let (Some(constant), Some((field, _))) = (constant, program.find_field(&value.ty, "value"))
        else {
            return (Vec::new(), false);
        };
        let held = self.field_value(field, value.id);
        let mut conditions = vec![self.is_there(value)];
        conditions.extend(self.is_constant_value(held, &constant));
        (conditions, true)
    }
}

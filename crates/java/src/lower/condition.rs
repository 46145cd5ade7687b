//! Conditions as jumps, so that each part of them is a branch of its own.

use ir::BlockId;

use super::body::{Body, Val};
use crate::syntax::{Binary, Expr, ExprKind, Unary};
use crate::types::Ty;

impl<'p> Body<'_, 'p> {
    /// Goes to one block if a condition holds and to another if not.
    pub(super) fn condition(&mut self, expr: &'p Expr, then: BlockId, otherwise: BlockId) {
        match &expr.kind {
            ExprKind::Unary(Unary::Not, inner) => self.condition(inner, otherwise, then),
            ExprKind::Binary(Binary::AndAlso, a, b) => {
                let next = self.blocks.create("and");
                self.condition(a, next, otherwise);
                self.blocks.enter(next);
                self.condition(b, then, otherwise);
            }
            ExprKind::Binary(Binary::OrElse, a, b) => {
                let next = self.blocks.create("or");
                self.condition(a, then, next);
                self.blocks.enter(next);
                self.condition(b, then, otherwise);
            }
            _ => {
                self.blocks.next_point();
                let value = self.expr(expr);
                let value = self.unbox(&value, expr.at);
                let value = self.convert(&value, &Ty::Boolean, expr.at);
                match self.procedure.exprs.get(value.id) {
                    ir::Expr::Bool(true) => self.go(then, expr.at),
                    ir::Expr::Bool(false) => self.go(otherwise, expr.at),
                    _ => self.branch(value.id, then, otherwise, expr.at),
                }
            }
        }
    }

    /// The value of a condition whose parts may not all be evaluated.
    pub(super) fn jumping(&mut self, expr: &'p Expr) -> Val {
        let result = self.variable("truth", ir::Type::Bool, None);
        let (yes, no) = (self.blocks.create("true"), self.blocks.create("false"));
        let after = self.blocks.create("known");
        self.condition(expr, yes, no);
        for (block, value) in [(yes, true), (no, false)] {
            self.blocks.enter(block);
            let value = self.truth(value);
            self.set(result, value, expr.at);
            self.go(after, expr.at);
        }
        self.blocks.enter(after);
        Val { id: self.read(result), ty: Ty::Boolean }
    }
}

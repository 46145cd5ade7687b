//! `switch`, old and new, as a statement and as an expression.

use ir::BlockId;

use super::body::{Body, Frame, Val};
use super::name::Target;
use crate::syntax::{At, Case, Expr, ExprKind, Literal, StmtKind};
use crate::types::Ty;

impl<'p> Body<'_, 'p> {
    pub(super) fn switch(&mut self, value: &'p Expr, cases: &'p [Case], at: At) {
        let after = self.blocks.create("after_switch");
        let bodies = self.select_case(value, cases, after, at);
        self.frames.push(Frame::Breakable { label: None, after });
        self.scopes.push(rustc_hash::FxHashMap::default());
        for (number, (case, body)) in cases.iter().zip(&bodies).enumerate() {
            self.blocks.enter(*body);
            for statement in &case.body {
                self.statement(statement);
            }
            let next = match case.is_rule {
                true => after,
                false => bodies.get(number + 1).copied().unwrap_or(after),
            };
            self.go(next, at);
        }
        self.scopes.pop();
        self.frames.pop();
        self.blocks.enter(after);
    }

    /// A `switch` that gives a value. Its type is that of the first value that is plain to see.
    pub(super) fn switch_expr(&mut self, value: &'p Expr, cases: &'p [Case], at: At) -> Val {
        let Some(ty) = self.switch_type(cases) else {
            return self.unknown("a `switch` whose type is not plain to see", Ty::Unknown, at);
        };
        let vir = self.cx.vir(&ty);
        let result = self.variable("chosen", vir, None);
        let after = self.blocks.create("after_switch");
        let nowhere = self.blocks.create("no_case");
        let bodies = self.select_case(value, cases, nowhere, at);
        self.frames.push(Frame::Yield { result, ty: ty.clone(), after });
        for (number, (case, body)) in cases.iter().zip(&bodies).enumerate() {
            self.blocks.enter(*body);
            match (&case.body[..], case.is_rule) {
                ([only], true) if matches!(only.kind, StmtKind::Expr(_)) => {
                    if let StmtKind::Expr(value) = &only.kind {
                        let found = self.expr(value);
                        let found = self.convert(&found, &ty, value.at);
                        self.set(result, found.id, value.at);
                    }
                }
                (statements, _) => {
                    for statement in statements {
                        self.statement(statement);
                    }
                }
            }
            let next = match case.is_rule {
                true => after,
                false => bodies.get(number + 1).copied().unwrap_or(after),
            };
            self.go(next, at);
        }
        self.frames.pop();
        self.blocks.enter(nowhere);
        let never = self.truth(false);
        self.assume(never, at);
        let default = self.procedure.local(result).ty.clone();
        let default = self.default(&default);
        self.set(result, default, at);
        self.go(after, at);
        self.blocks.enter(after);
        Val { id: self.read(result), ty }
    }

    fn switch_type(&mut self, cases: &'p [Case]) -> Option<Ty> {
        let mut found: Option<Ty> = None;
        for case in cases {
            let value = match case.body.last().map(|last| &last.kind) {
                Some(StmtKind::Expr(value) | StmtKind::Yield(value)) => value,
                _ => continue,
            };
            let ty = match &value.kind {
                ExprKind::Literal(Literal::Bool(_)) => Ty::Boolean,
                ExprKind::Literal(Literal::Integer(_, false)) => Ty::Int,
                ExprKind::Literal(Literal::Integer(_, true)) => Ty::Long,
                ExprKind::Literal(Literal::Char(_)) => Ty::Char,
                ExprKind::Literal(Literal::String(_)) => {
                    self.cx.program.library_type("java.lang.String")
                }
                ExprKind::Name(name) => match self.named(name) {
                    Target::Local(_, ty) | Target::Field { ty, .. } => ty,
                    _ => continue,
                },
                ExprKind::Binary(..) | ExprKind::Unary(..) => Ty::Int,
                _ => continue,
            };
            found = Some(match found {
                Some(known) => self.common_type(&known, &ty),
                None => ty,
            });
        }
        found
    }

    /// Leads to the case that a value selects; its blocks in order.
    fn select_case(
        &mut self,
        value: &'p Expr,
        cases: &'p [Case],
        otherwise: BlockId,
        at: At,
    ) -> Vec<BlockId> {
        let subject = self.expr(value);
        let subject = match subject.ty.is_reference() {
            true => {
                let message = self.null_message(value.at);
                self.not_null(&subject, &message, value.at);
                self.unbox(&subject, value.at)
            }
            false => subject,
        };
        let subject = self.save(&subject, value.at);
        let bodies: Vec<BlockId> = cases.iter().map(|_| self.blocks.create("case")).collect();
        let mut default = otherwise;
        for (case, body) in cases.iter().zip(&bodies) {
            if case.is_default {
                default = *body;
            }
            for label in &case.labels {
                let next = self.blocks.create("next_case");
                let matches = self.matches(&subject, label);
                self.branch(matches.id, *body, next, label.at);
                self.blocks.enter(next);
            }
        }
        self.go(default, at);
        bodies
    }

    /// Whether a value is that of a label; a bare name may be a constant of the value's enumeration.
    fn matches(&mut self, subject: &Val, label: &'p Expr) -> Val {
        let constant = match (&label.kind, &subject.ty) {
            (ExprKind::Name(name), Ty::Class(..)) => {
                self.cx.program.find_field(&subject.ty, name).map(|(id, _)| id)
            }
            _ => None,
        };
        let label_value = match constant {
            Some(id) => {
                let global = self.cx.field(id);
                Val { id: self.global(global), ty: subject.ty.clone() }
            }
            None => self.expr(label),
        };
        if subject.ty.is_reference() && label_value.ty.is_reference() {
            return self.same(subject, &label_value);
        }
        match self.binary(crate::syntax::Binary::Eq, subject, &label_value) {
            Some(value) => value,
            None => self.unknown("this label", Ty::Boolean, label.at),
        }
    }
}

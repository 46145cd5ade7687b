//! `switch`, old and new, as a statement and as an expression.

use ir::BlockId;

use super::body::{Body, Frame, Val};
use crate::syntax::{Expr, ExprKind, Stmt, StmtKind, SwitchCase, TextRange};
use crate::types::Ty;

impl<'p> Body<'_, 'p> {
    pub(super) fn switch(&mut self, value: &'p Expr, cases: &'p [SwitchCase], at: TextRange) {
        let after = self.blocks.create("after_switch");
        self.scopes.push(rustc_hash::FxHashMap::default());
        let bodies = self.select_case(value, cases, after, at);
        self.frames.push(Frame::Breakable { label: None, after });
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

    /// A `switch` expression: its type is the common type of its values.
    pub(super) fn switch_expr(
        &mut self,
        value: &'p Expr,
        cases: &'p [SwitchCase],
        at: TextRange,
    ) -> Val {
        let (nowhere, after) = (self.blocks.create("no_case"), self.blocks.create("after_switch"));
        self.scopes.push(rustc_hash::FxHashMap::default());
        let bodies = self.select_case(value, cases, nowhere, at);
        self.frames.push(Frame::Yield);
        self.yields.push(Vec::new());
        for (number, (case, body)) in cases.iter().zip(&bodies).enumerate() {
            self.blocks.enter(*body);
            match (&case.body[..], case.is_rule) {
                ([Stmt { kind: StmtKind::Expr(value), .. }], true) => {
                    let found = self.expr(value);
                    let found = self.save(&found, value.at);
                    self.yield_value(found, value.at);
                }
                (statements, _) => {
                    for statement in statements {
                        self.statement(statement);
                    }
                }
            }
            let next = bodies.get(number + 1).copied().filter(|_| !case.is_rule);
            self.go(next.unwrap_or(nowhere), at);
        }
        self.scopes.pop();
        self.frames.pop();
        self.blocks.enter(nowhere);
        let never = self.truth(false);
        self.assume(never, at);
        let given = self.yields.pop().unwrap_or_default();
        let types = given.iter().map(|(_, value, _)| value.ty.clone());
        let ty = types.reduce(|a, b| self.common_type(&a, &b)).unwrap_or(Ty::Unknown);
        let vir = self.cx.vir(&ty);
        let result = self.variable("chosen", vir, None);
        self.go(after, at);
        for (block, value, value_at) in given {
            self.blocks.enter(block);
            let value = self.convert(&value, &ty, value_at);
            self.set(result, value.id, value_at);
            self.go(after, value_at);
        }
        self.blocks.enter(after);
        Val { id: self.read(result), ty }
    }

    /// Gives a value to the `switch` around this.
    pub(super) fn yield_value(&mut self, value: Val, at: TextRange) {
        let block = self.blocks.create("given");
        self.go(block, at);
        if let Some(given) = self.yields.last_mut() {
            given.push((block, value, at));
        }
    }

    /// Leads to the case that a value selects; its blocks in order.
    fn select_case(
        &mut self,
        value: &'p Expr,
        cases: &'p [SwitchCase],
        otherwise: BlockId,
        at: TextRange,
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
            for pattern in &case.patterns {
                let next = self.blocks.create("next_case");
                let of = self.written(&pattern.ty);
                let matches = self.matched(&subject, &of, pattern.name.as_ref(), pattern.ty.at);
                match &pattern.guard {
                    None => self.branch(matches.id, *body, next, pattern.ty.at),
                    Some(guard) => {
                        let tested = self.blocks.create("guard");
                        self.branch(matches.id, tested, next, pattern.ty.at);
                        self.blocks.enter(tested);
                        self.condition(guard, *body, next);
                    }
                }
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
        if let Some(same) = self.same_text(subject, &label_value) {
            return same;
        }
        if subject.ty.is_reference() && label_value.ty.is_reference() {
            return self.same(subject, &label_value);
        }
        if subject.ty == Ty::Unknown || label_value.ty == Ty::Unknown {
            return self.anything(Ty::Boolean, label.at);
        }
        match self.binary(crate::syntax::Binary::Eq, subject, &label_value) {
            Some(value) => value,
            None => self.unknown("this label", Ty::Boolean, label.at),
        }
    }
}

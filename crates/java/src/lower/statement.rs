//! Statements.

use ir::{AssertKind, AssumeReason, ClauseRole, Exit, Origin, StatementKind, TerminatorKind};
use rustc_hash::FxHashMap;

use super::body::{Body, Frame, Val};
use super::name::Target;
use crate::jml;
use crate::spec::SpecStatement;
use crate::syntax::{Comment, Declarator, Expr, Stmt, StmtKind, TextRange, TypeRef, TypeRefKind};
use crate::types::Ty;

impl<'p> Body<'_, 'p> {
    pub(super) fn block(&mut self, statements: &'p [Stmt]) {
        self.scopes.push(FxHashMap::default());
        for statement in statements {
            self.statement(statement);
        }
        self.scopes.pop();
    }

    pub(super) fn statement(&mut self, statement: &'p Stmt) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.statement_kind(statement));
    }

    fn statement_kind(&mut self, statement: &'p Stmt) {
        let at = statement.at;
        self.blocks.next_point();
        let label = self.label.take();
        let is_spec = matches!(statement.kind, StmtKind::Spec(_));
        let remarks = if is_spec { Vec::new() } else { std::mem::take(&mut self.loop_specs) };
        match &statement.kind {
            StmtKind::Empty | StmtKind::Class(_) => {}
            StmtKind::Block(inner) => self.block(inner),
            StmtKind::Local(ty, declarators) => self.locals(ty, declarators),
            StmtKind::Expr(expr) => {
                self.expr(expr);
            }
            StmtKind::If(condition, then, otherwise) => {
                let (yes, after) = (self.blocks.create("then"), self.blocks.create("after_if"));
                let no = otherwise.as_ref().map(|_| self.blocks.create("else"));
                // A variable of a pattern may be known behind the statement.
                self.condition(condition, yes, no.unwrap_or(after));
                self.blocks.enter(yes);
                self.inner(then);
                self.go(after, at);
                if let (Some(no), Some(otherwise)) = (no, otherwise) {
                    self.blocks.enter(no);
                    self.inner(otherwise);
                    self.go(after, at);
                }
                self.blocks.enter(after);
            }
            StmtKind::While(condition, body) => {
                self.while_(condition, body, label, remarks, at);
            }
            StmtKind::Do(body, condition) => self.do_(body, condition, label, remarks, at),
            StmtKind::For { init, condition, update, body } => {
                self.scopes.push(FxHashMap::default());
                for first in init {
                    self.statement(first);
                }
                self.for_(condition.as_ref(), update, body, label, remarks, at);
                self.scopes.pop();
            }
            StmtKind::ForEach { ty, name, value, body } => {
                self.for_each(ty, name, value, body, label, remarks, at);
            }
            StmtKind::Labeled(name, inner) => {
                let after = self.blocks.create("after_label");
                self.frames.push(Frame::Breakable { label: Some(name.clone()), after });
                self.label = Some(name.clone());
                self.loop_specs = remarks;
                self.statement(inner);
                self.frames.pop();
                self.go(after, at);
                self.blocks.enter(after);
            }
            StmtKind::Switch(value, cases) => self.switch(value, cases, at),
            StmtKind::Return(value) => self.return_(value.as_ref(), at),
            StmtKind::Break(label) => self.break_(label.as_deref(), at),
            StmtKind::Continue(label) => self.continue_(label.as_deref(), at),
            StmtKind::Yield(value) => self.yield_(value, at),
            StmtKind::Throw(value) => {
                let value = self.expr(value);
                self.throw(&value, at);
            }
            StmtKind::Try { body, catches, finally } => {
                self.try_(body, catches, finally.as_deref(), at);
            }
            StmtKind::Synchronized(lock, body) => {
                let lock_value = self.expr(lock);
                let message = self.null_message(lock.at);
                self.not_null(&lock_value, &message, lock.at);
                self.block(body);
            }
            StmtKind::Assert(condition, message) => self.assert(condition, message.as_ref(), at),
            StmtKind::Constructor { .. } => {
                self.unsupported("a call of a constructor that is not the first statement", at);
            }
            StmtKind::Spec(comment) => self.spec_statement(comment, at),
            StmtKind::Unknown(what) => self.unsupported(what, at),
        }
    }

    /// A statement with a scope of its own.
    pub(super) fn inner(&mut self, statement: &'p Stmt) {
        self.scopes.push(FxHashMap::default());
        self.statement(statement);
        self.scopes.pop();
    }

    fn locals(&mut self, ty: &'p TypeRef, declarators: &'p [Declarator]) {
        let is_inferred = matches!(&ty.kind, TypeRefKind::Named(name, _) if name == "var");
        for declarator in declarators {
            let at = declarator.name.at;
            let mut declared = self.written(ty);
            for _ in 0..declarator.dimensions {
                declared = Ty::Array(Box::new(declared));
            }
            let value = match &declarator.value {
                None => None,
                Some(value) if is_inferred => {
                    let value = self.expr(value);
                    declared = value.ty.clone();
                    Some(value)
                }
                Some(value) => {
                    let value_at = value.at;
                    let value = self.elements_of(&declared, value);
                    Some(self.convert(&value, &declared, value_at))
                }
            };
            let local = self.declare(&declarator.name.name, &declared);
            if let Some(value) = value {
                let end = declarator.value.as_ref().map_or(at, |value| value.at);
                self.store(&Target::Local(local, declared), &value, at.to(end));
            }
        }
    }

    fn return_(&mut self, value: Option<&'p Expr>, at: TextRange) {
        if let (Some(value), Some((result, ty))) = (value, self.result.clone()) {
            let given = self.elements_of(&ty, value);
            let given = self.convert(&given, &ty, value.at);
            // `finally` does not change the returned value.
            let given = self.save(&given, value.at);
            self.leave(0);
            let whole = ir::Place { variable: ir::Variable::Local(result), path: Vec::new() };
            self.assign(whole, given.id, at);
        } else {
            self.leave(0);
        }
        self.end_models(at);
        let span = self.span(at);
        self.blocks.end(TerminatorKind::Exit(Exit::Normal), span, Origin::Source);
    }

    fn break_(&mut self, wanted: Option<&str>, at: TextRange) {
        let found = self.frames.iter().rposition(|frame| match (frame, wanted) {
            (Frame::Loop { .. } | Frame::Breakable { label: None, .. }, None) => true,
            (Frame::Breakable { label: Some(label), .. }, Some(wanted)) => label == wanted,
            _ => false,
        });
        match found {
            Some(position) => {
                self.leave(position + 1);
                if let Frame::Loop { after, .. } | Frame::Breakable { after, .. } =
                    self.frames[position]
                {
                    self.go(after, at);
                }
            }
            None => self.fault("`break` outside of a loop or `switch`", at),
        }
    }

    fn continue_(&mut self, wanted: Option<&str>, at: TextRange) {
        let found = self.frames.iter().rposition(|frame| match (frame, wanted) {
            (Frame::Loop { .. }, None) => true,
            (Frame::Loop { label: Some(label), .. }, Some(wanted)) => label == wanted,
            _ => false,
        });
        match found {
            Some(position) => {
                self.leave(position + 1);
                if let Frame::Loop { again, .. } = self.frames[position] {
                    self.go(again, at);
                }
            }
            None => self.fault("`continue` outside of a loop", at),
        }
    }

    fn yield_(&mut self, value: &'p Expr, at: TextRange) {
        let found = self.frames.iter().rposition(|frame| matches!(frame, Frame::Yield));
        let Some(position) = found else {
            return self.fault("`yield` outside of a `switch` expression", at);
        };
        let value = self.expr(value);
        let value = self.save(&value, at);
        self.leave(position + 1);
        self.yield_value(value, at);
    }

    fn assert(&mut self, condition: &'p Expr, message: Option<&'p Expr>, at: TextRange) {
        let (held, broken) = (self.blocks.create("holds"), self.blocks.create("broken"));
        let is_false = matches!(
            condition.kind,
            crate::syntax::ExprKind::Literal(crate::syntax::Literal::Bool(false))
        );
        let text = jml::one_line(self.cx.text(self.file, condition.at));
        let message_text = format!("the assertion `{text}` does not hold");
        // Without a contract the inputs are trusted, and so is what the method asserts of them. That requires
        // a condition that is one value without control flow.
        if !is_false
            && !self.has_contract()
            && !condition.has_effects()
            && let Some(value) = self.pure_condition(condition)
        {
            self.asserted(value, message_text, at);
            return;
        }
        // A decision of external code is not a test by the method itself, and so is no branch of it.
        let is_value = self.has_contract() && condition.has_effects();
        if !is_false
            && !is_value
            && (!condition.is_plain() || message.is_some_and(Expr::has_effects))
        {
            self.condition(condition, held, broken);
            self.blocks.enter(broken);
            let never = self.truth(false);
            self.asserted(never, message_text, at);
            self.go(held, at);
            self.blocks.enter(held);
            return;
        }
        let value = self.expr(condition);
        let value: Val = self.unbox(&value, at);
        let value = self.convert(&value, &Ty::Boolean, at);
        self.asserted(value.id, message_text, at);
    }

    /// Whether the contract restricts the inputs.
    fn has_contract(&self) -> bool {
        self.procedure.contract.requires.iter().any(|clause| !clause.free)
    }

    /// A condition as a value, with no word about what has no meaning as such.
    fn pure_condition(&mut self, condition: &Expr) -> Option<ir::ExprId> {
        let diagnostics = std::mem::take(self.cx.diagnostics);
        let trouble = self.unsupported_reason.take();
        let value = self.spec_value(condition).filter(|value| value.ty == Ty::Boolean);
        *self.cx.diagnostics = diagnostics;
        self.unsupported_reason = trouble;
        value.map(|value| value.id)
    }

    pub(super) fn obligation(
        &mut self,
        condition: ir::ExprId,
        kind: AssertKind,
        message: String,
        at: TextRange,
    ) {
        self.emit(StatementKind::Assert { condition, kind, message }, at, Origin::Source);
    }

    /// A specification between statements.
    fn spec_statement(&mut self, comment: &'p Comment, at: TextRange) {
        self.cx.diagnostics.file = self.file;
        for remark in jml::spec_statements(comment, self.cx.diagnostics) {
            match &remark {
                SpecStatement::Assert(condition) => match self.formula(condition, true) {
                    Some(id) => {
                        let message = format!("`{}` does not hold", condition.text);
                        self.obligation(id, AssertKind::Assertion, message, condition.at);
                    }
                    None => self.leave_out(ClauseRole::Promise, &condition.text, condition.at),
                },
                SpecStatement::Assume(condition) => match self.formula(condition, false) {
                    Some(id) => {
                        let reason = AssumeReason::Axiom;
                        let kind = StatementKind::Assume { condition: id, reason };
                        self.emit(kind, condition.at, Origin::Source);
                    }
                    None => self.cut(&format!("`assume {}`", condition.text), condition.at),
                },
                SpecStatement::LoopInvariant(_) | SpecStatement::Decreases(_) => {
                    self.loop_specs.push(remark);
                }
                SpecStatement::Ghost(field) => self.ghost_local(field),
                SpecStatement::Set(target, value) => self.set_ghost(target, value, at),
                SpecStatement::Obligation(gap) => {
                    self.leave_out(ClauseRole::Promise, &gap.text, gap.at);
                }
                SpecStatement::Unsupported(what, at) => self.unsupported(what, *at),
            }
        }
    }
}

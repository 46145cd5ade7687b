//! Loops: a block that is come back to, with what specifications say of it.

use ir::{BlockId, Clause, ClauseRole, ExprId, LocalId, LoopFacts, Op, Type};
use rustc_hash::FxHashMap;

use super::body::{Body, Frame, Val};
use super::expression::is_true;
use super::name::Target;
use crate::spec::SpecStatement;
use crate::syntax::{Expr, Ident, Stmt, TextRange, TypeRef, TypeRefKind};
use crate::types::Ty;

impl<'p> Body<'_, 'p> {
    /// The facts of the loop that a block is the head of.
    fn facts(&mut self, head: BlockId, remarks: &[SpecStatement]) {
        let mut facts = LoopFacts::default();
        for remark in remarks {
            match remark {
                SpecStatement::LoopInvariant(condition) => {
                    let Some(id) = self.formula(condition, true) else {
                        self.leave_out(ClauseRole::Promise, &condition.text, condition.at);
                        continue;
                    };
                    let message = format!("the loop invariant `{}` does not hold", condition.text);
                    let span = self.span(condition.at);
                    facts.invariants.push(Clause { condition: id, free: false, message, span });
                }
                SpecStatement::Decreases(measure) => {
                    facts.decreases = self.measure(measure);
                }
                SpecStatement::Assert(_)
                | SpecStatement::Assume(_)
                | SpecStatement::Ghost(_)
                | SpecStatement::Set(..)
                | SpecStatement::Obligation(_)
                | SpecStatement::Unsupported(..) => {}
            }
        }
        if facts != LoopFacts::default() {
            self.blocks.set_facts(head, facts);
        }
    }

    pub(super) fn while_(
        &mut self,
        condition: &'p Expr,
        body: &'p Stmt,
        label: Option<String>,
        remarks: Vec<SpecStatement>,
        at: TextRange,
    ) {
        let (head, inside) = (self.blocks.create("loop"), self.blocks.create("body"));
        let after = self.blocks.create("after_loop");
        self.go(head, at);
        self.facts(head, &remarks);
        self.blocks.enter(head);
        match is_true(condition) {
            true => self.go(inside, at),
            false => self.condition(condition, inside, after),
        }
        self.blocks.enter(inside);
        self.frames.push(Frame::Loop { label, after, again: head });
        self.inner(body);
        self.frames.pop();
        self.go(head, at);
        self.blocks.enter(after);
    }

    pub(super) fn do_(
        &mut self,
        body: &'p Stmt,
        condition: &'p Expr,
        label: Option<String>,
        remarks: Vec<SpecStatement>,
        at: TextRange,
    ) {
        let (head, test) = (self.blocks.create("loop"), self.blocks.create("test"));
        let after = self.blocks.create("after_loop");
        self.go(head, at);
        self.facts(head, &remarks);
        self.blocks.enter(head);
        self.frames.push(Frame::Loop { label, after, again: test });
        self.inner(body);
        self.frames.pop();
        self.go(test, at);
        self.blocks.enter(test);
        match is_true(condition) {
            true => self.go(head, at),
            false => self.condition(condition, head, after),
        }
        self.blocks.enter(after);
    }

    pub(super) fn for_(
        &mut self,
        condition: Option<&'p Expr>,
        update: &'p [Expr],
        body: &'p Stmt,
        label: Option<String>,
        remarks: Vec<SpecStatement>,
        at: TextRange,
    ) {
        let (head, inside) = (self.blocks.create("loop"), self.blocks.create("body"));
        let (step, after) = (self.blocks.create("step"), self.blocks.create("after_loop"));
        self.go(head, at);
        self.facts(head, &remarks);
        self.blocks.enter(head);
        match condition.filter(|condition| !is_true(condition)) {
            None => self.go(inside, at),
            Some(condition) => self.condition(condition, inside, after),
        }
        self.blocks.enter(inside);
        self.frames.push(Frame::Loop { label, after, again: step });
        self.inner(body);
        self.frames.pop();
        self.go(step, at);
        self.blocks.enter(step);
        for part in update {
            self.blocks.next_point();
            self.expr(part);
        }
        self.go(head, at);
        self.blocks.enter(after);
    }

    /// Over the elements of an array, by index; over anything else by its iterator (JLS §14.14.2).
    #[expect(clippy::too_many_arguments, reason = "the parts of the statement")]
    pub(super) fn for_each(
        &mut self,
        ty: &'p TypeRef,
        name: &'p Ident,
        value: &'p Expr,
        body: &'p Stmt,
        label: Option<String>,
        remarks: Vec<SpecStatement>,
        at: TextRange,
    ) {
        let whole = self.expr(value);
        let whole = self.save(&whole, value.at);
        if whole.ty != Ty::Unknown {
            let message = self.null_message(value.at);
            self.not_null(&whole, &message, value.at);
        }
        let walk = match whole.ty {
            Ty::Array(_) => IterationKind::by_index(self, whole, at),
            _ => IterationKind::by_iterator(self, &whole, value.at),
        };
        let (head, inside) = (self.blocks.create("loop"), self.blocks.create("body"));
        let (step, after) = (self.blocks.create("step"), self.blocks.create("after_loop"));
        self.go(head, at);
        self.facts(head, &remarks);
        self.blocks.enter(head);
        let more = walk.has_more(self, value.at);
        self.branch(more, inside, after, value.at);
        self.blocks.enter(inside);
        self.scopes.push(FxHashMap::default());
        let found = walk.here(self, name.at);
        let is_inferred = matches!(&ty.kind, TypeRefKind::Named(name, _) if name == "var");
        let declared = if is_inferred { found.ty.clone() } else { self.written(ty) };
        let found = self.convert(&found, &declared, name.at);
        let local = self.declare(&name.name, &declared);
        self.store(&Target::Local(local, declared), &found, name.at);
        self.frames.push(Frame::Loop { label, after, again: step });
        self.inner(body);
        self.frames.pop();
        self.scopes.pop();
        self.go(step, at);
        self.blocks.enter(step);
        walk.step(self, at);
        self.go(head, at);
        self.blocks.enter(after);
    }

    /// A measure as an integer.
    fn measure(&mut self, measure: &Expr) -> Option<ExprId> {
        let value: Val = self.spec_value(measure)?;
        let value = self.number_as(value.id, &value.ty.clone(), &Ty::Long)?;
        Some(self.op(Op::BvToInt, vec![value], Type::Int))
    }
}

/// The kinds of iteration over members.
enum IterationKind {
    Index { array: Val, index: LocalId },
    Iterator(Val),
}

impl IterationKind {
    fn by_index(body: &mut Body<'_, '_>, array: Val, at: TextRange) -> IterationKind {
        let index = body.variable("index", Type::Bv(32), None);
        let zero = body.word(32, 0);
        body.set(index, zero, at);
        IterationKind::Index { array, index }
    }

    fn by_iterator(body: &mut Body<'_, '_>, whole: &Val, at: TextRange) -> IterationKind {
        let iterator = body.call_on(whole, "iterator", at);
        let iterator = body.save(&iterator, at);
        if iterator.ty != Ty::Unknown {
            body.not_null(&iterator, "`iterator()` returns null", at);
        }
        IterationKind::Iterator(iterator)
    }

    fn has_more(&self, body: &mut Body<'_, '_>, at: TextRange) -> ExprId {
        match self {
            IterationKind::Index { array, index } => {
                let length = body.length(array);
                let here = body.read(*index);
                body.op(Op::BvSlt, vec![here, length.id], Type::Bool)
            }
            IterationKind::Iterator(iterator) => {
                let more = body.call_on(iterator, "hasNext", at);
                body.convert(&more, &Ty::Boolean, at).id
            }
        }
    }

    /// The member that it is at.
    fn here(&self, body: &mut Body<'_, '_>, at: TextRange) -> Val {
        match self {
            IterationKind::Index { array, index } => {
                let here = body.read(*index);
                let found = body.element_value(array, here);
                let element = found.ty.clone();
                body.refine(&found, &element, at)
            }
            IterationKind::Iterator(iterator) => body.call_on(iterator, "next", at),
        }
    }

    fn step(&self, body: &mut Body<'_, '_>, at: TextRange) {
        match self {
            IterationKind::Index { index, .. } => {
                let (here, one) = (body.read(*index), body.word(32, 1));
                let next = body.op(Op::BvAdd, vec![here, one], Type::Bv(32));
                body.set(*index, next, at);
            }
            IterationKind::Iterator(_) => {}
        }
    }
}

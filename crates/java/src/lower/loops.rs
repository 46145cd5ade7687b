//! Loops: a block that is come back to, with what specifications say of it.

use ir::{BlockId, Clause, LoopFacts, Op, Type};
use rustc_hash::FxHashMap;

use super::body::{Body, Frame, Val};
use super::expression::is_true;
use super::name::Target;
use crate::spec::Remark;
use crate::syntax::{At, Expr, Ident, Stmt, TypeRef, TypeRefKind};
use crate::types::Ty;

impl<'p> Body<'_, 'p> {
    /// The facts of the loop that a block is the head of.
    fn facts(&mut self, head: BlockId, remarks: &[Remark]) {
        let mut facts = LoopFacts::default();
        for remark in remarks {
            match remark {
                Remark::LoopInvariant(condition) => {
                    if let Some(id) = self.formula(condition) {
                        let message =
                            format!("the loop invariant `{}` does not hold", condition.text);
                        let span = self.span(condition.at);
                        facts.invariants.push(Clause { condition: id, free: false, message, span });
                    }
                }
                Remark::Decreases(measure) => {
                    facts.decreases = self.measure(measure);
                }
                Remark::Assert(_) | Remark::Assume(_) | Remark::Unsupported(..) => {}
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
        remarks: Vec<Remark>,
        at: At,
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
        remarks: Vec<Remark>,
        at: At,
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
        remarks: Vec<Remark>,
        at: At,
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

    /// Over the elements of an array, by index; over anything else it is not modelled.
    #[expect(clippy::too_many_arguments, reason = "the parts of the statement")]
    pub(super) fn for_each(
        &mut self,
        ty: &'p TypeRef,
        name: &'p Ident,
        value: &'p Expr,
        body: &'p Stmt,
        label: Option<String>,
        remarks: Vec<Remark>,
        at: At,
    ) {
        let array = self.expr(value);
        let Ty::Array(element) = array.ty.clone() else {
            self.unsupported("a loop over what is no array", at);
            return;
        };
        let array = self.save(&array, value.at);
        let message = self.null_message(value.at);
        self.not_null(&array, &message, value.at);
        let index = self.variable("index", Type::Bv(32), None);
        let zero = self.word(32, 0);
        self.set(index, zero, at);
        let (head, inside) = (self.blocks.create("loop"), self.blocks.create("body"));
        let (step, after) = (self.blocks.create("step"), self.blocks.create("after_loop"));
        self.go(head, at);
        self.facts(head, &remarks);
        self.blocks.enter(head);
        let length = self.length(&array);
        let here = self.read(index);
        let more = self.op(Op::BvSlt, vec![here, length.id], Type::Bool);
        self.branch(more, inside, after, value.at);
        self.blocks.enter(inside);
        self.scopes.push(FxHashMap::default());
        let is_inferred = matches!(&ty.kind, TypeRefKind::Named(name, _) if name == "var");
        let declared = if is_inferred { (*element).clone() } else { self.written(ty) };
        let local = self.declare(&name.name, &declared);
        let here = self.read(index);
        let found = self.element_value(&array, here);
        let found = self.refine(&found, &element, name.at);
        let found = self.convert(&found, &declared, name.at);
        self.store(&Target::Local(local, declared), &found, name.at);
        self.frames.push(Frame::Loop { label, after, again: step });
        self.inner(body);
        self.frames.pop();
        self.scopes.pop();
        self.go(step, at);
        self.blocks.enter(step);
        let (here, one) = (self.read(index), self.word(32, 1));
        let next = self.op(Op::BvAdd, vec![here, one], Type::Bv(32));
        self.set(index, next, at);
        self.go(head, at);
        self.blocks.enter(after);
    }

    /// A measure as an integer.
    fn measure(&mut self, measure: &Expr) -> Option<ir::ExprId> {
        let value: Val = self.spec_value(measure)?;
        let value = self.number_as(value.id, &value.ty.clone(), &Ty::Long)?;
        Some(self.op(Op::BvToInt, vec![value], Type::Int))
    }
}

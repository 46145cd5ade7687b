//! Sequences of objects: a length and the element at each index. No sequence is a value of VIR; the result of
//! an operation on sequences is again a length and a lookup function.

use ir::{Expr as Vir, ExprId, Op, Quantifier, Type};

use super::super::body::{Body, Val};
use super::super::heap::HeapMap;
use super::Env;
use crate::syntax::{Expr, ExprKind, Ident, Receiver, Spec};
use crate::types::Ty;

/// A sequence.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    length: ExprId,
    member: Ty,
    items: Items,
}

/// The element at each index.
#[derive(Clone, Debug)]
enum Items {
    /// The sequence that a map holds for an object.
    Of(ExprId, ExprId),
    /// The first, with a length; then the second.
    Joined(Box<Items>, ExprId, Box<Items>),
    One(ExprId),
    /// From some index on.
    From(Box<Items>, ExprId),
}

impl Body<'_, '_> {
    /// The sequence that an expression denotes.
    pub(super) fn sequence_of(&mut self, expr: &Expr, env: &mut Env) -> Option<Sequence> {
        match &expr.kind {
            ExprKind::Spec(Spec::Old(inner)) => {
                let mut before = env.clone();
                before.is_before = true;
                before.this = before.this.filter(|_| !self.makes_this());
                let sequence = self.sequence_of(inner, &mut before)?;
                let length = self.push(Vir::Old(sequence.length), Type::Bv(32));
                let items = self.old_items(sequence.items);
                Some(Sequence { length, items, ..sequence })
            }
            ExprKind::Name(_) | ExprKind::Field(..) => {
                let (field, object) = self.spec_place(expr, env)?;
                if self.cx.program.field(field).is_model()
                    && let Some((value, mut inner)) = self.represented(field, &object, env)
                {
                    return self.sequence_of(value, &mut inner);
                }
                if self.unsupported_reason.is_some() {
                    return None;
                }
                let [count, item] =
                    [HeapMap::Count(field), HeapMap::Item(field)].map(|map| self.cx.map(map));
                let (count, item) = (self.global(count), self.global(item));
                let length = self.select(count, vec![object.id]);
                let member = self.cx.program.field(field).ty.clone();
                Some(Sequence { length, member, items: Items::Of(item, object.id) })
            }
            ExprKind::Call { receiver: Receiver::Expr(receiver), name, arguments } => {
                let sequence = self.sequence_of(receiver, env)?;
                self.derived(sequence, name, arguments, env)
            }
            _ => {
                self.not_modelled("this sequence", expr.at);
                None
            }
        }
    }

    /// The result of a method on a sequence.
    fn derived(
        &mut self,
        sequence: Sequence,
        name: &Ident,
        arguments: &[Expr],
        env: &mut Env,
    ) -> Option<Sequence> {
        let Sequence { length, member, items } = sequence;
        let one = self.word(32, 1);
        match (name.name.as_str(), arguments) {
            ("insertBack" | "insertFront", [object]) => {
                let object = self.jml(object, env)?;
                self.cx.unify(&object.ty, &member);
                let object = self.spec_convert(&object, &member)?;
                let (single, items) = (Box::new(Items::One(object)), Box::new(items));
                let items = match name.name == "insertBack" {
                    true => Items::Joined(items, length, single),
                    false => Items::Joined(single, one, items),
                };
                let length = self.op(Op::BvAdd, vec![length, one], Type::Bv(32));
                Some(Sequence { length, member, items })
            }
            ("concat", [other]) => {
                let other = self.sequence_of(other, env)?;
                let items = Items::Joined(Box::new(items), length, Box::new(other.items));
                let length = self.op(Op::BvAdd, vec![length, other.length], Type::Bv(32));
                Some(Sequence { length, member, items })
            }
            ("header" | "trailer", []) => {
                let length = self.op(Op::BvSub, vec![length, one], Type::Bv(32));
                let items = match name.name == "trailer" {
                    true => Items::From(Box::new(items), one),
                    false => items,
                };
                Some(Sequence { length, member, items })
            }
            ("removeItemAt", [index]) => {
                let index = self.jml(index, env)?;
                let index = self.number_as(index.id, &index.ty, &Ty::Int)?;
                let next = self.op(Op::BvAdd, vec![index, one], Type::Bv(32));
                let rest = Box::new(Items::From(Box::new(items.clone()), next));
                let length = self.op(Op::BvSub, vec![length, one], Type::Bv(32));
                Some(Sequence {
                    length,
                    member,
                    items: Items::Joined(Box::new(items), index, rest),
                })
            }
            ("prefix" | "removePrefix", [count]) => {
                let count = self.jml(count, env)?;
                let count = self.number_as(count.id, &count.ty, &Ty::Int)?;
                if name.name == "prefix" {
                    return Some(Sequence { length: count, member, items });
                }
                let length = self.op(Op::BvSub, vec![length, count], Type::Bv(32));
                Some(Sequence { length, member, items: Items::From(Box::new(items), count) })
            }
            _ => {
                self.not_modelled(&format!("`{}` of a sequence", name.name), name.at);
                None
            }
        }
    }

    /// The value of a method of a sequence.
    pub(super) fn sequence_call(
        &mut self,
        sequence: &Sequence,
        name: &Ident,
        arguments: &[Expr],
        env: &mut Env,
    ) -> Option<Val> {
        let zero = self.word(32, 0);
        let one = self.word(32, 1);
        let truth = |id| Some(Val { id, ty: Ty::Boolean });
        match (name.name.as_str(), arguments) {
            ("int_size" | "int_length" | "size" | "length", []) => {
                Some(Val { id: sequence.length, ty: Ty::Int })
            }
            ("isEmpty", []) => truth(self.equal(sequence.length, zero)),
            ("get" | "itemAt", [index]) => {
                let index = self.jml(index, env)?;
                let index = self.number_as(index.id, &index.ty, &Ty::Int)?;
                Some(self.item(sequence, index))
            }
            ("first", []) => Some(self.item(sequence, zero)),
            ("last", []) => {
                let last = self.op(Op::BvSub, vec![sequence.length, one], Type::Bv(32));
                Some(self.item(sequence, last))
            }
            ("has" | "contains", [object]) => {
                let object = self.jml(object, env)?;
                self.cx.unify(&object.ty, &sequence.member);
                let object = self.spec_convert(&object, &sequence.member)?;
                let some = self.some_index(sequence.length, Quantifier::Some, |body, index| {
                    let item = body.item(sequence, index);
                    body.equal(item.id, object)
                });
                truth(some)
            }
            ("equals", [other]) => {
                let other = self.sequence_of(other, env)?;
                truth(self.same_sequence(sequence, &other))
            }
            _ => {
                self.not_modelled(&format!("`{}` of a sequence", name.name), name.at);
                None
            }
        }
    }

    /// Whether two sequences have the same objects in the same order.
    pub(super) fn same_sequence(&mut self, a: &Sequence, b: &Sequence) -> ExprId {
        self.cx.unify(&a.member, &b.member);
        let same_length = self.equal(a.length, b.length);
        let same_items = self.some_index(a.length, Quantifier::All, |body, index| {
            let (a, b) = (body.item(a, index), body.item(b, index));
            body.equal(a.id, b.id)
        });
        self.and(same_length, same_items)
    }

    /// Whether something holds at some index, or at all.
    fn some_index(
        &mut self,
        length: ExprId,
        quantifier: Quantifier,
        holds: impl FnOnce(&mut Self, ExprId) -> ExprId,
    ) -> ExprId {
        let binder = self.procedure.exprs.bind("i", Type::Bv(32));
        let index = self.push(Vir::Bound(binder), Type::Bv(32));
        let zero = self.word(32, 0);
        let least = self.op(Op::BvSle, vec![zero, index], Type::Bool);
        let most = self.op(Op::BvSlt, vec![index, length], Type::Bool);
        let inside = self.and(least, most);
        let holds = holds(self, index);
        let condition = match quantifier {
            Quantifier::All => self.implies(inside, holds),
            Quantifier::Some => self.and(inside, holds),
        };
        self.push(Vir::Quantified(quantifier, vec![binder], condition), Type::Bool)
    }

    fn item(&mut self, sequence: &Sequence, index: ExprId) -> Val {
        let id = self.look_up(&sequence.items, index);
        Val { id, ty: sequence.member.clone() }
    }

    fn look_up(&mut self, items: &Items, index: ExprId) -> ExprId {
        match items {
            Items::Of(map, object) => self.select(*map, vec![*object, index]),
            Items::One(object) => *object,
            Items::From(items, start) => {
                let index = self.op(Op::BvAdd, vec![index, *start], Type::Bv(32));
                self.look_up(items, index)
            }
            Items::Joined(first, length, second) => {
                let is_first = self.op(Op::BvSlt, vec![index, *length], Type::Bool);
                let rest = self.op(Op::BvSub, vec![index, *length], Type::Bv(32));
                let first = self.look_up(first, index);
                let second = self.look_up(second, rest);
                let ty = self.type_of(first);
                self.op(Op::Ite, vec![is_first, first, second], ty)
            }
        }
    }

    /// The same in the state before; an index is still what it is.
    fn old_items(&mut self, items: Items) -> Items {
        let mut before = |id: ExprId| {
            let ty = self.type_of(id);
            self.push(Vir::Old(id), ty)
        };
        match items {
            Items::Of(map, object) => Items::Of(before(map), before(object)),
            Items::One(object) => Items::One(before(object)),
            Items::From(items, start) => {
                let start = before(start);
                Items::From(Box::new(self.old_items(*items)), start)
            }
            Items::Joined(first, length, second) => {
                let length = before(length);
                let (first, second) = (self.old_items(*first), self.old_items(*second));
                Items::Joined(Box::new(first), length, Box::new(second))
            }
        }
    }
}

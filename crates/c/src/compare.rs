//! Comparisons and choices.

use bitcode::{FloatPredicate, IntegerPredicate, Value};
use ir::{ADDRESS_BITS, ExprId, Op, Type};

use crate::body::Body;

impl<'m> Body<'_, 'm> {
    pub(crate) fn integer_compare(
        &mut self,
        predicate: IntegerPredicate,
        left: Value,
        right: Value,
    ) {
        let a = self.value(left);
        let ty = self.exprs.ty(a).clone();
        let b = self.value_as(right, &ty);
        let value = self.by_lane(a, b, &ty, |body, a, b| body.compared(predicate, a, b));
        match value {
            Some(value) => self.set(value),
            None => self.give_up("a comparison of what is no word", false),
        }
    }

    /// A comparison of the parts of vectors, or of what are none.
    fn by_lane(
        &mut self,
        a: ExprId,
        b: ExprId,
        ty: &Type,
        compare: impl Fn(&mut Self, ExprId, ExprId) -> Option<ExprId>,
    ) -> Option<ExprId> {
        let result = self.result_type();
        match (self.lanes(ty), self.lanes(&result)) {
            (Some(from), Some(lanes)) if from.len() == lanes.len() => {
                self.lanewise(&result, &lanes, |body, lane, element| {
                    let (a, b) = (body.lane(a, ty, lane), body.lane(b, ty, lane));
                    let test = compare(body, a, b)?;
                    (body.exprs.ty(test) == element).then_some(test)
                })
            }
            (None, None) if result == Type::Bool => compare(self, a, b),
            _ => None,
        }
    }

    /// A comparison of two values of the same type; none if they are neither words nor pointers.
    pub(crate) fn compared(
        &mut self,
        predicate: IntegerPredicate,
        a: ExprId,
        b: ExprId,
    ) -> Option<ExprId> {
        let (a, b) = match (self.exprs.ty(a), predicate) {
            (_, IntegerPredicate::Eq) => return Some(self.test(Op::Eq, &[a, b])),
            (_, IntegerPredicate::Ne) => {
                let same = self.test(Op::Eq, &[a, b]);
                return Some(self.not(same));
            }
            (Type::Ptr, _) => {
                let address = Type::Bv(ADDRESS_BITS);
                let a = self.op(Op::PtrToBv, &[a], address.clone());
                (a, self.op(Op::PtrToBv, &[b], address))
            }
            (Type::Bool, _) => (self.bit(a), self.bit(b)),
            (Type::Bv(_), _) => (a, b),
            _ => return None,
        };
        Some(match predicate {
            IntegerPredicate::Ugt => self.test(Op::BvUlt, &[b, a]),
            IntegerPredicate::Uge => self.test(Op::BvUle, &[b, a]),
            IntegerPredicate::Ult => self.test(Op::BvUlt, &[a, b]),
            IntegerPredicate::Ule => self.test(Op::BvUle, &[a, b]),
            IntegerPredicate::Sgt => self.test(Op::BvSlt, &[b, a]),
            IntegerPredicate::Sge => self.test(Op::BvSle, &[b, a]),
            IntegerPredicate::Slt => self.test(Op::BvSlt, &[a, b]),
            IntegerPredicate::Sle => self.test(Op::BvSle, &[a, b]),
            IntegerPredicate::Eq => self.test(Op::Eq, &[a, b]),
            IntegerPredicate::Ne => {
                let same = self.test(Op::Eq, &[a, b]);
                self.not(same)
            }
        })
    }

    pub(crate) fn float_compare(&mut self, predicate: FloatPredicate, left: Value, right: Value) {
        let a = self.value(left);
        let ty = self.exprs.ty(a).clone();
        let b = self.value_as(right, &ty);
        let value = self.scalar_type(left).and_then(|format| {
            self.by_lane(a, b, &ty, |body, a, b| body.float_compared(predicate, a, b, format))
        });
        match value {
            Some(value) => self.set(value),
            None => self.give_up("a comparison of vectors", false),
        }
    }

    /// The type of a value, or of its parts if it is a vector.
    fn scalar_type(&self, value: Value) -> Option<&'m bitcode::Type> {
        let source = self.source;
        match &source[self.type_of(value)?] {
            bitcode::Type::Vector { element, .. } => Some(&source[*element]),
            other => Some(other),
        }
    }

    pub(crate) fn select(&mut self, condition: Value, yes: Value, no: Value) {
        let ty = self.result_type();
        let c = self.value(condition);
        let (a, b) = (self.value_as(yes, &ty), self.value_as(no, &ty));
        let by = self.exprs.ty(c).clone();
        let value = match (self.lanes(&by), self.lanes(&ty)) {
            (Some(tests), Some(lanes)) if tests.len() == lanes.len() => {
                self.lanewise(&ty, &lanes, |body, lane, element| {
                    let test = body.lane(c, &by, lane);
                    let (a, b) = (body.lane(a, &ty, lane), body.lane(b, &ty, lane));
                    let is_test = *body.exprs.ty(test) == Type::Bool;
                    is_test.then(|| body.op(Op::Ite, &[test, a, b], element.clone()))
                })
            }
            _ => (by == Type::Bool).then(|| self.op(Op::Ite, &[c, a, b], ty.clone())),
        };
        match value {
            Some(value) => self.set(value),
            None => self.give_up("a choice by a vector", false),
        }
    }
}

//! Operators on numbers and truth values, without effects (JLS §15.15–15.24).

use ir::{ExprId, Float, Op, Type};

use super::body::{Body, Val};
use crate::syntax::{Binary, Unary};
use crate::types::Ty;

impl Body<'_, '_> {
    /// A number as one of another type, by widening, rounding or leaving bits out (JLS §5.1).
    pub(super) fn number_as(&mut self, id: ExprId, from: &Ty, to: &Ty) -> Option<ExprId> {
        if from == to {
            return Some(id);
        }
        let (have, want) = (from.width()?, to.width()?);
        match (from.is_floating(), to.is_floating()) {
            (false, false) => {}
            (true, true) => {
                return Some(self.op(Op::Float(Float::Convert(want)), vec![id], Type::Bv(want)));
            }
            (false, true) => {
                let op = match from {
                    Ty::Char => Float::FromUnsigned(want),
                    _ => Float::FromSigned(want),
                };
                return Some(self.op(Op::Float(op), vec![id], Type::Bv(want)));
            }
            // Values of types shorter than `int` are computed from an `int`.
            (true, false) => {
                let first = if *to == Ty::Long { Ty::Long } else { Ty::Int };
                let width = first.width()?;
                let op = Op::Float(Float::ToSigned(width));
                let whole = self.op(op, vec![id], Type::Bv(width));
                return self.number_as(whole, &first, to);
            }
        }
        Some(match have.cmp(&want) {
            std::cmp::Ordering::Equal => id,
            std::cmp::Ordering::Less => {
                let op = match from {
                    Ty::Char => Op::BvZeroExtend(want),
                    _ => Op::BvSignExtend(want),
                };
                self.op(op, vec![id], Type::Bv(want))
            }
            std::cmp::Ordering::Greater => {
                self.op(Op::BvExtract { low: 0, width: want }, vec![id], Type::Bv(want))
            }
        })
    }

    pub(super) fn unary(&mut self, operator: Unary, a: &Val) -> Option<Val> {
        if operator == Unary::Not {
            if a.ty != Ty::Boolean {
                return None;
            }
            return Some(Val { id: self.not(a.id), ty: Ty::Boolean });
        }
        if !a.ty.is_numeric() {
            return None;
        }
        let ty = a.ty.promoted(&Ty::Int);
        let id = self.number_as(a.id, &a.ty, &ty)?;
        let vir = Type::Bv(ty.width()?);
        let id = match operator {
            Unary::Plus | Unary::Not => id,
            Unary::Minus if ty.is_floating() => {
                let width = ty.width()?;
                let sign = self.word(width, i64::MIN >> (64 - width));
                self.op(Op::BvXor, vec![id, sign], vir)
            }
            Unary::Complement if ty.is_floating() => return None,
            Unary::Minus => self.op(Op::BvNeg, vec![id], vir),
            Unary::Complement => self.op(Op::BvNot, vec![id], vir),
        };
        Some(Val { id, ty })
    }

    /// An operator applied to operands that are both numbers or both truth values. Nothing if it has no
    /// meaning here. That a divisor is not zero is the business of others.
    pub(super) fn binary(&mut self, operator: Binary, a: &Val, b: &Val) -> Option<Val> {
        if a.ty == Ty::Boolean && b.ty == Ty::Boolean {
            let (a, b) = (a.id, b.id);
            let id = match operator {
                Binary::And | Binary::AndAlso => self.and(a, b),
                Binary::Or | Binary::OrElse => self.or(a, b),
                Binary::Eq | Binary::Iff => self.equal(a, b),
                Binary::Ne | Binary::Xor => {
                    let equal = self.equal(a, b);
                    self.not(equal)
                }
                Binary::Implies => self.implies(a, b),
                _ => return None,
            };
            return Some(Val { id, ty: Ty::Boolean });
        }
        if !a.ty.is_numeric() || !b.ty.is_numeric() {
            return None;
        }
        if a.ty.is_floating() || b.ty.is_floating() {
            return self.float_binary(operator, a, b);
        }
        if matches!(operator, Binary::Shl | Binary::Shr | Binary::UShr) {
            return self.shift(operator, a, b);
        }
        let ty = a.ty.promoted(&b.ty);
        let vir = Type::Bv(ty.width()?);
        let a = self.number_as(a.id, &a.ty, &ty)?;
        let b = self.number_as(b.id, &b.ty, &ty)?;
        let computed = |op| Some((op, vec![a, b], ty.clone()));
        let compared = |op, swapped: bool| {
            Some((op, if swapped { vec![b, a] } else { vec![a, b] }, Ty::Boolean))
        };
        let found = match operator {
            Binary::Add => computed(Op::BvAdd),
            Binary::Sub => computed(Op::BvSub),
            Binary::Mul => computed(Op::BvMul),
            Binary::Div => computed(Op::BvSdiv),
            Binary::Rem => computed(Op::BvSrem),
            Binary::And => computed(Op::BvAnd),
            Binary::Or => computed(Op::BvOr),
            Binary::Xor => computed(Op::BvXor),
            Binary::Lt => compared(Op::BvSlt, false),
            Binary::Le => compared(Op::BvSle, false),
            Binary::Gt => compared(Op::BvSlt, true),
            Binary::Ge => compared(Op::BvSle, true),
            Binary::Eq => compared(Op::Eq, false),
            Binary::Ne => {
                let equal = self.equal(a, b);
                return Some(Val { id: self.not(equal), ty: Ty::Boolean });
            }
            Binary::Shl
            | Binary::Shr
            | Binary::UShr
            | Binary::AndAlso
            | Binary::OrElse
            | Binary::Implies
            | Binary::Iff => None,
        };
        let (op, operands, ty) = found?;
        let vir = if ty == Ty::Boolean { Type::Bool } else { vir };
        Some(Val { id: self.op(op, operands, vir), ty })
    }

    /// An operator on numbers of which one is a `float` or `double`. Division and remainder are not modelled.
    fn float_binary(&mut self, operator: Binary, a: &Val, b: &Val) -> Option<Val> {
        let ty = a.ty.promoted(&b.ty);
        let vir = Type::Bv(ty.width()?);
        let a = self.number_as(a.id, &a.ty, &ty)?;
        let b = self.number_as(b.id, &b.ty, &ty)?;
        let (op, operands) = match operator {
            Binary::Add => (Float::Add, vec![a, b]),
            Binary::Sub => (Float::Sub, vec![a, b]),
            Binary::Mul => (Float::Mul, vec![a, b]),
            Binary::Lt => (Float::Less, vec![a, b]),
            Binary::Le => (Float::LessEqual, vec![a, b]),
            Binary::Gt => (Float::Less, vec![b, a]),
            Binary::Ge => (Float::LessEqual, vec![b, a]),
            Binary::Eq | Binary::Ne => (Float::Equal, vec![a, b]),
            Binary::Div
            | Binary::Rem
            | Binary::And
            | Binary::Or
            | Binary::Xor
            | Binary::Shl
            | Binary::Shr
            | Binary::UShr
            | Binary::AndAlso
            | Binary::OrElse
            | Binary::Implies
            | Binary::Iff => return None,
        };
        if matches!(operator, Binary::Add | Binary::Sub | Binary::Mul) {
            return Some(Val { id: self.op(Op::Float(op), operands, vir), ty });
        }
        let compared = self.op(Op::Float(op), operands, Type::Bool);
        let id = if operator == Binary::Ne { self.not(compared) } else { compared };
        Some(Val { id, ty: Ty::Boolean })
    }

    /// Of the distance only as many bits count as the width needs.
    fn shift(&mut self, operator: Binary, a: &Val, b: &Val) -> Option<Val> {
        let ty = a.ty.promoted(&Ty::Int);
        let width = ty.width()?;
        let vir = Type::Bv(width);
        let value = self.number_as(a.id, &a.ty, &ty)?;
        let by = b.ty.promoted(&Ty::Int);
        let distance = self.number_as(b.id, &b.ty, &by)?;
        let distance = self.number_as(distance, &by, &ty)?;
        let mask = self.word(width, i64::from(width) - 1);
        let distance = self.op(Op::BvAnd, vec![distance, mask], vir.clone());
        let op = match operator {
            Binary::Shl => Op::BvShl,
            Binary::Shr => Op::BvAshr,
            _ => Op::BvLshr,
        };
        Some(Val { id: self.op(op, vec![value, distance], vir), ty })
    }

    /// Whether two references are the same.
    pub(super) fn same(&mut self, a: &Val, b: &Val) -> Val {
        let id = match (&a.ty, &b.ty) {
            (Ty::Null, Ty::Null) => self.truth(true),
            (Ty::Null, _) => self.is_null(b.id),
            (_, Ty::Null) => self.is_null(a.id),
            _ => {
                self.cx.unify(&a.ty, &b.ty);
                self.equal(a.id, b.id)
            }
        };
        Val { id, ty: Ty::Boolean }
    }
}

//! Conversions.

use bitcode::{CastOp, Value};
use ir::{ADDRESS_BITS, ExprId, Op, Type};

use crate::body::Body;

impl Body<'_, '_> {
    pub(crate) fn cast(&mut self, op: CastOp, operand: Value) {
        let to = self.result_type();
        let a = self.value(operand);
        let from = self.exprs.ty(a).clone();
        let value = match (self.lanes(&from), self.lanes(&to)) {
            (Some(from_lanes), Some(lanes)) if from_lanes.len() == lanes.len() => {
                self.lanewise(&to, &lanes, |body, lane, element| {
                    let a = body.lane(a, &from, lane);
                    body.converted(op, a, element)
                })
            }
            _ => self.converted(op, a, &to),
        };
        match value {
            Some(value) => self.set(value),
            None => self.give_up("a conversion of vectors", false),
        }
    }

    /// A converted value, or none if VIR has no word for the conversion.
    pub(crate) fn converted(&mut self, op: CastOp, a: ExprId, to: &Type) -> Option<ExprId> {
        let from = self.exprs.ty(a).clone();
        match op {
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt => self.resize(op, a, &from, to),
            CastOp::PtrToInt => match (&from, to) {
                (Type::Ptr, Type::Bv(_)) => {
                    let address = self.op(Op::PtrToBv, &[a], Type::Bv(ADDRESS_BITS));
                    let fitting = if *to == Type::Bv(ADDRESS_BITS) {
                        address
                    } else {
                        self.fit(address, to)?
                    };
                    Some(fitting)
                }
                _ => None,
            },
            CastOp::IntToPtr => match (&from, to) {
                (Type::Bv(_), Type::Ptr) => {
                    let address = self.fit(a, &Type::Bv(ADDRESS_BITS))?;
                    // An integer that was a pointer is that pointer again.
                    if let ir::Expr::Op(Op::PtrToBv, pointer) = self.exprs.get(address) {
                        return Some(pointer[0]);
                    }
                    Some(self.op(Op::BvToPtr, &[address], Type::Ptr))
                }
                _ => None,
            },
            CastOp::BitCast | CastOp::AddrSpaceCast => (from == *to).then_some(a),
            CastOp::FpToUi
            | CastOp::FpToSi
            | CastOp::UiToFp
            | CastOp::SiToFp
            | CastOp::FpTrunc
            | CastOp::FpExt => {
                let (a, from) = match from {
                    Type::Bool => (self.bit(a), Type::Bv(1)),
                    other => (a, other),
                };
                let (Type::Bv(_) | Type::Bool, Type::Bv(width)) = (to, &from) else { return None };
                let into = if *to == Type::Bool { Type::Bv(1) } else { to.clone() };
                let Type::Bv(into_width) = into else { return None };
                let value = self.float_converted(op, a, *width, into_width);
                Some(if *to == Type::Bool { self.is_one(value) } else { value })
            }
        }
    }

    fn resize(&mut self, op: CastOp, a: ExprId, from: &Type, to: &Type) -> Option<ExprId> {
        match (from, to) {
            (Type::Bool, Type::Bv(width)) => {
                let set = match op {
                    CastOp::SExt => self.word(*width, -1),
                    _ => self.word(*width, 1),
                };
                let zero = self.word(*width, 0);
                Some(self.op(Op::Ite, &[a, set, zero], to.clone()))
            }
            (Type::Bv(_), Type::Bool) => {
                let low = self.op(Op::BvExtract { low: 0, width: 1 }, &[a], Type::Bv(1));
                Some(self.is_one(low))
            }
            (Type::Bv(from), Type::Bv(width)) if op == CastOp::SExt && from < width => {
                Some(self.op(Op::BvSignExtend(*width), &[a], to.clone()))
            }
            (Type::Bv(_), Type::Bv(_)) => self.fit(a, to),
            _ => None,
        }
    }

    /// A word widened by zeros or cut to a type.
    pub(crate) fn fit(&mut self, a: ExprId, to: &Type) -> Option<ExprId> {
        let (Type::Bv(from), Type::Bv(width)) = (self.exprs.ty(a).clone(), to) else {
            return None;
        };
        Some(match from.cmp(width) {
            std::cmp::Ordering::Equal => a,
            std::cmp::Ordering::Less => self.op(Op::BvZeroExtend(*width), &[a], to.clone()),
            std::cmp::Ordering::Greater => {
                self.op(Op::BvExtract { low: 0, width: *width }, &[a], to.clone())
            }
        })
    }
}

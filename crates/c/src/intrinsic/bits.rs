//! Intrinsics that compute with words.

use bitcode::Call;
use ir::{ExprId, Op, Type};
use num_bigint::BigInt;

use crate::body::Body;

impl Body<'_, '_> {
    /// Lowers an intrinsic on words, and returns whether it is one.
    pub(super) fn bit_intrinsic(&mut self, first: &str, second: &str, call: &Call) -> bool {
        let value = if second == "with" {
            self.with_overflow(first, call)
        } else {
            self.on_words(first, second, call)
        };
        let ty = self.result_type();
        match value {
            Some(value) if *self.exprs.ty(value) == ty => {
                self.set(value);
                true
            }
            _ => false,
        }
    }

    fn on_words(&mut self, first: &str, second: &str, call: &Call) -> Option<ExprId> {
        let ty = self.result_type();
        let Type::Bv(width) = ty else { return None };
        let known = matches!(
            (first, second),
            (
                "ctpop"
                    | "ctlz"
                    | "cttz"
                    | "bswap"
                    | "bitreverse"
                    | "abs"
                    | "smin"
                    | "smax"
                    | "umin"
                    | "umax"
                    | "fshl"
                    | "fshr",
                _
            ) | ("sadd" | "ssub" | "uadd" | "usub", "sat")
        );
        if !known {
            return None;
        }
        let a = self.operand(call, 0, &ty)?;
        Some(match first {
            "ctpop" => self.op(Op::BvPopcount, &[a], ty),
            "ctlz" => self.op(Op::BvLeadingZeros, &[a], ty),
            "cttz" => self.op(Op::BvTrailingZeros, &[a], ty),
            "bswap" => self.reordered(a, width, 8)?,
            "bitreverse" => self.reordered(a, width, 1)?,
            "abs" => {
                let zero = self.word(width, 0);
                let negative = self.test(Op::BvSlt, &[a, zero]);
                let negated = self.op(Op::BvNeg, &[a], ty.clone());
                self.op(Op::Ite, &[negative, negated, a], ty)
            }
            "fshl" | "fshr" => self.funnel(first == "fshl", a, call, width)?,
            _ => {
                let b = self.operand(call, 1, &ty)?;
                match first {
                    "smin" => self.choose(Op::BvSlt, (a, b), a, b, ty),
                    "smax" => self.choose(Op::BvSlt, (b, a), a, b, ty),
                    "umin" => self.choose(Op::BvUlt, (a, b), a, b, ty),
                    "umax" => self.choose(Op::BvUlt, (b, a), a, b, ty),
                    _ => self.saturating(first, a, b, width)?,
                }
            }
        })
    }

    fn choose(&mut self, op: Op, by: (ExprId, ExprId), a: ExprId, b: ExprId, ty: Type) -> ExprId {
        let test = self.test(op, &[by.0, by.1]);
        self.op(Op::Ite, &[test, a, b], ty)
    }

    /// The pieces of a word in the opposite order.
    fn reordered(&mut self, a: ExprId, width: u32, piece: u32) -> Option<ExprId> {
        if !width.is_multiple_of(piece) || width > 256 {
            return None;
        }
        let a = self.steady(a, "reordered");
        let mut whole = None;
        for low in (0..width).step_by(piece as usize) {
            let part = self.op(Op::BvExtract { low, width: piece }, &[a], Type::Bv(piece));
            whole = Some(match whole {
                None => part,
                Some(high) => self.op(Op::BvConcat, &[high, part], Type::Bv(low + piece)),
            });
        }
        whole
    }

    /// The high (or low) half of two words shifted as one, by a number modulo the width.
    fn funnel(&mut self, left: bool, a: ExprId, call: &Call, width: u32) -> Option<ExprId> {
        let ty = Type::Bv(width);
        let b = self.operand(call, 1, &ty)?;
        let by = self.operand(call, 2, &ty)?;
        let bits = self.word(width, width);
        let by = self.op(Op::BvUrem, &[by, bits], ty.clone());
        let back = self.op(Op::BvSub, &[bits, by], ty.clone());
        // A shift by the whole width yields zero, which is right for the other half.
        let (up, down) = if left { (by, back) } else { (back, by) };
        let high = self.op(Op::BvShl, &[a, up], ty.clone());
        let low = self.op(Op::BvLshr, &[b, down], ty.clone());
        Some(self.op(Op::BvOr, &[high, low], ty))
    }

    fn saturating(&mut self, name: &str, a: ExprId, b: ExprId, width: u32) -> Option<ExprId> {
        let ty = Type::Bv(width);
        let (op, overflows) = operations(name)?;
        let overflows = self.test(overflows, &[a, b]);
        let plain = self.op(op, &[a, b], ty.clone());
        let limit = match name {
            "uadd" => self.word(width, -1),
            "usub" => self.word(width, 0),
            _ => {
                // The sign of the first operand is the side on which the result falls out.
                let zero = self.word(width, 0);
                let negative = self.test(Op::BvSlt, &[a, zero]);
                let least = self.word(width, BigInt::from(1) << (width - 1));
                let greatest = self.word(width, (BigInt::from(1) << (width - 1)) - 1);
                self.op(Op::Ite, &[negative, least, greatest], ty.clone())
            }
        };
        Some(self.op(Op::Ite, &[overflows, limit, plain], ty))
    }

    /// The result and whether it is out of range.
    fn with_overflow(&mut self, name: &str, call: &Call) -> Option<ExprId> {
        let result = self.result_type();
        let lanes = self.lanes(&result)?;
        let (Type::Record(record), [ty @ Type::Bv(_), Type::Bool]) = (&result, &lanes[..]) else {
            return None;
        };
        let (a, b) = (self.operand(call, 0, ty)?, self.operand(call, 1, ty)?);
        let (op, overflows) = operations(name)?;
        let value = self.op(op, &[a, b], ty.clone());
        let overflows = self.test(overflows, &[a, b]);
        Some(self.op(Op::Record(*record), &[value, overflows], result.clone()))
    }
}

/// The operation that an intrinsic is named after, and when it leaves its range.
fn operations(name: &str) -> Option<(Op, Op)> {
    Some(match name {
        "sadd" => (Op::BvAdd, Op::BvSaddOverflows),
        "ssub" => (Op::BvSub, Op::BvSsubOverflows),
        "smul" => (Op::BvMul, Op::BvSmulOverflows),
        "uadd" => (Op::BvAdd, Op::BvUaddOverflows),
        "usub" => (Op::BvSub, Op::BvUsubOverflows),
        "umul" => (Op::BvMul, Op::BvUmulOverflows),
        _ => return None,
    })
}

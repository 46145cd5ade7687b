//! Arithmetic on words, with the obligations that C puts on it: signed results in range (`nsw`; with
//! `-fwrapv` clang does not say so), divisors that are not zero, shifts by less than the width.

use bitcode::{BinaryOp, OverflowFlags, UnaryOp, Value};
use ir::{AssertKind, ExprId, Float, Op, Type};

use crate::body::Body;

impl Body<'_, '_> {
    pub(crate) fn unary(&mut self, op: UnaryOp, operand: Value) {
        let UnaryOp::FNeg = op;
        let ty = self.result_type();
        match self.lanes(&ty) {
            None => {
                let a = self.value_as(operand, &ty);
                let value = self.negate_float(a, &ty);
                self.set(value);
            }
            Some(_) => self.give_up("arithmetic on vectors", false),
        }
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, left: Value, right: Value, flags: OverflowFlags) {
        let ty = self.result_type();
        let (a, b) = (self.value_as(left, &ty), self.value_as(right, &ty));
        if let Some(lanes) = self.lanes(&ty) {
            let value = self.lanewise(&ty, &lanes, |body, lane, element| {
                let (a, b) = (body.lane(a, &ty, lane), body.lane(b, &ty, lane));
                body.arithmetic(op, a, b, element)
            });
            match value {
                Some(value) => self.set(value),
                None => self.give_up("arithmetic on vectors", false),
            }
            return;
        }
        self.arithmetic_obligations(op, a, b, flags, (left, right));
        match self.arithmetic(op, a, b, &ty) {
            Some(value) => self.set(value),
            None => self.give_up("arithmetic on what is no word", false),
        }
    }

    /// The value of an operation on words or truth values; none if they are neither.
    pub(crate) fn arithmetic(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        ty: &Type,
    ) -> Option<ExprId> {
        match ty {
            Type::Bv(_) => Some(self.word_arithmetic(op, a, b, ty)),
            Type::Bool => match op {
                BinaryOp::And => Some(self.test(Op::And, &[a, b])),
                BinaryOp::Or => Some(self.test(Op::Or, &[a, b])),
                BinaryOp::Xor => {
                    let same = self.test(Op::Eq, &[a, b]);
                    Some(self.not(same))
                }
                _ => {
                    let (a, b) = (self.bit(a), self.bit(b));
                    let sum = self.word_arithmetic(op, a, b, &Type::Bv(1));
                    Some(self.is_one(sum))
                }
            },
            _ => None,
        }
    }

    fn word_arithmetic(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: &Type) -> ExprId {
        let op = match op {
            BinaryOp::Add => Op::BvAdd,
            BinaryOp::Sub => Op::BvSub,
            BinaryOp::Mul => Op::BvMul,
            BinaryOp::UDiv => Op::BvUdiv,
            BinaryOp::SDiv => Op::BvSdiv,
            BinaryOp::URem => Op::BvUrem,
            BinaryOp::SRem => Op::BvSrem,
            BinaryOp::Shl => Op::BvShl,
            BinaryOp::LShr => Op::BvLshr,
            BinaryOp::AShr => Op::BvAshr,
            BinaryOp::And => Op::BvAnd,
            BinaryOp::Or => Op::BvOr,
            BinaryOp::Xor => Op::BvXor,
            BinaryOp::FAdd => return self.float_arithmetic(Float::Add, a, b, ty),
            BinaryOp::FSub => return self.float_arithmetic(Float::Sub, a, b, ty),
            BinaryOp::FMul => return self.float_arithmetic(Float::Mul, a, b, ty),
            BinaryOp::FDiv | BinaryOp::FRem => return self.unmodelled(ty),
        };
        self.op(op, &[a, b], ty.clone())
    }

    fn arithmetic_obligations(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        flags: OverflowFlags,
        operands: (Value, Value),
    ) {
        let Some(width) = self.width_of(a) else { return };
        let overflows = match op {
            BinaryOp::Add => Op::BvSaddOverflows,
            BinaryOp::Sub => Op::BvSsubOverflows,
            BinaryOp::Mul => Op::BvSmulOverflows,
            BinaryOp::UDiv | BinaryOp::URem => return self.divisor(b, operands.1),
            BinaryOp::SDiv | BinaryOp::SRem => {
                self.divisor(b, operands.1);
                return self.quotient_in_range(a, b, operands);
            }
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                return self.shift_in_range(b, width, operands.1);
            }
            BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::FAdd
            | BinaryOp::FSub
            | BinaryOp::FMul
            | BinaryOp::FDiv
            | BinaryOp::FRem => return,
        };
        if flags.no_signed_wrap {
            let overflows = self.test(overflows, &[a, b]);
            let in_range = self.not(overflows);
            let sign = match op {
                BinaryOp::Sub => "-",
                BinaryOp::Mul => "*",
                _ => "+",
            };
            let message = match (self.text(operands.0), self.text(operands.1)) {
                (Some(left), Some(right)) => format!("`{left} {sign} {right}` overflows"),
                _ => "the result does not fit its type".to_owned(),
            };
            self.assert(in_range, AssertKind::Overflow, message);
        }
    }

    fn divisor(&mut self, b: ExprId, operand: Value) {
        if self.source.integer(operand).is_some_and(|number| number != 0) {
            return;
        }
        let Some(width) = self.width_of(b) else { return };
        let zero = self.word(width, 0);
        let is_zero = self.test(Op::Eq, &[b, zero]);
        let condition = self.not(is_zero);
        let message = match self.text(operand) {
            Some(text) => format!("`{text}` is zero"),
            None => "the divisor is zero".to_owned(),
        };
        self.assert(condition, AssertKind::DivisionByZero, message);
    }

    fn quotient_in_range(&mut self, a: ExprId, b: ExprId, operands: (Value, Value)) {
        if self.source.integer(operands.1).is_some_and(|number| number != -1) {
            return;
        }
        let Some(width) = self.width_of(b) else { return };
        let least = self.word(width, num_bigint::BigInt::from(1) << (width - 1));
        let minus_one = self.word(width, -1);
        let is_least = self.test(Op::Eq, &[a, least]);
        let is_minus_one = self.test(Op::Eq, &[b, minus_one]);
        let overflows = self.test(Op::And, &[is_least, is_minus_one]);
        let condition = self.not(overflows);
        let message = match (self.text(operands.0), self.text(operands.1)) {
            (Some(left), Some(right)) => format!("`{left} / {right}` overflows"),
            _ => "the quotient does not fit its type".to_owned(),
        };
        self.assert(condition, AssertKind::Overflow, message);
    }

    fn shift_in_range(&mut self, b: ExprId, width: u32, operand: Value) {
        let in_range = |number: i64| (0..i64::from(width)).contains(&number);
        if self.source.integer(operand).is_some_and(in_range) {
            return;
        }
        let bits = self.word(width, width);
        let condition = self.test(Op::BvUlt, &[b, bits]);
        let message = match self.text(operand) {
            Some(text) => format!("`{text}` is negative or not less than {width}"),
            None => format!("the shift is by a negative number or by {width} or more"),
        };
        self.assert(condition, AssertKind::Shift, message);
    }

    /// A truth value as a word of one bit.
    pub(crate) fn bit(&mut self, a: ExprId) -> ExprId {
        let (one, zero) = (self.word(1, 1), self.word(1, 0));
        self.op(Op::Ite, &[a, one, zero], Type::Bv(1))
    }

    /// Whether a word of one bit is set.
    pub(crate) fn is_one(&mut self, a: ExprId) -> ExprId {
        let one = self.word(1, 1);
        self.test(Op::Eq, &[a, one])
    }
}

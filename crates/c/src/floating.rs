//! Floating-point numbers.
//!
//! `float` and `double` are words of 32 and 64 bits on which VIR has the operations of IEEE 754; signs and
//! classes are computed on the bits. Division, remainder, the functions of the mathematical library, other
//! formats (`long double`, `_Float16`), and instructions with flags such as `-ffast-math` sets are not
//! modelled: their results may be anything, and no finding may depend on them. A number that is too large
//! for the integer it is converted to, which C leaves undefined, becomes the nearest one.

use bitcode::{CastOp, FloatPredicate};
use ir::{ExprId, Float, HavocReason, Op, StatementKind, Type};
use num_bigint::BigInt;

use crate::body::Body;

/// The classes of NaN.
const NANS: i64 = 3;

/// The number of bits of the fraction, for formats with a hidden bit.
fn fraction_bits(format: &bitcode::Type) -> Option<u32> {
    match format {
        bitcode::Type::Half => Some(10),
        bitcode::Type::BFloat => Some(7),
        bitcode::Type::Float => Some(23),
        bitcode::Type::Double => Some(52),
        bitcode::Type::Fp128 => Some(112),
        _ => None,
    }
}

impl Body<'_, '_> {
    /// The value of an operation that is not modelled.
    pub(crate) fn unmodelled(&mut self, ty: &Type) -> ExprId {
        self.unknown("unmodelled", ty.clone(), HavocReason::Unmodelled)
    }

    /// Gives the instruction at hand a result of which nothing is known.
    pub(crate) fn set_unmodelled(&mut self) {
        let local = self.own_variable();
        let place = self.place(local);
        let reason = HavocReason::Unmodelled;
        self.emit(StatementKind::Havoc { place, condition: None, reason });
    }

    /// A sum, difference or product.
    pub(crate) fn float_arithmetic(
        &mut self,
        op: Float,
        a: ExprId,
        b: ExprId,
        ty: &Type,
    ) -> ExprId {
        match ty {
            Type::Bv(width) if Float::WIDTHS.contains(width) => {
                self.op(Op::Float(op), &[a, b], ty.clone())
            }
            _ => self.unmodelled(ty),
        }
    }

    /// A number made of a word, a word made of a number, or a number in another format.
    pub(crate) fn float_converted(&mut self, op: CastOp, a: ExprId, from: u32, to: u32) -> ExprId {
        let is_number = |width| Float::WIDTHS.contains(&width);
        let is_word = |width| width <= Float::WIDEST;
        let ty = Type::Bv(to);
        let converted = match op {
            CastOp::FpToUi if is_number(from) && is_word(to) => Float::ToUnsigned(to),
            CastOp::FpToSi if is_number(from) && is_word(to) => Float::ToSigned(to),
            CastOp::UiToFp if is_word(from) && is_number(to) => Float::FromUnsigned(to),
            CastOp::SiToFp if is_word(from) && is_number(to) => Float::FromSigned(to),
            CastOp::FpTrunc | CastOp::FpExt if is_number(from) && is_number(to) => {
                Float::Convert(to)
            }
            _ => return self.unmodelled(&ty),
        };
        self.op(Op::Float(converted), &[a], ty)
    }

    /// The number with its sign changed.
    pub(crate) fn negate_float(&mut self, a: ExprId, ty: &Type) -> ExprId {
        let Type::Bv(width) = ty else { return a };
        let sign = self.word(*width, BigInt::from(1) << (width - 1));
        self.op(Op::BvXor, &[a, sign], ty.clone())
    }

    /// The number without its sign.
    pub(crate) fn magnitude(&mut self, a: ExprId, ty: &Type) -> ExprId {
        let Type::Bv(width) = ty else { return a };
        let rest = self.word(*width, (BigInt::from(1) << (width - 1)) - 1);
        self.op(Op::BvAnd, &[a, rest], ty.clone())
    }

    /// The first number with the sign of the second.
    pub(crate) fn with_sign(&mut self, a: ExprId, b: ExprId, ty: &Type) -> ExprId {
        let Type::Bv(width) = ty else { return a };
        let magnitude = self.magnitude(a, ty);
        let sign = self.word(*width, BigInt::from(1) << (width - 1));
        let sign = self.op(Op::BvAnd, &[b, sign], ty.clone());
        self.op(Op::BvOr, &[magnitude, sign], ty.clone())
    }

    /// A comparison; none of what are no numbers.
    pub(crate) fn float_compared(
        &mut self,
        predicate: FloatPredicate,
        a: ExprId,
        b: ExprId,
        format: &bitcode::Type,
    ) -> Option<ExprId> {
        match format {
            bitcode::Type::Float | bitcode::Type::Double => {}
            other => return other.is_float().then(|| self.unmodelled(&Type::Bool)),
        }
        let test = |body: &mut Self, op, a, b| body.test(Op::Float(op), &[a, b]);
        let (value, is_negated) = match predicate {
            FloatPredicate::False => (self.bool(false), false),
            FloatPredicate::True => (self.bool(true), false),
            FloatPredicate::Oeq => (test(self, Float::Equal, a, b), false),
            FloatPredicate::Une => (test(self, Float::Equal, a, b), true),
            FloatPredicate::Olt => (test(self, Float::Less, a, b), false),
            FloatPredicate::Uge => (test(self, Float::Less, a, b), true),
            FloatPredicate::Ogt => (test(self, Float::Less, b, a), false),
            FloatPredicate::Ule => (test(self, Float::Less, b, a), true),
            FloatPredicate::Ole => (test(self, Float::LessEqual, a, b), false),
            FloatPredicate::Ugt => (test(self, Float::LessEqual, a, b), true),
            FloatPredicate::Oge => (test(self, Float::LessEqual, b, a), false),
            FloatPredicate::Ult => (test(self, Float::LessEqual, b, a), true),
            FloatPredicate::One | FloatPredicate::Ueq => {
                let (less, more) = (test(self, Float::Less, a, b), test(self, Float::Less, b, a));
                (self.test(Op::Or, &[less, more]), predicate == FloatPredicate::Ueq)
            }
            FloatPredicate::Uno | FloatPredicate::Ord => {
                let is_nan = |body: &mut Self, a| body.test(Op::Float(Float::IsNan), &[a]);
                let (first, second) = (is_nan(self, a), is_nan(self, b));
                let either = match first == second || a == b {
                    true => first,
                    false => self.test(Op::Or, &[first, second]),
                };
                (either, predicate == FloatPredicate::Ord)
            }
        };
        Some(if is_negated { self.not(value) } else { value })
    }

    /// Whether a number is of one of the classes that a mask lists, as `llvm.is.fpclass` numbers
    /// them; none for formats whose bits do not order like numbers.
    pub(crate) fn is_of_class(
        &mut self,
        a: ExprId,
        mask: i64,
        format: &bitcode::Type,
    ) -> Option<ExprId> {
        let ty = self.exprs.ty(a).clone();
        let Type::Bv(width) = ty else { return None };
        let Some(fraction) = fraction_bits(format) else {
            return format.is_float().then(|| self.unmodelled(&Type::Bool));
        };
        let one = BigInt::from(1);
        let infinity = (one.clone() << (width - 1)) - (one.clone() << fraction);
        let magnitude = self.magnitude(a, &ty);
        let zero = self.word(width, 0);
        let negative = self.test(Op::BvSlt, &[a, zero]);
        let positive = self.not(negative);
        // Classes are ranges of magnitudes: from the first to before the next.
        let normal = one.clone() << fraction;
        let quiet = infinity.clone() + (one.clone() << (fraction - 1));
        let end = one.clone() << (width - 1);
        let ranges: [(i64, BigInt, BigInt); 6] = [
            (1, infinity.clone() + 1, quiet.clone()),
            (2, quiet, end),
            (0x204, infinity.clone(), infinity.clone() + 1),
            (0x108, normal.clone(), infinity),
            (0x090, one.clone(), normal),
            (0x060, BigInt::from(0), one),
        ];
        let mut any = self.bool(false);
        let mut mask = mask;
        if mask & NANS == NANS && Float::WIDTHS.contains(&width) {
            any = self.test(Op::Float(Float::IsNan), &[a]);
            mask &= !NANS;
        }
        for (classes, from, to) in ranges {
            let wanted = mask & classes;
            if wanted == 0 {
                continue;
            }
            let (from, last) = (self.word(width, from), self.word(width, to - 1));
            let above = self.test(Op::BvUle, &[from, magnitude]);
            let below = self.test(Op::BvUle, &[magnitude, last]);
            let mut inside = self.test(Op::And, &[above, below]);
            if wanted != classes {
                let sign = if wanted & 0x3c != 0 { negative } else { positive };
                inside = self.test(Op::And, &[inside, sign]);
            }
            any = self.test(Op::Or, &[any, inside]);
        }
        Some(any)
    }
}

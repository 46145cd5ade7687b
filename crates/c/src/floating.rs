//! Floating-point numbers: bit patterns. Signs and comparisons are computed on the bits; arithmetic
//! and conversions are functions that are known by name only, so that equal operands give equal
//! results and nothing else is claimed.

use bitcode::FloatPredicate;
use ir::{Expr, ExprId, Op, Type};
use num_bigint::BigInt;

use crate::body::Body;

/// What tells formats of the same width apart in names.
pub(crate) fn letter(ty: &bitcode::Type) -> Option<&'static str> {
    match ty {
        bitcode::Type::BFloat => Some("b"),
        bitcode::Type::PpcFp128 => Some("p"),
        _ => None,
    }
}

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
    /// An operation known by name, one for each width.
    pub(crate) fn float_operation(&mut self, name: &str, operands: &[ExprId], ty: &Type) -> ExprId {
        let Type::Bv(width) = ty else { return self.default_of(ty) };
        self.float_operation_named(&format!("{name}{width}"), operands, ty)
    }

    pub(crate) fn float_operation_named(
        &mut self,
        name: &str,
        operands: &[ExprId],
        ty: &Type,
    ) -> ExprId {
        let types: Vec<Type> = operands.iter().map(|id| self.exprs.ty(*id).clone()).collect();
        let function = self.context.operation(name, &types, ty);
        self.expr(Expr::Apply(function, operands.to_vec()), ty.clone())
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

    /// A comparison; none for formats whose bits do not order like numbers.
    pub(crate) fn float_compared(
        &mut self,
        predicate: FloatPredicate,
        a: ExprId,
        b: ExprId,
        format: &bitcode::Type,
    ) -> Option<ExprId> {
        let ty = self.exprs.ty(a).clone();
        let Type::Bv(width) = ty else { return None };
        let Some(fraction) = fraction_bits(format) else {
            if !format.is_float() {
                return None;
            }
            let name = format!("fcmp_{}{width}", predicate.name());
            return Some(self.float_operation_named(&name, &[a, b], &Type::Bool));
        };
        // Infinity: all bits of the exponent, none of the fraction.
        let infinity = (BigInt::from(1) << (width - 1)) - (BigInt::from(1) << fraction);
        let infinity = self.word(width, infinity);
        let (ma, mb) = (self.magnitude(a, &ty), self.magnitude(b, &ty));
        let (na, nb) =
            (self.test(Op::BvUlt, &[infinity, ma]), self.test(Op::BvUlt, &[infinity, mb]));
        let unordered = self.test(Op::Or, &[na, nb]);
        let either = |body: &mut Self, test| body.test(Op::Or, &[unordered, test]);
        Some(match predicate {
            FloatPredicate::False => self.bool(false),
            FloatPredicate::True => self.bool(true),
            FloatPredicate::Uno => unordered,
            FloatPredicate::Ord => self.not(unordered),
            FloatPredicate::Oeq => {
                let same = self.same_number(a, b, ma, mb);
                self.ordered(unordered, same)
            }
            FloatPredicate::Une => {
                let same = self.same_number(a, b, ma, mb);
                let same = self.ordered(unordered, same);
                self.not(same)
            }
            FloatPredicate::One => {
                let same = self.same_number(a, b, ma, mb);
                let differ = self.not(same);
                self.ordered(unordered, differ)
            }
            FloatPredicate::Ueq => {
                let same = self.same_number(a, b, ma, mb);
                either(self, same)
            }
            FloatPredicate::Olt => {
                let less = self.less(a, b, ma, mb, width);
                self.ordered(unordered, less)
            }
            FloatPredicate::Ogt => {
                let less = self.less(b, a, mb, ma, width);
                self.ordered(unordered, less)
            }
            FloatPredicate::Ult => {
                let less = self.less(a, b, ma, mb, width);
                either(self, less)
            }
            FloatPredicate::Ugt => {
                let less = self.less(b, a, mb, ma, width);
                either(self, less)
            }
            FloatPredicate::Ole => {
                let greater = self.less(b, a, mb, ma, width);
                let not_greater = self.not(greater);
                self.ordered(unordered, not_greater)
            }
            FloatPredicate::Oge => {
                let less = self.less(a, b, ma, mb, width);
                let not_less = self.not(less);
                self.ordered(unordered, not_less)
            }
            FloatPredicate::Ule => {
                let greater = self.less(b, a, mb, ma, width);
                let not_greater = self.not(greater);
                either(self, not_greater)
            }
            FloatPredicate::Uge => {
                let less = self.less(a, b, ma, mb, width);
                let not_less = self.not(less);
                either(self, not_less)
            }
        })
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
            let name = format!("fpclass_{mask}_{width}");
            return format.is_float().then(|| self.float_operation_named(&name, &[a], &Type::Bool));
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

    fn ordered(&mut self, unordered: ExprId, test: ExprId) -> ExprId {
        let ordered = self.not(unordered);
        self.test(Op::And, &[ordered, test])
    }

    /// Whether two numbers are equal: the same bits, or zeros of any sign.
    fn same_number(&mut self, a: ExprId, b: ExprId, ma: ExprId, mb: ExprId) -> ExprId {
        let same = self.test(Op::Eq, &[a, b]);
        let zeros = self.both_zero(ma, mb);
        self.test(Op::Or, &[same, zeros])
    }

    fn both_zero(&mut self, ma: ExprId, mb: ExprId) -> ExprId {
        let width = self.width_of(ma).unwrap_or(1);
        let zero = self.word(width, 0);
        let za = self.test(Op::Eq, &[ma, zero]);
        let zb = self.test(Op::Eq, &[mb, zero]);
        self.test(Op::And, &[za, zb])
    }

    /// Whether `a < b` if both are numbers: by sign, then by magnitude.
    fn less(&mut self, a: ExprId, b: ExprId, ma: ExprId, mb: ExprId, width: u32) -> ExprId {
        let zero = self.word(width, 0);
        let (sa, sb) = (self.test(Op::BvSlt, &[a, zero]), self.test(Op::BvSlt, &[b, zero]));
        let zeros = self.both_zero(ma, mb);
        let not_zeros = self.not(zeros);
        let (up, down) = (self.test(Op::BvUlt, &[ma, mb]), self.test(Op::BvUlt, &[mb, ma]));
        let positive = self.not(sb);
        // A negative number is less than one that is not; of two negative ones the larger magnitude.
        let below = self.op(Op::Ite, &[sb, down, not_zeros], Type::Bool);
        let above = self.test(Op::And, &[positive, up]);
        self.op(Op::Ite, &[sa, below, above], Type::Bool)
    }
}

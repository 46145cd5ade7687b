//! The encodings of operators, predicates and flags.

use crate::operation::{
    BinaryOp, CastOp, FastMath, FloatPredicate, IntegerPredicate, Ordering, OverflowFlags,
    PointerFlags, RmwOp, UnaryOp,
};

fn pick<T: Copy>(table: &[T], code: u64) -> Option<T> {
    usize::try_from(code).ok().and_then(|code| table.get(code)).copied()
}

pub(super) fn unary(code: u64) -> Option<UnaryOp> {
    pick(&[UnaryOp::FNeg], code)
}

/// The same number means an integer or a floating-point operator, depending on the type.
pub(super) fn binary(code: u64, float: bool) -> Option<BinaryOp> {
    use BinaryOp::{
        AShr, Add, And, FAdd, FDiv, FMul, FRem, FSub, LShr, Mul, Or, SDiv, SRem, Shl, Sub, UDiv,
        URem, Xor,
    };
    if float {
        return match code {
            0 => Some(FAdd),
            1 => Some(FSub),
            2 => Some(FMul),
            4 => Some(FDiv),
            6 => Some(FRem),
            _ => None,
        };
    }
    pick(&[Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor], code)
}

pub(super) fn cast(code: u64) -> Option<CastOp> {
    use CastOp::{
        AddrSpaceCast, BitCast, FpExt, FpToSi, FpToUi, FpTrunc, IntToPtr, PtrToInt, SExt, SiToFp,
        Trunc, UiToFp, ZExt,
    };
    let table = [
        Trunc,
        ZExt,
        SExt,
        FpToUi,
        FpToSi,
        UiToFp,
        SiToFp,
        FpTrunc,
        FpExt,
        PtrToInt,
        IntToPtr,
        BitCast,
        AddrSpaceCast,
    ];
    pick(&table, code)
}

pub(super) fn integer_predicate(code: u64) -> Option<IntegerPredicate> {
    use IntegerPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
    pick(&[Eq, Ne, Ugt, Uge, Ult, Ule, Sgt, Sge, Slt, Sle], code.checked_sub(32)?)
}

pub(super) fn float_predicate(code: u64) -> Option<FloatPredicate> {
    use FloatPredicate::{
        False, Oeq, Oge, Ogt, Ole, Olt, One, Ord, True, Ueq, Uge, Ugt, Ule, Ult, Une, Uno,
    };
    pick(&[False, Oeq, Ogt, Oge, Olt, Ole, One, Ord, Uno, Ueq, Ugt, Uge, Ult, Ule, Une, True], code)
}

pub(super) fn read_modify_write(code: u64) -> Option<RmwOp> {
    use RmwOp::{
        Add, And, FAdd, FMax, FMin, FSub, Max, Min, Nand, Or, Sub, UDecWrap, UIncWrap, UMax, UMin,
        USubCond, USubSat, Xchg, Xor,
    };
    let table = [
        Xchg, Add, Sub, And, Nand, Or, Xor, Max, Min, UMax, UMin, FAdd, FSub, FMax, FMin, UIncWrap,
        UDecWrap, USubCond, USubSat,
    ];
    pick(&table, code)
}

/// The ordering; `None` for an access that is not atomic.
pub(super) fn ordering(code: u64) -> Option<Ordering> {
    use Ordering::{AcqRel, Acquire, Monotonic, Release, SeqCst, Unordered};
    pick(&[Unordered, Monotonic, Acquire, Release, AcqRel, SeqCst], code.checked_sub(1)?)
}

/// The promises of an integer operation; the same bits mean different ones for different operators.
pub(super) fn overflow_flags(op: BinaryOp, bits: u64) -> OverflowFlags {
    let mut flags = OverflowFlags::default();
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => {
            flags.no_unsigned_wrap = bits & 1 != 0;
            flags.no_signed_wrap = bits & 2 != 0;
        }
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::LShr | BinaryOp::AShr => {
            flags.exact = bits & 1 != 0;
        }
        BinaryOp::Or => flags.disjoint = bits & 1 != 0,
        BinaryOp::URem
        | BinaryOp::SRem
        | BinaryOp::And
        | BinaryOp::Xor
        | BinaryOp::FAdd
        | BinaryOp::FSub
        | BinaryOp::FMul
        | BinaryOp::FDiv
        | BinaryOp::FRem => {}
    }
    flags
}

/// The promises of a conversion, and its liberties if it makes a floating-point number.
pub(super) fn cast_flags(op: CastOp, bits: u64) -> (OverflowFlags, FastMath) {
    let mut flags = OverflowFlags::default();
    let mut fast_math = FastMath::default();
    match op {
        CastOp::Trunc => {
            flags.no_unsigned_wrap = bits & 1 != 0;
            flags.no_signed_wrap = bits & 2 != 0;
        }
        CastOp::ZExt | CastOp::UiToFp => flags.non_negative = bits & 1 != 0,
        CastOp::FpTrunc | CastOp::FpExt => fast_math = FastMath(bits as u8),
        CastOp::SExt
        | CastOp::FpToUi
        | CastOp::FpToSi
        | CastOp::SiToFp
        | CastOp::PtrToInt
        | CastOp::IntToPtr
        | CastOp::BitCast
        | CastOp::AddrSpaceCast => {}
    }
    (flags, fast_math)
}

pub(super) fn pointer_flags(bits: u64) -> PointerFlags {
    PointerFlags {
        inbounds: bits & 1 != 0,
        no_unsigned_signed_wrap: bits & 2 != 0,
        no_unsigned_wrap: bits & 4 != 0,
    }
}

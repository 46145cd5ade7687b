//! Operators on words as gates: the circuit builder's half of the operator table (`ir::Op`).
//!
//! Every operator has two meanings and no more: this one, in gates, and the interpreter's, in values
//! (`interpret::apply`). [`word_operator`] is the only place that maps an operator on words to the circuit builder.
//! The evaluator of this crate uses it, and so does the solver of `summary`. A test compares it with the interpreter,
//! operator by operator, on random words.

use circuit::{Bits, Circuit, FloatFormat, Gate};
use ir::{Float, Op};

/// The result of an operator on words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WordResult {
    /// A word.
    Word(Bits),
    /// A truth value.
    Truth(Gate),
}

/// The result of an operator on one or two words. None for an operator on something else, and for floating-point
/// numbers of a width that has no format.
pub fn word_operator(c: &mut Circuit, op: &Op, a: &Bits, b: Option<&Bits>) -> Option<WordResult> {
    let word = |bits| Some(WordResult::Word(bits));
    let truth = |gate| Some(WordResult::Truth(gate));
    match op {
        Op::BvNeg => word(c.neg(a)),
        Op::BvNot => word(!a),
        Op::BvAdd => word(c.add(a, b?)),
        Op::BvSub => word(c.sub(a, b?)),
        Op::BvMul => word(c.mul(a, b?)),
        Op::BvUdiv => word(c.udiv(a, b?)),
        Op::BvUrem => word(c.urem(a, b?)),
        Op::BvSdiv => word(c.sdiv(a, b?)),
        Op::BvSrem => word(c.srem(a, b?)),
        Op::BvAnd => word(c.bitand(a, b?)),
        Op::BvOr => word(c.bitor(a, b?)),
        Op::BvXor => word(c.bitxor(a, b?)),
        Op::BvShl => word(c.shl(a, b?)),
        Op::BvLshr => word(c.lshr(a, b?)),
        Op::BvAshr => word(c.ashr(a, b?)),
        Op::BvConcat => word(b?.concat(a)),
        Op::BvExtract { low, width } => word(a.extract(*low as usize..(low + width) as usize)),
        Op::BvZeroExtend(width) => word(a.zero_extend(*width as usize)),
        Op::BvSignExtend(width) => word(a.sign_extend(*width as usize)),
        Op::BvPopcount => word(resize(&c.popcount(a), a.width())),
        Op::BvLeadingZeros => word(resize(&c.leading_zeros(a), a.width())),
        Op::BvTrailingZeros => word(resize(&c.trailing_zeros(a), a.width())),
        Op::Eq => truth(c.equal(a, b?)),
        Op::BvUlt => truth(c.ult(a, b?)),
        Op::BvUle => truth(c.ule(a, b?)),
        Op::BvSlt => truth(c.slt(a, b?)),
        Op::BvSle => truth(c.sle(a, b?)),
        Op::BvSaddOverflows => truth(c.add_overflows_signed(a, b?)),
        Op::BvSsubOverflows => truth(c.sub_overflows_signed(a, b?)),
        Op::BvSmulOverflows => truth(c.mul_overflows_signed(a, b?)),
        Op::BvUaddOverflows => truth(c.add_overflows_unsigned(a, b?)),
        Op::BvUsubOverflows => truth(c.sub_overflows_unsigned(a, b?)),
        Op::BvUmulOverflows => truth(c.mul_overflows_unsigned(a, b?)),
        Op::Float(float) => float_operator(c, *float, a, b),
        Op::Not
        | Op::And
        | Op::Or
        | Op::Implies
        | Op::Ite
        | Op::IntNeg
        | Op::IntAdd
        | Op::IntSub
        | Op::IntMul
        | Op::IntDiv
        | Op::IntMod
        | Op::IntLt
        | Op::IntLe
        | Op::BvToNat
        | Op::BvToInt
        | Op::IntToBv(_)
        | Op::PtrAdd
        | Op::PtrOffset
        | Op::PtrSameObject
        | Op::PtrToBv
        | Op::BvToPtr
        | Op::Select
        | Op::Store
        | Op::ConstMap(_)
        | Op::Union
        | Op::Intersection
        | Op::Difference
        | Op::Subset
        | Op::Graph
        | Op::Join
        | Op::Product
        | Op::Transpose
        | Op::Closure
        | Op::ReflexiveClosure
        | Op::Singleton
        | Op::Cardinality
        | Op::SeqEmpty(_)
        | Op::SeqUnit
        | Op::SeqConcat
        | Op::SeqLength
        | Op::SeqAt
        | Op::SeqSlice
        | Op::SeqReverse
        | Op::SeqCount
        | Op::Record(_)
        | Op::Field(..)
        | Op::WithField(..)
        | Op::Construct(..)
        | Op::IsConstructor(..)
        | Op::Argument(..)
        | Op::Memory(_) => None,
    }
}

fn float_operator(c: &mut Circuit, float: Float, a: &Bits, b: Option<&Bits>) -> Option<WordResult> {
    let from = FloatFormat::of_width(a.width());
    let to = |width: u32| FloatFormat::of_width(width as usize);
    let word = |bits| Some(WordResult::Word(bits));
    let truth = |gate| Some(WordResult::Truth(gate));
    match float {
        Float::Add => word(c.float_add(from?, a, b?)),
        Float::Sub => word(c.float_sub(from?, a, b?)),
        Float::Mul => word(c.float_mul(from?, a, b?)),
        Float::Equal => truth(c.float_equal(from?, a, b?)),
        Float::Less => truth(c.float_less(from?, a, b?)),
        Float::LessEqual => truth(c.float_less_equal(from?, a, b?)),
        Float::IsNan => truth(c.float_is_nan(from?, a)),
        Float::FromSigned(width) => word(c.float_from_int(to(width)?, a, true)),
        Float::FromUnsigned(width) => word(c.float_from_int(to(width)?, a, false)),
        Float::ToSigned(width) => word(c.float_to_int(from?, a, width as usize, true).0),
        Float::ToUnsigned(width) => word(c.float_to_int(from?, a, width as usize, false).0),
        Float::Convert(width) => word(c.float_convert(from?, to(width)?, a)),
    }
}

/// A count at another width, modulo two to that width.
fn resize(count: &Bits, width: usize) -> Bits {
    if count.width() < width { count.zero_extend(width) } else { count.extract(0..width) }
}

//! Operators on scalars: truth values, integers, words and floating-point numbers.
//!
//! They need nothing but their operands. [`fold`] gives them to constant folding outside of executions: terms of
//! summaries and numbers of known heaps have the interpreter's meaning because they are computed here.

use std::cmp::Ordering;

use ir::Op;

use super::{floats, integer, truth, word, words};
use crate::error::EvalError;
use crate::integer::Integer;
use crate::value::Value;
use crate::word::Word;

/// The value of an operator on scalars. None for an operator on something else, and for operands that do not fit the
/// operator.
pub fn fold(op: &Op, operands: &[Value]) -> Option<Value> {
    if op == &Op::Eq {
        return match operands {
            [Value::Bool(a), Value::Bool(b)] => Some(Value::Bool(a == b)),
            [Value::Int(a), Value::Int(b)] => Some(Value::Bool(a == b)),
            [Value::Bv(a), Value::Bv(b)] => Some(Value::Bool(a == b)),
            _ => None,
        };
    }
    scalar(op, operands).ok().flatten()
}

/// The value of an operator on scalars; none for another operator.
pub(super) fn scalar(op: &Op, operands: &[Value]) -> Result<Option<Value>, EvalError> {
    let [first, ..] = operands else { return Ok(None) };
    Ok(Some(match op {
        Op::Not => Value::Bool(!truth(first)?),
        Op::And => Value::Bool(truth(first)? && truth(second(operands)?)?),
        Op::Or => Value::Bool(truth(first)? || truth(second(operands)?)?),
        Op::Implies => Value::Bool(!truth(first)? || truth(second(operands)?)?),

        Op::IntNeg => integer(first)?.neg().into(),
        Op::IntAdd => integers(operands)?.0.add(integers(operands)?.1).into(),
        Op::IntSub => integers(operands)?.0.sub(integers(operands)?.1).into(),
        Op::IntMul => integers(operands)?.0.mul(integers(operands)?.1).into(),
        Op::IntDiv => integers(operands)?.0.div(integers(operands)?.1).into(),
        Op::IntMod => integers(operands)?.0.modulo(integers(operands)?.1).into(),
        Op::IntLt => Value::Bool(integers(operands)?.0 < integers(operands)?.1),
        Op::IntLe => Value::Bool(integers(operands)?.0 <= integers(operands)?.1),

        Op::BvNeg => words::neg(word(first)?).into(),
        Op::BvAdd => words::add(pair(operands)?).into(),
        Op::BvSub => words::sub(pair(operands)?).into(),
        Op::BvMul => words::mul(pair(operands)?).into(),
        Op::BvUdiv => words::udiv(pair(operands)?).into(),
        Op::BvUrem => words::urem(pair(operands)?).into(),
        Op::BvSdiv => words::sdiv(pair(operands)?).into(),
        Op::BvSrem => words::srem(pair(operands)?).into(),
        Op::BvNot => words::not(word(first)?).into(),
        Op::BvAnd => words::bitwise(pair(operands)?, |a, b| a & b, |a, b| a & b).into(),
        Op::BvOr => words::bitwise(pair(operands)?, |a, b| a | b, |a, b| a | b).into(),
        Op::BvXor => words::bitwise(pair(operands)?, |a, b| a ^ b, |a, b| a ^ b).into(),
        Op::BvShl => words::shl(pair(operands)?).into(),
        Op::BvLshr => words::lshr(pair(operands)?).into(),
        Op::BvAshr => words::ashr(pair(operands)?).into(),
        Op::BvUlt => Value::Bool(unsigned(operands)? == Ordering::Less),
        Op::BvUle => Value::Bool(unsigned(operands)? != Ordering::Greater),
        Op::BvSlt => Value::Bool(signed(operands)? == Ordering::Less),
        Op::BvSle => Value::Bool(signed(operands)? != Ordering::Greater),
        Op::BvConcat => words::concat(word(first)?, word(second(operands)?)?).into(),
        Op::BvExtract { low, width } => words::extract(word(first)?, *low, *width).into(),
        Op::BvZeroExtend(width) => words::zero_extend(word(first)?, *width).into(),
        Op::BvSignExtend(width) => words::sign_extend(word(first)?, *width).into(),
        Op::BvPopcount => words::popcount(word(first)?).into(),
        Op::BvLeadingZeros => words::leading_zeros(word(first)?).into(),
        Op::BvTrailingZeros => words::trailing_zeros(word(first)?).into(),
        Op::BvSaddOverflows => Value::Bool(words::leaves_signed(pair(operands)?, |a, b| a + b)),
        Op::BvSsubOverflows => Value::Bool(words::leaves_signed(pair(operands)?, |a, b| a - b)),
        Op::BvSmulOverflows => Value::Bool(words::leaves_signed(pair(operands)?, |a, b| a * b)),
        Op::BvUaddOverflows => Value::Bool(words::leaves_unsigned(pair(operands)?, |a, b| a + b)),
        Op::BvUsubOverflows => Value::Bool(words::leaves_unsigned(pair(operands)?, |a, b| a - b)),
        Op::BvUmulOverflows => Value::Bool(words::leaves_unsigned(pair(operands)?, |a, b| a * b)),
        Op::BvToNat => words::to_nat(word(first)?).into(),
        Op::BvToInt => words::to_int(word(first)?).into(),
        Op::IntToBv(width) => words::from_integer(*width, integer(first)?).into(),

        Op::Float(float) => floats::apply(*float, operands)?,

        Op::Eq
        | Op::Ite
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
        | Op::Memory(_) => return Ok(None),
    }))
}

fn second(operands: &[Value]) -> Result<&Value, EvalError> {
    match operands {
        [_, second, ..] => Ok(second),
        _ => EvalError::ill_typed("two operands are expected"),
    }
}

pub(super) fn integers(operands: &[Value]) -> Result<(&Integer, &Integer), EvalError> {
    Ok((integer(&operands[0])?, integer(second(operands)?)?))
}

fn pair(operands: &[Value]) -> Result<(&Word, &Word), EvalError> {
    let (a, b) = (word(&operands[0])?, word(second(operands)?)?);
    if a.width() != b.width() {
        return EvalError::ill_typed("words of one width are expected");
    }
    Ok((a, b))
}

fn unsigned(operands: &[Value]) -> Result<Ordering, EvalError> {
    let (a, b) = pair(operands)?;
    Ok(a.compare(b))
}

fn signed(operands: &[Value]) -> Result<Ordering, EvalError> {
    let (a, b) = pair(operands)?;
    Ok(a.compare_signed(b))
}

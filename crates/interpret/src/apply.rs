//! Operators on concrete operands: executes the table of `ir::Op`.
//!
//! Every operator is here, strict in all its operands. The evaluator of expressions decides by
//! itself which operands of a connective or conditional it needs.

mod floats;
mod relations;
mod scalars;
mod words;

use std::sync::Arc;

use ir::{Memory, Op, Storage, Type};

use crate::equal::{canonical_key, equal};
use crate::error::{EvalError, Undefined};
use crate::integer::Integer;
use crate::memory::{Bytes, Pointer};
use crate::value::{Key, MapType, MapValue, Value};
use crate::word::Word;
use crate::world::World;

pub use scalars::fold;
use scalars::{integers, scalar};

/// The value of an operator applied to operands, which are used up; `ty` is the type of the result.
///
/// # Errors
/// If an operand has an unknown part on which the value depends, if the value cannot be found by
/// looking at finitely many cases, or if memory is read or written where that cannot be.
pub fn apply<W: World + ?Sized>(
    world: &mut W,
    op: &Op,
    operands: &mut [Value],
    ty: &Type,
) -> Result<Value, EvalError> {
    Ok(match op {
        Op::Not
        | Op::And
        | Op::Or
        | Op::Implies
        | Op::IntNeg
        | Op::IntAdd
        | Op::IntSub
        | Op::IntLt
        | Op::IntLe
        | Op::BvNeg
        | Op::BvAdd
        | Op::BvSub
        | Op::BvMul
        | Op::BvUdiv
        | Op::BvUrem
        | Op::BvSdiv
        | Op::BvSrem
        | Op::BvNot
        | Op::BvAnd
        | Op::BvOr
        | Op::BvXor
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr
        | Op::BvUlt
        | Op::BvUle
        | Op::BvSlt
        | Op::BvSle
        | Op::BvConcat
        | Op::BvExtract { .. }
        | Op::BvZeroExtend(_)
        | Op::BvSignExtend(_)
        | Op::BvPopcount
        | Op::BvLeadingZeros
        | Op::BvTrailingZeros
        | Op::BvSaddOverflows
        | Op::BvSsubOverflows
        | Op::BvSmulOverflows
        | Op::BvUaddOverflows
        | Op::BvUsubOverflows
        | Op::BvUmulOverflows
        | Op::BvToNat
        | Op::BvToInt
        | Op::IntToBv(_)
        | Op::Float(_) => of_scalars(op, operands)?,
        Op::IntMul | Op::IntDiv | Op::IntMod => {
            let (a, b) = integers(operands)?;
            // Integers that grow without bound must not stall an execution.
            let words = a.words().saturating_mul(b.words());
            if words > 1 {
                world.work(words)?;
            }
            of_scalars(op, operands)?
        }
        Op::Eq => Value::Bool(equal(world, &operands[0], &operands[1])?),
        Op::Ite => take(operands, if truth(&operands[0])? { 1 } else { 2 }),

        Op::PtrAdd => pointer(&operands[0])?.moved(offset(&operands[1])?).into(),
        Op::PtrOffset => Word::signed(64, pointer(&operands[0])?.offset).into(),
        Op::PtrSameObject => {
            Value::Bool(pointer(&operands[0])?.object == pointer(&operands[1])?.object)
        }
        Op::PtrToBv => Value::bv(64, pointer(&operands[0])?.address()),
        Op::BvToPtr => Pointer::at(offset(&operands[0])? as u64).into(),

        Op::Select => {
            let keys = keys(world, operands, 1..operands.len())?;
            map(&operands[0])?.clone().get(world, &keys)?
        }
        Op::Store => {
            let last = operands.len() - 1;
            let keys = keys(world, operands, 1..last)?;
            let value = take(operands, last);
            let mut changed = map(&operands[0])?.clone();
            drop(take(operands, 0));
            Arc::make_mut(&mut changed).insert(keys, value);
            Value::Map(changed)
        }
        Op::ConstMap(ty) => {
            let Type::Map(keys, value) = ty else {
                return EvalError::ill_typed("a constant map of a type that is none");
            };
            Value::from(MapValue::constant(MapType::new(keys, value), take(operands, 0)))
        }

        Op::Union => relations::pointwise(world, sides(operands)?, |a, b| a || b)?,
        Op::Intersection => relations::pointwise(world, sides(operands)?, |a, b| a && b)?,
        Op::Difference => relations::pointwise(world, sides(operands)?, |a, b| a && !b)?,
        Op::Subset => Value::Bool(relations::subset(world, sides(operands)?)?),
        Op::Graph => relations::graph(world, map(&operands[0])?)?,
        Op::Join => relations::join(world, sides(operands)?)?,
        Op::Product => relations::product(world, sides(operands)?)?,
        Op::Transpose => relations::transpose(world, map(&operands[0])?)?,
        Op::Closure => relations::closure(world, map(&operands[0])?, false)?,
        Op::ReflexiveClosure => relations::closure(world, map(&operands[0])?, true)?,
        Op::Singleton => {
            let Some(columns) = ty.as_set() else {
                return EvalError::ill_typed("the set of one element has the type of a set");
            };
            let columns = columns.to_vec();
            let element = keys(world, operands, 0..1)?;
            Value::from(MapValue::relation(&columns, [element]))
        }
        Op::Cardinality => relations::cardinality(world, map(&operands[0])?)?.into(),

        Op::SeqEmpty(_) => Value::seq([]),
        Op::SeqUnit => Value::seq([take(operands, 0)]),
        Op::SeqConcat => {
            let (Value::Seq(mut front), back) = (take(operands, 0), sequence(&operands[1])?) else {
                return EvalError::ill_typed("a sequence is expected");
            };
            world.work(back.len() as u64)?;
            Arc::make_mut(&mut front).extend(back.iter().cloned());
            Value::Seq(front)
        }
        Op::SeqLength => Value::int(sequence(&operands[0])?.len() as i64),
        Op::SeqAt => {
            let index = integer(&operands[1])?.to_i64().and_then(|index| index.try_into().ok());
            let element = index.and_then(|index: usize| sequence(&operands[0]).ok()?.get(index));
            match element {
                Some(element) => element.clone(),
                None => Value::default_of(ty, world.module()),
            }
        }
        Op::SeqSlice => {
            let elements = sequence(&operands[0])?;
            let (from, count) = (integer(&operands[1])?, integer(&operands[2])?);
            let start = clamp(from, elements.len());
            let count = clamp(count, elements.len() - start);
            Value::seq(elements[start..start + count].iter().cloned())
        }
        Op::SeqReverse => Value::seq(sequence(&operands[0])?.iter().rev().cloned()),
        Op::SeqCount => {
            let (elements, wanted) = (sequence(&operands[0])?, &operands[1]);
            let mut count = 0;
            for element in elements {
                count += i64::from(equal(world, element, wanted)?);
            }
            Value::int(count)
        }

        Op::Record(id) => Value::record(*id, operands.iter().cloned()),
        Op::Field(id, index) => match &operands[0] {
            Value::Record(_, fields) => match fields.get(*index as usize) {
                Some(Some(value)) => value.clone(),
                Some(None) | None => {
                    let fields = &world.module().records[id.0 as usize].fields;
                    return Err(Undefined::Field(fields[*index as usize].0.clone()).into());
                }
            },
            _ => return EvalError::ill_typed("a field of what is no record"),
        },
        Op::WithField(_, index) => match take(operands, 0) {
            Value::Record(id, mut fields) => {
                Arc::make_mut(&mut fields)[*index as usize] = Some(take(operands, 1));
                Value::Record(id, fields)
            }
            _ => return EvalError::ill_typed("a field of what is no record"),
        },
        Op::Construct(id, constructor) => Value::variant(*id, *constructor, operands.to_vec()),
        Op::IsConstructor(_, constructor) => match &operands[0] {
            Value::Variant(_, actual, _) => Value::Bool(actual == constructor),
            _ => return EvalError::ill_typed("a constructor of what is no union"),
        },
        Op::Argument(_, constructor, index) => match &operands[0] {
            Value::Variant(_, actual, arguments) if actual == constructor => {
                arguments[*index as usize].clone()
            }
            Value::Variant(..) => Value::default_of(ty, world.module()),
            _ => return EvalError::ill_typed("a constructor of what is no union"),
        },

        Op::Memory(memory) => apply_memory(world, memory, operands)?,
    })
}

fn of_scalars(op: &Op, operands: &[Value]) -> Result<Value, EvalError> {
    match scalar(op, operands)? {
        Some(value) => Ok(value),
        None => EvalError::ill_typed("an operator lacks its operands"),
    }
}

fn apply_memory<W: World + ?Sized>(
    world: &mut W,
    memory: &Memory,
    operands: &mut [Value],
) -> Result<Value, EvalError> {
    match memory {
        Memory::Load(ty) => {
            let (memory, at) = (bytes(&operands[0])?, pointer(&operands[1])?);
            if let Some(found) = world.found(memory, at, ty)? {
                return Ok(found);
            }
        }
        Memory::Peek => {
            let (memory, at) = (bytes(&operands[0])?, pointer(&operands[1])?);
            if let Some(found) = world.found(memory, at, &Type::Bv(8))? {
                return Ok(found);
            }
        }
        Memory::IsWritten(_) if world.is_open(pointer(&operands[1])?) => {
            return Ok(Value::Bool(true));
        }
        Memory::Copy => {
            let (from, count) = (pointer(&operands[2])?, offset(&operands[3])? as u64);
            if let Value::Bytes(memory) = &mut operands[0] {
                world.settle(memory, from, count);
            }
        }
        Memory::IsWritten(_)
        | Memory::Store(_)
        | Memory::Fill
        | Memory::ObjectSize
        | Memory::IsLive
        | Memory::IsHeap => {}
    }
    let (objects, time) = world.objects();
    Ok(match memory {
        Memory::Load(ty) => bytes(&operands[0])?.load(objects, time, pointer(&operands[1])?, ty)?,
        Memory::Peek => {
            let byte = bytes(&operands[0])?.peek(objects, time, pointer(&operands[1])?)?;
            Value::bv(8, u64::from(byte))
        }
        Memory::IsWritten(count) => {
            let (memory, at) = (bytes(&operands[0])?, pointer(&operands[1])?);
            Value::Bool(memory.is_written(objects, time, at, u64::from(*count))?)
        }
        Memory::Store(ty) => {
            let mut changed = taken_memory(operands)?;
            changed.store(objects, time, pointer(&operands[1])?, ty, &operands[2])?;
            Value::Bytes(changed)
        }
        Memory::Copy => {
            let mut changed = taken_memory(operands)?;
            let (to, from) = (pointer(&operands[1])?, pointer(&operands[2])?);
            changed.copy(objects, time, to, from, offset(&operands[3])? as u64)?;
            Value::Bytes(changed)
        }
        Memory::Fill => {
            let mut changed = taken_memory(operands)?;
            let byte = word(&operands[2])?.small().unwrap_or(0) as u8;
            let count = offset(&operands[3])? as u64;
            changed.fill(objects, time, pointer(&operands[1])?, byte, count)?;
            Value::Bytes(changed)
        }
        Memory::ObjectSize => Value::bv(64, objects.size(pointer(&operands[0])?.object, time)),
        Memory::IsLive => Value::Bool(objects.is_live(pointer(&operands[0])?.object, time)),
        Memory::IsHeap => {
            let storage = objects.storage(pointer(&operands[0])?.object, time);
            Value::Bool(storage == Some(Storage::Heap))
        }
    })
}

/// The memory that is the first operand, to be changed.
fn taken_memory(operands: &mut [Value]) -> Result<Bytes, EvalError> {
    match take(operands, 0) {
        Value::Bytes(memory) => Ok(memory),
        _ => EvalError::ill_typed("memory is expected"),
    }
}

/// The truth value that a value is.
pub(crate) fn truth(value: &Value) -> Result<bool, EvalError> {
    match value {
        Value::Bool(truth) => Ok(*truth),
        _ => EvalError::ill_typed("a truth value is expected"),
    }
}

pub(crate) fn integer(value: &Value) -> Result<&Integer, EvalError> {
    match value {
        Value::Int(integer) => Ok(integer),
        _ => EvalError::ill_typed("an integer is expected"),
    }
}

pub(crate) fn word(value: &Value) -> Result<&Word, EvalError> {
    match value {
        Value::Bv(word) => Ok(word),
        _ => EvalError::ill_typed("a word is expected"),
    }
}

pub(crate) fn pointer(value: &Value) -> Result<Pointer, EvalError> {
    match value {
        Value::Ptr(pointer) => Ok(*pointer),
        _ => EvalError::ill_typed("a pointer is expected"),
    }
}

pub(crate) fn map(value: &Value) -> Result<&Arc<MapValue>, EvalError> {
    match value {
        Value::Map(map) => Ok(map),
        _ => EvalError::ill_typed("a map is expected"),
    }
}

fn sequence(value: &Value) -> Result<&[Value], EvalError> {
    match value {
        Value::Seq(elements) => Ok(elements),
        _ => EvalError::ill_typed("a sequence is expected"),
    }
}

fn bytes(value: &Value) -> Result<&Bytes, EvalError> {
    match value {
        Value::Bytes(bytes) => Ok(bytes),
        _ => EvalError::ill_typed("memory is expected"),
    }
}

fn sides(operands: &[Value]) -> Result<(&MapValue, &MapValue), EvalError> {
    Ok((map(&operands[0])?, map(&operands[1])?))
}

/// A word of 64 bits, read signed.
fn offset(value: &Value) -> Result<i64, EvalError> {
    match word(value)?.small_signed() {
        Some(offset) => Ok(offset),
        None => EvalError::ill_typed("a word of 64 bits is expected"),
    }
}

/// A position of a sequence of this length, or its nearest end.
fn clamp(position: &Integer, length: usize) -> usize {
    if position.is_negative() {
        return 0;
    }
    position.to_i64().and_then(|position| position.try_into().ok()).unwrap_or(length).min(length)
}

fn take(operands: &mut [Value], index: usize) -> Value {
    std::mem::replace(&mut operands[index], Value::Bool(false))
}

fn keys<W: World + ?Sized>(
    world: &mut W,
    operands: &mut [Value],
    range: std::ops::Range<usize>,
) -> Result<Key, EvalError> {
    let keys: Key = range.map(|index| take(operands, index)).collect();
    canonical_key(world, keys)
}

#[cfg(test)]
mod tests;

//! The typing rules: the operand and result types of each operator.

use crate::address::ADDRESS_BITS;
use crate::module::Module;
use crate::op::{Float, Memory, Op};
use crate::types::Type;

/// The type of an operator's value, or why it does not apply to operands of these types.
pub fn result_type(op: &Op, operands: &[&Type], module: &Module) -> Result<Type, String> {
    match op {
        Op::Not => {
            exactly(op, operands, &[Type::Bool])?;
            Ok(Type::Bool)
        }
        Op::And | Op::Or | Op::Implies => {
            exactly(op, operands, &[Type::Bool, Type::Bool])?;
            Ok(Type::Bool)
        }
        Op::Eq => {
            let [a, b] = count(op, operands)?;
            same(op, a, b, module)?;
            if **a == Type::Bytes {
                return Err("byte memories cannot be compared".to_owned());
            }
            Ok(Type::Bool)
        }
        Op::Ite => {
            let [condition, a, b] = count(op, operands)?;
            if **condition != Type::Bool {
                return Err(format!(
                    "the condition has type {}, not bool",
                    condition.display(module)
                ));
            }
            same(op, a, b, module)?;
            Ok((*a).clone())
        }

        Op::IntNeg => {
            exactly(op, operands, &[Type::Int])?;
            Ok(Type::Int)
        }
        Op::IntAdd | Op::IntSub | Op::IntMul | Op::IntDiv | Op::IntMod => {
            exactly(op, operands, &[Type::Int, Type::Int])?;
            Ok(Type::Int)
        }
        Op::IntLt | Op::IntLe => {
            exactly(op, operands, &[Type::Int, Type::Int])?;
            Ok(Type::Bool)
        }

        Op::BvNeg | Op::BvNot | Op::BvPopcount | Op::BvLeadingZeros | Op::BvTrailingZeros => {
            let [a] = count(op, operands)?;
            Ok(Type::Bv(width(op, a, module)?))
        }
        Op::BvAdd
        | Op::BvSub
        | Op::BvMul
        | Op::BvUdiv
        | Op::BvUrem
        | Op::BvSdiv
        | Op::BvSrem
        | Op::BvAnd
        | Op::BvOr
        | Op::BvXor
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr => Ok(Type::Bv(same_width(op, operands, module)?)),
        Op::BvUlt
        | Op::BvUle
        | Op::BvSlt
        | Op::BvSle
        | Op::BvSaddOverflows
        | Op::BvSsubOverflows
        | Op::BvSmulOverflows
        | Op::BvUaddOverflows
        | Op::BvUsubOverflows
        | Op::BvUmulOverflows => {
            same_width(op, operands, module)?;
            Ok(Type::Bool)
        }
        Op::BvConcat => {
            let [a, b] = count(op, operands)?;
            let sum = width(op, a, module)?.checked_add(width(op, b, module)?);
            match sum {
                Some(sum) if sum <= Type::MAX_WIDTH => Ok(Type::Bv(sum)),
                _ => Err(format!("a word has at most {} bits", Type::MAX_WIDTH)),
            }
        }
        Op::BvExtract { low, width: taken } => {
            let [a] = count(op, operands)?;
            let given = width(op, a, module)?;
            match low.checked_add(*taken) {
                Some(end) if end <= given && *taken > 0 => Ok(Type::Bv(*taken)),
                _ => Err(format!("there are no {taken} bits from bit {low} in {given} bits")),
            }
        }
        Op::BvZeroExtend(to) | Op::BvSignExtend(to) => {
            let [a] = count(op, operands)?;
            let given = width(op, a, module)?;
            if (given..=Type::MAX_WIDTH).contains(to) {
                Ok(Type::Bv(*to))
            } else {
                Err(format!("a word of {given} bits cannot be widened to {to} bits"))
            }
        }
        Op::BvToNat | Op::BvToInt => {
            let [a] = count(op, operands)?;
            width(op, a, module)?;
            Ok(Type::Int)
        }
        Op::IntToBv(to) => {
            exactly(op, operands, &[Type::Int])?;
            if (1..=Type::MAX_WIDTH).contains(to) {
                Ok(Type::Bv(*to))
            } else {
                Err(format!("a word has 1 to {} bits, not {to}", Type::MAX_WIDTH))
            }
        }

        Op::Float(float) => float_type(op, *float, operands, module),

        Op::PtrAdd => {
            exactly(op, operands, &[Type::Ptr, Type::Bv(ADDRESS_BITS)])?;
            Ok(Type::Ptr)
        }
        Op::PtrOffset | Op::PtrToBv => {
            exactly(op, operands, &[Type::Ptr])?;
            Ok(Type::Bv(ADDRESS_BITS))
        }
        Op::PtrSameObject => {
            exactly(op, operands, &[Type::Ptr, Type::Ptr])?;
            Ok(Type::Bool)
        }
        Op::BvToPtr => {
            exactly(op, operands, &[Type::Bv(ADDRESS_BITS)])?;
            Ok(Type::Ptr)
        }

        Op::Select => {
            let [map, keys @ ..] = operands else { return Err(wrong_count(op, 1, operands)) };
            let (key_types, value) = map_type(op, map, module)?;
            matching_keys(keys, key_types, module)?;
            Ok(value.clone())
        }
        Op::Store => {
            let [map, keys @ .., new] = operands else {
                return Err(wrong_count(op, 2, operands));
            };
            let (key_types, value) = map_type(op, map, module)?;
            matching_keys(keys, key_types, module)?;
            same(op, value, new, module)?;
            Ok((*map).clone())
        }
        Op::ConstMap(ty) => {
            let [a] = count(op, operands)?;
            let (_, value) = map_type(op, ty, module)?;
            same(op, value, a, module)?;
            Ok(ty.clone())
        }

        Op::Union | Op::Intersection | Op::Difference => {
            let [a, b] = count(op, operands)?;
            columns(op, a, module)?;
            same(op, a, b, module)?;
            Ok((*a).clone())
        }
        Op::Subset => {
            let [a, b] = count(op, operands)?;
            columns(op, a, module)?;
            same(op, a, b, module)?;
            Ok(Type::Bool)
        }
        Op::Graph => {
            let [a] = count(op, operands)?;
            let (keys, value) = map_type(op, a, module)?;
            Ok(Type::set(keys.iter().cloned().chain([value.clone()]).collect()))
        }
        Op::Join => {
            let [a, b] = count(op, operands)?;
            let (a, b) = (columns(op, a, module)?, columns(op, b, module)?);
            let [first @ .., last] = a else { return Err("a relation has columns".to_owned()) };
            let [head, rest @ ..] = b else { return Err("a relation has columns".to_owned()) };
            same(op, last, head, module)?;
            if first.is_empty() && rest.is_empty() {
                return Err("the join of two sets has no column; use inter".to_owned());
            }
            Ok(Type::set(first.iter().chain(rest).cloned().collect()))
        }
        Op::Product => {
            let [a, b] = count(op, operands)?;
            let (a, b) = (columns(op, a, module)?, columns(op, b, module)?);
            Ok(Type::set(a.iter().chain(b).cloned().collect()))
        }
        Op::Transpose => {
            let [a] = count(op, operands)?;
            match columns(op, a, module)? {
                [from, to] => Ok(Type::set(vec![to.clone(), from.clone()])),
                other => Err(format!("transpose takes two columns, not {}", other.len())),
            }
        }
        Op::Closure | Op::ReflexiveClosure => {
            let [a] = count(op, operands)?;
            match columns(op, a, module)? {
                [from, to] if from == to => Ok((*a).clone()),
                _ => Err(format!(
                    "{} takes a relation between a type and itself, not {}",
                    op.name(),
                    a.display(module)
                )),
            }
        }
        Op::Singleton => {
            let [a] = count(op, operands)?;
            if **a == Type::Bytes {
                return Err("byte memory cannot be an element".to_owned());
            }
            Ok(Type::set(vec![(*a).clone()]))
        }
        Op::Cardinality => {
            let [a] = count(op, operands)?;
            columns(op, a, module)?;
            Ok(Type::Int)
        }

        Op::SeqEmpty(element) => {
            let [] = count(op, operands)?;
            Ok(Type::Seq(Box::new(element.clone())))
        }
        Op::SeqUnit => {
            let [a] = count(op, operands)?;
            if **a == Type::Bytes {
                return Err("byte memory cannot be an element".to_owned());
            }
            Ok(Type::Seq(Box::new((*a).clone())))
        }
        Op::SeqConcat => {
            let [a, b] = count(op, operands)?;
            element(op, a, module)?;
            same(op, a, b, module)?;
            Ok((*a).clone())
        }
        Op::SeqLength => {
            let [a] = count(op, operands)?;
            element(op, a, module)?;
            Ok(Type::Int)
        }
        Op::SeqAt => {
            let [a, position] = count(op, operands)?;
            integer(op, position, module)?;
            Ok(element(op, a, module)?.clone())
        }
        Op::SeqSlice => {
            let [a, from, length] = count(op, operands)?;
            element(op, a, module)?;
            integer(op, from, module)?;
            integer(op, length, module)?;
            Ok((*a).clone())
        }
        Op::SeqReverse => {
            let [a] = count(op, operands)?;
            element(op, a, module)?;
            Ok((*a).clone())
        }
        Op::SeqCount => {
            let [a, value] = count(op, operands)?;
            agree("the element that is counted", element(op, a, module)?, value, module)?;
            Ok(Type::Int)
        }

        Op::Record(id) => {
            let record = module.records.get(id.0 as usize).ok_or("there is no such record")?;
            if operands.len() != record.fields.len() {
                return Err(wrong_count(op, record.fields.len(), operands));
            }
            for ((name, ty), operand) in record.fields.iter().zip(operands) {
                agree(&format!("field {name}"), ty, operand, module)?;
            }
            Ok(Type::Record(*id))
        }
        Op::Field(id, index) => {
            let [a] = count(op, operands)?;
            agree("the operand", &Type::Record(*id), a, module)?;
            Ok(field(id.0, *index, module)?.clone())
        }
        Op::WithField(id, index) => {
            let [a, value] = count(op, operands)?;
            agree("the operand", &Type::Record(*id), a, module)?;
            agree("the new value", field(id.0, *index, module)?, value, module)?;
            Ok(Type::Record(*id))
        }
        Op::Construct(id, index) => {
            let arguments = constructor(id.0, *index, module)?;
            if operands.len() != arguments.len() {
                return Err(wrong_count(op, arguments.len(), operands));
            }
            for (ty, operand) in arguments.iter().zip(operands) {
                agree("an argument", ty, operand, module)?;
            }
            Ok(Type::Variant(*id))
        }
        Op::IsConstructor(id, index) => {
            let [a] = count(op, operands)?;
            agree("the operand", &Type::Variant(*id), a, module)?;
            constructor(id.0, *index, module)?;
            Ok(Type::Bool)
        }
        Op::Argument(id, index, argument) => {
            let [a] = count(op, operands)?;
            agree("the operand", &Type::Variant(*id), a, module)?;
            let arguments = constructor(id.0, *index, module)?;
            let ty = arguments.get(*argument as usize);
            ty.cloned().ok_or_else(|| format!("the constructor has {} arguments", arguments.len()))
        }

        Op::Memory(memory) => match memory {
            Memory::Load(ty) => {
                exactly(op, operands, &[Type::Bytes, Type::Ptr])?;
                viewable(ty, module)?;
                Ok(ty.clone())
            }
            Memory::Peek => {
                exactly(op, operands, &[Type::Bytes, Type::Ptr])?;
                Ok(Type::Bv(8))
            }
            Memory::IsWritten(_) => {
                exactly(op, operands, &[Type::Bytes, Type::Ptr])?;
                Ok(Type::Bool)
            }
            Memory::Store(ty) => {
                exactly(op, operands, &[Type::Bytes, Type::Ptr, ty.clone()])?;
                viewable(ty, module)?;
                Ok(Type::Bytes)
            }
            Memory::Copy => {
                exactly(
                    op,
                    operands,
                    &[Type::Bytes, Type::Ptr, Type::Ptr, Type::Bv(ADDRESS_BITS)],
                )?;
                Ok(Type::Bytes)
            }
            Memory::Fill => {
                let bits = Type::Bv(ADDRESS_BITS);
                exactly(op, operands, &[Type::Bytes, Type::Ptr, Type::Bv(8), bits])?;
                Ok(Type::Bytes)
            }
            Memory::ObjectSize => {
                exactly(op, operands, &[Type::Ptr])?;
                Ok(Type::Bv(ADDRESS_BITS))
            }
            Memory::IsLive | Memory::IsHeap => {
                exactly(op, operands, &[Type::Ptr])?;
                Ok(Type::Bool)
            }
        },
    }
}

/// The type of an operation on floating-point numbers.
fn float_type(op: &Op, float: Float, operands: &[&Type], module: &Module) -> Result<Type, String> {
    let number = |width: u32| match Float::WIDTHS.contains(&width) {
        true => Ok(Type::Bv(width)),
        false => Err(format!("a floating-point number has 32 or 64 bits, not {width}")),
    };
    let word = |width: u32| match (1..=Float::WIDEST).contains(&width) {
        true => Ok(Type::Bv(width)),
        false => Err(format!("`{}` takes words of 1 to {} bits", op.name(), Float::WIDEST)),
    };
    let operand = || {
        let [a] = count(op, operands)?;
        width(op, a, module)
    };
    match float {
        Float::Add | Float::Sub | Float::Mul => number(same_width(op, operands, module)?),
        Float::Equal | Float::Less | Float::LessEqual => {
            number(same_width(op, operands, module)?)?;
            Ok(Type::Bool)
        }
        Float::IsNan => {
            number(operand()?)?;
            Ok(Type::Bool)
        }
        Float::FromSigned(to) | Float::FromUnsigned(to) => {
            word(operand()?)?;
            number(to)
        }
        Float::ToSigned(to) | Float::ToUnsigned(to) => {
            number(operand()?)?;
            word(to)
        }
        Float::Convert(to) => {
            number(operand()?)?;
            number(to)
        }
    }
}

/// Whether values of a type can be read from and written to byte memory: words of whole bytes, and
/// pointers.
pub fn viewable(ty: &Type, module: &Module) -> Result<(), String> {
    match ty {
        Type::Bv(width) if width % 8 == 0 => Ok(()),
        Type::Ptr => Ok(()),
        other => Err(format!(
            "memory holds words of whole bytes and pointers, not {}",
            other.display(module)
        )),
    }
}

fn count<'a, 'b, const N: usize>(
    op: &Op,
    operands: &'a [&'b Type],
) -> Result<&'a [&'b Type; N], String> {
    operands.try_into().map_err(|_| wrong_count(op, N, operands))
}

fn wrong_count(op: &Op, expected: usize, operands: &[&Type]) -> String {
    format!("`{}` takes {expected} operands, not {}", op.name(), operands.len())
}

fn exactly(op: &Op, operands: &[&Type], expected: &[Type]) -> Result<(), String> {
    if operands.len() != expected.len() {
        return Err(wrong_count(op, expected.len(), operands));
    }
    let module = Module::default();
    for (position, (operand, expected)) in operands.iter().zip(expected).enumerate() {
        if **operand != *expected {
            return Err(format!(
                "operand {} of `{}` must be {}",
                position + 1,
                op.name(),
                expected.display(&module)
            ));
        }
    }
    Ok(())
}

fn agree(what: &str, expected: &Type, given: &Type, module: &Module) -> Result<(), String> {
    if expected == given {
        return Ok(());
    }
    Err(format!("{what} has type {}, not {}", given.display(module), expected.display(module)))
}

fn same(op: &Op, a: &Type, b: &Type, module: &Module) -> Result<(), String> {
    if a == b {
        return Ok(());
    }
    Err(format!("`{}` does not go with {} and {}", op.name(), a.display(module), b.display(module)))
}

fn width(op: &Op, ty: &Type, module: &Module) -> Result<u32, String> {
    match ty {
        Type::Bv(width) => Ok(*width),
        other => Err(format!("`{}` takes words, not {}", op.name(), other.display(module))),
    }
}

fn same_width(op: &Op, operands: &[&Type], module: &Module) -> Result<u32, String> {
    let [a, b] = count(op, operands)?;
    let (left, _) = (width(op, a, module)?, width(op, b, module)?);
    same(op, a, b, module)?;
    Ok(left)
}

fn integer(op: &Op, ty: &Type, module: &Module) -> Result<(), String> {
    match ty {
        Type::Int => Ok(()),
        other => Err(format!("`{}` counts in int, not {}", op.name(), other.display(module))),
    }
}

fn element<'t>(op: &Op, ty: &'t Type, module: &Module) -> Result<&'t Type, String> {
    match ty {
        Type::Seq(element) => Ok(element),
        other => Err(format!("`{}` takes sequences, not {}", op.name(), other.display(module))),
    }
}

fn map_type<'t>(op: &Op, ty: &'t Type, module: &Module) -> Result<(&'t [Type], &'t Type), String> {
    match ty {
        Type::Map(keys, value) => Ok((keys, value)),
        other => Err(format!("`{}` takes maps, not {}", op.name(), other.display(module))),
    }
}

fn matching_keys(keys: &[&Type], expected: &[Type], module: &Module) -> Result<(), String> {
    if keys.len() != expected.len() {
        return Err(format!("the map takes {} keys, not {}", expected.len(), keys.len()));
    }
    for (key, expected) in keys.iter().zip(expected) {
        agree("a key", expected, key, module)?;
    }
    Ok(())
}

fn columns<'t>(op: &Op, ty: &'t Type, module: &Module) -> Result<&'t [Type], String> {
    ty.as_set().ok_or_else(|| {
        format!("`{}` takes sets and relations, not {}", op.name(), ty.display(module))
    })
}

fn field(record: u32, index: u32, module: &Module) -> Result<&Type, String> {
    let field = module.records.get(record as usize).and_then(|r| r.fields.get(index as usize));
    field.map(|(_, ty)| ty).ok_or_else(|| "there is no such field".to_owned())
}

fn constructor(variant: u32, index: u32, module: &Module) -> Result<&[Type], String> {
    let variant = module.variants.get(variant as usize);
    let constructor = variant.and_then(|variant| variant.constructors.get(index as usize));
    constructor.map(|(_, types)| &**types).ok_or_else(|| "there is no such constructor".to_owned())
}

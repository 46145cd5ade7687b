//! Domains: how many values a type has, and which.
//!
//! Values of a type are numbered, so that a loop over a domain needs no memory and a random number is a
//! random value. The [`Carrier`] bounds the types that are infinite (integers, sequences, pointers, sorts).

use std::ops::RangeInclusive;
use std::sync::Arc;

use ir::{Module, SortId, Type};

use crate::integer::Integer;
use crate::memory::Pointer;
use crate::value::{Key, MapType, MapValue, Rest, Value};
use crate::word::Word;
use crate::world::World;

/// How large the types are that have no size by themselves.
pub(crate) trait Carrier {
    /// The declarations.
    fn module(&self) -> &Module;
    /// The atoms of a sort other than `null`, ascending.
    fn atoms(&mut self, sort: SortId) -> Option<Arc<Vec<u64>>>;
    /// The integers, if they are limited.
    fn integers(&self) -> Option<RangeInclusive<i64>>;
    /// The greatest length of a sequence, if it is limited.
    fn length(&self) -> Option<u32>;
    /// The pointers, if they are limited.
    fn pointers(&self) -> Option<&[Pointer]>;
}

/// The number of values of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Size {
    /// This many, or more than can be counted if it is the greatest number.
    Finite(u128),
    /// There is no end.
    Infinite,
    /// It is not known which atoms there are.
    Unknown,
}

impl Size {
    fn times(self, other: Size) -> Size {
        match (self, other) {
            (Size::Finite(0), _) | (_, Size::Finite(0)) => Size::Finite(0),
            (Size::Finite(a), Size::Finite(b)) => Size::Finite(a.saturating_mul(b)),
            (Size::Infinite, _) | (_, Size::Infinite) => Size::Infinite,
            (Size::Unknown, _) | (_, Size::Unknown) => Size::Unknown,
        }
    }

    fn plus(self, other: Size) -> Size {
        match (self, other) {
            (Size::Finite(a), Size::Finite(b)) => Size::Finite(a.saturating_add(b)),
            (Size::Infinite, _) | (_, Size::Infinite) => Size::Infinite,
            (Size::Unknown, _) | (_, Size::Unknown) => Size::Unknown,
        }
    }

    fn to_the(self, exponent: Size) -> Size {
        match (self, exponent) {
            (_, Size::Finite(0)) | (Size::Finite(1), _) => Size::Finite(1),
            (Size::Finite(0), _) => Size::Finite(0),
            (Size::Finite(base), Size::Finite(exponent)) => {
                let exponent = u32::try_from(exponent).unwrap_or(u32::MAX);
                Size::Finite(base.saturating_pow(exponent))
            }
            (Size::Infinite, _) | (_, Size::Infinite) => Size::Infinite,
            (Size::Unknown, _) | (_, Size::Unknown) => Size::Unknown,
        }
    }

    /// The number, if it is one and at most this.
    pub(crate) fn at_most(self, limit: u128) -> Option<u128> {
        match self {
            Size::Finite(size) if size <= limit => Some(size),
            Size::Finite(_) | Size::Infinite | Size::Unknown => None,
        }
    }
}

/// The number of values of a type.
pub(crate) fn size<C: Carrier + ?Sized>(carrier: &mut C, ty: &Type) -> Size {
    match ty {
        Type::Bool => Size::Finite(2),
        Type::Bv(width) => Size::Finite(1_u128.checked_shl(*width).unwrap_or(u128::MAX)),
        Type::Int => match carrier.integers() {
            Some(range) if range.is_empty() => Size::Finite(0),
            Some(range) => Size::Finite(range.start().abs_diff(*range.end()) as u128 + 1),
            None => Size::Infinite,
        },
        Type::Sort(sort) => match carrier.atoms(*sort) {
            Some(atoms) => Size::Finite(atoms.len() as u128 + 1),
            None => Size::Unknown,
        },
        Type::Ptr => match carrier.pointers() {
            Some(pointers) => Size::Finite(pointers.len() as u128 + 1),
            None => Size::Infinite,
        },
        Type::Map(keys, value) => {
            let keys = size_of_all(carrier, keys);
            size(carrier, value).to_the(keys)
        }
        Type::Seq(element) => match carrier.length() {
            Some(length) => {
                let element = size(carrier, element);
                let lengths =
                    (0..=u128::from(length)).map(|length| element.to_the(Size::Finite(length)));
                lengths.fold(Size::Finite(0), Size::plus)
            }
            None => Size::Infinite,
        },
        Type::Record(id) => {
            let fields = &carrier.module().records[id.0 as usize].fields;
            let types: Vec<Type> = fields.iter().map(|(_, ty)| ty.clone()).collect();
            size_of_all(carrier, &types)
        }
        Type::Variant(id) => {
            let constructors = carrier.module().variants[id.0 as usize].constructors.clone();
            let sizes = constructors.iter().map(|(_, types)| size_of_all(carrier, types));
            sizes.fold(Size::Finite(0), Size::plus)
        }
        Type::Bytes => Size::Infinite,
    }
}

/// The number of tuples of values of these types.
pub(crate) fn size_of_all<C: Carrier + ?Sized>(carrier: &mut C, types: &[Type]) -> Size {
    types.iter().map(|ty| size(carrier, ty)).fold(Size::Finite(1), Size::times)
}

/// The value of a type with a number below its size.
///
/// # Panics
/// If the type has no such value.
pub(crate) fn nth<C: Carrier + ?Sized>(carrier: &mut C, ty: &Type, index: u128) -> Value {
    match ty {
        Type::Bool => Value::Bool(index == 1),
        Type::Bv(width) => Value::Bv(Word::from_nat(*width, index.into())),
        Type::Int => {
            let range = carrier.integers().expect("only limited integers are numbered");
            Value::Int(Integer::from(range.start().wrapping_add(index as i64)))
        }
        Type::Sort(sort) => {
            let atoms = carrier.atoms(*sort).expect("the atoms are known");
            let id = (index as usize).checked_sub(1).map_or(0, |index| atoms[index]);
            Value::Atom(*sort, id)
        }
        Type::Ptr => {
            let pointers = carrier.pointers().expect("only limited pointers are numbered");
            let pointer = (index as usize).checked_sub(1).map(|index| pointers[index]);
            Value::Ptr(pointer.unwrap_or(Pointer::NULL))
        }
        Type::Map(keys, value) => nth_map(carrier, keys, value, index),
        Type::Seq(element) => {
            let size = finite(size(carrier, element));
            let (mut index, mut length, mut count) = (index, 0, 1);
            while index >= count {
                index -= count;
                length += 1;
                count *= size;
            }
            Value::seq(nth_tuple(carrier, &vec![(**element).clone(); length], index))
        }
        Type::Record(id) => {
            let fields = &carrier.module().records[id.0 as usize].fields;
            let types: Vec<Type> = fields.iter().map(|(_, ty)| ty.clone()).collect();
            Value::record(*id, nth_tuple(carrier, &types, index))
        }
        Type::Variant(id) => {
            let constructors = carrier.module().variants[id.0 as usize].constructors.clone();
            let mut index = index;
            for (number, (_, types)) in constructors.iter().enumerate() {
                let count = finite(size_of_all(carrier, types));
                if index < count {
                    let arguments = nth_tuple(carrier, types, index).into_vec();
                    return Value::variant(*id, number as u32, arguments);
                }
                index -= count;
            }
            unreachable!("the index is below the size of the union")
        }
        Type::Bytes => unreachable!("memories are not numbered"),
    }
}

/// The tuple of values of these types with a number below the number of tuples; the last value
/// changes fastest.
pub(crate) fn nth_tuple<C: Carrier + ?Sized>(carrier: &mut C, types: &[Type], index: u128) -> Key {
    let mut index = index;
    let mut values: Key = types
        .iter()
        .rev()
        .map(|ty| {
            let size = finite(size(carrier, ty));
            let value = nth(carrier, ty, index % size);
            index /= size;
            value
        })
        .collect();
    values.reverse();
    values
}

fn nth_map<C: Carrier + ?Sized>(
    carrier: &mut C,
    keys: &[Type],
    value: &Type,
    index: u128,
) -> Value {
    let count = finite(size_of_all(carrier, keys));
    let base = finite(size(carrier, value));
    let rest = Rest::Is(nth(carrier, value, 0));
    let mut entries = Vec::new();
    let mut index = index;
    for key in 0..count {
        if index == 0 {
            break;
        }
        if !index.is_multiple_of(base) {
            let value = nth(carrier, value, index % base);
            entries.push((nth_tuple(carrier, keys, key), value));
        }
        index /= base;
    }
    Value::from(MapValue::from_parts(MapType::new(keys, value), rest, entries))
}

fn finite(size: Size) -> u128 {
    match size {
        Size::Finite(size) => size,
        Size::Infinite | Size::Unknown => unreachable!("only finite domains are numbered"),
    }
}

/// The types as they are: integers, sequences and pointers have no end, and the atoms are
/// those of the world.
pub(crate) struct UnboundedTypes<'w, W: ?Sized>(pub &'w mut W);

impl<W: World + ?Sized> Carrier for UnboundedTypes<'_, W> {
    fn module(&self) -> &Module {
        self.0.module()
    }

    fn atoms(&mut self, sort: SortId) -> Option<Arc<Vec<u64>>> {
        self.0.atoms(sort)
    }

    fn integers(&self) -> Option<RangeInclusive<i64>> {
        None
    }

    fn length(&self) -> Option<u32> {
        None
    }

    fn pointers(&self) -> Option<&[Pointer]> {
        None
    }
}

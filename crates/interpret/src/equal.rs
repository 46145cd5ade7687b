//! Equality of two values, which may be undecided.
//!
//! Two maps are equal if they agree on all keys. With finitely many exceptions on both sides that is decided
//! by comparing them at every exception and then comparing their rests, which matter only if the type of the
//! keys has a value that is an exception of neither. Equality is undecided, which is an error, if it depends
//! on an unknown entry, or if the rests differ and the number of atoms of a sort of the keys is unknown. The
//! same unknown on both sides is equal to itself.
//!
//! A key that is a map, or holds one, is brought into its [canonical] form first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::domain::{Carrier, Size, UnboundedTypes, nth_tuple, size_of_all};
use crate::error::{EvalError, Undefined};
use crate::limits::COMPARED_KEYS;
use crate::value::{Key, MapValue, Rest, Value};
use crate::world::World;

/// Whether two values of one type are equal.
///
/// # Errors
/// If it is undecided.
pub fn equal<W: World + ?Sized>(world: &mut W, a: &Value, b: &Value) -> Result<bool, EvalError> {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
        (Value::Bv(a), Value::Bv(b)) => Ok(a == b),
        (Value::Int(a), Value::Int(b)) => Ok(a == b),
        (Value::Atom(s, a), Value::Atom(t, b)) => Ok(s == t && a == b),
        (Value::Ptr(a), Value::Ptr(b)) => Ok(a == b),
        (Value::Map(a), Value::Map(b)) => {
            if Arc::ptr_eq(a, b) {
                Ok(true)
            } else {
                equal_maps(world, a, b)
            }
        }
        (Value::Seq(a), Value::Seq(b)) => {
            Ok(a.len() == b.len() && all_equal(world, a.iter().map(Some).zip(b.iter().map(Some)))?)
        }
        (Value::Record(r, a), Value::Record(s, b)) => {
            let same = Arc::ptr_eq(a, b);
            let fields = a.iter().map(Option::as_ref).zip(b.iter().map(Option::as_ref));
            Ok(same || (r == s && all_equal(world, fields)?))
        }
        (Value::Variant(u, c, a), Value::Variant(v, d, b)) => {
            let arguments = a.iter().map(Some).zip(b.iter().map(Some));
            Ok(u == v && c == d && a.len() == b.len() && all_equal(world, arguments)?)
        }
        (Value::Bytes(a), Value::Bytes(b)) => Ok(a == b),
        (
            Value::Bool(_)
            | Value::Bv(_)
            | Value::Int(_)
            | Value::Atom(..)
            | Value::Ptr(_)
            | Value::Map(_)
            | Value::Seq(_)
            | Value::Record(..)
            | Value::Variant(..)
            | Value::Bytes(_),
            _,
        ) => EvalError::ill_typed("values of different types are compared"),
    }
}

/// Whether all pairs are equal; one pair that is not decides, whatever is unknown of the others.
fn all_equal<'v, W: World + ?Sized>(
    world: &mut W,
    pairs: impl Iterator<Item = (Option<&'v Value>, Option<&'v Value>)>,
) -> Result<bool, EvalError> {
    let mut doubt = None;
    for pair in pairs {
        let verdict = match pair {
            (Some(a), Some(b)) => equal(world, a, b),
            (None, _) | (_, None) => Err(Undefined::Field("of a compared record".into()).into()),
        };
        match verdict {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(fault) if fault.is_unknown() => doubt = doubt.or(Some(fault)),
            Err(fault) => return Err(fault),
        }
    }
    doubt.map_or(Ok(true), Err)
}

fn equal_maps<W: World + ?Sized>(
    world: &mut W,
    a: &MapValue,
    b: &MapValue,
) -> Result<bool, EvalError> {
    everywhere(world, a, b, &mut |world, x, y| equal(world, x, y))
}

/// Whether a condition holds of the values of two maps at every key. The condition must hold of
/// equal values.
pub(crate) fn everywhere<W: World + ?Sized>(
    world: &mut W,
    a: &MapValue,
    b: &MapValue,
    holds: &mut dyn FnMut(&mut W, &Value, &Value) -> Result<bool, EvalError>,
) -> Result<bool, EvalError> {
    let keys: BTreeSet<&Key> = a.entries().keys().chain(b.entries().keys()).collect();
    world.work(keys.len() as u64)?;
    let mut doubt = None;
    let mut at = |world: &mut W, key: &[Value]| {
        let verdict = match (a.get(world, key), b.get(world, key)) {
            (Ok(x), Ok(y)) => holds(world, &x, &y),
            (Err(fault), _) | (_, Err(fault)) => Err(fault),
        };
        match verdict {
            Ok(verdict) => Ok(verdict),
            Err(fault) if fault.is_unknown() => {
                doubt.get_or_insert(fault);
                Ok(true)
            }
            Err(fault) => Err(fault),
        }
    };
    for key in &keys {
        if !at(world, key)? {
            return Ok(false);
        }
    }
    let types = &a.ty().keys;
    let size = size_of_all(&mut UnboundedTypes(world), types);
    if size == Size::Finite(keys.len() as u128) {
        return doubt.map_or(Ok(true), Err);
    }
    let mut rest_doubt = None;
    match (a.rest(), b.rest()) {
        (Rest::Unknown(a), Rest::Unknown(b)) if a == b && *a != 0 => {}
        (Rest::Is(x), Rest::Is(y)) => {
            if !holds(world, x, y)? {
                match size {
                    Size::Finite(_) | Size::Infinite => return Ok(false),
                    Size::Unknown => {
                        rest_doubt = Some("it is not known which atoms there are");
                    }
                }
            }
        }
        (Rest::Is(_) | Rest::Unknown(_), Rest::Unknown(_)) | (Rest::Unknown(_), Rest::Is(_)) => {
            match size.at_most(COMPARED_KEYS) {
                Some(size) => {
                    world.work(size as u64)?;
                    for index in 0..size {
                        let key = nth_tuple(&mut UnboundedTypes(world), types, index);
                        let key = canonical_key(world, key)?;
                        if !keys.contains(&key) && !at(world, &key)? {
                            return Ok(false);
                        }
                    }
                }
                None => rest_doubt = Some("a map that is not known everywhere is compared"),
            }
        }
    }
    match (doubt, rest_doubt) {
        (Some(fault), _) => Err(fault),
        (None, Some(why)) => EvalError::undecided(why),
        (None, None) => Ok(true),
    }
}

/// Keys in canonical form.
///
/// # Errors
/// If a key holds a map with an unknown part, or one whose canonical form depends on how many
/// atoms there are when that is not known.
pub fn canonical_key<W: World + ?Sized>(world: &mut W, key: Key) -> Result<Key, EvalError> {
    if key.iter().all(Value::is_plain) {
        return Ok(key);
    }
    key.iter().map(|value| canonical(world, value)).collect()
}

/// The canonical form of a value: the same for all values that are equal to it.
///
/// Over a type with `n` keys, two different rests for one map need `n` exceptions together. So a map
/// with fewer than half of them is canonical, and another gets its most frequent value as its rest,
/// the least of those if there are several.
///
/// # Errors
/// As [`canonical_key`].
pub fn canonical<W: World + ?Sized>(world: &mut W, value: &Value) -> Result<Value, EvalError> {
    Ok(match value {
        Value::Bool(_)
        | Value::Bv(_)
        | Value::Int(_)
        | Value::Atom(..)
        | Value::Ptr(_)
        | Value::Bytes(_) => value.clone(),
        Value::Map(map) => Value::from(canonical_map(world, map)?),
        Value::Seq(elements) => Value::Seq(Arc::new(canonical_all(world, elements)?)),
        Value::Record(id, fields) => {
            let fields = fields.iter().map(|field| match field {
                Some(value) => Ok(Some(canonical(world, value)?)),
                None => Err(Undefined::Field("of a record that is a key".into()).into()),
            });
            Value::Record(*id, Arc::new(fields.collect::<Result<_, EvalError>>()?))
        }
        Value::Variant(id, constructor, arguments) => {
            Value::Variant(*id, *constructor, Arc::new(canonical_all(world, arguments)?))
        }
    })
}

fn canonical_all<W: World + ?Sized>(world: &mut W, all: &[Value]) -> Result<Vec<Value>, EvalError> {
    all.iter().map(|value| canonical(world, value)).collect()
}

fn canonical_map<W: World + ?Sized>(world: &mut W, map: &MapValue) -> Result<MapValue, EvalError> {
    let Rest::Is(rest) = map.rest() else {
        return EvalError::undecided("a map that is not known everywhere is a key");
    };
    let rest = canonical(world, rest)?;
    let mut entries = BTreeMap::new();
    for (key, value) in map.entries() {
        let value = canonical(world, value)?;
        if value != rest {
            entries.insert(key.clone(), value);
        }
    }
    let ty = map.ty().clone();
    let size = match size_of_all(&mut UnboundedTypes(world), &ty.keys) {
        Size::Infinite => return Ok(MapValue::from_parts(ty, Rest::Is(rest), entries)),
        Size::Unknown => return EvalError::undecided("a set of atoms is a key"),
        Size::Finite(size) => size,
    };
    if size > 2 * entries.len() as u128 {
        return Ok(MapValue::from_parts(ty, Rest::Is(rest), entries));
    }
    world.work(size as u64)?;
    let mut counts: BTreeMap<&Value, u128> = BTreeMap::new();
    counts.insert(&rest, size - entries.len() as u128);
    for value in entries.values() {
        *counts.entry(value).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or_default();
    let commonest = counts.iter().find(|(_, count)| **count == most).map(|(value, _)| *value);
    let commonest = commonest.unwrap_or(&rest).clone();
    let mut all = Vec::new();
    for index in 0..size {
        let key = nth_tuple(&mut UnboundedTypes(world), &ty.keys, index);
        let key = canonical_key(world, key)?;
        let value = entries.get(&key).unwrap_or(&rest).clone();
        all.push((key, value));
    }
    Ok(MapValue::from_parts(ty, Rest::Is(commonest), all))
}

/// Whether a value of the type may have to be made canonical before it is a key.
pub(crate) fn needs_canonical<C: Carrier + ?Sized>(carrier: &C, ty: &ir::Type) -> bool {
    use ir::Type;
    match ty {
        Type::Bool | Type::Bv(_) | Type::Int | Type::Sort(_) | Type::Ptr | Type::Bytes => false,
        Type::Map(..) => true,
        Type::Seq(element) => needs_canonical(carrier, element),
        Type::Record(id) => {
            let fields = &carrier.module().records[id.0 as usize].fields;
            fields.iter().any(|(_, ty)| needs_canonical(carrier, ty))
        }
        Type::Variant(id) => {
            let constructors = &carrier.module().variants[id.0 as usize].constructors;
            constructors.iter().flat_map(|(_, types)| types).any(|ty| needs_canonical(carrier, ty))
        }
    }
}

#[cfg(test)]
mod tests {
    use ir::{Module, SortId, Type};

    use super::*;
    use crate::value::MapType;
    use crate::world::ConstantWorld;

    fn set(ty: Type, rest: bool, members: impl IntoIterator<Item = Value>) -> Value {
        let map = MapValue::constant(MapType::new(&[ty], &Type::Bool), Value::Bool(rest));
        Value::from(members.into_iter().fold(map, |map, key| map.with([key], Value::Bool(!rest))))
    }

    fn bits(width: u32, values: impl IntoIterator<Item = u64>) -> Vec<Value> {
        values.into_iter().map(|bits| Value::bv(width, bits)).collect()
    }

    #[test]
    fn rests_count_only_where_a_key_is_left() {
        let module = Module::default();
        let world = &mut ConstantWorld::new(&module);
        let by_members = set(Type::Bv(2), false, bits(2, [1, 3]));
        let by_others = set(Type::Bv(2), true, bits(2, [0, 2]));
        assert_eq!(equal(world, &by_members, &by_others), Ok(true));
        assert_eq!(canonical(world, &by_members), canonical(world, &by_others));
        let more = set(Type::Bv(2), true, bits(2, [0]));
        assert_eq!(equal(world, &by_members, &more), Ok(false));
        assert_ne!(canonical(world, &by_members), canonical(world, &more));
        let all = set(Type::Int, true, []);
        let none = set(Type::Int, false, []);
        assert_eq!(equal(world, &all, &none), Ok(false));
    }

    #[test]
    fn canonical_forms_are_equal_exactly_for_equal_maps() {
        let module = Module::default();
        let world = &mut ConstantWorld::new(&module);
        let all: Vec<Value> = (0..16_u64)
            .flat_map(|code| {
                let members = (0..4).filter(move |bit| code >> bit & 1 == 1);
                [
                    set(Type::Bv(2), false, bits(2, members.clone())),
                    set(Type::Bv(2), true, bits(2, (0..4).filter(|bit| code >> bit & 1 == 0))),
                ]
            })
            .collect();
        for (i, a) in all.iter().enumerate() {
            for (j, b) in all.iter().enumerate() {
                assert_eq!(equal(world, a, b), Ok(i / 2 == j / 2));
                assert_eq!(canonical(world, a) == canonical(world, b), i / 2 == j / 2);
            }
        }
    }

    #[test]
    fn what_cannot_be_reported_is_a_fault() {
        let module = Module { sorts: vec!["S".into()], ..Module::default() };
        let world = &mut ConstantWorld::new(&module);
        let sort = SortId(0);
        let (all, none) = (set(Type::Sort(sort), true, []), set(Type::Sort(sort), false, []));
        assert!(matches!(equal(world, &all, &none), Err(EvalError::Undecided(_))));
        assert_eq!(equal(world, &all, &all.clone()), Ok(true));
        let only_null = set(Type::Sort(sort), false, [Value::null(sort)]);
        world.atoms.insert(sort, Arc::new(vec![]));
        assert_eq!(equal(world, &all, &none), Ok(false));
        assert_eq!(equal(world, &all, &only_null), Ok(true));
    }

    #[test]
    fn unknown_parts_matter_only_if_the_known_ones_agree() {
        let module = Module::default();
        let world = &mut ConstantWorld::new(&module);
        let unknown = MapValue::unknown(MapType::new(&[Type::Int], &Type::Int));
        let one = Value::from(unknown.clone().with([Value::int(0)], Value::int(1)));
        let two = Value::from(unknown.with([Value::int(0)], Value::int(2)));
        assert_eq!(equal(world, &one, &two), Ok(false));
        let again = match &one {
            Value::Map(map) => Value::from(MapValue::clone(map)),
            _ => unreachable!("it is a map"),
        };
        assert!(equal(world, &one, &again).is_err());
        assert_eq!(equal(world, &one, &one.clone()), Ok(true));
    }
}

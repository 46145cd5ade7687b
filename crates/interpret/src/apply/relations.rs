//! Operators on relations: maps to truth values, seen as sets of tuples.
//!
//! A relation is finite if its rest is false. Other ones have a finite set of tuples only if there
//! are finitely many keys; else the operators that need one by one every tuple are undecided.

use std::collections::{BTreeMap, BTreeSet};

use ir::Type;

use crate::domain::{Size, UnboundedTypes, nth_tuple, size_of_all};
use crate::equal::{canonical_key, everywhere};
use crate::error::EvalError;
use crate::integer::Integer;
use crate::limits::RELATION_KEYS;
use crate::value::{Key, MapType, MapValue, Rest, Value};
use crate::world::World;

use super::truth;

/// Applies a connective at every key.
pub(super) fn pointwise<W: World + ?Sized>(
    world: &mut W,
    (a, b): (&MapValue, &MapValue),
    connective: impl Fn(bool, bool) -> bool,
) -> Result<Value, EvalError> {
    let keys: BTreeSet<&Key> = a.entries().keys().chain(b.entries().keys()).collect();
    world.work(keys.len() as u64)?;
    if let (Rest::Is(x), Rest::Is(y)) = (a.rest(), b.rest()) {
        let rest = Rest::Is(Value::Bool(connective(truth(x)?, truth(y)?)));
        let mut entries = Vec::new();
        for key in keys {
            let value = connective(truth(&a.get(world, key)?)?, truth(&b.get(world, key)?)?);
            entries.push((key.clone(), Value::Bool(value)));
        }
        return Ok(Value::from(MapValue::from_parts(a.ty().clone(), rest, entries)));
    }
    let mut tuples = Vec::new();
    for key in all_keys(world, &a.ty().keys)? {
        if connective(truth(&a.get(world, &key)?)?, truth(&b.get(world, &key)?)?) {
            tuples.push(key);
        }
    }
    Ok(Value::from(MapValue::relation(&a.ty().keys, tuples)))
}

pub(super) fn subset<W: World + ?Sized>(
    world: &mut W,
    (a, b): (&MapValue, &MapValue),
) -> Result<bool, EvalError> {
    everywhere(world, a, b, &mut |_, x, y| Ok(!truth(x)? || truth(y)?))
}

/// All keys of these types.
fn all_keys<W: World + ?Sized>(world: &mut W, types: &[Type]) -> Result<Vec<Key>, EvalError> {
    let Some(size) = size_of_all(&mut UnboundedTypes(world), types).at_most(RELATION_KEYS) else {
        return EvalError::undecided(
            "a relation has too many tuples to look at, or no end of them",
        );
    };
    world.work(size as u64)?;
    (0..size)
        .map(|index| {
            let key = nth_tuple(&mut UnboundedTypes(world), types, index);
            canonical_key(world, key)
        })
        .collect()
}

/// The tuples of a relation.
fn tuples<W: World + ?Sized>(world: &mut W, relation: &MapValue) -> Result<Vec<Key>, EvalError> {
    world.work(relation.entries().len() as u64)?;
    if let Rest::Is(Value::Bool(false)) = relation.rest() {
        return Ok(relation.entries().keys().cloned().collect());
    }
    let mut tuples = Vec::new();
    for key in all_keys(world, &relation.ty().keys)? {
        if truth(&relation.get(world, &key)?)? {
            tuples.push(key);
        }
    }
    Ok(tuples)
}

pub(super) fn graph<W: World + ?Sized>(world: &mut W, map: &MapValue) -> Result<Value, EvalError> {
    let MapType { keys, value } = &**map.ty();
    let mut columns = keys.clone();
    columns.push(value.clone());
    let mut tuples = Vec::new();
    let mut add = |world: &mut W, key: &Key, value: Value| -> Result<(), EvalError> {
        if !value.is_null() {
            let mut tuple = key.clone();
            tuple.extend(canonical_key(world, crate::value::single(value))?);
            tuples.push(tuple);
        }
        Ok(())
    };
    match map.rest() {
        Rest::Is(rest) if rest.is_null() => {
            world.work(map.entries().len() as u64)?;
            for (key, value) in map.entries() {
                add(world, key, value.clone())?;
            }
        }
        Rest::Is(_) | Rest::Unknown(_) => {
            for key in all_keys(world, keys)? {
                let value = map.get(world, &key)?;
                add(world, &key, value)?;
            }
        }
    }
    Ok(Value::from(MapValue::relation(&columns, tuples)))
}

pub(super) fn join<W: World + ?Sized>(
    world: &mut W,
    (a, b): (&MapValue, &MapValue),
) -> Result<Value, EvalError> {
    let mut by_first: BTreeMap<Value, Vec<Key>> = BTreeMap::new();
    for tuple in tuples(world, b)? {
        by_first.entry(tuple[0].clone()).or_default().push(tuple[1..].iter().cloned().collect());
    }
    let mut joined = BTreeSet::new();
    for tuple in tuples(world, a)? {
        let (last, front) = tuple.split_last().expect("a tuple has a column");
        let matches = by_first.get(last).map_or(&[][..], Vec::as_slice);
        world.work(matches.len() as u64)?;
        joined.extend(
            matches.iter().map(|back| -> Key { front.iter().chain(back).cloned().collect() }),
        );
    }
    let (left, right) = (&a.ty().keys, &b.ty().keys);
    let columns: Vec<Type> = left[..left.len() - 1].iter().chain(&right[1..]).cloned().collect();
    Ok(Value::from(MapValue::relation(&columns, joined)))
}

pub(super) fn product<W: World + ?Sized>(
    world: &mut W,
    (a, b): (&MapValue, &MapValue),
) -> Result<Value, EvalError> {
    let (left, right) = (tuples(world, a)?, tuples(world, b)?);
    world.work((left.len() as u64).saturating_mul(right.len() as u64))?;
    let pairs = left.iter().flat_map(|front| {
        right.iter().map(move |back| -> Key { front.iter().chain(back).cloned().collect() })
    });
    let columns: Vec<Type> = a.ty().keys.iter().chain(&b.ty().keys).cloned().collect();
    Ok(Value::from(MapValue::relation(&columns, pairs)))
}

pub(super) fn transpose<W: World + ?Sized>(
    world: &mut W,
    a: &MapValue,
) -> Result<Value, EvalError> {
    let turn = |tuple: Key| -> Key { tuple.into_iter().rev().collect() };
    let columns: Vec<Type> = a.ty().keys.iter().rev().cloned().collect();
    let turned = tuples(world, a)?.into_iter().map(turn);
    Ok(Value::from(MapValue::relation(&columns, turned)))
}

pub(super) fn closure<W: World + ?Sized>(
    world: &mut W,
    a: &MapValue,
    reflexive: bool,
) -> Result<Value, EvalError> {
    let mut steps: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for tuple in tuples(world, a)? {
        steps.entry(tuple[0].clone()).or_default().push(tuple[1].clone());
    }
    let mut closed: BTreeSet<Key> = BTreeSet::new();
    for start in steps.keys() {
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            for next in steps.get(node).map_or(&[][..], Vec::as_slice) {
                world.work(1)?;
                if closed.insert([start.clone(), next.clone()].into_iter().collect()) {
                    open.push(next);
                }
            }
        }
    }
    if reflexive {
        for node in all_keys(world, &a.ty().keys[..1])? {
            closed.insert([node[0].clone(), node[0].clone()].into_iter().collect());
        }
    }
    Ok(Value::from(MapValue::relation(&a.ty().keys, closed)))
}

pub(super) fn cardinality<W: World + ?Sized>(
    world: &mut W,
    a: &MapValue,
) -> Result<Integer, EvalError> {
    let exceptions = a.entries().len();
    match (a.rest(), size_of_all(&mut UnboundedTypes(world), &a.ty().keys)) {
        (Rest::Is(Value::Bool(false)), _) => Ok(Integer::from(exceptions as i64)),
        (Rest::Is(_), Size::Finite(size)) if size != u128::MAX => {
            Ok(Integer::from(num_bigint::BigInt::from(size - exceptions as u128)))
        }
        (Rest::Is(_), _) => EvalError::undecided("a relation has no end of tuples"),
        (Rest::Unknown(_), _) => Ok(Integer::from(tuples(world, a)?.len() as i64)),
    }
}

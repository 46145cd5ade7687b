//! Operators on partially known values. Each result covers all possible results of the operator.
//!
//! Numbers are computed by the interpreter's table of operators. Sets and relations stay apart: the interpreter has no
//! value with members that may be there, and rows of bits are what makes this module fast. Tests compare both with
//! the encoding.

use std::rc::Rc;

use interpret::{Value as Scalar, Word, fold};
use ir::Op;

use crate::concrete::program::TypeTraits;
use crate::concrete::value::{Set, Value};

/// The value of a map at an atom.
pub(crate) fn selected(map: &Value, key: u8) -> Value {
    match map {
        Value::Set(set) => set.has(key).into(),
        Value::Row(values) => values.get(usize::from(key)).cloned().unwrap_or(Value::Unknown),
        _ => Value::Unknown,
    }
}

/// Whether two values are equal.
pub(crate) fn equal(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Truth(a), Value::Truth(b)) => Some(a == b),
        (Value::Atom(a), Value::Atom(b)) => Some(a == b),
        (Value::Constructor(a), Value::Constructor(b)) => Some(a == b),
        (Value::Number(a), Value::Number(b)) => Some(a == b),
        (Value::Set(a), Value::Set(b)) => both(a.is_subset(*b), b.is_subset(*a)),
        (Value::Row(a), Value::Row(b)) => all(a.iter().zip(&**b).map(|(a, b)| equal(a, b))),
        (Value::Relation(a), Value::Relation(b)) => {
            all(a.iter().zip(&**b).map(|(a, b)| both(a.is_subset(*b), b.is_subset(*a))))
        }
        _ => None,
    }
}

/// The value of an operator that looks at no more than two operands, all of them.
pub(crate) fn apply(op: &Op, a: &Value, b: &Value, shape: &TypeTraits, universe: &[u64]) -> Value {
    match (op, a, b) {
        (Op::Not, Value::Truth(a), _) => Value::Truth(!a),
        (Op::IsConstructor(_, number), Value::Constructor(a), _) => {
            Value::Truth(u32::from(*a) == *number)
        }
        (Op::Construct(_, number), _, _) => {
            u8::try_from(*number).map_or(Value::Unknown, Value::Constructor)
        }
        (Op::Select, map, Value::Atom(key)) => selected(map, *key),
        (_, Value::Number(a), _) => arithmetic(op, *a, b, shape),
        (Op::Singleton | Op::Graph | Op::ConstMap(_), _, _) => listed(op, a, shape, universe),
        (_, Value::Set(a), _) => of_set(op, *a, b),
        (_, Value::Relation(rows), _) => of_relation(op, rows, b, shape, universe),
        _ => Value::Unknown,
    }
}

/// The value of an operator on numbers: the interpreter's. A word is the number that it is, read signed, at most 62 bits
/// wide.
fn arithmetic(op: &Op, a: i64, b: &Value, shape: &TypeTraits) -> Value {
    let result = match (op, b) {
        (Op::BvToInt, _) => return Value::Number(a),
        (Op::IntNeg | Op::IntToBv(_), _) => fold(op, &[scalar(None, a)]),
        (Op::BvNeg, _) => fold(op, &[scalar(shape.width, a)]),
        (Op::IntAdd | Op::IntSub | Op::IntMul | Op::IntLt | Op::IntLe, Value::Number(b)) => {
            fold(op, &[scalar(None, a), scalar(None, *b)])
        }
        // The signed order of two numbers is the same at each width that holds them.
        (Op::BvSlt | Op::BvSle, Value::Number(b)) => {
            fold(op, &[scalar(Some(64), a), scalar(Some(64), *b)])
        }
        (Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvSdiv | Op::BvSrem, Value::Number(b)) => {
            fold(op, &[scalar(shape.width, a), scalar(shape.width, *b)])
        }
        _ => None,
    };
    match result {
        Some(Scalar::Bool(truth)) => Value::Truth(truth),
        Some(Scalar::Int(number)) => number.to_i64().map_or(Value::Unknown, Value::Number),
        Some(Scalar::Bv(word)) if word.width() < 63 => {
            word.small_signed().map_or(Value::Unknown, Value::Number)
        }
        _ => Value::Unknown,
    }
}

/// A number as the interpreter has it: an integer, or a word of a width.
fn scalar(width: Option<u32>, number: i64) -> Scalar {
    match width {
        None => Scalar::int(number),
        Some(width) => Scalar::Bv(Word::signed(width, number)),
    }
}

/// How many there are, if that is known.
fn counted(least: u32, most: u32) -> Value {
    if least == most { Value::Number(i64::from(least)) } else { Value::Unknown }
}

/// Sets and relations that are made of something else.
fn listed(op: &Op, a: &Value, shape: &TypeTraits, universe: &[u64]) -> Value {
    let all = |position: usize| shape.keys[position].map(|sort| universe[sort]);
    match (op, a) {
        (Op::Singleton, Value::Atom(a)) => Value::Set(Set::of(1 << a)),
        (Op::Singleton, _) => {
            all(0).map_or(Value::Unknown, |maybe| Value::Set(Set { yes: 0, maybe }))
        }
        (Op::ConstMap(_), Value::Truth(truth)) if shape.keys[1].is_none() => match all(0) {
            Some(members) => Value::Set(Set::of(if *truth { members } else { 0 })),
            None => Value::Unknown,
        },
        (Op::Graph, Value::Row(values)) => {
            let Some(others) = all(1) else { return Value::Unknown };
            let row = |value: &Value| match value {
                Value::Atom(0) => Set::default(),
                Value::Atom(to) => Set::of(1 << to),
                _ => Set { yes: 0, maybe: others & !1 },
            };
            Value::Relation(Rc::new(values.iter().map(row).collect()))
        }
        _ => Value::Unknown,
    }
}

fn of_set(op: &Op, a: Set, b: &Value) -> Value {
    match (op, b) {
        (Op::Cardinality, _) => counted(a.yes.count_ones(), a.maybe.count_ones()),
        (Op::Union, Value::Set(b)) => Value::Set(a.union(*b)),
        (Op::Intersection, Value::Set(b)) => Value::Set(a.intersection(*b)),
        (Op::Difference, Value::Set(b)) => Value::Set(a.difference(*b)),
        (Op::Subset, Value::Set(b)) => a.is_subset(*b).into(),
        (Op::Join, Value::Relation(rows)) => Value::Set(image(a, rows)),
        _ => Value::Unknown,
    }
}

fn of_relation(
    op: &Op,
    rows: &Rc<Vec<Set>>,
    b: &Value,
    shape: &TypeTraits,
    universe: &[u64],
) -> Value {
    let relation = |rows: Vec<Set>| Value::Relation(Rc::new(rows));
    let each = |others: &[Set], one: &dyn Fn(Set, Set) -> Set| {
        relation(rows.iter().zip(others).map(|(a, b)| one(*a, *b)).collect())
    };
    match (op, b) {
        (Op::Union, Value::Relation(b)) => each(b, &Set::union),
        (Op::Intersection, Value::Relation(b)) => each(b, &Set::intersection),
        (Op::Difference, Value::Relation(b)) => each(b, &Set::difference),
        (Op::Subset, Value::Relation(b)) => {
            all(rows.iter().zip(&**b).map(|(a, b)| a.is_subset(*b))).into()
        }
        (Op::Join, Value::Relation(b)) => relation(rows.iter().map(|row| image(*row, b)).collect()),
        (Op::Transpose, _) => match shape.keys[0] {
            Some(sort) => relation(transposed(rows, universe[sort])),
            None => Value::Unknown,
        },
        (Op::Closure, _) => relation(closed((**rows).clone())),
        (Op::ReflexiveClosure, _) => {
            let mut rows = closed((**rows).clone());
            for (number, row) in (0..).zip(&mut rows) {
                *row = row.with(number, Some(true));
            }
            relation(rows)
        }
        (Op::Cardinality, _) => {
            let count =
                |bits: &dyn Fn(&Set) -> u64| rows.iter().map(|row| bits(row).count_ones()).sum();
            counted(count(&|row| row.yes), count(&|row| row.maybe))
        }
        _ => Value::Unknown,
    }
}

/// The image of a set under a relation.
fn image(from: Set, rows: &[Set]) -> Set {
    let mut to = Set::default();
    for member in Set::members(from.maybe) {
        let Some(row) = rows.get(usize::from(member)) else { continue };
        to.maybe |= row.maybe;
        if from.yes >> member & 1 == 1 {
            to.yes |= row.yes;
        }
    }
    to
}

fn transposed(rows: &[Set], universe: u64) -> Vec<Set> {
    let row = |to: u8| {
        let mut back = Set::default();
        for (from, row) in (0..).zip(rows) {
            back = back.with(from, row.has(to));
        }
        back
    };
    Set::members(universe).map(row).collect()
}

/// The transitive closure (Warshall's algorithm, a row at a time).
fn closed(mut rows: Vec<Set>) -> Vec<Set> {
    for via in 0..rows.len() {
        let further = rows[via];
        for row in &mut rows {
            if row.maybe >> via & 1 == 1 {
                row.maybe |= further.maybe;
                if row.yes >> via & 1 == 1 {
                    row.yes |= further.yes;
                }
            }
        }
    }
    rows
}

fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    all([a, b].into_iter())
}

fn all(mut truths: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(true);
    for truth in &mut truths {
        match truth {
            Some(true) => {}
            Some(false) => return Some(false),
            None => known = None,
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use circuit::{Bits, Circuit};
    use encode::{WordResult, word_operator};
    use ir::Op;

    use super::apply;
    use crate::concrete::program::TypeTraits;
    use crate::concrete::value::Value;

    /// Operators on words mean the same here as in circuits.
    #[test]
    fn numbers_are_computed_as_circuits_compute_them() {
        let operators = [
            Op::BvNeg,
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvSlt,
            Op::BvSle,
        ];
        let numbers = [i64::MIN, -129, -128, -3, -1, 0, 1, 2, 127, 128, i64::MAX];
        for width in [1, 2, 8, 32, 62] {
            let shape = TypeTraits { width: Some(width), ..TypeTraits::default() };
            let narrow = |number: i64| number << (64 - width) >> (64 - width);
            let bits = |number: i64| Bits::constant(width as usize, number as u64 as u128);
            let pairs: Vec<(i64, i64)> = numbers
                .iter()
                .flat_map(|a| numbers.iter().map(|b| (narrow(*a), narrow(*b))))
                .collect();
            for (op, &(a, b)) in
                operators.iter().flat_map(|op| pairs.iter().map(move |pair| (op, pair)))
            {
                let found = apply(op, &Value::Number(a), &Value::Number(b), &shape, &[]);
                let c = &mut Circuit::new();
                let expected = match word_operator(c, op, &bits(a), Some(&bits(b))) {
                    Some(WordResult::Word(word)) => {
                        let word = word.as_constant().expect("the operands are constants");
                        Value::Number(narrow(word as u64 as i64))
                    }
                    Some(WordResult::Truth(gate)) => {
                        Value::Truth(gate.as_constant().expect("the operands are constants"))
                    }
                    None => panic!("{op:?} is an operator on words"),
                };
                assert_eq!(found, expected, "{op:?} of {a} and {b} at width {width}");
            }
        }
    }
}

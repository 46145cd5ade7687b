//! Every operator against native arithmetic or a second, literal definition.

use std::collections::BTreeSet;

use ir::{RecordId, RecordType, SortId, VariantId, VariantType};
use num_bigint::BigInt;

use super::*;
use crate::world::ConstantWorld;

fn module() -> ir::Module {
    ir::Module {
        sorts: vec!["S".into()],
        records: vec![RecordType {
            name: "R".into(),
            fields: vec![("a".into(), Type::Int), ("b".into(), Type::Bool)],
        }],
        variants: vec![VariantType {
            name: "V".into(),
            constructors: vec![("N".into(), vec![]), ("J".into(), vec![Type::Int])],
        }],
        ..ir::Module::default()
    }
}

fn compute(op: &Op, operands: &[Value], ty: &Type) -> Value {
    let module = module();
    let mut world = ConstantWorld::new(&module);
    world.atoms.insert(SortId(0), Arc::new(vec![1, 2, 3]));
    apply(&mut world, op, &mut operands.to_vec(), ty).expect("the operator has a value")
}

/// Checks a binary operator on all words of 4 bits, and on samples of 64 and 65 bits.
fn check_words(op: &Op, expected: impl Fn(u32, i128, i128, i128, i128) -> i128) {
    let wide = [0, 1, 2, 5, 63, 64, 65, i128::from(i64::MAX), 1 << 63, (1 << 64) - 1];
    let mut cases: Vec<(u32, i128, i128)> = Vec::new();
    cases.extend((0..16).flat_map(|a| (0..16).map(move |b| (4, a, b))));
    cases.extend((0..2).flat_map(|a| (0..2).map(move |b| (1, a, b))));
    cases.extend(wide.iter().flat_map(|a| wide.iter().map(move |b| (64, *a, *b))));
    cases.extend(wide.iter().flat_map(|a| wide.iter().map(move |b| (65, *a, *b))));
    for (width, a, b) in cases {
        let signed = |x: i128| if x >> (width - 1) & 1 == 1 { x - (1 << width) } else { x };
        let word = |x: i128| Value::Bv(Word::from_int(width, &BigInt::from(x)));
        let (sa, sb) = (signed(a), signed(b));
        let value = expected(width, a, b, sa, sb);
        let got = compute(op, &[word(a), word(b)], &Type::Bv(width));
        match got {
            Value::Bv(_) => assert_eq!(got, word(value), "{op:?} {a} {b} at {width}"),
            Value::Bool(got) => assert_eq!(got, value != 0, "{op:?} {a} {b} at {width}"),
            other => panic!("{op:?} gave {other:?}"),
        }
    }
}

#[test]
fn arithmetic_on_words() {
    check_words(&Op::BvAdd, |_, a, b, _, _| a + b);
    check_words(&Op::BvSub, |_, a, b, _, _| a - b);
    check_words(&Op::BvMul, |w, a, b, _, _| {
        let product = BigInt::from(a) * BigInt::from(b);
        let low = Word::from_int(w, &product);
        i128::try_from(low.to_nat()).expect("at most 65 bits")
    });
    check_words(&Op::BvUdiv, |w, a, b, _, _| if b == 0 { (1 << w) - 1 } else { a / b });
    check_words(&Op::BvUrem, |_, a, b, _, _| if b == 0 { a } else { a % b });
    check_words(&Op::BvSdiv, |_, _, _, a, b| match (b, a < 0) {
        (0, true) => 1,
        (0, false) => -1,
        _ => a / b,
    });
    check_words(&Op::BvSrem, |_, _, _, a, b| if b == 0 { a } else { a % b });
    check_words(&Op::BvNeg, |_, a, _, _, _| -a);
}

#[test]
fn bits_of_words() {
    check_words(&Op::BvNot, |_, a, _, _, _| !a);
    check_words(&Op::BvAnd, |_, a, b, _, _| a & b);
    check_words(&Op::BvOr, |_, a, b, _, _| a | b);
    check_words(&Op::BvXor, |_, a, b, _, _| a ^ b);
    let shift = |w: u32, b: i128| if b < i128::from(w) { Some(b as u32) } else { None };
    check_words(&Op::BvShl, |w, a, b, _, _| {
        let masked = |by: u32| a & ((1_i128 << (w - by)) - 1);
        shift(w, b).map_or(0, |by| masked(by) << by)
    });
    check_words(&Op::BvLshr, |w, a, b, _, _| shift(w, b).map_or(0, |by| a >> by));
    check_words(&Op::BvAshr, |w, _, b, a, _| a >> shift(w, b).unwrap_or(w));
    check_words(&Op::BvPopcount, |_, a, _, _, _| i128::from(a.count_ones()));
    check_words(&Op::BvLeadingZeros, |w, a, _, _, _| {
        i128::from(w) - (128 - i128::from(a.leading_zeros()))
    });
    check_words(&Op::BvTrailingZeros, |w, a, _, _, _| i128::from(a.trailing_zeros().min(w)));
    for width in [4, 40, 64, 65, 100] {
        let word = Value::Bv(Word::signed(width, -6));
        let high = Op::BvExtract { low: 3, width: width - 3 };
        let low = Op::BvExtract { low: 0, width: 3 };
        let high = compute(&high, std::slice::from_ref(&word), &Type::Bv(width - 3));
        assert_eq!(high, Value::Bv(Word::signed(width - 3, -1)));
        let low = compute(&low, std::slice::from_ref(&word), &Type::Bv(3));
        assert_eq!(low, Value::bv(3, 2));
        assert_eq!(compute(&Op::BvConcat, &[high, low], &Type::Bv(width)), word);
        let wider = width + 30;
        let signed = compute(&Op::BvSignExtend(wider), std::slice::from_ref(&word), &Type::Int);
        assert_eq!(signed, Value::Bv(Word::signed(wider, -6)));
        let unsigned = compute(&Op::BvZeroExtend(wider), &[word], &Type::Int);
        let expected = (BigInt::from(1) << width) - 6;
        assert_eq!(unsigned, Value::Bv(Word::from_int(wider, &expected)));
    }
}

#[test]
fn comparisons_and_overflow_of_words() {
    check_words(&Op::BvUlt, |_, a, b, _, _| i128::from(a < b));
    check_words(&Op::BvUle, |_, a, b, _, _| i128::from(a <= b));
    check_words(&Op::BvSlt, |_, _, _, a, b| i128::from(a < b));
    check_words(&Op::BvSle, |_, _, _, a, b| i128::from(a <= b));
    check_words(&Op::Eq, |_, a, b, _, _| i128::from(a == b));
    let signed = |w: u32, x: i128| i128::from(x < -(1 << (w - 1)) || x >= 1 << (w - 1));
    let unsigned = |w: u32, x: i128| i128::from(x < 0 || x >= 1 << w);
    check_words(&Op::BvSaddOverflows, |w, _, _, a, b| signed(w, a + b));
    check_words(&Op::BvSsubOverflows, |w, _, _, a, b| signed(w, a - b));
    check_words(&Op::BvUaddOverflows, |w, a, b, _, _| unsigned(w, a + b));
    check_words(&Op::BvUsubOverflows, |w, a, b, _, _| unsigned(w, a - b));
    check_words(&Op::BvSmulOverflows, |w, _, _, a, b| {
        a.checked_mul(b).map_or(1, |product| signed(w, product))
    });
    check_words(&Op::BvUmulOverflows, |w, a, b, _, _| {
        a.checked_mul(b).map_or(1, |product| unsigned(w, product))
    });
}

#[test]
fn words_and_integers() {
    for width in [1, 8, 64, 65] {
        for value in [-300_i64, -1, 0, 1, 255, 256] {
            let word = compute(&Op::IntToBv(width), &[Value::int(value)], &Type::Bv(width));
            let modulus = 1_i128 << width;
            let nat = i128::from(value).rem_euclid(modulus);
            let int = if nat >= modulus / 2 { nat - modulus } else { nat };
            let big = |x: i128| Value::Int(Integer::from(BigInt::from(x)));
            let to_nat = compute(&Op::BvToNat, std::slice::from_ref(&word), &Type::Int);
            assert_eq!(to_nat, big(nat));
            assert_eq!(compute(&Op::BvToInt, &[word], &Type::Int), big(int));
        }
    }
}

#[test]
fn connectives_and_integers() {
    for a in [false, true] {
        for b in [false, true] {
            let both = [Value::Bool(a), Value::Bool(b)];
            assert_eq!(compute(&Op::And, &both, &Type::Bool), Value::Bool(a && b));
            assert_eq!(compute(&Op::Or, &both, &Type::Bool), Value::Bool(a || b));
            assert_eq!(compute(&Op::Implies, &both, &Type::Bool), Value::Bool(!a || b));
            let ite = compute(&Op::Ite, &[Value::Bool(a), 1.into(), 2.into()], &Type::Int);
            assert_eq!(ite, Value::int(if a { 1 } else { 2 }));
        }
        assert_eq!(compute(&Op::Not, &[Value::Bool(a)], &Type::Bool), Value::Bool(!a));
    }
    for a in -7..=7_i64 {
        for b in -7..=7_i64 {
            let both: [Value; 2] = [a.into(), b.into()];
            let int = |op| compute(op, &both, &Type::Int);
            assert_eq!(int(&Op::IntAdd), Value::int(a + b));
            assert_eq!(int(&Op::IntSub), Value::int(a - b));
            assert_eq!(int(&Op::IntMul), Value::int(a * b));
            assert_eq!(int(&Op::IntDiv), Value::int(if b == 0 { 0 } else { a.div_euclid(b) }));
            assert_eq!(int(&Op::IntMod), Value::int(if b == 0 { a } else { a.rem_euclid(b) }));
            assert_eq!(int(&Op::IntLt), Value::Bool(a < b));
            assert_eq!(int(&Op::IntLe), Value::Bool(a <= b));
        }
        assert_eq!(compute(&Op::IntNeg, &[a.into()], &Type::Int), Value::int(-a));
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::int(value)
    }
}

fn ints(values: &[i64]) -> Value {
    Value::seq(values.iter().map(|value| Value::int(*value)))
}

#[test]
fn sequences() {
    let seq = Type::Seq(Box::new(Type::Int));
    let abc = ints(&[1, 2, 3]);
    assert_eq!(compute(&Op::SeqEmpty(Type::Int), &[], &seq), ints(&[]));
    assert_eq!(compute(&Op::SeqUnit, &[4.into()], &seq), ints(&[4]));
    let joined = compute(&Op::SeqConcat, &[abc.clone(), ints(&[9])], &seq);
    assert_eq!(joined, ints(&[1, 2, 3, 9]));
    assert_eq!(abc, ints(&[1, 2, 3]), "a shared sequence is not changed");
    assert_eq!(compute(&Op::SeqLength, std::slice::from_ref(&abc), &Type::Int), Value::int(3));
    assert_eq!(compute(&Op::SeqReverse, std::slice::from_ref(&abc), &seq), ints(&[3, 2, 1]));
    let twice = ints(&[1, 2, 1]);
    for (value, expected) in [(1, 2), (2, 1), (3, 0)] {
        let count = compute(&Op::SeqCount, &[twice.clone(), value.into()], &Type::Int);
        assert_eq!(count, Value::int(expected), "{value}");
    }
    let huge = Value::Int(Integer::from(BigInt::from(10).pow(30)));
    for (index, expected) in [(-1, 0), (0, 1), (2, 3), (3, 0)] {
        let at = compute(&Op::SeqAt, &[abc.clone(), index.into()], &Type::Int);
        assert_eq!(at, Value::int(expected));
    }
    assert_eq!(compute(&Op::SeqAt, &[abc.clone(), huge.clone()], &Type::Int), Value::int(0));
    let slice =
        |from: Value, count: Value| compute(&Op::SeqSlice, &[abc.clone(), from, count], &seq);
    assert_eq!(slice(1.into(), 1.into()), ints(&[2]));
    assert_eq!(slice(1.into(), 9.into()), ints(&[2, 3]));
    assert_eq!(slice((-1).into(), 2.into()), ints(&[1, 2]));
    assert_eq!(slice(2.into(), (-1).into()), ints(&[]));
    assert_eq!(slice(0.into(), huge.clone()), ints(&[1, 2, 3]));
    assert_eq!(slice(huge, 1.into()), ints(&[]));
}

#[test]
fn maps_records_and_unions() {
    let ty = Type::Map(vec![Type::Int, Type::Bool], Box::new(Type::Int));
    let zero = compute(&Op::ConstMap(ty.clone()), &[0.into()], &ty);
    let key: [Value; 2] = [5.into(), Value::Bool(true)];
    let at = |map: &Value, key: &[Value]| {
        let mut operands = vec![map.clone()];
        operands.extend_from_slice(key);
        compute(&Op::Select, &operands, &Type::Int)
    };
    let mut operands = vec![zero.clone()];
    operands.extend_from_slice(&key);
    operands.push(7.into());
    let changed = compute(&Op::Store, &operands, &ty);
    assert_eq!(at(&changed, &key), Value::int(7));
    assert_eq!(at(&zero, &key), Value::int(0));
    assert_eq!(at(&changed, &[5.into(), Value::Bool(false)]), Value::int(0));
    operands[0] = changed.clone();
    operands[3] = 0.into();
    assert_eq!(compute(&Op::Store, &operands, &ty), zero, "no exception is the rest's value");

    let record = compute(&Op::Record(RecordId(0)), &[1.into(), true.into()], &Type::Int);
    let with = Op::WithField(RecordId(0), 1);
    let with = compute(&with, &[record.clone(), false.into()], &Type::Int);
    let field = |record: &Value, index| {
        compute(&Op::Field(RecordId(0), index), std::slice::from_ref(record), &Type::Int)
    };
    assert_eq!((field(&record, 1), field(&with, 1)), (true.into(), false.into()));
    assert_eq!(field(&with, 0), Value::int(1));

    let just = compute(&Op::Construct(VariantId(0), 1), &[3.into()], &Type::Int);
    let none = compute(&Op::Construct(VariantId(0), 0), &[], &Type::Int);
    for (value, is_just, argument) in [(just, true, 3), (none, false, 0)] {
        let is = Op::IsConstructor(VariantId(0), 1);
        assert_eq!(compute(&is, std::slice::from_ref(&value), &Type::Bool), is_just.into());
        let first = Op::Argument(VariantId(0), 1, 0);
        assert_eq!(compute(&first, &[value], &Type::Int), Value::int(argument));
    }
}

/// The pairs of a relation over three atoms and `null`, by bits.
fn pairs(code: u64) -> BTreeSet<(u64, u64)> {
    (0..16).filter(|bit| code >> bit & 1 == 1).map(|bit| (bit / 4, bit % 4)).collect()
}

fn relation(pairs: &BTreeSet<(u64, u64)>, complement: bool) -> Value {
    let sort = SortId(0);
    let columns = [Type::Sort(sort), Type::Sort(sort)];
    let rest = Value::Bool(complement);
    let map = MapValue::constant(MapType::new(&columns, &Type::Bool), rest);
    let all = (0..4).flat_map(|a| (0..4).map(move |b| (a, b)));
    let exceptions = all.filter(|pair| pairs.contains(pair) != complement);
    let key = |id| Value::Atom(sort, id);
    Value::from(
        exceptions.fold(map, |map, (a, b)| map.with([key(a), key(b)], (!complement).into())),
    )
}

fn members(value: &Value) -> BTreeSet<(u64, u64)> {
    let module = module();
    let mut world = ConstantWorld::new(&module);
    let map = map(value).expect("a relation is a map");
    let key = |id| Value::Atom(SortId(0), id);
    (0..4)
        .flat_map(|a| (0..4).map(move |b| (a, b)))
        .filter(|(a, b)| map.get(&mut world, &[key(*a), key(*b)]) == Ok(Value::Bool(true)))
        .collect()
}

#[test]
fn relations() {
    let mut random = fastrand::Rng::with_seed(7);
    let ty = Type::set(vec![Type::Sort(SortId(0)), Type::Sort(SortId(0))]);
    for _ in 0..300 {
        let density = random.u64(..);
        let (a, b) = (pairs(random.u64(..) & density), pairs(random.u64(..) & density));
        let x = relation(&a, random.bool());
        let y = relation(&b, random.bool());
        let both = [x.clone(), y];
        let set = |op: &Op| members(&compute(op, &both, &ty));
        assert_eq!(set(&Op::Union), &a | &b);
        assert_eq!(set(&Op::Intersection), &a & &b);
        assert_eq!(set(&Op::Difference), &a - &b);
        assert_eq!(compute(&Op::Subset, &both, &Type::Bool), a.is_subset(&b).into());
        assert_eq!(compute(&Op::Eq, &both, &Type::Bool), (a == b).into());
        let composed: BTreeSet<_> = a
            .iter()
            .flat_map(|(p, q)| b.iter().filter(move |(r, _)| q == r).map(move |(_, s)| (*p, *s)))
            .collect();
        assert_eq!(set(&Op::Join), composed);
        let one = std::slice::from_ref(&x);
        let turned: BTreeSet<_> = a.iter().map(|(p, q)| (*q, *p)).collect();
        assert_eq!(members(&compute(&Op::Transpose, one, &ty)), turned);
        let mut closed = a.clone();
        for middle in 0..4 {
            for p in 0..4 {
                for q in 0..4 {
                    if closed.contains(&(p, middle)) && closed.contains(&(middle, q)) {
                        closed.insert((p, q));
                    }
                }
            }
        }
        assert_eq!(members(&compute(&Op::Closure, one, &ty)), closed);
        closed.extend((0..4).map(|p| (p, p)));
        assert_eq!(members(&compute(&Op::ReflexiveClosure, one, &ty)), closed);
        let count = compute(&Op::Cardinality, one, &Type::Int);
        assert_eq!(count, Value::int(a.len() as i64));
        let product = compute(&Op::Product, &both, &ty);
        let count = compute(&Op::Cardinality, &[product], &Type::Int);
        assert_eq!(count, Value::int((a.len() * b.len()) as i64));
    }
}

#[test]
fn graphs_leave_out_null_values_only() {
    let sort = Type::Sort(SortId(0));
    let key = |id| Value::Atom(SortId(0), id);
    let ty = MapType::new(std::slice::from_ref(&sort), &sort);
    let next = MapValue::constant(ty, key(0)).with([key(1)], key(2)).with([key(0)], key(3));
    let relation = Type::set(vec![sort.clone(), sort.clone()]);
    let graph = compute(&Op::Graph, &[Value::from(next)], &relation);
    assert_eq!(members(&graph), BTreeSet::from([(1, 2), (0, 3)]));
    let single = compute(&Op::Singleton, &[key(1)], &Type::set(vec![sort.clone()]));
    let image = compute(&Op::Join, &[single, graph], &Type::set(vec![sort.clone()]));
    let expected = compute(&Op::Singleton, &[key(2)], &Type::set(vec![sort]));
    assert_eq!(image, expected);
}

#[test]
fn pointers() {
    let pointer = |object, offset| Value::Ptr(Pointer { object, offset });
    let moved = compute(&Op::PtrAdd, &[pointer(1, 8), Word::signed(64, -12).into()], &Type::Ptr);
    assert_eq!(moved, pointer(1, -4));
    let offset = compute(&Op::PtrOffset, std::slice::from_ref(&moved), &Type::Bv(64));
    assert_eq!(offset, Word::signed(64, -4).into());
    let same = compute(&Op::PtrSameObject, &[moved.clone(), pointer(1, 0)], &Type::Bool);
    assert_eq!(same, true.into());
    let same = compute(&Op::PtrSameObject, &[moved, pointer(2, 0)], &Type::Bool);
    assert_eq!(same, false.into());
    let address = compute(&Op::PtrToBv, &[pointer(0, 0)], &Type::Bv(64));
    assert_eq!(address, Value::bv(64, 0));
    let wild = compute(&Op::BvToPtr, &[Value::bv(64, 24)], &Type::Ptr);
    assert_eq!(wild, pointer(0, 24));
}

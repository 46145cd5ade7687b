//! Quantifiers over all integers and all words of wide types.

use std::sync::Arc;

use fastrand::Rng;
use interpret::{EvalError, Execution, Inputs, MapType, MapValue, Outcome, Recorded, Value};
use ir::{Module, Type};

use crate::fixture::{fault, function, global, go_with, map, module};

const DECLARATIONS: &str = "
    const c: int;
    function f(x: int): int;
    function g(x: int, y: int): bool;
    function twice(x: int): int = x + x;
    var a: [int]int;
    var b: [int]int;
    var w: [bv64]bv8;
";

/// Runs a procedure that asserts a condition. `f` is 1 at 3 and 7, else 0; `g` holds at (1, 2) and
/// (2, 1) only; `a` is 5 at −4, else 2; `b` is 2 everywhere; `w` is 9 at its greatest key, else 0.
fn check(condition: &str) -> Execution {
    let module = module(&format!(
        "{DECLARATIONS}\nproc main()\n{{\n  entry:\n    assert {condition};\n    exit;\n}}"
    ));
    let int = |value| Value::int(value);
    let mut oracle = Recorded::default();
    let table = |keys: &[Type], value: &Type, rest: Value, entries: &[(&[i64], Value)]| {
        let map = MapValue::constant(MapType::new(keys, value), rest);
        let with = |map: MapValue, (keys, value): &(&[i64], Value)| {
            map.with(keys.iter().map(|&key| int(key)), value.clone())
        };
        Arc::new(entries.iter().fold(map, with))
    };
    let tables = [
        ("c", table(&[], &Type::Int, int(6), &[])),
        ("f", table(&[Type::Int], &Type::Int, int(0), &[(&[3], int(1)), (&[7], int(1))])),
        (
            "g",
            table(
                &[Type::Int, Type::Int],
                &Type::Bool,
                Value::Bool(false),
                &[(&[1, 2], Value::Bool(true)), (&[2, 1], Value::Bool(true))],
            ),
        ),
    ];
    for (name, table) in tables {
        oracle.functions.insert(function(&module, name), table);
    }
    let mut inputs = Inputs::default();
    let greatest = Value::bv(64, u64::MAX);
    let globals = [
        ("a", map(&module, "a", Some(int(2)), [(int(-4), int(5))])),
        ("b", map(&module, "b", Some(int(2)), [])),
        ("w", map(&module, "w", Some(Value::bv(8, 0)), [(greatest, Value::bv(8, 9))])),
    ];
    for (name, value) in globals {
        inputs.globals.insert(global(&module, name), value);
    }
    go_with(&module, "main", &inputs, &mut oracle)
}

#[track_caller]
fn holds(condition: &str) {
    let run = check(condition);
    assert!(matches!(run.outcome, Outcome::Exit(_)), "{condition}: {}", run.outcome);
}

#[track_caller]
fn undecided(condition: &str) {
    let run = check(condition);
    assert!(matches!(fault(&run), EvalError::Undecided(_)), "{condition}");
}

#[test]
fn tables_are_gone_through_at_their_exceptions() {
    holds("(all x: int :: f(x) >= 0)");
    holds("!(all x: int :: f(x) > 0)");
    holds("(all x: int :: f(x) == 1 ==> x == 3 || x == 7)");
    holds("(some x: int :: f(x) == 1 && x > c)");
    holds("!(some x: int :: f(x) == 1 && x > 7)");
    holds("(all x: int :: a[x] >= b[x])");
    holds("!(all x: int :: x != -4 ==> a[x] > b[x])");
    holds("(all x: bv64 :: w[x] == 0bv8 || !ult(x, 0xffffffffffffffffbv64))");
    holds("(some x: bv64 :: w[x] == 9bv8)");
    holds("(all x: int :: x > 1000 ==> f(x) + a[x] == 2)");
    holds("(all x: int :: f(f(x)) == 0 && a[f(x)] == 2)");
    holds("!(some x: int :: b[a[x]] > 2)");
}

#[test]
fn variables_compare_with_each_other() {
    holds("(all x: int, y: int :: g(x, y) ==> g(y, x))");
    holds("!(all x: int, y: int :: g(x, y) ==> x < y)");
    holds("(all x: int, y: int :: x < y ==> !(y < x))");
    holds("(some x: int, y: int, z: int :: 3 < x && x < y && y < z && z < 7)");
    holds("!(some x: int, y: int, z: int :: 3 < x && x < y && y < z && z < c)");
    holds("(all x: int, y: int :: f(x) == 1 && f(y) == 1 && x < y ==> x == 3 && y == 7)");
    holds(
        "(all x: int, s: bool :: (s ==> f(x) >= 0) && (x == (if s then 1 else 2) ==> f(x) == 0))",
    );
    holds("!(some x: int, y: int :: f(x) == 1 && f(y) == 1 && x < y && y < 7)");
}

#[test]
fn comprehensions_are_maps_if_the_gaps_agree() {
    holds("(lambda x: int :: a[x] + 1)[-4] == 6");
    holds("(lambda x: int :: a[x] + 1)[12345] == 3");
    holds("(lambda x: int :: b[x]) == b");
    holds("(lambda x: int :: if x == c then 1 else f(x))[6] == 1");
    holds("{x: int | x != 3}[4] && !{x: int | x != 3}[3]");
    undecided("(lambda x: int :: x)[1] == 1");
    undecided("(lambda x: int :: if x < 3 then 1 else 2)[1] == 1");
}

#[test]
fn everything_else_stays_undecided() {
    undecided("(all x: int :: f(x) >= x)");
    undecided("(all x: int :: f(x + 1) >= 0)");
    undecided("(all x: int :: twice(x) == x + x)");
    undecided("(all x: int :: (some y: int :: x < y))");
    undecided("(all x: bv64 :: slt(x, 0bv64) || w[x] == 9bv8 || w[x] == 0bv8)");
    undecided("(all s: seq<int> :: len(s) >= 0)");
    undecided("(all m: [int]int :: m[0] == m[0])");
}

/// A body over the variables `x` and `y`, closed terms, tables and comparisons.
fn body(rng: &mut Rng, depth: u32) -> String {
    if depth > 0 && rng.u8(..4) > 0 {
        let (a, b) = (body(rng, depth - 1), body(rng, depth - 1));
        return match rng.u8(..5) {
            0 => format!("({a} && {b})"),
            1 => format!("({a} || {b})"),
            2 => format!("({a} ==> {b})"),
            3 => format!("({a} == {b})"),
            _ => format!("!{a}"),
        };
    }
    let variable = |rng: &mut Rng| if rng.bool() { "x" } else { "y" };
    let closed = |rng: &mut Rng| match rng.u8(..3) {
        0 => "p".to_owned(),
        1 => "a[p]".to_owned(),
        _ => rng.i32(-4..5).to_string(),
    };
    let read = |rng: &mut Rng| match rng.u8(..4) {
        0 => format!("a[{}]", variable(rng)),
        1 => format!("b[{}]", variable(rng)),
        2 => format!("a[b[{}]]", variable(rng)),
        _ => format!("d[{}, {}]", variable(rng), closed(rng)),
    };
    let operator = |rng: &mut Rng| ["==", "!=", "<", "<="][rng.usize(..4)];
    let operator = operator(rng);
    let (left, right) = match rng.u8(..5) {
        0 => (variable(rng).to_owned(), variable(rng).to_owned()),
        1 => (variable(rng).to_owned(), closed(rng)),
        2 => (closed(rng), variable(rng).to_owned()),
        3 => (read(rng), read(rng)),
        _ => (format!("d[{}, {}]", variable(rng), variable(rng)), closed(rng)),
    };
    format!("({left} {operator} {right})")
}

fn table(module: &Module, name: &str, rng: &mut Rng) -> Value {
    let Type::Map(keys, value) = &module.global(global(module, name)).ty else {
        panic!("{name} is a map")
    };
    let number = |rng: &mut Rng| Value::int(rng.i64(-3..4));
    let mut map = MapValue::constant(MapType::new(keys, value), number(rng));
    for _ in 0..rng.usize(..4) {
        let key: Vec<Value> = keys.iter().map(|_| number(rng)).collect();
        map = map.with(key, number(rng));
    }
    Value::from(map)
}

/// All keys and constants lie between −4 and 4, so between −7 and 7 there is every case.
#[test]
fn cells_decide_as_going_through_all_cases_does() {
    let mut rng = Rng::with_seed(11);
    let mut counts = [0, 0];
    for _ in 0..3_000 {
        let (body, all) = (body(&mut rng, 3), rng.bool());
        let (quantifier, guarded) = match all {
            true => ("all", "-7 <= x && x <= 7 && -7 <= y && y <= 7 ==>"),
            false => ("some", "-7 <= x && x <= 7 && -7 <= y && y <= 7 &&"),
        };
        let text = format!(
            "var a: [int]int; var b: [int]int; var d: [int, int]int;
             proc main(p: int) {{
               entry:
                 assert ({quantifier} x: int, y: int :: {body})
                     <==> ({quantifier} x: int, y: int :: {guarded} {body}) \"the same\";
                 assert ({quantifier} x: int, y: int :: {body}) \"true\";
                 exit;
             }}"
        );
        let module = module(&text);
        let mut inputs = Inputs::default();
        for name in ["a", "b", "d"] {
            inputs.globals.insert(global(&module, name), table(&module, name, &mut rng));
        }
        inputs.parameters.push(Some(Value::int(rng.i64(-4..5))));
        let run = go_with(&module, "main", &inputs, &mut Recorded::default());
        let is_true = match &run.outcome {
            Outcome::Exit(_) => true,
            Outcome::Failed(failure) if failure.message == "true" => false,
            other => panic!("{text}\n{inputs:?}\nthe execution {other}"),
        };
        counts[usize::from(is_true)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

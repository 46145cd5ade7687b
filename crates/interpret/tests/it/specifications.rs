//! Quantifiers, comprehensions, functions and axioms.

use std::sync::Arc;

use interpret::{EvalError, FailedAssumption, Inputs, MapType, MapValue, Outcome, Recorded, Value};
use ir::{Module, Type};

use crate::fixture::{failure, fault, function, go, go_with, module, results, sort};

/// Runs a procedure that asserts a condition.
fn check(declarations: &str, condition: &str) -> interpret::Execution {
    let text = format!(
        "{declarations}\nproc main()\n{{\n  entry:\n    assert {condition};\n    exit;\n}}"
    );
    let module = module(&text);
    let mut oracle = Recorded::default();
    for name in &module.sorts {
        oracle.atoms.insert(sort(&module, name), Arc::new(vec![1, 2, 3]));
    }
    go_with(&module, "main", &Inputs::default(), &mut oracle)
}

#[track_caller]
fn holds(condition: &str) {
    let run = check("sort S; sort T;", condition);
    assert!(matches!(run.outcome, Outcome::Exit(_)), "{condition}: {}", run.outcome);
}

#[track_caller]
fn undecided(condition: &str) {
    let run = check("sort S;", condition);
    assert!(matches!(fault(&run), EvalError::Undecided(_)), "{condition}");
}

#[test]
fn bounded_quantifiers_are_evaluated() {
    holds("(all x: bool :: x || !x)");
    holds("(some x: bv8 :: x * x == 0x40bv8 && x != 0bv8)");
    holds("(all x: bv16 :: x - x == 0bv16)");
    holds("(all s: S :: s == null || (some t: S :: t != s && t != null))");
    holds("(all x: int :: 0 <= x && x < 100 ==> x * x >= x)");
    holds("(all x: int, y: int :: 0 <= x && x < 10 && x <= y && y < 10 ==> y - x < 10)");
    holds("!(all x: int :: 0 <= x ==> x < 100 ==> x != 57)");
    holds("(some x: int :: -5 < x && x < 5 && x * x == 16)");
    holds("(some x: int :: x == 3 && x + 1 == 4)");
    holds("(all x: bv64 :: ult(x, 10bv64) ==> ule(x, 9bv64))");
    holds("(all x: bv64 :: sle(-3bv64, x) && slt(x, 3bv64) ==> smulo(x, x) == false)");
    holds("(all x: int :: {y: int | y == 7}[x] ==> x == 7)");
    holds("(all x: int :: 5 <= x && x < 0 ==> false)");
}

#[test]
fn unbounded_quantifiers_are_undecided() {
    undecided("(all x: int :: x * x >= 0)");
    undecided("(some x: int :: x + x > 3)");
    undecided("(all x: bv64 :: sle(0bv64, x) || slt(x, 0bv64))");
    undecided("(all q: seq<bool> :: len(q) >= 0)");
    undecided("(all x: int, y: int :: 0 <= x && x <= y && y < 3 || y < x - 1 ==> true)");
    undecided("card(const<[int]bool>(true)) == 3");
}

#[test]
fn one_case_decides_whatever_the_others_are() {
    holds("!(all x: bool :: (some y: int :: y + y > 0) && !x || x && false)");
    holds("(some y: int :: y + y > 0) || true");
    holds("!((some y: int :: y + y > 0) && false)");
    holds("(some y: int :: y + y > 0) ==> true");
    undecided("(some y: int :: y + y > 0) || false");
}

#[test]
fn comprehensions_are_maps() {
    holds(
        "{x: bv4 | ult(x, 3bv4)} == const<[bv4]bool>(false)[0bv4 := true][1bv4 := true][2bv4 := true]",
    );
    holds("card({x: int | 0 <= x && x < 20 && x mod 3 == 0}) == 7");
    holds("card({s: S, t: S | s != null && t != null}) == 9");
    holds("(lambda x: int :: if 0 <= x && x < 3 then x * x else -1)[2] == 4");
    holds("(lambda x: int :: if 0 <= x && x < 3 then x * x else -1)[3] == -1");
    holds("(lambda x: bool :: if x then 1 else 2)[false] == 2");
    holds("(lambda x: int :: 5)[1000] == 5");
    undecided("(lambda x: int :: x)[1] == 1");
}

#[test]
fn relations_of_the_whole_language() {
    holds("card(rclosure(const<[S, S]bool>(false))) == 4");
    holds("subset(single(null:S), {s: S | true})");
    holds("join({s: S | s != null}, product({s: S | true}, {t: T | t == null})) == single(null:T)");
    holds("card(diff(const<[S]bool>(true), single(null:S))) == 3");
}

#[test]
fn sets_can_be_keys() {
    let declarations = "var seen: [[bv2]bool]int;";
    let text = format!(
        "{declarations}\nproc main() returns (a: int)\n{{\n  var s: [bv2]bool;\n  entry:\n    \
         seen := const<[[bv2]bool]int>(0);\n    \
         s := const<[bv2]bool>(true)[0bv2 := false][1bv2 := false];\n    \
         seen[s] := 9;\n    \
         a := seen[const<[bv2]bool>(false)[2bv2 := true][3bv2 := true]];\n    exit;\n}}"
    );
    assert_eq!(results(&module(&text), &go(&text, "main")), [Value::int(9)]);
}

fn functions() -> Module {
    module(
        r#"
        sort S;
        const limit: int;
        function f(x: int): int;
        function twice(x: int): int = x + x;
        function all_below(n: int): bool = (all x: int :: 0 <= x && x < n ==> f(x) <= twice(x));
        axiom (all x: int :: 0 <= x && x < 3 ==> f(x) >= x);
        axiom limit > 0;

        proc main() returns (r: int)
        {
          entry:
            assert all_below(limit);
            r := f(f(1)) + twice(twice(limit));
            exit;
        }"#,
    )
}

fn tables(module: &Module, limit: i64, rest: Option<i64>) -> Recorded {
    let mut oracle = Recorded::default();
    let constant = MapType::new(&[], &Type::Int);
    let value = MapValue::constant(constant, Value::int(limit));
    oracle.functions.insert(function(module, "limit"), Arc::new(value));
    let ty = MapType::new(&[Type::Int], &Type::Int);
    let f = match rest {
        Some(rest) => MapValue::constant(ty, Value::int(rest)),
        None => MapValue::unknown(ty),
    };
    let f = [(0, 0), (1, 2), (2, 4)]
        .iter()
        .fold(f, |f, (x, y)| f.with([Value::int(*x)], Value::int(*y)));
    oracle.functions.insert(function(module, "f"), Arc::new(f));
    oracle
}

#[test]
fn functions_come_from_tables_and_definitions() {
    let module = functions();
    let mut oracle = tables(&module, 3, None);
    let run = go_with(&module, "main", &Inputs::default(), &mut oracle);
    assert_eq!(results(&module, &run), [Value::int(4 + 12)]);
    let mut oracle = tables(&module, 4, Some(100));
    let run = go_with(&module, "main", &Inputs::default(), &mut oracle);
    assert_eq!(failure(&run).0, ir::AssertKind::Assertion);
    let mut oracle = tables(&module, 4, None);
    let run = go_with(&module, "main", &Inputs::default(), &mut oracle);
    assert!(matches!(fault(&run), EvalError::NoDecision(_)));
}

#[test]
fn tables_that_break_an_axiom_block_the_run() {
    let module = functions();
    let mut oracle = tables(&module, 0, None);
    let run = go_with(&module, "main", &Inputs::default(), &mut oracle);
    assert!(matches!(run.outcome, Outcome::Blocked { by: FailedAssumption::Axiom(1), .. }));
}

#[test]
fn deep_expressions_do_not_overflow_the_stack() {
    let depth = 20_000;
    let open = "(1 + ".repeat(depth);
    let close = ")".repeat(depth);
    let text = format!(
        "proc main() returns (r: int)\n{{\n  entry:\n    r := {open}0{close};\n    exit;\n}}"
    );
    let module = module(&text);
    let run = go_with(&module, "main", &Inputs::default(), &mut Recorded::default());
    assert_eq!(results(&module, &run), [Value::int(depth as i64)]);
}

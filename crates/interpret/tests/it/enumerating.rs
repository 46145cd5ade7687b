//! Exhaustive enumeration: how many executions there are, and that none is missed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use interpret::{Ending, Enumerating, Inputs, Options, Outcome, Scope, Value, enumerate};
use ir::Module;

use crate::fixture::{module, procedure};

/// The outcomes of all executions of `main`, with how often each was seen.
fn outcomes(module: &Module, scope: Scope) -> BTreeMap<String, u64> {
    let mut seen = BTreeMap::new();
    let mut oracle = Enumerating::new(scope);
    let options = Options { trace: 0, steps: 1000, ..Options::default() };
    let main = procedure(module, "main");
    let count = enumerate(module, main, &Inputs::default(), &mut oracle, &options, |run, _| {
        let name = match &run.outcome {
            Outcome::Exit(Ending::Normal(results)) => {
                let shown = results.iter().flatten().map(|value| format!("{value:?}"));
                shown.collect::<Vec<_>>().join(" ")
            }
            other => other.to_string(),
        };
        *seen.entry(name).or_insert(0) += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(count, seen.values().sum::<u64>());
    seen
}

fn total(text: &str, scope: Scope) -> u64 {
    outcomes(&module(text), scope).values().sum()
}

fn main_of(parameters: &str, locals: &str, statements: &str) -> String {
    format!(
        "sort S;\nvar f: [S]S;\nvar m: [bv2]bv3;\nproc main({parameters})\n{{\n  {locals}\n  entry:\n    {statements}\n    exit;\n}}"
    )
}

#[test]
fn every_type_is_gone_through() {
    let read =
        |ty: &str| total(&main_of(&format!("x: {ty}"), "", "assume x == x;"), Scope::default());
    assert_eq!(read("bool"), 2);
    assert_eq!(read("bv4"), 16);
    assert_eq!(read("int"), 5);
    assert_eq!(read("S"), 3);
    assert_eq!(read("seq<bool>"), 7);
    assert_eq!(read("seq<S>"), 13);
    let length = Scope { length: 3, integers: 0..=0, sort_size: 0, ..Scope::default() };
    let text = main_of("x: seq<int>, y: S", "", "assume x == x && y == y;");
    assert_eq!(total(&text, length), 4);
}

#[test]
fn choices_multiply_and_blocked_runs_are_counted() {
    let text = main_of(
        "",
        "var a: bv2; var b: bool; var x: S; var y: S;",
        "havoc a where a != 0bv2; havoc b; x := new S; y := new S;",
    );
    let scope = Scope { sort_size: 3, ..Scope::default() };
    let seen = outcomes(&module(&text), scope);
    assert_eq!(seen["is blocked: Where"], 1);
    assert_eq!(seen[""], 3 * 2 * 3 * 2);
}

#[test]
fn inputs_and_entries_are_chosen_when_they_are_read() {
    let unread = main_of("a: bv4, b: bv4, c: bool", "", "assume a == 0bv4 || b == b;");
    assert_eq!(total(&unread, Scope::default()), 1 + 15 * 16);
    let one = main_of("", "", "assume m[1bv2] == 0bv3;");
    assert_eq!(total(&one, Scope::default()), 8);
    let again = main_of("", "", "assume m[1bv2] == m[1bv2] && f[null] == f[null];");
    assert_eq!(total(&again, Scope::default()), 8 * 3);
    let whole = main_of("", "", "assert (all k: bv2 :: m[k] == m[k]);");
    assert_eq!(total(&whole, Scope::default()), 8_u64.pow(4));
    let overwritten = main_of("", "", "m[0bv2] := 1bv3; assert m[0bv2] == 1bv3;");
    assert_eq!(total(&overwritten, Scope::default()), 1);
    let havocked = main_of("", "", "havoc m; assume m[0bv2] == m[1bv2];");
    assert_eq!(total(&havocked, Scope::default()), 64);
}

#[test]
fn functions_are_consistent_within_a_run() {
    let text = "function h(x: bool): bv2;\nproc main() returns (r: bv2)\n{\n  var b: bool;\n  entry:\n    \
                havoc b;\n    assert h(b) == h(!!b);\n    r := h(true) + h(false);\n    exit;\n}";
    let seen = outcomes(&module(text), Scope::default());
    assert_eq!(seen.values().sum::<u64>(), 2 * 16);
    assert!(seen.values().all(|count| *count == 8), "{seen:?}");
}

#[test]
fn calls_by_contract_are_enumerated() {
    let text = r#"
        var g: bv2;
        proc next(x: bv2) returns (y: bv2)
          modifies g;
          ensures y == x + 1bv2 && g == old(g) + y;
          ensures exceptional x == 0bv2 && g == old(g);
        proc main(x: bv2) returns (z: bv2)
        {
          entry:
            z := call next(x);
            exit;
        }"#;
    let seen = outcomes(&module(text), Scope::default());
    let feasible: u64 = seen.iter().filter(|(name, _)| name.contains("bv2")).map(|(_, n)| n).sum();
    assert_eq!(feasible, 4 * 4, "one for each x and g");
    assert_eq!(seen["exits exceptionally"], 4);
}

/// A random straight-line program is run on every input, and a second, native definition agrees.
#[test]
fn no_run_is_missed() {
    let text = r#"
        proc main(a: bv3, b: bv3, c: bool) returns (r: bv3)
        {
          var t: bv3;
          entry:
            t := a * b;
            branch c ? yes : no;
          yes:
            t := t + 1bv3;
            goto join;
          no:
            branch ult(t, b) ? early : join;
          early:
            r := 7bv3;
            exit;
          join:
            assume t != 5bv3;
            r := t;
            exit;
        }"#;
    let mut expected: BTreeMap<String, u64> = BTreeMap::new();
    for a in 0..8_u64 {
        for b in 0..8 {
            for c in [false, true] {
                let mut t = a * b % 8;
                let result = if c {
                    t = (t + 1) % 8;
                    Some(t).filter(|t| *t != 5)
                } else if t < b {
                    Some(7)
                } else {
                    Some(t).filter(|t| *t != 5)
                };
                let name = match result {
                    Some(value) => format!("{:?}", Value::bv(3, value)),
                    None => "is blocked: Assume(Model)".into(),
                };
                *expected.entry(name).or_insert(0) += 1;
            }
        }
    }
    assert_eq!(outcomes(&module(text), Scope::default()), expected);
}

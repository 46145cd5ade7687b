//! What has no value, budgets, deep recursion, oracles that cannot be right.

use interpret::{
    Ending, EvalError, Inputs, MapType, MapValue, Options, Outcome, Recorded, Scope, Seeded,
    Undefined, Value, run,
};
use ir::Type;

use crate::fixture::{fault, global, go, go_with, map, module, procedure, results, sort};

fn main_of(declarations: &str, locals: &str, statements: &str) -> String {
    format!(
        "{declarations}\nproc main() returns (r: int)\n{{\n  {locals}\n  entry:\n    {statements}\n    exit;\n}}"
    )
}

#[test]
fn undefined_reads_are_errors() {
    let read = |locals, statements| {
        go(&main_of("var g: int; record R { a: int, b: int }", locals, statements), "main")
    };
    let variable = |name: &str| EvalError::Undefined(Undefined::Variable(name.into()));
    assert_eq!(*fault(&read("var x: int;", "r := x + 1;")), variable("x"));
    assert_eq!(*fault(&read("", "r := g;")), variable("g"));
    assert_eq!(*fault(&read("", "g := 1; r := r + g;")), variable("r"));
    let part = read("var p: R;", "p.a := 1; r := p.a; r := p.b;");
    assert_eq!(*fault(&part), EvalError::Undefined(Undefined::Field("b".into())));
    let entry = read("var m: [int]int;", "m[1] := 1; r := m[1]; r := m[2];");
    assert!(matches!(fault(&entry), EvalError::Undefined(Undefined::Entry(_))));
    let whole = read("var p: R; var q: R;", "p.a := 1; q := p; q.b := 2; r := q.a + q.b;");
    assert!(matches!(whole.outcome, Outcome::Exit(_)), "a part may be undefined");
    let compared = read("var p: R; var q: R;", "p.a := 1; q.a := 2; r := if p == q then 1 else 2;");
    assert_eq!(compared.outcome, Outcome::Exit(Ending::Normal(vec![Some(Value::int(2))])));
    let unknown = read("var p: R; var q: R;", "p.a := 1; q.a := 1; r := if p == q then 1 else 2;");
    assert!(matches!(fault(&unknown), EvalError::Undefined(Undefined::Field(_))));
}

#[test]
fn an_undefined_result_is_undefined_for_the_caller() {
    let text = r#"
        proc nothing_set() returns (q: int)
        {
          entry:
            exit;
        }
        proc main() returns (r: int)
        {
          var x: int;
          entry:
            x := 1;
            x := call nothing_set();
            r := 0;
            r := x;
            exit;
        }"#;
    let run = go(text, "main");
    assert_eq!(*fault(&run), EvalError::Undefined(Undefined::Variable("x".into())));
    assert!(matches!(run.outcome, Outcome::Error { site, .. } if site.statement == 3));
}

#[test]
fn what_is_unknown_is_equal_to_itself() {
    let module = module(
        r#"
        var m: [int]int;
        var n: [int]int;
        proc main() returns (a: bool)
          ensures m == old(m)[1 := 5] "only one entry differs";
          ensures n == old(n);
        {
          entry:
            m[1] := 5;
            a := m == m[1 := 6];
            exit;
        }
        proc other() returns (a: bool)
        {
          entry:
            a := m == n;
            exit;
        }"#,
    );
    let run = |name| go_with(&module, name, &Inputs::default(), &mut Recorded::default());
    assert_eq!(results(&module, &run("main")), [Value::Bool(false)]);
    assert!(matches!(fault(&run("other")), EvalError::Undecided(_)));
}

#[test]
fn integers_that_grow_without_end_use_up_the_budget() {
    let squares =
        "proc main() { var x: int; entry: x := 3; goto again; again: x := x * x; goto again; }";
    assert_eq!(go(squares, "main").outcome, Outcome::OutOfSteps);
}

#[test]
fn budgets_end_the_run() {
    let endless = "proc main()\n{\n  entry:\n    goto head;\n  head:\n    goto head;\n}";
    assert_eq!(go(endless, "main").outcome, Outcome::OutOfSteps);
    let large = main_of("", "", "assert (all x: bv16, y: bv16 :: x + y == y + x);");
    let module = module(&large);
    let options = Options { work: 10_000, ..Options::default() };
    let main = procedure(&module, "main");
    let run = run(&module, main, &Inputs::default(), &mut Recorded::default(), &options);
    assert_eq!(run.outcome, Outcome::OutOfSteps);
}

#[test]
fn a_run_that_computes_beyond_its_scope_ends_there() {
    let beyond = |statements: &str| {
        let module = module(&main_of("", "var s: seq<bool>;", statements));
        let scope = Scope { integers: -4..=3, length: 2, ..Scope::default() };
        let options = Options { scope: Some(scope), ..Options::default() };
        let main = procedure(&module, "main");
        let run = run(&module, main, &Inputs::default(), &mut Recorded::default(), &options);
        match run.outcome {
            Outcome::Error { fault: EvalError::OutOfScope(_), .. } => true,
            Outcome::Exit(Ending::Normal(_)) => false,
            other => panic!("{statements} {other}"),
        }
    };
    assert!(!beyond("r := -4 + 3 * 1;"));
    assert!(beyond("r := 3 + 1;") && beyond("r := -4 - 1;") && beyond("r := 4 - 4;"));
    assert!(!beyond("s := seq[true, true];") && beyond("s := seq[true, true] ++ seq[true];"));
    // What does not matter is not computed.
    assert!(!beyond("assert true || 3 + 1 > 0;") && beyond("assert 3 + 1 > 0 || true;"));
    assert!(!beyond("r := if true then 0 else 4;"));
    // All cases of a quantifier matter, and only what keys have in a comprehension.
    assert!(beyond("assert (some x: bv1 :: x == 0bv1 || nat(x) + 3 > 0);"));
    assert!(!beyond(
        "assert (lambda x: bv1 :: if ule(0bv1, x) then x else bv(4, 1))[1bv1] == 1bv1;"
    ));
}

const RECURSION: &str = r#"
proc count(n: int) returns (r: int)
{
  entry:
    branch n == 0 ? done : more;
  more:
    r := call count(n - 1);
    r := r + 1;
    exit;
  done:
    r := 0;
    exit;
}
proc thrower(n: int)
{
  entry:
    branch n == 0 ? done : more;
  more:
    call thrower(n - 1);
    exit;
  done:
    exit exceptional;
}
"#;

#[test]
fn recursion_can_be_100_000_deep() {
    let module = module(RECURSION);
    let inputs = Inputs::new([Value::int(100_000)]);
    let run = go_with(&module, "count", &inputs, &mut Recorded::default());
    assert_eq!(results(&module, &run), [Value::int(100_000)]);
    let run = go_with(&module, "thrower", &inputs, &mut Recorded::default());
    assert_eq!(run.outcome, Outcome::Exit(Ending::Exceptional(None)));
}

#[test]
fn recursion_without_end_is_out_of_steps() {
    let module = module(RECURSION);
    let inputs = Inputs::new([Value::int(-1)]);
    let options = Options { depth: 1000, trace: 0, ..Options::default() };
    let count = procedure(&module, "count");
    let run = run(&module, count, &inputs, &mut Recorded::default(), &options);
    assert_eq!(run.outcome, Outcome::OutOfSteps);
    assert!(run.steps < 3000);
}

#[test]
fn inputs_and_answers_must_have_their_types() {
    let module = module(RECURSION);
    for wrong in [Value::Bool(true), Value::bv(8, 1), Value::seq([])] {
        let inputs = Inputs::new([wrong]);
        let run = go_with(&module, "count", &inputs, &mut Recorded::default());
        assert!(matches!(fault(&run), EvalError::BadDecision(_)));
    }
}

#[test]
fn atoms_must_be_among_those_there_are() {
    let module = module(
        r#"
        sort S;
        var f: [S]S;
        proc main(s: S) returns (t: S)
        {
          entry:
            t := f[s];
            t := new S;
            exit;
        }"#,
    );
    let s = sort(&module, "S");
    let atom = |id| Value::Atom(s, id);
    let go = |parameter, target, fresh| {
        let f = map(&module, "f", Some(atom(0)), [(atom(1), atom(target))]);
        let inputs = Inputs::new([atom(parameter)]).with(global(&module, "f"), f);
        let mut oracle = Recorded::new([interpret::Decision::Atom(fresh)]);
        oracle.atoms.insert(s, vec![1, 2, 3, 4].into());
        go_with(&module, "main", &inputs, &mut oracle)
    };
    assert_eq!(results(&module, &go(1, 2, 3)), [atom(3)]);
    for (parameter, target, fresh) in [(9, 2, 3), (1, 9, 3), (1, 2, 9), (1, 2, 2), (3, 2, 3)] {
        let run = go(parameter, target, fresh);
        assert!(matches!(fault(&run), EvalError::BadDecision(_)), "{parameter} {target} {fresh}");
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let text = main_of(
        "sort S; var f: [S]int;",
        "var s: S; var q: seq<bool>; var m: [S]int;",
        "havoc s; havoc q; havoc m; havoc r where r >= 0; r := f[s] + m[s] + len(q) + f[null];",
    );
    let module = module(&text);
    let seen: std::collections::BTreeSet<String> = (0..50)
        .map(|seed| {
            let go = || {
                let mut oracle = Seeded::new(seed, Scope::default());
                go_with(&module, "main", &Inputs::default(), &mut oracle)
            };
            let (first, second) = (go(), go());
            assert_eq!(first, second);
            format!("{:?}", first.outcome)
        })
        .collect();
    assert!(seen.len() > 5, "{seen:?}");
}

#[test]
fn a_map_of_the_wrong_type_is_refused() {
    let module = module(
        "var m: [int]int;\nproc main() returns (r: int)\n{\n  entry:\n    r := m[0];\n    exit;\n}",
    );
    let wrong = MapValue::constant(MapType::new(&[Type::Int], &Type::Bool), Value::Bool(true));
    let inputs = Inputs::default().with(global(&module, "m"), Value::from(wrong));
    let run = go_with(&module, "main", &inputs, &mut Recorded::default());
    assert!(matches!(fault(&run), EvalError::BadDecision(_)));
}

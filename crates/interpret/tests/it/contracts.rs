//! Contracts of the entry procedure and of callees, followed or not.

use std::ops::ControlFlow;

use interpret::{
    CallResult, Decision, Ending, Enumerating, EvalError, Execution, FailedAssumption, Inputs,
    NewObject, Obligation, Options, Outcome, Pointer, Recorded, Scope, Value, enumerate,
};
use ir::{AssertKind, Module, Storage};

use crate::fixture::{failure, fault, global, go_with, module, results};

fn at(module: &Module, name: &str, n: i64, answers: Vec<Decision>) -> Execution {
    let inputs = Inputs::new([Value::int(n)]).with(global(module, "g"), Value::int(100));
    go_with(module, name, &inputs, &mut Recorded::new(answers))
}

const ENTRY: &str = r#"
var g: int;
invariant g > 0;

proc main(n: int) returns (r: int)
  requires n > 0 "n is positive";
  free requires n < 50;
  ensures r == n + 1 "n means what the caller gave";
  free ensures false;
  ensures g == old(g) - n "g is less";
  ensures exceptional g == 0 "g is zero";
{
  entry:
    g := g - n;
    r := n + 1;
    n := 0;
    branch r == 40 ? thrown : fine;
  fine:
    exit;
  thrown:
    exit exceptional;
}
proc low(n: int)
{
  entry:
    g := n;
    exit;
}
"#;

#[test]
fn the_entry_procedure_assumes_and_proves() {
    let module = module(ENTRY);
    assert_eq!(results(&module, &at(&module, "main", 5, vec![])), [Value::int(6)]);
    let blocked = |n, clause| {
        let by = FailedAssumption::Requires(ir::ProcedureId(0), clause);
        let outcome = at(&module, "main", n, vec![]).outcome;
        assert!(matches!(outcome, Outcome::Blocked { by: found, .. } if found == by));
    };
    blocked(0, 0);
    blocked(60, 1);
    let run = at(&module, "main", 39, vec![]);
    assert_eq!(failure(&run), (AssertKind::Postcondition, "g is zero"));
}

#[test]
fn invariants_are_assumed_and_proved() {
    let module = module(ENTRY);
    let run = at(&module, "low", 0, vec![]);
    assert_eq!(failure(&run).0, AssertKind::Invariant);
    assert_eq!(results(&module, &at(&module, "low", 1, vec![])), []);
    let inputs = Inputs::new([Value::int(1)]).with(global(&module, "g"), Value::int(0));
    let run = go_with(&module, "low", &inputs, &mut Recorded::default());
    assert!(matches!(run.outcome, Outcome::Blocked { by: FailedAssumption::Invariant(0), .. }));
}

const CALLEES: &str = r#"
var g: int;
var m: [int]int;

proc outside(n: int) returns (q: int)
  requires n != 0 "n is not zero";
  modifies m[n];
  ensures q == n + g && m[n] == old(m[n]) + 1 "what is promised";
  ensures exceptional m[n] == old(m[n]);
proc silent() returns (q: int);
proc vague(n: int) returns (q: int)
  modifies nothing;
  ensures (some x: int :: q == x * x);
proc broken(n: int)
  requires n > 3 "n is large";
  ensures false;
{
  entry:
    exit;
}

proc main(n: int) returns (r: int, s: int)
  modifies m;
{
  entry:
    m := const<[int]int>(7);
    r := call outside(n);
    s := m[n] * 10 + m[n + 1];
    exit;
}
proc catching(n: int) returns (r: int)
{
  var thrown: bool; var e: int;
  entry:
    m := const<[int]int>(7);
    r := -1;
    r := call outside(n) catch thrown, e;
    branch thrown ? bad : good;
  bad:
    r := e;
    exit;
  good:
    exit;
}
proc asks_silent(n: int) returns (r: int)
{
  entry:
    r := call silent();
    r := r + g;
    exit;
}
proc asks_vague(n: int) returns (r: int)
{
  entry:
    r := call vague(n);
    exit;
}
proc follows(n: int)
{
  entry:
    call broken(n);
    exit;
}
"#;

fn answer(results: Vec<i64>, writes: Vec<(usize, i64)>) -> Decision {
    Decision::Call(CallResult {
        results: results.into_iter().map(Value::int).collect(),
        writes: writes.into_iter().map(|(index, value)| (index, Value::int(value))).collect(),
        ..CallResult::default()
    })
}

#[test]
fn a_callee_without_body_writes_what_it_may() {
    let module = module(CALLEES);
    let run = at(&module, "main", 3, vec![answer(vec![103], vec![(0, 8)])]);
    assert_eq!(results(&module, &run), [Value::int(103), Value::int(87)]);
    for bad in [answer(vec![103], vec![]), answer(vec![9], vec![(0, 8)])] {
        let run = at(&module, "main", 3, vec![bad]);
        assert_eq!(*fault(&run), EvalError::Contract(ir::ProcedureId(0), 0));
    }
    let run = at(&module, "main", 3, vec![answer(vec![103], vec![(1, 8)])]);
    assert!(matches!(fault(&run), EvalError::BadDecision(_)), "there is only one such place");
    let run = at(&module, "main", 0, vec![]);
    assert_eq!(failure(&run), (AssertKind::Precondition, "n is not zero"));
}

#[test]
fn a_callee_without_body_may_throw() {
    let module = module(CALLEES);
    let throws = |value: Option<i64>| {
        let throws = Some(value.map(Value::int));
        Decision::Call(CallResult { throws, ..CallResult::default() })
    };
    let run = at(&module, "catching", 3, vec![throws(Some(5))]);
    assert_eq!(results(&module, &run), [Value::int(5)]);
    let run = at(&module, "main", 3, vec![throws(None)]);
    assert_eq!(run.outcome, Outcome::Exit(Ending::Exceptional(None)));
    let mut wrong = CallResult { throws: Some(None), ..CallResult::default() };
    wrong.writes.push((0, Value::int(8)));
    let run = at(&module, "main", 3, vec![Decision::Call(wrong)]);
    assert_eq!(*fault(&run), EvalError::Contract(ir::ProcedureId(0), 1));
}

#[test]
fn an_exception_has_a_value_if_its_handler_keeps_one() {
    let module = module(
        r#"
        proc main() returns (e: bv2) {
          var failed: bool;
          entry:
            call between() catch failed, e;
            exit;
        }
        proc between() {
          entry:
            call thrower();
            exit;
        }
        proc thrower() ensures exceptional true;"#,
    );
    let mut seen = std::collections::BTreeSet::new();
    let main = ir::ProcedureId(0);
    let (inputs, options) = (Inputs::default(), Options::default());
    let mut oracle = Enumerating::new(Scope::default());
    enumerate(&module, main, &inputs, &mut oracle, &options, |run, _| {
        if let Outcome::Exit(Ending::Normal(results)) = &run.outcome {
            seen.extend(results[0].clone());
        }
        ControlFlow::Continue(())
    });
    assert_eq!(seen, (0..4).map(|value| Value::bv(2, value)).collect());
}

#[test]
fn without_modifies_every_state_variable_may_be_written() {
    let module = module(CALLEES);
    let run = at(&module, "asks_silent", 0, vec![answer(vec![1], vec![(0, 50)])]);
    assert_eq!(results(&module, &run), [Value::int(51)]);
}

#[test]
fn postconditions_that_cannot_be_evaluated_are_listed() {
    let module = module(CALLEES);
    let run = at(&module, "asks_vague", 0, vec![answer(vec![16], vec![])]);
    assert_eq!(results(&module, &run), [Value::int(16)]);
    assert_eq!(run.unchecked_clauses.len(), 1);
    assert!(matches!(run.unchecked_clauses[0].fault, EvalError::Undecided(_)));
}

#[test]
fn of_a_callee_that_is_followed_only_the_precondition_counts() {
    let module = module(CALLEES);
    assert_eq!(results(&module, &at(&module, "follows", 4, vec![])), []);
    let run = at(&module, "follows", 3, vec![]);
    assert_eq!(failure(&run), (AssertKind::Precondition, "n is large"));
    let Outcome::Failed(failure) = &run.outcome else { unreachable!("it fails") };
    let broken = module.find_procedure("broken").expect("it exists");
    assert_eq!(failure.obligation, Obligation::Requires(broken, 0));
    let follows = module.find_procedure("follows").expect("it exists");
    assert_eq!(failure.site.procedure, follows, "the call is at fault");
}

#[test]
fn measures_of_recursive_calls() {
    let module = module(
        r#"
        var g: int;
        proc down(n: int) decreases n;
        {
          entry:
            branch n > 0 ? more : done;
          more:
            call down(n - g);
            exit;
          done:
            exit;
        }
        proc main(n: int)
        {
          entry:
            g := n;
            call down(10);
            call down(10);
            exit;
        }"#,
    );
    assert_eq!(results(&module, &at(&module, "main", 3, vec![])), []);
    let run = at(&module, "main", 0, vec![]);
    assert_eq!(failure(&run).0, AssertKind::Progress);
}

#[test]
fn a_callee_without_body_may_make_and_free_objects() {
    let module = module(
        r#"
        var mem: bytes;
        proc make(p: ptr) returns (q: ptr)
          modifies nothing;
          ensures live(q) && size(q) == 4bv64 && !live(p) && old(live(p));
        proc main() returns (q: ptr)
        {
          entry:
            q := alloc 1bv64 heap;
            q := call make(q);
            assert use-after-free live(q);
            exit;
        }"#,
    );
    let answer = |frees| {
        Decision::Call(CallResult {
            allocates: vec![NewObject::new(4, Storage::Heap)],
            frees,
            results: vec![Value::Ptr(Pointer::to(2))],
            ..CallResult::default()
        })
    };
    let mut oracle = Recorded::new([answer(vec![1])]);
    let run = go_with(&module, "main", &Inputs::default(), &mut oracle);
    assert_eq!(results(&module, &run), [Value::Ptr(Pointer::to(2))]);
    let mut oracle = Recorded::new([answer(vec![])]);
    let run = go_with(&module, "main", &Inputs::default(), &mut oracle);
    assert_eq!(*fault(&run), EvalError::Contract(ir::ProcedureId(0), 0));
}

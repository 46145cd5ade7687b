//! List reversal from "Light-weight modular static analysis" for RESOLVE: calls by contract.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use interpret::{
    CallResult, Decision, Enumerating, EvalError, Inputs, Obligation, Options, Outcome, Recorded,
    Scope, Value, enumerate,
};
use ir::{AssertKind, Module, RecordId, SortId};

use crate::fixture::{failure, fault, go_with, module, procedure, results};

fn reverse(insert: &str) -> Module {
    module(&format!(
        r#"
sort Entry;
record List {{ Left: seq<Entry>, Right: seq<Entry> }}

proc Insert(E: Entry, P: List) returns (Q: List)
  ensures Q.Left == P.Left && Q.Right == seq[E] ++ P.Right;
  modifies nothing;
proc InsertLeft(E: Entry, P: List) returns (Q: List)
  ensures Q.Left == P.Left ++ seq[E] && Q.Right == P.Right;
  modifies nothing;
proc Remove(P: List) returns (R: Entry, Q: List)
  requires len(P.Right) > 0 "there is something to remove";
  ensures Q.Left == P.Left && P.Right == seq[R] ++ Q.Right;
  modifies nothing;

proc Reverse(P: List) returns (Q: List)
  requires len(P.Left) == 0 "the left string is empty";
  ensures Q.Left == reverse(P.Right) && len(Q.Right) == 0 "reversed";
  modifies nothing;
  decreases len(P.Right);
{{
  var E: Entry;
  entry:
    Q := P;
    branch len(Q.Right) > 0 ? some_left : done;
  some_left:
    E, Q := call Remove(Q);
    Q := call Reverse(Q);
    Q := call {insert}(E, Q);
    goto done;
  done:
    exit;
}}
"#
    ))
}

const ENTRY: SortId = SortId(0);

fn list(left: &[u64], right: &[u64]) -> Value {
    let entries = |ids: &[u64]| Value::seq(ids.iter().map(|id| Value::Atom(ENTRY, *id)));
    Value::record(RecordId(0), [entries(left), entries(right)])
}

fn answer(results: impl IntoIterator<Item = Value>) -> Decision {
    let results = results.into_iter().collect();
    Decision::Call(CallResult { results, ..CallResult::default() })
}

/// The answers for reversing 1, 2 with every call by contract.
fn answers(last: Value) -> Vec<Decision> {
    vec![
        answer([Value::Atom(ENTRY, 1), list(&[], &[2])]),
        answer([list(&[2], &[])]),
        answer([last]),
    ]
}

fn by_contract(module: &Module, answers: Vec<Decision>) -> interpret::Execution {
    let mut oracle = Recorded::new(answers);
    oracle.not_followed = BTreeSet::from([procedure(module, "Reverse")]);
    go_with(module, "Reverse", &Inputs::new([list(&[], &[1, 2])]), &mut oracle)
}

#[test]
fn the_published_procedure_does_not_meet_its_contract() {
    let module = reverse("Insert");
    let run = by_contract(&module, answers(list(&[2], &[1])));
    assert_eq!(failure(&run), (AssertKind::Postcondition, "reversed"));
    let Outcome::Failed(failure) = &run.outcome else { unreachable!("it fails") };
    assert_eq!(failure.obligation, Obligation::Ensures(0));
    assert!(run.unchecked_clauses.is_empty());
}

#[test]
fn inserting_on_the_left_mends_it() {
    let module = reverse("InsertLeft");
    let run = by_contract(&module, answers(list(&[2, 1], &[])));
    assert_eq!(results(&module, &run), [list(&[2, 1], &[])]);
}

#[test]
fn answers_are_held_against_the_contract() {
    let module = reverse("Insert");
    let run = by_contract(&module, answers(list(&[2, 1], &[])));
    assert_eq!(*fault(&run), EvalError::Contract(procedure(&module, "Insert"), 0));
    assert!(run.outcome.is_infeasible());
    let run = by_contract(&module, vec![answer([])]);
    assert!(matches!(fault(&run), EvalError::BadDecision(_)));
    let run = by_contract(&module, vec![answer([list(&[], &[]), list(&[], &[])])]);
    assert!(matches!(fault(&run), EvalError::BadDecision(_)), "an entry is not a list");
    let run = by_contract(&module, vec![]);
    assert!(matches!(fault(&run), EvalError::NoDecision(_)));
}

#[test]
fn the_body_of_a_recursive_call_can_be_run() {
    let module = reverse("InsertLeft");
    let entry = |id| Value::Atom(ENTRY, id);
    let mut oracle = Recorded::new([
        answer([entry(1), list(&[], &[2])]),
        answer([entry(2), list(&[], &[])]),
        answer([list(&[2], &[])]),
        answer([list(&[2, 1], &[])]),
    ]);
    let run = go_with(&module, "Reverse", &Inputs::new([list(&[], &[1, 2])]), &mut oracle);
    assert_eq!(results(&module, &run), [list(&[2, 1], &[])]);
}

#[test]
fn enumeration_finds_the_bug_and_shows_the_repair() {
    for (insert, expected) in [("Insert", true), ("InsertLeft", false)] {
        let module = reverse(insert);
        let reverse = procedure(&module, "Reverse");
        let atoms = [(ENTRY, Arc::new(vec![1]))].into();
        let scope = Scope { atoms, length: 2, ..Scope::default() };
        let mut oracle = Enumerating::new(scope).not_following([reverse]);
        let options = Options { trace: 0, ..Options::default() };
        let inputs = Inputs::default();
        let mut failed = false;
        enumerate(&module, reverse, &inputs, &mut oracle, &options, |run, _| {
            failed |= matches!(run.outcome, Outcome::Failed(_));
            ControlFlow::Continue(())
        });
        assert_eq!(failed, expected, "{insert}");
    }
}

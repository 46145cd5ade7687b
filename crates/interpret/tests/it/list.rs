//! Jackson and Vaziri's list deletion (ISSTA 2000, Figure 1), on concrete lists.

use std::ops::ControlFlow;
use std::sync::Arc;

use interpret::{
    Enumerating, Execution, Inputs, Options, Outcome, Recorded, Recording, Scope, Value, VirNames,
    enumerate,
};
use ir::{AssertKind, Module};

use crate::fixture::{failure, global, go_with, map, module, procedure, results, sort};

const DELETE: &str = r#"
sort List;
sort Val;
var next: [List]List;
var val: [List]Val;

proc delete(l: List, v: Val)
  modifies next;
  ensures subset({ c: List | rclosure(graph(next))[l, c] },
                 { c: List | old(rclosure(graph(next)))[l, c] }) "no cells are added";
  ensures (all c: List :: c != null && rclosure(graph(next))[l, c] ==> val[c] != v)
      "no cell with value v is left";
  ensures (all c: List :: c != null ==> val[c] == old(val[c])) "no cells are mutated";
{
  var prev: List;

  entry:
    prev := null;
    goto head;
  head:
    branch l == null ? done : body;
  body:
    branch val[l] == v ? found : step;
  found:
    assert null-dereference prev != null "prev is null";
    next[prev] := next[l];
    exit;
  step:
    prev := l;
    l := next[l];
    goto head;
  done:
    exit;
}
"#;

/// Runs `delete` on the list of cells 1, 2, … with these values.
fn delete(module: &Module, values: &[u64], v: u64) -> Execution {
    let (list, val) = (sort(module, "List"), sort(module, "Val"));
    let cell = |id| Value::Atom(list, id);
    let count = values.len() as u64;
    let links = (1..count).map(|id| (cell(id), cell(id + 1)));
    let next = map(module, "next", Some(cell(0)), links);
    let held = (1..).zip(values).map(|(id, value)| (cell(id), Value::Atom(val, *value)));
    let held = map(module, "val", None, held);
    let inputs = Inputs::new([cell(count.min(1)), Value::Atom(val, v)])
        .with(global(module, "next"), next)
        .with(global(module, "val"), held);
    let mut oracle = Recorded::default();
    oracle.atoms.insert(list, Arc::new((1..=count).collect()));
    go_with(module, "delete", &inputs, &mut oracle)
}

#[test]
fn a_later_cell_is_deleted() {
    let module = module(DELETE);
    let run = delete(&module, &[1, 2, 3], 2);
    assert_eq!(results(&module, &run), []);
    let cell = |id| Value::Atom(sort(&module, "List"), id);
    let next = map(&module, "next", Some(cell(0)), [(cell(1), cell(3)), (cell(2), cell(3))]);
    assert_eq!(run.globals[0], Some(next));
}

#[test]
fn a_list_without_the_value_is_left_alone() {
    let module = module(DELETE);
    for values in [&[][..], &[1], &[1, 3]] {
        assert_eq!(results(&module, &delete(&module, values, 2)), []);
    }
}

#[test]
fn the_first_cell_cannot_be_deleted() {
    let module = module(DELETE);
    let run = delete(&module, &[2], 2);
    assert_eq!(failure(&run), (AssertKind::NullDereference, "prev is null"));
    let trace = run.trace.show(&module, &VirNames).to_string();
    let expected = "    \
    1 delete.entry.0: prev := null
    3 delete.head.0: goto body
    4 delete.body.0: goto found
";
    assert_eq!(trace, expected);
}

#[test]
fn only_the_first_of_equal_values_is_deleted() {
    let module = module(DELETE);
    let run = delete(&module, &[1, 2, 2], 2);
    assert_eq!(failure(&run), (AssertKind::Postcondition, "no cell with value v is left"));
}

#[test]
fn enumeration_finds_both_bugs_and_no_other() {
    let module = module(DELETE);
    let scope = Scope { sort_size: 2, ..Scope::default() };
    let mut oracle = Enumerating::new(scope);
    let mut found = std::collections::BTreeMap::new();
    let options = Options { steps: 30, trace: 0, ..Options::default() };
    let delete = procedure(&module, "delete");
    let count = enumerate(&module, delete, &Inputs::default(), &mut oracle, &options, |run, _| {
        let name = match &run.outcome {
            Outcome::Failed(failure) => failure.message.clone(),
            other => other.to_string(),
        };
        *found.entry(name).or_insert(0) += 1;
        ControlFlow::Continue(())
    });
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    let expected =
        ["exits normally", "is out of steps", "no cell with value v is left", "prev is null"];
    assert_eq!(names, expected, "cyclic lists do not end");
    assert_eq!(count, found.values().sum::<u64>());
}

#[test]
fn a_noted_run_can_be_run_again() {
    let module = module(DELETE);
    let mut oracle = Enumerating::new(Scope::default());
    loop {
        let mut recording = Recording::new(&mut oracle);
        let first = go_with(&module, "delete", &Inputs::default(), &mut recording);
        let mut recorded = Recorded::new(recording.decisions);
        for name in ["List", "Val"] {
            recorded.atoms.insert(sort(&module, name), Arc::new(vec![1, 2]));
        }
        let second = go_with(&module, "delete", &Inputs::default(), &mut recorded);
        assert_eq!(first, second);
        assert!(recorded.decisions.is_empty());
        if matches!(first.outcome, Outcome::Failed(_)) || !oracle.advance() {
            break;
        }
    }
}

//! A Boogie-like program on maps with a loop, invariants and a measure.

use interpret::{EvalError, Execution, Inputs, Obligation, Outcome, Recorded, Undefined, Value};
use ir::{AssertKind, Module};

use crate::fixture::{failure, fault, global, go_with, map, module, results};

fn insertion(measure: &str, invariant: &str) -> Module {
    module(&format!(
        r#"
var M: [int]int;

proc insert(n: int) returns (i: int)
  requires n >= 0;
  requires (all j: int :: 0 < j && j < n ==> M[j - 1] <= M[j]) "sorted but for the last";
  modifies M;
  ensures (all j: int :: 0 < j && j <= n ==> M[j - 1] <= M[j]) "sorted";
  ensures (all j: int :: 0 <= j && j <= n ==> (some k: int :: 0 <= k && k <= n && M[j] == old(M[k])))
      "nothing new";
{{
  entry:
    i := n;
    goto head;
  head:
    invariant 0 <= i && i <= n "i is in range";
    invariant {invariant} "the invariant";
    decreases {measure};
    branch i > 0 && M[i - 1] > M[i] ? body : done;
  body:
    M[i - 1], M[i] := M[i], M[i - 1];
    i := i - 1;
    goto head;
  done:
    exit;
}}
"#
    ))
}

fn insert(module: &Module, values: &[i64]) -> Execution {
    let entries = (0..).zip(values).map(|(key, value)| (Value::int(key), Value::int(*value)));
    let inputs = Inputs::new([Value::int(values.len() as i64 - 1)])
        .with(global(module, "M"), map(module, "M", None, entries));
    go_with(module, "insert", &inputs, &mut Recorded::default())
}

#[test]
fn the_last_element_finds_its_place() {
    let module = insertion("i", "true");
    let run = insert(&module, &[1, 4, 6, 8, 3]);
    assert_eq!(results(&module, &run), [Value::int(1)]);
    let expected = [1, 3, 4, 6, 8];
    let Some(Value::Map(map)) = &run.globals[0] else { panic!("M is known") };
    let found: Vec<Value> = map.entries().values().cloned().collect();
    assert_eq!(found, expected.map(Value::int));
}

#[test]
fn inputs_that_violate_the_precondition_are_no_failure() {
    let module = insertion("i", "true");
    assert!(matches!(insert(&module, &[2, 1, 3]).outcome, Outcome::Blocked { .. }));
}

#[test]
fn an_entry_that_was_never_set_is_an_error() {
    let module = insertion("i", "true");
    let entries = [(Value::int(0), Value::int(1))];
    let inputs =
        Inputs::new([Value::int(1)]).with(global(&module, "M"), map(&module, "M", None, entries));
    let run = go_with(&module, "insert", &inputs, &mut Recorded::default());
    assert!(matches!(fault(&run), EvalError::Undefined(Undefined::Entry(_))));
}

#[test]
fn invariants_and_measures_are_checked_where_the_header_is_reached() {
    let module = insertion("i", "i != 2");
    let run = insert(&module, &[1, 4, 6, 8, 3]);
    assert_eq!(failure(&run), (AssertKind::LoopInvariant, "the invariant"));
    let module = insertion("n - i", "true");
    let run = insert(&module, &[1, 4, 6, 8, 3]);
    assert_eq!(failure(&run).0, AssertKind::Progress);
    let Outcome::Failed(failure) = &run.outcome else { unreachable!("it fails") };
    assert_eq!(failure.obligation, Obligation::LoopMeasure(ir::BlockId(1)));
}

#[test]
fn a_measure_starts_anew_when_a_loop_is_entered_again() {
    let module = module(
        r#"
        proc main(n: int) returns (k: int)
        {
          var i: int; var j: int;
          entry:
            i, k := n, 0;
            goto outer;
          outer:
            decreases i;
            branch i > 0 ? start : done;
          start:
            j := n;
            goto inner;
          inner:
            decreases j;
            branch j > 0 ? body : next;
          body:
            j, k := j - 1, k + 1;
            goto inner;
          next:
            i := i - 1;
            goto outer;
          done:
            exit;
        }"#,
    );
    let run = go_with(&module, "main", &Inputs::new([Value::int(5)]), &mut Recorded::default());
    assert_eq!(results(&module, &run), [Value::int(25)]);
}

#[test]
fn updates_as_values_and_nested_maps() {
    let module = module(
        r#"
        var rows: [int][int]int;
        proc main() returns (a: int, b: int, same: bool)
          ensures rows[2] == old(rows[2]) "the other rows are as they were";
          ensures rows == old(rows)[1 := rows[1]];
        {
          var m: [int]int;
          entry:
            rows[1][5] := 7;
            rows[1][6] := rows[1][5] + 1;
            m := const<[int]int>(0);
            m := m[3 := 4];
            m := m[3 := 5];
            m := m[4 := m[3]];
            a, b := rows[1][6], m[4];
            same := m == const<[int]int>(0)[4 := 5][3 := 5];
            exit;
        }"#,
    );
    let run = go_with(&module, "main", &Inputs::default(), &mut Recorded::default());
    assert_eq!(results(&module, &run), [Value::int(8), Value::int(5), Value::Bool(true)]);
}

//! Doomed and unreachable code (paper 4), at the level of VIR.

use crate::findings;

#[test]
fn a_check_against_null_that_contradicts_a_dereference() {
    // The paper's Figure 1: `if (ptr) *ptr = 0; else printf("%d", *ptr);`
    let text = r#"
sort Ref;
var value: [Ref]int;
proc access(p: Ref) modifies value; {
  entry:
    branch p != null ? yes : no;
  yes:
    assert null-dereference p != null "p is null";
    value[p] := 0;
    exit;
  no:
    assert null-dereference p != null "p is null here";
    exit;
}"#;
    assert_eq!(findings(text), ["6 doomed: whenever this is false the run fails: p is null here"]);
}

#[test]
fn a_value_set_before_the_branch_dooms_it() {
    // The paper's Figure 6: `int *i = 0; if (k != 0) *i = 3;`
    let text = r#"
sort Ref;
proc f(k: int) {
  var i: Ref;
  entry:
    i := null;
    branch k != 0 ? use : done;
  use:
    assert null-dereference i != null "i is null";
    exit;
  done:
    exit;
}"#;
    assert_eq!(findings(text), ["7 doomed: whenever this is true the run fails: i is null"]);
}

#[test]
fn what_some_run_survives_is_not_doomed() {
    let text = r#"
sort Ref;
proc f(p: Ref, k: int) {
  entry:
    branch k != 0 ? use : done;
  use:
    assert null-dereference p != null "p may be null";
    exit;
  done:
    exit;
}"#;
    assert_eq!(findings(text), ["7 null-dereference: p may be null"]);
}

#[test]
fn doom_after_a_loop_of_any_length_is_found() {
    // The paper's Figure 2 in small: the loop ends with i below zero, and i is used as an index.
    let text = r#"
proc get(x: int) {
  var i: int;
  entry:
    i := x - 1;
    goto head;
  head:
    branch i >= 0 ? body : after;
  body:
    i := i - 1;
    goto head;
  after:
    assert out-of-bounds 0 <= i "the index is negative";
    exit;
}"#;
    assert_eq!(findings(text), ["13 doomed: every run fails: the index is negative"]);
}

#[test]
fn ends_on_purpose_are_not_failures() {
    let text = r#"
proc f(k: bv8) {
  entry:
    branch k == 0bv8 ? stop : done;
  stop:
    exit intended "abort()";
  done:
    exit;
}"#;
    assert!(findings(text).is_empty());
}

#[test]
fn unreachable_code_is_told_from_doomed_code() {
    let text = r#"
proc f(k: bv8) {
  entry:
    branch ult(k, 10bv8) ? small : done;
  small:
    branch ult(20bv8, k) ? never : done;
  never:
    assert false "cannot happen";
    exit;
  done:
    exit;
}"#;
    let found = findings(text);
    assert_eq!(
        found,
        ["6 unreachable: this condition is never true", "8 unreachable: this is never reached"]
    );
}

//! Doomed and unreachable code (Hoenicke et al. 2009), at the level of VIR.

use check::{CheckOptions, SolverLimits};

use crate::{check_within, findings};

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
    assert_eq!(
        findings(text),
        [
            "12 null-dereference: p is null here whenever the condition at line 6 is false",
            "  6 either this is never false or the dereference always fails",
        ]
    );
}

/// A finding says whether every execution fails; a rule that is switched off is not reported by another.
#[test]
fn a_denied_rule_is_not_reported_because_every_execution_fails() {
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
    let doomed = check::find("doomed").expect("the rule exists");
    let found = |denied: &[&str]| {
        let mut options = CheckOptions::default();
        options.policy.denied = denied.iter().map(|id| (*id).to_owned()).collect();
        crate::findings_of(text, &[doomed], &options)
    };
    let [finding] = &found(&[])[..] else { panic!("one is found") };
    assert_eq!(finding.rule.as_str(), "null-dereference");
    assert_eq!(finding.extent, report::Extent::EveryExecutionOfBranch);
    assert!(found(&["null-dereference"]).is_empty());
    assert_eq!(found(&["assertion"]).len(), 1);
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
    assert_eq!(
        findings(text),
        [
            "9 null-dereference: i is null whenever the condition at line 7 is true",
            "  6 because of this",
            "  7 either this is never true or the dereference always fails",
        ]
    );
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
    assert_eq!(
        findings(text),
        ["13 out-of-bounds: the index is negative", "  8 because of this condition"]
    );
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
fn unreachable_code_is_distinguished_from_doomed_code() {
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

#[test]
fn only_statements_that_contradict_each_other_are_blamed() {
    let text = r#"
sort Ref;
proc f(k: int, n: int) {
  var p: Ref;
  var m: int;
  entry:
    m := n + 1;
    p := null;
    branch k != 0 ? on : done;
  on:
    m := m + k;
    branch m > 3 ? use : done;
  use:
    m := 7;
    assert null-dereference p != null "p is null";
    exit;
  done:
    exit;
}"#;
    assert_eq!(
        findings(text),
        [
            "15 null-dereference: p is null whenever the condition at line 12 is true",
            "  8 because of this",
            "  12 either this is never true or the dereference always fails",
        ]
    );
}

#[test]
fn a_loop_that_is_never_left_is_doomed() {
    let text = r#"
proc wait(n: int)
  requires n > 0;
{
  var i: int;
  entry:
    i := 0;
    goto head;
  head:
    branch i < n ? body : after;
  body:
    goto head;
  after:
    exit;
}"#;
    let found = findings(text);
    assert_eq!(found[0], "10 doomed: infinite loop: no execution leaves it");
}

#[test]
fn nothing_is_said_of_what_has_copies_behind_the_end_of_a_formula() {
    let text = r#"
proc skip(n: bv32, skip: bv32) {
  var left: bv32;
  var rest: bv32;
  var seen: bv32;
  entry:
    left := 0bv32;
    rest := n;
    goto head;
  head:
    branch rest == 0bv32 ? after : body;
  body:
    seen := rest;
    branch left == 0bv32 ? due : not_yet;
  due:
    left := skip;
    goto next;
  not_yet:
    left := left - 1bv32;
    goto next;
  next:
    rest := rest * (rest + skip) - n * n;
    goto head;
  after:
    exit;
}"#;
    for gates in [1_000, 4_000, 8_000, 16_000, 64_000] {
        let solver = SolverLimits { gates, ..SolverLimits::default() };
        let limits = CheckOptions { solver, ..CheckOptions::default() };
        let (found, _) = check_within(text, &limits);
        assert_eq!(found, [""; 0], "within {gates} gates");
    }
}

#[test]
fn a_loop_that_nothing_leaves_is_meant_so() {
    let text = r#"
proc serve(n: int) {
  var i: int;
  entry:
    i := 0;
    goto head;
  head:
    i := i + n;
    goto head;
}"#;
    assert!(findings(text).is_empty());
}

#[test]
fn a_failure_after_a_hundred_thousand_iterations_is_found() {
    let text = |bound: &str| {
        format!(
            r#"
proc count() {{
  var i: int;
  entry:
    i := 0;
    goto head;
  head:
    branch i < 100000 ? body : after;
  body:
    i := i + 1;
    goto head;
  after:
    assert i < {bound};
    exit;
}}"#
        )
    };
    let found = findings(&text("100000"));
    assert_eq!(found[0], "13 assertion: the assertion does not hold");
    assert!(findings(&text("100001")).is_empty());
}

#[test]
fn an_assertion_that_is_literally_false_is_meant_to_fail() {
    let text = r#"
proc f(k: bv8) {
  entry:
    branch k == 0bv8 ? stop : done;
  stop:
    assert false "not zero, please";
    exit;
  done:
    exit;
}"#;
    assert_eq!(findings(text), ["6 assertion: not zero, please"]);
}

#[test]
fn contradictory_preconditions_are_one_finding() {
    let text = r#"
proc f(k: int, n: int)
  requires k > 0;
  requires n > 0;
  requires k < 0;
{
  entry:
    assert k == n;
    exit;
}"#;
    assert_eq!(
        findings(text),
        [
            "3 contract: no input satisfies the preconditions: they contradict each other",
            "  5 this contradicts it",
        ]
    );
}

#[test]
fn contradictory_axioms_decide_nothing() {
    let text = r#"
const c: int;
axiom c > 0;
axiom c < 0;
proc f(k: int) {
  entry:
    assert k == 0;
    exit;
}"#;
    let (found, verdicts) = crate::check(text);
    assert!(found.is_empty());
    assert!(verdicts[0].contains("contradict"), "{verdicts:?}");
}

//! Procedures that are too expensive to unroll: loops take one iteration, and a failure then may not happen with
//! more.

use check::CheckOptions;

use super::check_within;

/// A loop with an unknown number of multiplications, under a small limit of gates, and its verdict. In the first
/// iteration `once` does not hold yet.
fn multiplying(before: &str, inside: &str, kind: &str) -> (Vec<String>, Vec<String>) {
    let text = format!(
        "proc f(n: bv64)\n{{\n  var x: bv64;\n  var more: bool;\n  var once: bool;\n  var is_set: bool;\n  \
         entry:\n    x, once, is_set := n, false, {before};\n    goto head;\n  head:\n    \
         havoc more because external;\n    branch more ? body : after;\n  body:\n    is_set := {inside};\n    \
         x, once := x * x, true;\n    goto head;\n  after:\n    assert {kind} is_set \"never set\";\n    \
         exit;\n}}\n"
    );
    let mut options = CheckOptions::default().for_many_procedures();
    (options.policy.trust_inputs, options.solver.gates) = (true, 30_000);
    check_within(&text, &options)
}

#[test]
fn a_value_that_is_not_set_without_an_iteration_is_reported() {
    let (found, _) = multiplying("false", "true", "uninitialized");
    assert_eq!(found, ["18 uninitialized: never set"]);
}

#[test]
fn what_more_rounds_may_set_is_left_open() {
    let (found, verdicts) = multiplying("true", "once", "uninitialized");
    assert_eq!(found, Vec::<String>::new());
    assert!(verdicts[0].contains("least bounds"), "{verdicts:?}");
}

#[test]
fn other_failures_are_left_open() {
    let (found, verdicts) = multiplying("false", "true", "division-by-zero");
    assert_eq!(found, Vec::<String>::new());
    assert!(verdicts[0].contains("least bounds"), "{verdicts:?}");
}

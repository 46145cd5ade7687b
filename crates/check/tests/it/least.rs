//! Procedures that are too dear to follow: loops go round once, and what fails then may not fail if they go round more
//! often.

use check::CheckOptions;

use super::check_within;

/// A loop that multiplies as often as somebody else says, for which few gates must do, and what is said of it. In
/// the first round `once` does not hold yet.
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
fn a_value_that_is_not_set_without_a_round_is_charged() {
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

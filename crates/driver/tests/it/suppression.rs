//! Suppression in the source.

use std::path::Path;

use driver::{MemoryFiles, NoCompiler, Options, Rules, Silent};

use super::{WRONG, findings, notes, run, verdicts};

fn with_comment(comment: &str) -> String {
    WRONG.replace("    assert", &format!("    // {comment}\n    assert"))
}

#[test]
fn a_finding_is_suppressed_with_a_reason() {
    let text = with_comment("indict: allow(assertion) because it is a test");
    let outcome = run([("a.vir", text)], &["a.vir"]);
    assert_eq!((findings(&outcome), notes(&outcome)), (vec![], vec![]));
    assert_eq!(outcome.suppressed[0].reason, "it is a test");
    assert_eq!(outcome.suppressed[0].finding.message, "x is seven");
    assert_eq!(verdicts(&outcome), ["wrong: findings"]);
}

#[test]
fn without_a_reason_it_is_not() {
    let outcome = run([("a.vir", with_comment("indict: allow(assertion)"))], &["a.vir"]);
    assert_eq!(findings(&outcome), ["a.vir:5:5: assertion: x is seven"]);
    assert_eq!(
        notes(&outcome),
        ["warning: a.vir:4:5: suppression without a reason; its form is \
          `indict: allow(RULE) because REASON`"]
    );
    assert!(!outcome.report.is_incomplete());
}

#[test]
fn what_suppresses_nothing_is_reported() {
    let text = with_comment("indict: allow(division-by-zero) because it is a test");
    let outcome = run([("a.vir", text.clone())], &["a.vir"]);
    assert_eq!(findings(&outcome).len(), 1);
    assert_eq!(
        notes(&outcome),
        ["note: a.vir:4:5: unused suppression: no such finding on this line"]
    );

    let mut rules = Rules::default();
    rules.switch("division-by-zero", false);
    let options = Options { rules, ..Options::default() };
    let files = MemoryFiles::new([("a.vir", text)]);
    let outcome = driver::run(&[Path::new("a.vir")], &files, &NoCompiler, &options, &Silent);
    assert_eq!(notes(&outcome), Vec::<String>::new(), "the rule was not looked for");
}

#[test]
fn nothing_is_reported_of_suppressions_in_procedures_that_were_not_decided() {
    let text = with_comment("indict: allow(assertion) because it is a test");
    let text = text.replace("    exit;", "    assert +;\n    exit;");
    let outcome = run([("a.vir", text)], &["a.vir"]);
    assert_eq!(outcome.report.notes.len(), 1, "{:?}", notes(&outcome));
}

/// What fails in every execution was once reported as `doomed`, at the branch.
#[test]
fn what_fails_in_every_execution_is_suppressed_as_such_at_the_failure_and_at_the_branch() {
    let text = |branch: &str, failure: &str| {
        format!(
            "sort Ref;\nproc f(p: Ref) {{\n  entry:\n    branch p == null ? no : done; {branch}\n  no:\n    \
             assert null-dereference p != null \"p is null\"; {failure}\n    exit;\n  done:\n    exit;\n}}\n"
        )
    };
    let found = |branch, failure| {
        let outcome = run([("a.vir", text(branch, failure))], &["a.vir"]);
        (findings(&outcome), notes(&outcome).len())
    };
    let expected =
        "a.vir:6:5: null-dereference: p is null whenever the condition at line 4 is true";
    let doomed = "// indict: allow(doomed) because it is a test";
    let null = "// indict: allow(null-dereference) because it is a test";
    assert_eq!(found("", ""), (vec![expected.to_owned()], 0));
    assert_eq!(found(doomed, ""), (vec![], 0));
    assert_eq!(found("", doomed), (vec![], 0));
    assert_eq!(found("", null), (vec![], 0));
    assert_eq!(found(null, ""), (vec![expected.to_owned()], 1), "it is not found there");
}

#[test]
fn a_broken_invariant_is_suppressed_in_the_method_that_breaks_it() {
    let text = |comment: &str| {
        format!(
            "class A {{\n  int n;\n  //@ invariant n >= 0;\n  void dec() {{ n = n - 1; }} {comment}\n}}\n"
        )
    };
    let outcome = run([("A.java", text(""))], &["A.java"]);
    let [finding] = &outcome.report.findings[..] else { panic!("{:?}", findings(&outcome)) };
    let expected = (finding.rule.as_str(), finding.detail.as_deref(), finding.place.start.line);
    assert_eq!(expected, ("contract", Some("invariant"), 4));
    let comment = "// indict: allow(contract/invariant) because it is a test";
    let outcome = run([("A.java", text(comment))], &["A.java"]);
    assert_eq!((findings(&outcome), notes(&outcome)), (vec![], vec![]));
}

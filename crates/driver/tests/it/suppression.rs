//! Suppression in the source.

use std::path::Path;

use driver::{Memory, NoCompiler, Options, Rules, Silent};

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
        ["warning: a.vir:4:5: this suppresses nothing, as it gives no reason; its form is \
          `indict: allow(RULE) because REASON`"]
    );
    assert!(!outcome.report.is_incomplete());
}

#[test]
fn what_suppresses_nothing_is_told() {
    let text = with_comment("indict: allow(division-by-zero) because it is a test");
    let outcome = run([("a.vir", text.clone())], &["a.vir"]);
    assert_eq!(findings(&outcome).len(), 1);
    assert_eq!(
        notes(&outcome),
        ["note: a.vir:4:5: this suppresses nothing: there is no such finding here"]
    );

    let mut rules = Rules::default();
    rules.switch(driver::rule("division-by-zero").unwrap(), false);
    let options = Options { rules, ..Options::default() };
    let files = Memory::new([("a.vir", text)]);
    let outcome = driver::run(&[Path::new("a.vir")], &files, &NoCompiler, &options, &Silent);
    assert_eq!(notes(&outcome), Vec::<String>::new(), "the rule was not looked for");
}

#[test]
fn nothing_is_told_of_suppressions_in_procedures_that_were_not_decided() {
    let text = with_comment("indict: allow(assertion) because it is a test");
    let text = text.replace("    exit;", "    assert +;\n    exit;");
    let outcome = run([("a.vir", text)], &["a.vir"]);
    assert_eq!(outcome.report.notes.len(), 1, "{:?}", notes(&outcome));
}

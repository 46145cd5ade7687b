//! Numbers that do not matter are plain, and those that do are what they have to be.

use encode::{QueryAnswer, QuerySession, Scope, evaluate};
use interpret::Value;
use ir::ProcedureId;

/// The inputs of an execution in which a condition on some words does not hold, made plain.
fn plain(parameters: &str, condition: &str) -> Vec<i64> {
    let text =
        format!("proc f({parameters})\n{{\n  entry:\n    assert {condition};\n    exit;\n}}\n");
    let (module, diagnostics) = ir::parse("test.vir", &text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
    let evaluation = evaluate(&module, module.procedure(ProcedureId(0)), &[], &Scope::default());
    let (options, limits) = (sat::Options::default(), sat::Limits::none());
    let mut session =
        QuerySession::new(&module, &evaluation, options, limits).expect("the solver is built in");
    let fails = evaluation.obligations[0].fails;
    assert_eq!(session.ask(&[fails]), QueryAnswer::Sat);
    session.simplify(&[fails]);
    assert!(session.holds(fails), "it is still a run in which this fails");
    let number = |value: &Value| match value {
        Value::Bv(word) => word.small_signed().expect("it is small"),
        other => panic!("{other:?} is no word"),
    };
    session.witness().inputs.iter().map(|(_, value)| number(value)).collect()
}

#[test]
fn what_does_not_matter_is_zero() {
    assert_eq!(plain("a: bv32, b: bv32", "a == a + 1bv32"), [0, 0]);
}

#[test]
fn what_matters_is_as_plain_as_can_be() {
    assert_eq!(plain("a: bv32, b: bv32", "a == 0bv32 || b == 1bv32"), [1, 0]);
    assert_eq!(plain("a: bv32, b: bv32", "sle(0bv32, a)"), [-1, 0]);
    assert_eq!(plain("a: bv32, b: bv32", "a != 123456bv32"), [123_456, 0]);
}

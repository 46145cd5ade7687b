//! Executions that are like another: all of them are found, each once, and what does not count makes no difference.

use encode::{QueryAnswer, QuerySession, Scope, Witness, evaluate, others};
use ir::ProcedureId;

/// The number of other executions that fail like the first, of at most `most`, and whether these are all.
fn count(parameters: &str, condition: &str, most: usize) -> (usize, bool) {
    let text = format!(
        "sort S;\nfunction C(): seq<S>;\nproc f({parameters})\n{{\n  entry:\n    assert {condition} \"it holds\";\n    exit;\n}}\n"
    );
    let (module, diagnostics) = ir::parse("test.vir", &text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
    let scope = Scope { atoms: 1, sequence: 2, ..Scope::default() };
    let evaluation = evaluate(&module, module.procedure(ProcedureId(0)), &[], &scope);
    let (options, limits) = (sat::Options::default(), sat::Limits::none());
    let mut session =
        QuerySession::new(&module, &evaluation, options, limits).expect("the solver is built in");
    let fails = evaluation.obligations[0].fails;
    assert_eq!(session.ask(&[fails]), QueryAnswer::Sat);
    let first = session.witness();
    let options = sat::Options::default();
    let found = others(&module, &evaluation, fails, &first, most, options, limits);
    let found = found.expect("the solver is built in").expect("the values are finite");
    for (number, witness) in found.witnesses.iter().enumerate() {
        let run = |witness: &Witness| (witness.inputs.clone(), witness.functions.clone());
        assert_ne!(run(witness), run(&first));
        let after = &found.witnesses[number + 1..];
        assert!(after.iter().all(|other| run(other) != run(witness)), "each is found once");
    }
    (found.witnesses.len(), found.complete)
}

#[test]
fn a_run_may_be_the_only_one() {
    assert_eq!(count("a: bool, b: bool", "a || b", 5), (0, true));
}

#[test]
fn all_runs_are_found_or_as_many_as_are_asked_for() {
    assert_eq!(count("a: bv2", "a == 0bv2", 5), (2, true));
    assert_eq!(count("a: bv8", "a == 0bv8", 5), (5, false));
}

/// Two atoms make seven sequences of at most two elements, whatever lies beyond their ends.
#[test]
fn what_lies_beyond_the_end_of_a_sequence_does_not_count() {
    assert_eq!(count("a: seq<S>", "false", 50), (6, true));
    assert_eq!(count("a: seq<S>", "len(a) > 0", 50), (0, true));
}

/// An undefined constant is part of an execution like a parameter.
#[test]
fn values_of_constants_count() {
    assert_eq!(count("", "len(C()) == 2", 50), (2, true));
}

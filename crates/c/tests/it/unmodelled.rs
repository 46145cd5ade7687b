//! What VIR has no word for is said, and only that.

use ir::{HavocReason, StatementKind};

use crate::fixture::lowered;

fn kinds(module: &ir::Module, name: &str) -> Vec<StatementKind> {
    let procedure = module.procedure(module.find_procedure(name).expect("it exists"));
    let blocks = procedure.blocks.as_ref().expect("it has a body");
    blocks.iter().flat_map(|block| block.statements.iter().map(|s| s.kind.clone())).collect()
}

fn reasons(module: &ir::Module, name: &str) -> Vec<String> {
    let kinds = kinds(module, name).into_iter();
    kinds
        .filter_map(|kind| match kind {
            StatementKind::Unsupported { what, .. } => Some(what),
            _ => None,
        })
        .collect()
}

#[test]
fn unsupported() {
    let module = lowered("unmodelled");
    assert_eq!(reasons(&module, "twice"), ["setjmp"]);
    assert_eq!(reasons(&module, "machine"), ["inline assembly: rep"]);
}

#[test]
fn further_arguments_may_be_anything() {
    let module = lowered("unmodelled");
    assert_eq!(reasons(&module, "arguments"), [""; 0]);
    let unknown = |kind: &&StatementKind| {
        matches!(kind, StatementKind::Havoc { reason: HavocReason::Environment, .. })
    };
    let parts = kinds(&module, "arguments").iter().filter(unknown).count();
    assert_eq!(parts, 4, "two offsets and two places");
}

#[test]
fn assembly_within_its_constraints() {
    let module = lowered("unmodelled");
    assert_eq!(reasons(&module, "barrier"), [""; 0]);
    assert_eq!(reasons(&module, "clock"), [""; 0]);
    assert_eq!(reasons(&module, "increment"), [""; 0]);
    let unknown = |kind: &StatementKind| {
        matches!(kind, StatementKind::Havoc { reason: HavocReason::Environment, .. })
    };
    assert!(!kinds(&module, "barrier").iter().any(unknown), "an empty text changes nothing");
    assert!(kinds(&module, "clock").iter().any(unknown), "an output may be anything");
    assert!(kinds(&module, "increment").iter().any(unknown), "what is written may be anything");
}

#[test]
fn a_function_that_is_not_known_may_do_anything() {
    let module = lowered("unmodelled");
    assert_eq!(reasons(&module, "somewhere"), [""; 0]);
    let called = kinds(&module, "somewhere").into_iter().find_map(|kind| match kind {
        StatementKind::Call { callee: ir::Callee::Procedure(id), .. } => Some(id),
        _ => None,
    });
    let callee = module.procedure(called.expect("there is a call"));
    assert_eq!((&callee.blocks, &callee.contract.modifies), (&None, &None));
}

#[test]
fn output_changes_no_memory() {
    let module = lowered("unmodelled");
    let printf = module.procedure(module.find_procedure("printf").expect("it is declared"));
    assert_eq!(printf.contract.modifies, Some(Vec::new()));
}

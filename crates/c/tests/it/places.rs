//! Spans, points and names lead back to the source.

use ir::StatementKind;

use crate::fixture::{lowered, path};

#[test]
fn spans_are_the_text() {
    let module = lowered("faults");
    let text = std::fs::read_to_string(path("faults.c")).expect("the source exists");
    let procedure = module.procedure(module.find_procedure("in_a_field").expect("it exists"));
    let at = |span: ir::Span| &text[span.start as usize..span.end as usize];
    assert_eq!(at(procedure.span), "in_a_field");
    let blocks = procedure.blocks.as_ref().expect("it has a body");
    let statements = blocks.iter().flat_map(|block| &block.statements);
    let accesses: Vec<&str> = statements
        .filter(|statement| {
            matches!(&statement.kind, StatementKind::Assert { message, .. }
                if message.starts_with("`r->values[i]`"))
        })
        .map(|statement| at(statement.span))
        .collect();
    assert_eq!(accesses, ["r->values[i]"]);
}

#[test]
fn places_are_written_as_in_the_source() {
    let module = lowered("faults");
    let procedure = module.procedure(module.find_procedure("null_field").expect("it exists"));
    let places: Vec<&str> = procedure.places.iter().map(|(_, place)| &*place.text).collect();
    assert!(places.contains(&"n->next->value"), "{places:?}");
    assert!(procedure.places.is_sorted_by_key(|(point, _)| *point));
}

#[test]
fn macros_are_distinguished() {
    let module = lowered("faults");
    let origins = |name: &str| -> Vec<ir::Origin> {
        let procedure = module.procedure(module.find_procedure(name).expect("it exists"));
        let blocks = procedure.blocks.as_ref().expect("it has a body");
        blocks.iter().map(|block| block.terminator.origin).collect()
    };
    assert!(origins("asserts").iter().any(|origin| matches!(origin, ir::Origin::Macro(_))));
    let called = origins("frees_twice");
    assert!(!called.iter().any(|origin| matches!(origin, ir::Origin::Macro(_))), "{called:?}");
}

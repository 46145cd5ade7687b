//! Single properties that no golden file shows well.

use ir::{Origin, Severity, StatementKind};

use super::{lower, messages};

fn check(text: &str, expected: &str) {
    let (_, diagnostics) = lower(text);
    assert_eq!(messages(text, &diagnostics), expected);
}

#[test]
fn an_unknown_name_gets_a_hint() {
    check(
        "var counter: int; procedure p() { assert countr == 0; }",
        "1:42: there is no variable or constant `countr` (did you mean `counter`?)\n",
    );
}

#[test]
fn one_slip_does_not_hide_the_next() {
    check(
        "procedure p() { var x: int; x := ; x := true; y := 1; }\nprocedure q() { assert 1; }",
        "1:34: expected an expression, found `;`\n1:41: expected int, found bool\n\
         1:47: there is no variable or constant `y`\n2:24: expected bool, found int\n",
    );
}

#[test]
fn a_faulty_body_is_left_out_and_its_procedure_stays() {
    let (module, diagnostics) = lower("procedure p() { assert 1; } procedure q() { call p(); }");
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(module.procedures.len(), 2);
    assert!(module.procedures[0].blocks.is_none());
    assert!(module.procedures[1].blocks.is_some());
}

#[test]
fn spans_are_the_text_of_statements() {
    let text = "procedure p(x: int) { assert x > 0; if (x == 1) { assume false; } }";
    let (module, _) = lower(text);
    let blocks = module.procedures[0].blocks.as_ref().expect("the body is sound");
    let source = |span: ir::Span| &text[span.start as usize..span.end as usize];
    assert_eq!(source(blocks[0].statements[0].span), "assert x > 0;");
    assert_eq!(source(blocks[0].terminator.span), "x == 1");
    assert_eq!(source(blocks[1].statements[0].span), "assume false;");
    assert_ne!(blocks[0].statements[0].point, blocks[0].terminator.point);
}

#[test]
fn synthetic_code_is_marked() {
    let (module, _) = lower("procedure p() returns (r: int) { r := 1; }");
    let blocks = module.procedures[0].blocks.as_ref().expect("the body is sound");
    let origins: Vec<Origin> = blocks[0].statements.iter().map(|s| s.origin).collect();
    assert_eq!(origins, [Origin::Synthetic, Origin::Source]);
}

#[test]
fn many_unique_constants_are_numbered() {
    let names: Vec<String> = (0..17).map(|number| format!("c{number}")).collect();
    let (module, _) = lower(&format!("const unique {}: int;", names.join(", ")));
    assert_eq!(module.axioms.len(), 17);
    assert!(module.functions.iter().any(|function| function.name == "unique int"));
    let (module, _) = lower("const unique a, b, c: int;");
    assert_eq!(module.axioms.len(), 3);
}

#[test]
fn large_numbers_are_kept() {
    let large = "123456789012345678901234567890";
    let (module, _) = lower(&format!("const c: int; axiom c == {large};"));
    assert!(ir::print_brief(&module).contains(large));
}

#[test]
fn what_is_not_modelled_is_noted_and_stays_in_the_module() {
    let (module, diagnostics) =
        lower("procedure p(x: real) { assert x + x > x; } procedure q() { assert true; }");
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.severity == Severity::Note));
    assert_eq!(diagnostics.len(), 1);
    let unsupported = |index: usize| {
        let blocks = module.procedures[index].blocks.iter().flatten();
        blocks
            .flat_map(|block| &block.statements)
            .filter(|statement| matches!(statement.kind, StatementKind::Unsupported { .. }))
            .count()
    };
    assert_eq!((unsupported(0), unsupported(1)), (1, 0));
}

#[test]
fn an_axiom_that_is_left_out_taints_what_depends_on_it() {
    let (module, _) = lower(
        "function f(x: int): int; function g(x: int): int { f(x) } function h(x: int): int;
         function alone(x: int): int;
         axiom (forall x: int :: real(f(x)) < 2.0);
         axiom (forall x: int :: h(x) == g(x));
         procedure p() { assert h(1) == 1; } procedure q() { assert alone(1) == 1; }",
    );
    let begins = |index: usize| {
        let blocks = module.procedures[index].blocks.as_ref().expect("the body is sound");
        let first = blocks[0].statements.first();
        first.is_some_and(|first| matches!(first.kind, StatementKind::Unsupported { .. }))
    };
    assert_eq!((begins(0), begins(1)), (true, false));
}

#[test]
fn a_map_that_would_hold_itself_is_unsupported() {
    let (module, diagnostics) = lower(
        "type Field a; type H = <a>[Field a]a; const f: Field H; const g: Field int;
         procedure p(h: H) returns (r: H) requires h[g] > 0; { r := h; r[f] := h; }",
    );
    assert_eq!(diagnostics.len(), 1);
    let procedure = &module.procedures[0];
    assert_eq!(procedure.contract.requires.len(), 1);
    let blocks = procedure.blocks.as_ref().expect("the body is there");
    assert!(matches!(blocks[0].statements[0].kind, StatementKind::Unsupported { .. }));
}

#[test]
fn functions_and_variables_may_share_names() {
    let (module, diagnostics) =
        lower("var x: int; function x(i: int): int; procedure x(y: int) { assert x(x) == y; }");
    assert_eq!(diagnostics, []);
    assert_eq!(module.functions[0].name, "x#2");
    assert_eq!(module.globals[0].name, "x");
}

#[test]
fn a_local_hides_a_global_and_a_bound_variable_both() {
    let (module, diagnostics) = lower(
        "var x: bool; procedure p() { var x: int; x := 1; assert (exists x: bv8 :: x == 3bv8); }",
    );
    assert_eq!(diagnostics, []);
    assert_eq!(module.procedures[0].locals[0].ty, ir::Type::Int);
}

#[test]
fn a_loop_knows_what_where_says_of_the_variables_it_changes() {
    let (module, diagnostics) = lower(
        "var g: int where g > 1; procedure change(); modifies g;
         procedure p(n: int) returns (r: int where r > 2) modifies g;
         { var x: int where x > 3; var y: int where y > 4;
           while (n > 0) { r := r + 1; call change(); while (*) { havoc x; } } }",
    );
    assert_eq!(diagnostics, []);
    let printed = ir::print_brief(&module);
    let facts: Vec<&str> =
        printed.lines().filter_map(|line| line.trim().strip_prefix("free invariant ")).collect();
    assert_eq!(facts, ["1 < g;", "2 < r;", "3 < x;", "3 < x;"]);
}

#[test]
fn nothing_leads_out_of_a_loop_whose_guard_is_true() {
    let (module, _) = lower("procedure p() { while (true) { } assert false; }");
    let blocks = module.procedures[0].blocks.as_ref().expect("the body is sound");
    let leads = blocks.iter().any(|block| {
        matches!(block.terminator.kind, ir::TerminatorKind::Branch(..))
            || matches!(&block.terminator.kind, ir::TerminatorKind::Goto(to) if to.len() > 1)
    });
    assert!(!leads);
}

#[test]
fn what_a_faulty_declaration_touches_is_left_out_of_open_maps_too() {
    let (module, diagnostics) = lower(
        "function any<T>(): T; type Field T; const f: Field Bool;
         procedure p() returns (h: <T>[Field T]T) { h := any()[f := true]; }",
    );
    assert_eq!(diagnostics.len(), 1);
    assert!(module.procedures[0].blocks.is_none());
}

#[test]
fn a_constructor_whose_field_has_another_type_is_left_out() {
    let (_, diagnostics) = lower(
        "datatype D { A(i: int), B(i: bool) } procedure p(d: D) { assert d->i == 1 || d == B(true); }",
    );
    assert_eq!(diagnostics.len(), 1);
}

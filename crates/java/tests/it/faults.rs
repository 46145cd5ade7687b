//! Faults have their place, and the rest of the file is still lowered.

/// The errors of a text: the text at each place, and the message.
fn errors(text: &str) -> Vec<(String, String)> {
    let (module, diagnostics) = java::lower("Test.java", text);
    assert!(ir::validate(&module).is_empty());
    let errors = diagnostics.iter().filter(|d| d.severity == ir::Severity::Error);
    errors
        .map(|d| {
            let place = text.get(d.span.start as usize..d.span.end as usize).unwrap_or("");
            (place.to_owned(), d.to_string())
        })
        .collect()
}

#[test]
fn what_is_not_java_is_reported_with_its_place() {
    let found = errors("class A { void f() { int x = ; } void g() { } }");
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn a_name_in_a_specification_that_is_not_known_is_reported_in_the_comment() {
    let found = errors("class A {\n//@ requires y > 0;\nvoid f(int x) { } }");
    assert_eq!(found, [("y".to_owned(), "unknown name `y` in a specification".to_owned())]);
}

#[test]
fn a_clause_that_is_broken_is_reported_and_the_next_is_read() {
    let found = errors("class A {\n//@ requires x > ;\n//@ ensures z;\nvoid f(int x) { } }");
    let places: Vec<&str> = found.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(places, [";", "z"]);
}

#[test]
fn a_formula_that_is_broken_is_reported_in_the_annotation() {
    let found = errors("class A { A next; @Requires(\"l.*nex in\") void f(A l) { } }");
    assert_eq!(found.len(), 1, "{found:?}");
    let found = errors("class A { A next; @Requires(\"l.*nex in l\") void f(A l) { } }");
    assert_eq!(found[0].0, "nex");
}

#[test]
fn what_is_sound_and_not_modelled_is_noted() {
    let text =
        "class A { void f() { Runnable r = () -> { }; } void g(double y) { double x = y / 2.0; } }";
    let (module, diagnostics) = java::lower("Test.java", text);
    assert!(diagnostics.iter().all(|d| d.severity == ir::Severity::Note), "{diagnostics:?}");
    let messages: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        ["a lambda expression is not modelled", "floating-point division is not modelled"]
    );
    assert!(ir::print(&module).contains("unsupported"));
}

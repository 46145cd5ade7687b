//! Deep and long texts.

use std::time::{Duration, Instant};

use super::lower;

const DEEP: usize = 10_000;

fn is_sound(text: &str) -> ir::Module {
    let (module, diagnostics) = lower(text);
    assert_eq!(diagnostics, []);
    module
}

#[test]
fn expressions_may_be_deep() {
    for (open, close) in [
        ("(", ")"),
        ("!(", ")"),
        ("(true ==> ", ")"),
        ("(if true then true else ", ")"),
        ("(forall i: int :: ", ")"),
        ("(var y := true; y && ", ")"),
        ("f(", ")"),
    ] {
        let text = format!(
            "function f(x: bool): bool; procedure p() {{ assert {}true{}; }}",
            open.repeat(DEEP),
            close.repeat(DEEP)
        );
        let module = is_sound(&text);
        assert!(module.procedures[0].blocks.is_some());
    }
    let chain = "true ==> ".repeat(DEEP);
    is_sound(&format!("procedure p() {{ assert {chain} true; }}"));
    let sum = "1 + ".repeat(DEEP);
    is_sound(&format!("procedure p() {{ assert {sum} 1 > 0; }}"));
}

#[test]
fn statements_may_be_deep() {
    let text = format!(
        "procedure p(x: int) {{ {} assert x > 0; {} }}",
        "if (x > 0) {".repeat(DEEP),
        "}".repeat(DEEP)
    );
    is_sound(&text);
    let text = format!(
        "procedure p(x: int) {{ {} break; {} }}",
        "while (x > 0) {".repeat(DEEP),
        "}".repeat(DEEP)
    );
    is_sound(&text);
    let text = format!(
        "procedure p(x: int) {{ {} {{ assert true; }} }}",
        "if (x > 0) { assert x > 0; } else ".repeat(DEEP)
    );
    is_sound(&text);
}

#[test]
fn deep_types_are_refused() {
    for (open, close) in [("(", ")"), ("[int]", ""), ("[", "]int")] {
        let text = format!("var x: {}int{};", open.repeat(DEEP), close.repeat(DEEP));
        let (_, diagnostics) = lower(&text);
        assert!(diagnostics[0].message.starts_with("types nest at most"), "{diagnostics:?}");
    }
}

#[test]
fn types_that_grow_are_refused() {
    let mut text = "type T0 = [int]int;\n".to_owned();
    for number in 1..100 {
        text.push_str(&format!("type T{number} = [T{}]T{};\n", number - 1, number - 1));
    }
    text.push_str("var x: T99;\n");
    let (_, diagnostics) = lower(&text);
    assert!(diagnostics.iter().any(|d| d.message == "this type is too large"), "{diagnostics:?}");
}

#[test]
fn instances_that_grow_end() {
    let text = "type List a; function nil<a>(x: a): List a;
        function grow<a>(x: a): int { grow(nil(x)) + 1 }
        procedure p() { assert grow(1) > 0; }";
    let (module, diagnostics) = lower(text);
    assert!(!diagnostics.is_empty());
    assert!(module.functions.len() < 1_000);
}

/// A procedure of some lines, half structured, half not.
fn procedure(number: usize, lines: usize) -> String {
    let mut text = format!(
        "procedure p{number}(x: int) returns (y: int)\n  requires x > 0;\n  modifies g;\n{{\n"
    );
    for line in 0..lines / 5 {
        text.push_str(&format!(
            "  L{line}: y := x + {line};\n  g[y] := f(y, x);\n  if (y > {line}) {{\n    \
             assert g[y] == f(y, x);\n  }} else {{ goto L{}, L{line}; }}\n",
            (line * 7) % (lines / 5)
        ));
    }
    text.push_str("}\n");
    text
}

#[test]
fn a_long_text_is_lowered_soon() {
    let mut text = "var g: [int]int;\nfunction f(x: int, y: int): int;\n".to_owned();
    for number in 0..5 {
        text.push_str(&procedure(number, 10_000));
    }
    assert!(text.lines().count() > 50_000);
    let start = Instant::now();
    let module = is_sound(&text);
    assert_eq!(module.procedures.len(), 5);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn many_procedures_and_faults_are_lowered_soon() {
    let mut text = String::new();
    for number in 0..5_000 {
        text.push_str(&format!(
            "const unique c{number}: int;\nvar v{number}: int where v{number} > 0;\n\
             function f{number}(x: int): int {{ f{}(x) + c{number} }}\n\
             procedure p{number}() {{ assert f{number}(1) > unknown{number}; }}\n",
            (number + 1) % 5_000
        ));
    }
    let start = Instant::now();
    let (_, diagnostics) = lower(&text);
    assert!(diagnostics.len() > 50);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

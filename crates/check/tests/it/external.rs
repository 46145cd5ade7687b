//! External code: failures that it decides are not reported, and failures whatever it returns are.

use super::findings;

/// A procedure whose `x` comes from elsewhere, with this behind it.
fn with_external(body: &str) -> Vec<String> {
    findings(&format!(
        "proc f(n: bv32)\n{{\n  var x: bv32;\n  entry:\n    havoc x because external;\n    {body}\n}}\n"
    ))
}

#[test]
fn what_external_code_decides_is_not_reported() {
    assert_eq!(with_external("assert slt(0bv32, x); exit;"), Vec::<String>::new());
    assert_eq!(with_external("assert x != n; exit;"), Vec::<String>::new());
}

#[test]
fn what_fails_whatever_external_code_returns_is_reported() {
    let found = with_external("assert x + 1bv32 == x \"it grows\"; exit;");
    assert_eq!(found, ["6 assertion: it grows"]);
    let found = with_external("assert n != 7bv32 || x == x + n \"not seven\"; exit;");
    assert_eq!(found, ["6 assertion: not seven"]);
}

#[test]
fn a_failure_that_does_not_depend_on_external_code_is_found_behind_one_that_does() {
    let found = with_external("assert slt(0bv32, x) && n != 7bv32 \"both\"; exit;");
    assert_eq!(found, ["6 assertion: both"]);
}

#[test]
fn a_side_that_the_procedure_itself_tests_is_its_own() {
    let text = "branch x == 0bv32 ? zero : other;\n  zero:\n    assert false || n != n \"never zero\"; \
                exit;\n  other:\n    exit;";
    let found = with_external(text);
    assert_eq!(found[0], "8 assertion: never zero whenever the condition at line 6 is true");
}

#[test]
fn what_a_contract_leaves_open_is_reported_unless_it_is_external() {
    let text = |clause: &str| {
        format!(
            "proc g() returns (y: bv32){clause};\nproc f()\n{{\n  var x: bv32;\n  entry:\n    \
             x := call g();\n    assert x != 0bv32 \"not zero\";\n    exit;\n}}\n"
        )
    };
    assert_eq!(findings(&text("")), ["7 assertion: not zero"]);
    assert_eq!(findings(&text(" external")), Vec::<String>::new());
}

//! Tests of the front end by itself: what becomes of small programs, of faulty ones and of damaged ones.
//! What checking makes of Java is tested by the goldens in `tests/golden/java` of the workspace.

mod damage;
mod faults;
mod heap;
mod mutants;
mod specification;

/// Lowers a text without faults, and gives the module as text.
fn lowered(text: &str) -> String {
    let (module, diagnostics) = java::lower("Test.java", text);
    let faults: Vec<String> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == ir::Severity::Error)
        .map(ToString::to_string)
        .collect();
    assert!(faults.is_empty(), "{faults:?}");
    ir::print(&module)
}

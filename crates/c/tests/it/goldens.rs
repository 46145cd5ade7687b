//! The text of what small functions become, to be read by people.
//!
//! With `UPDATE=1` in the environment the texts are written instead of compared.

use crate::fixture::{lowered, path};

#[test]
fn small_functions() {
    let text = ir::print_brief(&lowered("golden"));
    let path = path("golden.vir");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, text).expect("the golden can be written");
        return;
    }
    let expected = std::fs::read_to_string(path).expect("the golden exists");
    assert!(text == expected, "run with UPDATE=1 and read what changed:\n{text}");
}

/// What is printed in full can be read back.
#[test]
fn printed_and_parsed() {
    for name in ["golden", "arithmetic", "control", "memory", "faults", "unmodelled"] {
        let module = lowered(name);
        let (read, diagnostics) = ir::parse("again.vir", &ir::print(&module));
        assert!(diagnostics.is_empty(), "{name}: {:?}", diagnostics.first());
        assert!(read == ir::canonical(&module), "{name} is read back as it was");
    }
}

//! The fixtures as text, compared with the expectation next to each.
//!
//! After a change on purpose, `UPDATE=1 cargo test -p bitcode --test goldens` rewrites them; read
//! the difference. That the text is right in the first place is checked against `llvm-dis` by
//! `scripts/compare-bitcode`.

use std::fs;
use std::path::Path;

fn check(fixture: &str) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inputs");
    let bytes = fs::read(directory.join(fixture).with_extension("bc")).expect("a fixture");
    let text = bitcode::decode(&bytes).expect("a sound fixture").to_string();
    let golden = directory.join(fixture).with_extension("txt");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&golden, &text).expect("a writable expectation");
    }
    let expected = fs::read_to_string(&golden).expect("an expectation");
    for (number, (ours, expected)) in (1..).zip(text.lines().zip(expected.lines())) {
        assert_eq!(ours, expected, "line {number} of {fixture}");
    }
    assert_eq!(text.lines().count(), expected.lines().count(), "the length of {fixture}");
}

#[test]
fn control_flow_by_clang_15() {
    check("control-15");
}

#[test]
fn control_flow_by_clang_19() {
    check("control-19");
}

#[test]
fn data_by_clang_15() {
    check("data-15");
}

#[test]
fn data_by_clang_19() {
    check("data-19");
}

#[test]
fn exceptions_by_clang_15() {
    check("throw-15");
}

#[test]
fn exceptions_by_clang_19() {
    check("throw-19");
}

//! Deep and long texts.

use std::time::{Duration, Instant};

use crate::check::{messages, read};

/// A text nested this deep is read, checked, printed and read again.
const DEEP: usize = 10_000;

fn survives(source: &str) {
    let start = Instant::now();
    let module = read(source);
    let text = ir::print(&module);
    assert!(read(&text) == ir::canonical(&module));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

fn nested(open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(DEEP), close.repeat(DEEP))
}

#[test]
fn deep_nesting() {
    let conditions = [
        nested("(", "true", ")"),
        nested("!", "true", ""),
        nested("(true && ", "true", ")"),
        nested("true ==> ", "true", ""),
        nested("if b then b else ", "b", ""),
        nested("(if ", "b", " then b else b)"),
        nested("m[m[", "0", "] + 1]") + " == 0",
        nested("-", "x", "") + " == 0",
        nested("(some y: int :: y == 0 && ", "true", ")"),
        nested("{ y: bool | ", "b", " }[b]"),
        nested("old(", "b", ")"),
        "true".to_owned() + &" && b".repeat(100_000),
        "x".to_owned() + &" + x".repeat(100_000) + " == 0",
        "m".to_owned() + &"[x := x]".repeat(10_000) + " == m",
    ];
    for condition in conditions {
        survives(&format!(
            "var x: int; var b: bool; var m: [int]int; proc p() {{ assert {condition}; exit; }}"
        ));
    }
}

#[test]
fn nesting_without_end_is_a_diagnostic() {
    for source in [
        format!("axiom {}", "(".repeat(3_000_000)),
        format!("axiom {}", "f(".repeat(1_000_000)),
        format!("var x: {}int;", "[int]".repeat(1_000_000)),
        format!("var x: {}", "seq<".repeat(1_000_000)),
        format!("axiom x == {};", "9".repeat(3_000_000)),
        "{".repeat(3_000_000),
        "/*".repeat(1_000_000),
        "\"".repeat(3_000_000),
        "proc p() {".repeat(300_000),
    ] {
        let start = Instant::now();
        let (_, diagnostics) = ir::parse("test.vir", &source);
        assert!(!diagnostics.is_empty());
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{:?}",
            messages(&source, &diagnostics[..1])
        );
    }
}

#[test]
fn ten_megabytes() {
    let procedure = include_str!("examples/memory.vir");
    let body = &procedure[procedure.find("proc copy").expect("there is such a procedure")
        ..procedure.find("proc indirect").expect("there is such a procedure")];
    let mut source = procedure.to_owned();
    let mut count = 0;
    while source.len() < 10_000_000 {
        source.push_str(&body.replacen("proc copy", &format!("proc copy_{count}"), 1));
        count += 1;
    }
    let start = Instant::now();
    let module = read(&source);
    let elapsed = start.elapsed();
    assert_eq!(module.procedures.len(), count + 4);
    println!("{} bytes in {elapsed:?}", source.len());
    assert!(elapsed < Duration::from_secs(30), "{elapsed:?}");
}

//! Whatever the text is, lowering ends with a valid module.

use std::path::Path;

/// The goldens and figures of the workspace.
fn texts() -> Vec<String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let folders = ["golden/java", "figures/jackson", "figures/doomed"];
    let entries = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(tests.join(folder)).expect("the folder is there"));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "java"));
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("it can be read")).collect()
}

fn check(text: &str) {
    let (module, diagnostics) = java::lower("Test.java", text);
    assert!(ir::validate(&module).is_empty());
    for diagnostic in diagnostics {
        assert!(!diagnostic.to_string().contains("bug of Indict"), "{diagnostic}");
        assert!(diagnostic.span.file.0 > 0 || diagnostic.span.end as usize <= text.len());
    }
}

#[test]
fn texts_that_end_early() {
    for text in texts() {
        for part in 1..24 {
            let mut end = text.len() * part / 24;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            check(&text[..end]);
        }
    }
}

#[test]
fn texts_with_something_else_in_them() {
    let others = ["", "}", "{", "(", ";", "\"", "/*@", "int", "null", "*next", "'", "\u{e9}"];
    let mut random = fastrand::Rng::with_seed(8);
    for text in texts() {
        for _ in 0..60 {
            let mut damaged: Vec<char> = text.chars().collect();
            for _ in 0..random.usize(1..4) {
                let at = random.usize(0..damaged.len());
                let other = others[random.usize(0..others.len())];
                damaged.splice(at..(at + random.usize(0..6)).min(damaged.len()), other.chars());
            }
            check(&damaged.into_iter().collect::<String>());
        }
    }
}

#[test]
fn what_nests_deeply() {
    let depth = 2_000;
    check(&format!(
        "class A {{ int f() {{ return {}1{}; }} }}",
        "(".repeat(depth),
        ")".repeat(depth)
    ));
    check(&format!("class A {{ int f(int x) {{ return {}x; }} }}", "-".repeat(depth)));
    check(&format!("class A {{ void f() {{ {} {} }} }}", "{".repeat(depth), "}".repeat(depth)));
    check(&format!("class A {{ //@ requires {}true;\n void f() {{ }} }}", "!".repeat(depth)));
}

//! Generated input: functions of megabytes, of thousands of pointers, recursion without end.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Output;

use super::{directory, indict, printed};

fn checked(directory: &Path, text: &str) -> Output {
    fs::write(directory.join("a.c"), text).unwrap();
    let mut command = indict(&["check", "a.c", "-v"]);
    command.current_dir(directory).env("XDG_CACHE_HOME", directory.join(".cache"));
    command.output().unwrap()
}

#[test]
fn a_function_of_two_megabytes_is_unknown_within_the_budget() {
    let directory = directory("large_function");
    let mut text = String::from("unsigned mix(unsigned a, unsigned b)\n{\n");
    for line in 0.. {
        if text.len() > 2 << 20 {
            break;
        }
        let _ = writeln!(text, "    if (a > {line}) b = (b * {line}) ^ (a >> {});", line % 31);
    }
    text.push_str("    return b;\n}\nint small(int a, int b)\n{\n    if (b == 0) return a / b;\n    return 1;\n}\n");
    let output = checked(&directory, &text);
    let report = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert!(report.contains("in `small`"), "{report}");
    assert!(report.contains("mix    unknown: budget"), "{report}");
    assert!(!report.contains("internal error"), "{report}");
}

#[test]
fn recursion_without_end_is_no_trouble() {
    let directory = directory("large_recursion");
    let text = "\
int down(int n) { return down(n - 1) + 1; }
int ping(int n); int pong(int n) { return ping(n) + 1; }
int ping(int n) { return pong(n + 1); }
int after(int n) { if (n < 0) { int *p = 0; return *p; } return down(n); }
";
    let output = checked(&directory, text);
    let report = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert!(report.contains("in `after`"), "{report}");
    assert!(!report.contains("internal error"), "{report}");
}

#[test]
fn thousands_of_pointers_are_no_trouble() {
    let directory = directory("large_pointers");
    let mut text = String::from(
        "struct node { struct node *next; int value; };\nint walk(struct node *p)\n{\n",
    );
    for number in 0..2000 {
        let before = if number == 0 { "p".to_owned() } else { format!("p{}", number - 1) };
        let _ = writeln!(
            text,
            "    struct node *p{number} = {before}->next; p{number}->value = {number};"
        );
    }
    text.push_str("    return p1999->value;\n}\nint small(int a, int b)\n{\n    if (b == 0) return a / b;\n    return 1;\n}\n");
    let output = checked(&directory, &text);
    let report = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert!(report.contains("in `small`"), "{report}");
    assert!(report.contains("walk   unknown: budget"), "{report}");
    assert!(!report.contains("internal error"), "{report}");
}

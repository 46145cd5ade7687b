//! The other commands.

use super::{expect, printed, run};

#[test]
fn help_is_as_it_was_read_last() {
    expect("help.txt", &printed(&run(&["--help"])));
    expect("help_check.txt", &printed(&run(&["check", "--help"])));
}

#[test]
fn rules_are_listed_and_explained() {
    let output = run(&["rules"]);
    expect("rules.txt", &printed(&output));
    for rule in printed(&output).lines().take_while(|line| !line.is_empty()) {
        let name = rule.split(' ').next().unwrap();
        let page = run(&["explain", name]);
        assert_eq!(page.status.code(), Some(0));
        assert!(printed(&page).contains(&format!("({name})")));
    }
    expect("explain.txt", &printed(&run(&["explain", "contract/postcondition"])));
}

#[test]
fn a_rule_that_does_not_exist_is_told_with_the_nearest() {
    let output = run(&["explain", "null-deref"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.starts_with(
            "error: there is no rule `null-deref`; did you mean `null-dereference`?\n"
        )
    );
}

#[test]
fn completions_and_manual_pages_are_written() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(printed(&run(&["completions", shell])).contains("unroll"), "{shell}");
    }
    assert!(printed(&run(&["man"])).contains(".TH indict 1"));
    assert!(printed(&run(&["man", "check"])).contains(".TH indict-check 1"));
    assert_eq!(run(&["man", "chek"]).status.code(), Some(2));
}

#[test]
fn the_version_is_printed() {
    let expected = format!("indict {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(printed(&run(&["--version"])), expected);
}

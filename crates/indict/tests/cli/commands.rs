//! The other commands.

use super::{expect, printed, run};

#[test]
fn help_is_as_it_was_read_last() {
    expect("help.txt", &printed(&run(&["--help"])));
    expect("help_check.txt", &printed(&run(&["check", "--help"])));
    expect("help_check_short.txt", &printed(&run(&["check", "-h"])));
}

/// The subcommands, as the help lists them.
fn subcommands() -> Vec<String> {
    let help = printed(&run(&["-h"]));
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    list.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn short_help_has_one_line_per_option_and_long_help_no_trailing_blanks() {
    let all = subcommands();
    assert!(all.iter().any(|name| name == "check"), "{all:?}");
    for name in all.iter().filter(|name| *name != "help") {
        let short = printed(&run(&[name, "-h"]));
        let options = short.lines().filter(|line| line.starts_with("   "));
        for line in options {
            assert!(line.trim_start().starts_with('-'), "{name}: {line}");
        }
        let long = printed(&run(&[name, "--help"]));
        assert!(!long.lines().any(|line| line.ends_with(' ')), "{name}");
        assert!(!long.contains("\n\n\n"), "{name}");
    }
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

//! The other commands.

use super::{directory, expect, indict, printed, run};

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
fn a_rule_that_does_not_exist_is_reported_with_the_nearest() {
    let output = run(&["explain", "null-deref"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.starts_with(
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

const SESSION: &str = "[[rule]]\nname = \"session-misuse\"\ntitle = \"Misused session\"\nlevel = \"warning\"\n\
    cwe = [664]\nexplanation = \"A session is opened twice.\"\n[[property]]\nname = \"session\"\n\
    states = [\"closed\", \"open\"]\n[[property.operation]]\nfunctions = [\"session_open\"]\n\
    moves = [\"closed -> open\", \"open -> error session-misuse\"]\n";

const TWICE: &str = "struct session; void session_open(struct session *);\n\
    void f(struct session *s)\n{\n    session_open(s);\n    session_open(s);\n}\n";

/// A rule that a file of properties makes is like any other.
#[test]
fn rules_of_properties_are_listed_explained_selected_and_suppressed() {
    let directory = directory("property_rules");
    std::fs::write(directory.join("session.toml"), SESSION).unwrap();
    std::fs::write(directory.join("a.c"), TWICE).unwrap();
    let allow =
        "    // indict: allow(session-misuse) because it is a test\n    session_open(s);\n}";
    let suppressed = TWICE.replace("    session_open(s);\n}", allow);
    std::fs::write(directory.join("b.c"), suppressed).unwrap();
    let text = |arguments: &[&str]| {
        let mut command = indict(arguments);
        command.args(["--property", "session.toml"]).current_dir(&directory);
        printed(&command.output().unwrap())
    };
    assert!(text(&["rules"]).contains("session-misuse    A session is opened twice."));
    let page = text(&["explain", "session-misuse"]);
    assert!(page.starts_with("Misused session (session-misuse)"), "{page}");
    assert!(page.contains("Level: warning (CWE-664)."), "{page}");
    for choice in ["session-misuse", "all", "+session-misuse"] {
        let found = text(&["check", "a.c", "--no-cache", "--rule", choice]);
        assert!(found.starts_with("warning[session-misuse]: "), "--rule {choice}: {found}");
        assert!(found.contains("--> a.c:5:"), "--rule {choice}: {found}");
    }
    for arguments in [["a.c", "-session-misuse"], ["b.c", "all"], ["a.c", "double-lock"]] {
        let found = text(&["check", arguments[0], "--no-cache", "--rule", arguments[1]]);
        assert!(found.starts_with("no findings"), "{arguments:?}: {found}");
    }
    let sarif = text(&["check", "a.c", "--no-cache", "--format", "sarif"]);
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["level"], "warning");
    let artifact = &sarif["runs"][0]["artifacts"][0]["location"];
    assert_eq!((&artifact["uri"], &artifact["uriBaseId"]), (&"a.c".into(), &"%SRCROOT%".into()));
}

#[test]
fn a_property_cannot_take_the_name_of_a_built_in_rule() {
    let directory = directory("property_collision");
    std::fs::write(directory.join("a.toml"), SESSION.replace("session-misuse", "assertion"))
        .unwrap();
    let mut command = indict(&["rules", "--property", "a.toml"]);
    let output = command.current_dir(&directory).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("a.toml:1: the rule `assertion` is built in"), "{message}");
}

/// All rules find what the default ones find, those of summaries too.
#[test]
fn all_rules_include_those_of_summaries() {
    let directory = directory("all_rules");
    let text = "#include <pthread.h>\nstatic pthread_mutex_t m;\n\
                int twice(void)\n{\n    pthread_mutex_lock(&m);\n    pthread_mutex_lock(&m);\n    return 1;\n}\n";
    std::fs::write(directory.join("l.c"), text).unwrap();
    let found = |arguments: &[&str]| {
        let mut command = indict(&["check", "l.c", "--no-cache"]);
        printed(&command.args(arguments).current_dir(&directory).output().unwrap())
    };
    for arguments in [&[][..], &["--rule", "all"], &["--rule", "double-lock"]] {
        assert!(found(arguments).starts_with("error[double-lock]: "), "{arguments:?}");
    }
}

//! `indict formula`.

use std::fs;

use super::{directory, expect, printed, run};

const ACCESS: [&str; 3] = ["formula", "examples/vir/doomed.vir", "access"];

#[test]
fn figure_1_is_shown_in_the_notation_of_the_paper() {
    let output = run(&ACCESS);
    assert_eq!(output.status.code(), Some(0));
    expect("formula.txt", &printed(&output));
}

#[test]
fn figure_1_is_shown_in_smt_lib() {
    let output = run(&[&ACCESS[..], &["--smt"]].concat());
    assert_eq!(output.status.code(), Some(0));
    expect("formula_smt.txt", &printed(&output));
}

#[test]
fn help_is_as_it_was_read_last() {
    expect("help_formula.txt", &printed(&run(&["formula", "--help"])));
}

/// Calls are followed to a depth, loops are gone, and what the source calls the procedure is enough.
#[test]
fn a_procedure_is_prepared_before_it_is_shown() {
    let deep = printed(&run(&["formula", "examples/vir/reverse.vir", "Reverse"]));
    let flat = printed(&run(&["formula", "examples/vir/reverse.vir", "Reverse", "--inline", "0"]));
    assert!(flat.len() < deep.len());
    let directory = directory("formula");
    let path = directory.join("named.vir");
    fs::write(&path, "proc f() as \"List.delete\" { exit; }").unwrap();
    let output = run(&["formula", path.to_str().unwrap(), "List.delete"]);
    assert!(printed(&output).starts_with("List.delete: 2 blocks"));
}

#[test]
fn what_has_no_formulas_is_reported_with_what_to_do() {
    let directory = directory("no_formula");
    let path = directory.join("several.vir");
    let text = "proc declared();\nproc one() as \"f\" { exit; }\nproc two() as \"f\" { exit; }\n\
                proc faulty() { x := 1; exit; }\n";
    fs::write(&path, text).unwrap();
    let several = path.to_str().unwrap();
    let message = |arguments: &[&str]| {
        let output = run(&[&["formula"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        let message = String::from_utf8(output.stderr).unwrap();
        message.replace(several, "several.vir").lines().next().unwrap_or_default().to_owned()
    };
    let example = "examples/vir/doomed.vir";
    let expected =
        "error: there is no procedure `acess` in `examples/vir/doomed.vir`; did you mean `access`?";
    assert_eq!(message(&[example, "acess"]), expected);
    assert_eq!(
        message(&["examples/vir", "f"]),
        "error: `examples/vir` is a directory; name one file in it"
    );
    assert_eq!(
        message(&["missing.vir", "f"]),
        "error: there is no file or directory `missing.vir`"
    );
    let unknown = message(&["README.md", "f"]);
    assert!(unknown.starts_with("error: unsupported file type `README.md`; supported: ."));
    assert_eq!(
        message(&[several, "declared"]),
        "error: `declared` is only declared; formulas are made from a body"
    );
    assert_eq!(
        message(&[several, "f"]),
        "error: several procedures are called `f`; name one of `one`, `two`"
    );
    assert!(message(&[several, "faulty"]).contains("has faults: several.vir:4:17: "));
    assert_eq!(
        message(&["examples/vir/reverse.vir", "Reverse", "--smt"]),
        "error: SMT-LIB cannot say this simply: the procedure uses records; without `--smt` the formulas are written for people"
    );
}

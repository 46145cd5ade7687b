//! `indict check`.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use super::{directory, expect, indict, printed, run};

const WRONG: &str =
    "proc f(x: int)\n{\n  entry:\n    assert x != 7 \"x is seven\";\n    exit;\n}\n";
const RIGHT: &str = "proc f(x: int)\n{\n  entry:\n    assert x == x \"x differs\";\n    exit;\n}\n";

/// Checks an example, compares the report, and returns the rules and functions of its findings.
fn example(name: &str) -> Vec<String> {
    let path = format!("examples/vir/{name}.vir");
    let output = run(&["check", &path]);
    assert_eq!(output.status.code(), Some(1));
    expect(&format!("{name}.txt"), &printed(&output));
    let json = run(&["check", &path, "--format", "json"]);
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let tell =
        |f: &Value| format!("{} {} {}", text(&f["function"]), text(&f["rule"]), text(&f["detail"]));
    report["findings"].as_array().unwrap().iter().map(tell).collect()
}

#[test]
fn delete_breaks_its_postcondition_and_dereferences_null() {
    let expected = ["delete contract postcondition", "delete null-dereference -"];
    assert_eq!(example("delete"), expected);
}

#[test]
fn maps_store_both_is_wrong_and_swap_is_right() {
    assert_eq!(example("maps"), ["store_both contract postcondition"]);
}

#[test]
fn container_of_breaks_the_link() {
    let found = example("container_of");
    assert!(matches!(found.as_slice(), [one] if one.starts_with("device_id ")), "{found:?}");
}

#[test]
fn reverse_breaks_its_postcondition() {
    assert_eq!(example("reverse"), ["Reverse contract postcondition"]);
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    let with = |jobs| printed(&run(&["check", "examples/vir", "--jobs", jobs]));
    assert_eq!(with("1"), with("2"));
}

#[test]
fn exit_codes_tell_clean_from_findings_from_failure() {
    let directory = directory("exit_codes");
    fs::write(directory.join("right.vir"), RIGHT).unwrap();
    fs::write(directory.join("wrong.vir"), WRONG).unwrap();
    fs::write(directory.join("broken.vir"), "proc {").unwrap();
    let code = |arguments: &[&str]| {
        let mut command = indict(&["check"]);
        command.current_dir(&directory).args(arguments).output().unwrap().status.code()
    };
    assert_eq!(code(&["right.vir"]), Some(0));
    assert_eq!(code(&["wrong.vir"]), Some(1));
    assert_eq!(code(&["broken.vir"]), Some(2));
    assert_eq!(code(&["right.vir", "missing.vir"]), Some(2));
    assert_eq!(code(&["wrong.vir", "missing.vir"]), Some(1), "findings come first");
    assert_eq!(code(&["wrong.vir", "--rule", "doomed"]), Some(0));
    assert_eq!(code(&["wrong.vir", "--rule", "-assertion"]), Some(0));
    assert_eq!(code(&["wrong.vir", "--rule", "nonsense"]), Some(2));
    assert_eq!(code(&["right.vir", "--unroll", "many"]), Some(2));
    assert_eq!(code(&["right.vir", "--config", "missing.toml"]), Some(2));
    assert_eq!(code(&["right.vir", "--output", "missing/report.txt"]), Some(2));
    assert_eq!(code(&["right.vir", "--dump", "dot", "out"]), Some(2));
    assert_eq!(code(&[]), Some(1), "the whole directory");
}

#[test]
fn json_and_sarif_are_well_formed() {
    for (format, version) in [("json", Value::from(1)), ("sarif", Value::from("2.1.0"))] {
        let output = run(&["check", "examples/vir", "missing.vir", "--format", format]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["version"], version);
    }
}

#[test]
fn the_configuration_is_found_above_and_its_faults_are_reported() {
    let directory = directory("configuration");
    fs::create_dir(directory.join("below")).unwrap();
    fs::write(directory.join("below/right.vir"), RIGHT).unwrap();
    fs::write(directory.join("below/wrong.vir"), WRONG).unwrap();
    let configure = |text: &str| fs::write(directory.join("indict.toml"), text).unwrap();
    configure("int-bits = 12\nexclude = [\"wrong.*\"]\nno-cache = true\n");
    let check = |arguments: &[&str]| {
        let mut command = indict(&["check"]);
        command.current_dir(directory.join("below")).args(arguments).output().unwrap()
    };
    let output = check(&["."]);
    assert_eq!(output.status.code(), Some(0));
    expect("configuration.txt", &printed(&output));
    let output = check(&[".", "--int-bits", "16"]);
    assert!(printed(&output).contains("int bits 16;"), "the command line wins");

    configure("scope = 2\nunrol = 1\ninline = \"x\"\n");
    let output = check(&["wrong.vir"]);
    assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: ../indict.toml:2:1: unknown key `unrol`; did you mean `unroll`?\n\
         error: ../indict.toml:3:10: expected a whole number from 0 to 100\n"
    );
}

#[test]
fn without_paths_the_working_directory_is_checked() {
    let directory = directory("no_paths");
    fs::create_dir(directory.join("below")).unwrap();
    fs::write(directory.join("below/wrong.vir"), WRONG).unwrap();
    fs::write(directory.join("notes.txt"), "").unwrap();
    let check = || indict(&["check"]).current_dir(&directory).output().unwrap();
    let output = check();
    assert_eq!(output.status.code(), Some(1));
    let text = printed(&output);
    assert!(text.contains("below/wrong.vir:4:5"), "{text}");
    assert!(text.contains("note: skipped 1 unsupported file: .txt (1)"), "{text}");

    // A compilation database lists the files that are checked.
    fs::create_dir(directory.join("build")).unwrap();
    fs::write(directory.join("build/compile_commands.json"), "[]").unwrap();
    let output = check();
    assert_eq!(output.status.code(), Some(2));
    let text = printed(&output);
    assert!(text.contains("checking the files of build/compile_commands.json"), "{text}");
    assert!(!text.contains("wrong.vir"), "{text}");
}

#[test]
fn verbose_lists_verdicts_suppressions_and_times() {
    let directory = directory("verbose");
    let text = WRONG.replace("    exit", "    // nothing\n    exit");
    let text = text.replace(";\n    //", "; // indict: allow(assertion) because I say so\n    //");
    fs::write(directory.join("a.vir"), text).unwrap();
    let mut command = indict(&["check", "a.vir", "--verbose"]);
    let output = command.current_dir(&directory).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let text = printed(&output);
    for part in [
        "a.vir:1:1  f  findings\n",
        "suppressed: a.vir:4:5: assertion: x is seven, because I say so\n",
        "slowest of 1 procedure, ",
        " s  a.vir:1:1  f: 2 points, ",
        " lines/s (CPU)",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    assert!(text.lines().last().unwrap().starts_with("no findings; 1 procedure analysed"));
}

#[test]
fn a_file_is_written_whole_and_without_colour() {
    let directory = directory("output");
    let path = directory.join("report.txt");
    fs::write(&path, "what was there before").unwrap();
    let output = run(&["check", "examples/vir/maps.vir", "-o", path.to_str().unwrap()]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let written = fs::read(&path).unwrap();
    assert!(written.starts_with(b"error[contract/postcondition]"));
    assert!(!written.contains(&0x1b));
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut command = indict(&["check", "examples/vir"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_dump_can_be_checked_in_place_of_what_it_was_made_from() {
    let directory = directory("dump");
    let path = directory.to_str().unwrap();
    let first = run(&["check", "examples/vir/maps.vir", "--dump", "vir", path]);
    let dumped = directory.join("examples/vir/maps.vir");
    let second = run(&["check", dumped.to_str().unwrap()]);
    assert_eq!(printed(&first), printed(&second));
}

#[test]
fn formulas_and_proofs_can_be_dumped_and_belong_together() {
    let directory = directory("formulas");
    let path = directory.to_str().unwrap();
    let forms = ["aiger", "dimacs", "proof"];
    let mut args = vec!["check", "examples/vir/maps.vir"];
    forms.iter().for_each(|form| args.extend(["--dump", form, path]));
    assert_eq!(run(&args).status.code(), Some(1));
    let formulas = directory.join("examples/vir/maps.vir.d");
    let circuit = fs::read_to_string(formulas.join("swap.over.aag")).unwrap();
    assert!(circuit.starts_with("aag "), "{circuit}");
    assert!(circuit.contains("exit"), "{circuit}");
    let mut proofs = 0;
    for entry in fs::read_dir(&formulas).unwrap() {
        let proof = entry.unwrap().path();
        if proof.extension().is_some_and(|extension| extension == "lrat") {
            let formula = fs::read_to_string(proof.with_extension("cnf")).unwrap();
            let formula = sat::dimacs::parse(&formula).unwrap();
            let text = fs::read_to_string(&proof).unwrap();
            assert_eq!(sat::proof::check(&formula, &text), Ok(()), "{}", proof.display());
            proofs += 1;
        }
    }
    assert!(proofs > 0, "something was refuted");
}

//! `indict why` and `--assume`: why nothing is reported on a line, and trusted assumptions that are switched off.

use std::collections::BTreeSet;
use std::path::Path;

use super::{directory, indict, run};

/// The rules and lines of what is found in a file.
fn findings(file: &Path, arguments: &[&str]) -> BTreeSet<(String, u64)> {
    let file = file.to_str().unwrap();
    let output = run(&[&["check", file, "--no-store", "--format", "json"], arguments].concat());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let line = |place: &serde_json::Value| place["start"]["line"].as_u64().unwrap();
    findings
        .map(|finding| (finding["rule"].as_str().unwrap().to_owned(), line(&finding["place"])))
        .collect()
}

#[test]
fn each_assumption_keeps_its_example_silent_and_evidence_lifts_it() {
    let folder = directory("assumptions");
    for assumption in driver::ASSUMPTIONS {
        let name = assumption.name;
        let [silent, reported] = [("silent", assumption.silent), ("reported", assumption.reported)]
            .map(|(kind, text)| {
                let path = folder.join(format!("{name}_{kind}.c"));
                std::fs::write(&path, format!("{text}\n")).unwrap();
                path
            });
        assert_eq!(findings(&silent, &[]), BTreeSet::new(), "{name} is silent");
        let others: Vec<String> =
            assumption.along_with.iter().map(|other| format!("--assume=-{other}")).collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        let without = format!("--assume=-{name}");
        let before = findings(&silent, &others);
        let after = findings(&silent, &[&others[..], &[&without]].concat());
        assert!(!after.is_subset(&before), "{name} is reported once it is switched off: {after:?}");
        assert!(!findings(&reported, &[]).is_empty(), "{name} is lifted by evidence");
    }
}

#[test]
fn each_obligation_of_a_line_has_its_reason() {
    let folder = directory("why");
    let text = "int f(int *p) { return *p; }\n\nint g(int *p)\n{\n    int n = 2;\n    if (!p)\n        \
                n = 1;\n    return n / *p;\n}\n";
    std::fs::write(folder.join("a.c"), text).unwrap();
    let why = |arguments: &[&str]| {
        let arguments = [&["why"], arguments].concat();
        let output = indict(&arguments).current_dir(&folder).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, message) = why(&["a.c:1"]);
    assert_eq!(code, Some(0));
    assert!(
        message.starts_with(
            "a.c:1:24: null-dereference in f(), if `p` is null\n    not reported because of the \
             assumption untested-input: the pointer is assumed not to be null, since the function \
             does not test it\n    to report it: --assume -untested-input\n"
        ),
        "{message}"
    );
    assert!(message.contains("use-after-free in f()"), "{message}");
    assert!(message.contains("    no execution fails\n"), "{message}");
    let (_, message) = why(&["a.c:8"]);
    assert!(
        message.contains("null-dereference in g(), if `p` is null\n    reported: "),
        "{message}"
    );
    assert!(message.contains("division-by-zero in g()"), "{message}");
    let (_, message) = why(&["a.c:8", "--rule", "-null-dereference"]);
    assert!(
        message.contains("    not checked; to check it: --rule +null-dereference\n"),
        "{message}"
    );
    let (code, message) = why(&["a.c", "--format", "json"]);
    assert_eq!(code, Some(0));
    let json: serde_json::Value = serde_json::from_str(&message).unwrap();
    let obligations = json["obligations"].as_array().unwrap();
    let assumed = obligations.iter().find(|one| one["status"] == "assumed").unwrap();
    assert_eq!(assumed["assumptions"][0]["name"], "untested-input");
    assert!(obligations.iter().any(|one| one["status"] == "reported"));
}

#[test]
fn lines_without_obligations_and_unknown_files_are_reported() {
    let folder = directory("why_not");
    std::fs::write(folder.join("a.c"), "int f(int *p)\n{\n    return *p;\n}\n").unwrap();
    let refused = |arguments: &[&str]| {
        let output = indict(arguments).current_dir(&folder).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(
        refused(&["why", "a.c:2"]),
        "error: there are no obligations on line 2 of a.c; the nearest are on line 3\n"
    );
    assert_eq!(refused(&["why", "a.c:9"]), "error: a.c has 4 lines; there is no line 9\n");
    assert_eq!(refused(&["why", "b.c:2"]), "error: there is no file `b.c`\n");
    let directory = "error: `.` is a directory; expected FILE[:LINE]\n";
    assert_eq!(refused(&["why", "."]), directory);
    assert!(refused(&["why", "a.c:x"]).starts_with("error: `x` is not the number of a line"));
    let message = refused(&["check", "a.c", "--assume", "-untested"]);
    assert!(
        message.contains("there is no assumption `untested`; did you mean `untested-input`?"),
        "{message}"
    );
    std::fs::write(folder.join("indict.toml"), "assume = [\"-trip-cuont\"]\n").unwrap();
    let message = refused(&["check", "a.c"]);
    assert!(
        message.contains("there is no assumption `trip-cuont`; did you mean `trip-count`?"),
        "{message}"
    );
    std::fs::write(folder.join("indict.toml"), "assume = [\"-untested-input\"]\n").unwrap();
    let output = indict(&["check", "a.c"]).current_dir(&folder).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn files_without_assumptions_are_explained_too() {
    let folder = directory("why_vir");
    let text = "proc half(n: int) returns (h: int)\n{\n  entry:\n    assert n != 7 \"seven has no \
                half\";\n    assert n == n \"itself\";\n    h := n div 2;\n    exit;\n}\n";
    std::fs::write(folder.join("a.vir"), text).unwrap();
    let output = indict(&["why", "a.vir"]).current_dir(&folder).output().unwrap();
    let message = String::from_utf8(output.stdout).unwrap();
    assert!(
        message.contains("assertion in half(), if seven has no half\n    reported: "),
        "{message}"
    );
    assert!(message.contains("if itself\n    no execution within the bounds fails: "), "{message}");
}

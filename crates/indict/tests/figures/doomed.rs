//! *It's Doomed; We Can Prove It*: Figures 1, 2, 3 and 6, Table 3 and Table 4, in Boogie, and the figures in C.

use crate::{expect, folder, report};

/// What is doomed in a file, as procedures, with how often.
fn doomed(file: &str) -> Vec<String> {
    let text = report(&folder("figures/doomed"), &["--rule", "doomed", "--format", "json", file]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("the report is JSON");
    let findings = json["findings"].as_array().expect("there is a list of findings");
    findings.iter().map(|finding| finding["function"].as_str().unwrap_or("?").to_owned()).collect()
}

#[test]
fn figure_1_is_doomed_on_the_side_without_a_pointer() {
    assert_eq!(doomed("trivial.bpl"), ["main"]);
}

#[test]
fn figure_2_is_doomed_by_the_end_of_its_loop() {
    assert_eq!(doomed("loop.bpl"), ["getMin"]);
}

#[test]
fn figure_3_is_not_doomed() {
    assert!(doomed("complex.bpl").is_empty());
}

#[test]
fn figure_6_is_doomed_by_what_comes_before() {
    assert_eq!(doomed("pathprog.bpl"), ["pathprog"]);
}

#[test]
fn table_3_all_nine_bugs_are_found_and_nothing_else() {
    let expected = ["tp1", "tp2", "tp3", "tp4", "tp5", "tp6", "itp1", "itp2", "itp3"];
    assert_eq!(doomed("null_pointers.bpl"), expected);
}

#[test]
fn the_reports_are_worth_reading() {
    let folder = folder("figures/doomed");
    for name in ["trivial", "loop", "complex", "pathprog", "null_pointers"] {
        let text = report(&folder, &["--rule", "doomed", &format!("{name}.bpl")]);
        expect(&folder.join(format!("{name}.txt")), &text);
    }
}

/// The findings in a C file: rules, and the lines that they mention.
fn found_in_c(file: &str) -> Vec<(String, Vec<u64>)> {
    let text = report(&folder("figures/doomed-c"), &["--format", "json", file]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("the report is JSON");
    let line = |value: &serde_json::Value| value["place"]["start"]["line"].as_u64();
    let findings = json["findings"].as_array().expect("there is a list of findings");
    let lines = findings.iter().map(|finding| {
        let related = finding["related"].as_array().cloned().unwrap_or_default();
        let lines = line(finding).into_iter().chain(related.iter().filter_map(line));
        (finding["rule"].as_str().unwrap_or("?").to_owned(), lines.collect())
    });
    lines.collect()
}

/// Line n of a figure is line n + 10 of its file.
#[test]
fn figures_in_c_are_doomed_where_the_paper_says() {
    let found = |rule: &str, lines: &[u64]| vec![(rule.to_owned(), lines.to_vec())];
    assert_eq!(
        found_in_c("trivial.c"),
        found("null-dereference", &[16, 13]),
        "line 6, on the other side of the branch"
    );
    assert_eq!(
        found_in_c("loop.c"),
        found("out-of-bounds", &[22, 13]),
        "line 12, because of the bound in line 3"
    );
    assert_eq!(found_in_c("complex.c"), Vec::new());
    assert_eq!(
        found_in_c("pathprog.c"),
        found("null-dereference", &[13, 11, 12]),
        "line 3, because of line 1"
    );
}

/// `--rule doomed` asks for nothing but what fails in every execution, and says so.
#[test]
fn what_the_rule_finds_fails_in_every_execution() {
    let folder = folder("golden/boogie");
    let text = report(&folder, &["--rule", "doomed", "--format", "json", "."]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("the report is JSON");
    let findings = json["findings"].as_array().expect("there is a list of findings");
    let is_every = |finding: &&serde_json::Value| {
        finding["extent"].as_str().is_some_and(|extent| extent.starts_with("every-execution"))
    };
    assert!(findings.len() >= 5, "{} are found", findings.len());
    assert_eq!(findings.iter().filter(is_every).count(), findings.len());
    assert!(findings.iter().any(|finding| finding["rule"] == "assertion"));
}

/// The goldens: every `_bad` is reported, no `_ok` is, and each has its twin.
#[test]
fn every_bad_procedure_is_reported_and_no_other() {
    let folder = folder("golden/boogie");
    let mut procedures = 0;
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "bpl"))
        .collect();
    files.sort();
    for path in files {
        let name = path.file_name().and_then(|name| name.to_str()).expect("names are text");
        let json = report(&folder, &["--format", "json", name]);
        let json: serde_json::Value = serde_json::from_str(&json).expect("the report is JSON");
        let listed = json["procedures"].as_array().expect("there is a list of procedures");
        for procedure in listed {
            let subject = procedure["name"].as_str().expect("it has a name");
            let verdict = procedure["verdict"].to_string();
            if subject.ends_with("_bad") {
                let twin = subject.replace("_bad", "_ok");
                assert!(listed.iter().any(|other| other["name"] == twin.as_str()), "{twin}");
                assert!(verdict.contains("findings"), "{name}: {subject}: {verdict}");
            } else if !verdict.contains("skipped") {
                assert!(verdict.contains("none-within-bounds"), "{name}: {subject}: {verdict}");
            }
            procedures += 1;
        }
        let text = report(&folder, &[name]);
        expect(&path.with_extension("txt"), &text);
    }
    assert!(procedures >= 60, "{procedures}");
}

//! The goldens of summaries: locks and leaks, each `_bad` with a twin `_ok` that differs in one line. What is
//! marked is found on the line where it is marked, and nothing else is.

use std::collections::BTreeMap;

use crate::{folder, report};

/// Rules and lines, by function.
type Marks = BTreeMap<String, Vec<(String, Vec<u64>)>>;

/// The marks in a text: `/* indict: RULE */` on the line where it is to be found.
fn marked(text: &str) -> Marks {
    let mut marks = Marks::new();
    let mut function = String::new();
    for (line, text) in (1..).zip(text.lines()) {
        let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if let (true, false, Some((before, _))) =
            (begins, text.ends_with(';'), text.split_once('('))
        {
            let name = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
            function = name.unwrap_or_default().to_owned();
        }
        if let Some((_, mark)) = text.split_once("/* indict: ") {
            let rule = mark.split_whitespace().next().expect("a mark names a rule");
            marks.entry(function.clone()).or_default().push((rule.to_owned(), vec![line]));
        }
    }
    marks
}

/// What is found in a file: rules, and the lines that the finding speaks of.
fn found(directory: &str, file: &str) -> Marks {
    let rules = ["double-lock", "double-unlock", "lock-imbalance", "memory-leak"];
    let mut arguments: Vec<&str> = rules.iter().flat_map(|rule| ["--rule", rule]).collect();
    arguments.extend(["--format", "json", file]);
    let text = report(&folder(directory), &arguments);
    let json: serde_json::Value = serde_json::from_str(&text).expect("the report is JSON");
    let mut marks = Marks::new();
    for finding in json["findings"].as_array().expect("there is a list of findings") {
        let line = |value: &serde_json::Value| value["place"]["start"]["line"].as_u64();
        let function = finding["function"].as_str().unwrap_or("?").to_owned();
        let rule = finding["rule"].as_str().unwrap_or("?").to_owned();
        let lines = line(finding).into_iter().collect();
        marks.entry(function).or_default().push((rule, lines));
    }
    marks.values_mut().for_each(|found| found.sort());
    marks
}

fn all_are_right(directory: &str, least: usize) {
    let folder = folder(directory);
    let mut files: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder exists")
        .filter_map(|entry| entry.expect("it can be read").file_name().into_string().ok())
        .filter(|name| name.ends_with(".c"))
        .collect();
    files.sort();
    let mut count = 0;
    for file in files {
        let text = std::fs::read_to_string(folder.join(&file)).expect("the file can be read");
        let mut expected = marked(&text);
        expected.values_mut().for_each(|marks| marks.sort());
        count += expected.values().map(Vec::len).sum::<usize>();
        assert_eq!(found(directory, &file), expected, "{file}");
    }
    assert!(count >= least, "{count} are marked");
}

#[test]
fn locks_are_told_right() {
    all_are_right("golden/locks", 40);
}

#[test]
fn leaks_are_told_right() {
    all_are_right("golden/leaks", 35);
}

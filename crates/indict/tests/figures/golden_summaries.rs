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

/// The findings in files that are checked together: rules, and the lines that the findings mention.
fn found(directory: &str, files: &[&str]) -> Marks {
    let rules = ["double-lock", "double-unlock", "lock-imbalance", "memory-leak", "double-free"];
    let mut arguments: Vec<&str> = rules.iter().flat_map(|rule| ["--rule", rule]).collect();
    arguments.extend(["--no-cache", "--format", "json"]);
    arguments.extend(files);
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

/// The names of the C files in a folder, sorted.
fn files_in(directory: &str) -> Vec<String> {
    let mut files: Vec<String> = std::fs::read_dir(folder(directory))
        .expect("the folder exists")
        .filter_map(|entry| entry.expect("it can be read").file_name().into_string().ok())
        .filter(|name| name.ends_with(".c"))
        .collect();
    files.sort();
    files
}

/// Checks files together, and returns how many marks they have.
fn are_right(directory: &str, files: &[&str]) -> usize {
    let mut expected = Marks::new();
    for file in files {
        let text = std::fs::read_to_string(folder(directory).join(file));
        expected.append(&mut marked(&text.expect("the file can be read")));
    }
    expected.values_mut().for_each(|marks| marks.sort());
    assert_eq!(found(directory, files), expected, "{files:?}");
    expected.values().map(Vec::len).sum()
}

/// Checks the files of a folder one by one, and those of the folder `several` in it together.
fn all_are_right(directory: &str, least: usize) {
    let mut count = 0;
    for file in files_in(directory) {
        count += are_right(directory, &[&file]);
    }
    let several = format!("{directory}/several");
    let files = files_in(&several);
    count += are_right(&several, &files.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(count >= least, "{count} are marked");
}

#[test]
fn locks_are_right() {
    all_are_right("golden/locks", 60);
}

#[test]
fn leaks_are_right() {
    all_are_right("golden/leaks", 60);
}

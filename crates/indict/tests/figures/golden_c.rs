//! The goldens of C: each marked bug is found where it is marked, and nothing else is. Known misses are named
//! `fn_…`, few of a hundred, and the reasons are in `known.txt` beside them; a function that is no longer missed
//! leaves the list. The machine shows all findings, except those in `unshown.txt`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::{expect, folder, indict, report};

/// What is expected of, or found in, a function: rules and lines.
type Marks = BTreeMap<String, Vec<(String, Vec<u64>)>>;

/// The marks in a text, by function: `/* indict: RULE */` on the line where it is to be found.
fn marked(text: &str) -> Marks {
    let mut marks = Marks::new();
    let mut function = String::new();
    for (line, text) in (1..).zip(text.lines()) {
        if let Some(name) = defined(text) {
            function = name;
        }
        if let Some((_, mark)) = text.split_once("/* indict: ") {
            let rule = mark.split_whitespace().next().expect("a mark names a rule");
            let entry = marks.entry(function.clone()).or_default();
            entry.push((rule.to_owned(), vec![line]));
        }
    }
    marks
}

/// The function whose definition begins on a line.
fn defined(line: &str) -> Option<String> {
    let begins = line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !begins || line.trim_end().ends_with(';') || line.starts_with("typedef") {
        return None;
    }
    let (before, _) = line.split_once('(')?;
    let name = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

/// The findings in a file, by function: rules, and the lines that the finding mentions. The functions in which the
/// machine does not show the finding are added to a list.
fn found(file: &str, unshown: &mut BTreeSet<String>) -> Marks {
    let rule =
        file.strip_prefix("optional_").map(|rest| format!("+{}", rest.trim_end_matches(".c")));
    let mut arguments = vec![file];
    if let Some(rule) = &rule {
        arguments.extend(["--rule", rule]);
    }
    found_with("golden/c", &arguments, unshown)
}

/// What is found in a folder with these arguments.
fn found_with(directory: &str, arguments: &[&str], unshown: &mut BTreeSet<String>) -> Marks {
    let arguments = [&["--replay", "--format", "json"], arguments].concat();
    let text = report(&folder(directory), &arguments);
    let json: serde_json::Value = serde_json::from_str(&text).expect("the report is JSON");
    let mut marks = Marks::new();
    for finding in json["findings"].as_array().expect("there is a list of findings") {
        let line = |value: &serde_json::Value| value["place"]["start"]["line"].as_u64();
        let list = |name: &str| finding[name].as_array().cloned().unwrap_or_default();
        let failures = list("trace").into_iter().filter(|step| step["kind"] == "failure");
        let mut lines: Vec<u64> = line(finding).into_iter().collect();
        lines.extend(failures.chain(list("related")).filter_map(|step| line(&step)));
        let function = finding["function"].as_str().unwrap_or("?").to_owned();
        if finding["confirmation"]["how"] != "confirmed-by-execution" {
            unshown.insert(function.clone());
        }
        let rule = finding["rule"].as_str().unwrap_or("?").to_owned();
        marks.entry(function).or_default().push((rule, lines));
    }
    marks
}

/// The functions that a file names, one on each line, with the reason behind it.
fn list(name: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(folder("golden/c").join(name)).expect("there is a list");
    let names = text.lines().filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

#[test]
fn what_is_not_found_yet_is_kept_apart() {
    let text = std::fs::read_to_string(folder("golden/later").join("cases.c"));
    let marks = marked(&text.expect("the file can be read"));
    assert!(marks.len() >= 9, "{} are marked", marks.len());
    assert!(marks.keys().all(|name| name.starts_with("fn_")), "{marks:?} are named as missed");
    let found = found_with("golden/later", &["cases.c"], &mut BTreeSet::new());
    assert!(found.is_empty(), "these are found now, or are right: {found:#?}");
}

#[test]
fn what_is_marked_is_found_and_nothing_else() {
    let folder = folder("golden/c");
    let (known, not_shown) = (list("known.txt"), list("unshown.txt"));
    let mut files: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder exists")
        .filter_map(|entry| entry.expect("it can be read").file_name().into_string().ok())
        .filter(|name| name.ends_with(".c"))
        .collect();
    files.sort();
    let (mut expected, mut missed, mut accused) = (0, BTreeSet::new(), Vec::new());
    let mut unshown = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(folder.join(&file)).expect("the file can be read");
        let (marks, found) = (marked(&text), found(&file, &mut unshown));
        for (function, marks) in &marks {
            expected += marks.len();
            let reported = found.get(function).map_or(&[][..], Vec::as_slice);
            let is_reported = marks.iter().all(|(rule, lines)| {
                let speaks =
                    |(found, at): &(String, Vec<u64>)| found == rule && at.contains(&lines[0]);
                reported.iter().any(speaks)
            });
            if !is_reported || reported.len() > marks.len() {
                missed.insert(function.clone());
            }
        }
        accused.extend(found.into_iter().filter(|(function, _)| !marks.contains_key(function)));
    }
    assert!(accused.is_empty(), "these are right: {accused:#?}");
    assert!(expected >= 240, "{expected} are marked");
    assert!(known.iter().all(|name| name.starts_with("fn_")), "{known:?} are named as missed");
    assert!(known.len() * 100 <= expected * 3, "{} of {expected} are missed", known.len());
    let surprises: Vec<&String> = missed.symmetric_difference(&known).collect();
    assert!(surprises.is_empty(), "known.txt and what is missed differ in {surprises:?}");
    let surprises: Vec<&String> = unshown.symmetric_difference(&not_shown).collect();
    assert!(surprises.is_empty(), "unshown.txt and what is not shown differ in {surprises:?}");
}

#[test]
fn callees_of_other_files_are_known_by_what_they_certainly_do() {
    let text = std::fs::read_to_string(folder("golden/c/several").join("users.c"));
    let marks = marked(&text.expect("the file can be read"));
    let mut unshown = BTreeSet::new();
    let found = found_with("golden/c/several", &["pool.c", "users.c"], &mut unshown);
    assert!(marks.len() >= 14, "{} are marked", marks.len());
    for (function, marks) in &marks {
        let reported = found.get(function).map_or(&[][..], Vec::as_slice);
        let (rule, lines) = &marks[0];
        let is_reported =
            |(found, at): &(String, Vec<u64>)| found == rule && at.contains(&lines[0]);
        assert!(
            reported.len() == 1 && is_reported(&reported[0]),
            "{function}: {reported:?}, not {marks:?}"
        );
    }
    let accused: Vec<&String> = found.keys().filter(|name| !marks.contains_key(*name)).collect();
    assert!(accused.is_empty(), "these are right: {accused:?}");
    assert!(unshown.is_empty(), "the machine does not show {unshown:?}");
    // One file alone knows nothing of the other.
    let alone = found_with("golden/c/several", &["users.c"], &mut unshown);
    assert!(alone.is_empty(), "{alone:?}");
}

#[test]
fn what_functions_certainly_do_is_reported() {
    let several = folder("golden/c/several");
    let reported = indict(&several, &["summaries", "pool.c", "--no-cache", "slot*"]);
    expect(&several.join("pool.txt"), &reported);
}

/// The findings in a file, each with rule, function, line and column.
fn places(folder: &Path, file: &str) -> BTreeSet<(String, String, u64, u64)> {
    let text = report(folder, &["--format", "json", "--no-cache", file]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("the report is JSON");
    let findings = json["findings"].as_array().expect("there is a list of findings");
    let word = |value: &serde_json::Value| value.as_str().unwrap_or("?").to_owned();
    let place = |finding: &serde_json::Value| {
        let start = &finding["place"]["start"];
        let number = |name: &str| start[name].as_u64().expect("it is a number");
        (word(&finding["rule"]), word(&finding["function"]), number("line"), number("column"))
    };
    findings.iter().map(place).collect()
}

#[test]
fn bitcode_has_the_same_findings_when_its_sources_are_gone() {
    let folder = folder("golden/c");
    let compiler = clang::Compiler::find(None, None).expect("there is a clang");
    let gone = std::env::temp_dir().join(format!("indict-gone-{}", std::process::id()));
    let kept = std::env::temp_dir().join(format!("indict-kept-{}", std::process::id()));
    std::fs::create_dir_all(&gone).expect("the directory can be made");
    std::fs::create_dir_all(&kept).expect("the directory can be made");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder exists")
        .filter_map(|entry| entry.expect("it can be read").file_name().into_string().ok())
        .filter(|name| name.ends_with(".c") && !name.starts_with("optional_"))
        .collect();
    names.sort();
    for name in &names {
        let copy = gone.join(name);
        std::fs::copy(folder.join(name), &copy).expect("the file can be copied");
        let command = clang::Command::plain(&copy, &clang::Flags::of(&[]));
        let bitcode = compiler.compile(&command).expect("it compiles");
        std::fs::write(kept.join(name).with_extension("bc"), bitcode.bytes).expect("it is written");
    }
    std::fs::remove_dir_all(&gone).expect("it can be removed");
    let mut surprises = Vec::new();
    let mut same = 0;
    for name in &names {
        let with = places(&folder, name);
        let without = places(&kept, &name.replace(".c", ".bc"));
        let nowhere: Vec<_> = without.iter().filter(|place| (place.2, place.3) == (1, 1)).collect();
        assert!(nowhere.is_empty(), "{name}: these have no place: {nowhere:?}");
        let lines = |places: &BTreeSet<(String, String, u64, u64)>| -> BTreeSet<_> {
            let places = places.iter().cloned();
            places.map(|(rule, function, line, _)| (rule, function, line)).collect()
        };
        let (with, without) = (lines(&with), lines(&without));
        same += with.intersection(&without).count();
        surprises.extend(with.symmetric_difference(&without).cloned());
    }
    std::fs::remove_dir_all(&kept).expect("it can be removed");
    assert!(surprises.is_empty(), "with and without sources these differ: {surprises:#?}");
    assert!(same >= 200, "only {same} are the same");
}

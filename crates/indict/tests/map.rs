//! ARCHITECTURE.md against the workspace: an unchecked map names crates that are gone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Crates, and the crates of the workspace that each depends on when it is not tested.
type Edges = BTreeMap<String, BTreeSet<String>>;

#[test]
fn the_table_of_edges_is_that_of_the_workspace() {
    let stated = stated_edges(&architecture());
    let real = real_edges();
    let differences = differences(&stated, &real);
    assert!(
        differences.is_empty(),
        "ARCHITECTURE.md, \"Crate edges\":\n{}\n\nThe rows of the workspace:\n{}",
        differences.join("\n"),
        table(&real),
    );
}

#[test]
fn each_crate_has_a_row_that_says_what_it_must_not_know() {
    let mut rows = BTreeMap::new();
    for row in rows_below(&architecture(), |cells| cells.last() == Some(&"must not know")) {
        *rows.entry(unquoted(&row[0]).to_owned()).or_insert(0) += 1;
    }
    let real = real_edges();
    let gone = rows.keys().filter(|name| !real.contains_key(*name));
    let gone = gone.map(|name| format!("`{name}` has a row, and there is no such crate"));
    let missing = real.keys().filter(|name| !rows.contains_key(*name));
    let missing = missing.map(|name| format!("the crate `{name}` has no row"));
    let twice = rows.iter().filter(|(_, count)| **count > 1);
    let twice = twice.map(|(name, count)| format!("`{name}` has {count} rows"));
    let differences: Vec<String> = gone.chain(missing).chain(twice).collect();
    assert!(
        differences.is_empty(),
        "ARCHITECTURE.md, \"must not know\":\n{}",
        differences.join("\n")
    );
}

/// Words of Rust that only some crates may use, by the crates that may.
const RESERVED: &[(&[&str], &[&str])] = &[
    (
        &["std::fs", "fs::read", "fs::write"],
        &["bench", "clang", "driver", "execute", "indict", "store"],
    ),
    (&["std::process", "process::Command"], &["bench", "clang", "execute", "indict"]),
    (&["std::env", "env::var"], &["bench", "cadical", "clang", "execute", "indict"]),
    (&["println!", "eprintln!"], &["bench"]),
    (&["std::net"], &[]),
];

/// Words that a crate must not use, as they belong to what it must not know. Examples of rules are C.
const FORBIDDEN: &[(&str, &[&str], &[&str])] = &[
    (
        "summary",
        &["spin_lock", "mutex", "kmalloc", "kfree", "malloc", "fopen", "ERR_PTR", "4095", "errno"],
        &["rules.rs"],
    ),
    ("c", &["Rule", "rule", "rules", "property::", "finding", "Finding"], &[]),
    (
        "driver",
        &["report::text", "report::json", "report::sarif", "report::page", "report::gallery"],
        &[],
    ),
    ("circuit", &["procedure", "statement", "Procedure", "Statement"], &[]),
    ("store", &["module", "procedure", "bitcode"], &[]),
];

#[test]
fn sources_do_not_mention_what_their_crate_must_not_know() {
    let mut faults = Vec::new();
    for name in real_edges().keys() {
        let reserved = RESERVED.iter().filter(|(_, crates)| !crates.contains(&name.as_str()));
        let reserved = reserved.flat_map(|(words, _)| words.iter().map(|word| (*word, &[][..])));
        let own = FORBIDDEN.iter().filter(|(of, ..)| of == name);
        let own = own.flat_map(|(_, words, but)| words.iter().map(|word| (*word, *but)));
        let words: Vec<(&str, &[&str])> = reserved.chain(own).collect();
        for (path, text) in sources(&root().join("crates").join(name).join("src")) {
            let is_but = |but: &[&str]| but.iter().any(|file| path.ends_with(file));
            for (word, _) in words.iter().filter(|(_, but)| !is_but(but)) {
                let lines = text.lines().zip(1..).filter(|(line, _)| mentions(line, word));
                faults.extend(lines.map(|(_, line)| format!("{path}:{line}: `{word}`")));
            }
        }
    }
    assert!(faults.is_empty(), "ARCHITECTURE.md, \"must not know\":\n{}", faults.join("\n"));
}

#[test]
fn words_are_whole_and_comments_do_not_count() {
    assert!(mentions("    let rule = 1;", "rule"));
    assert!(mentions("use std::fs::File;", "std::fs"));
    assert!(!mentions("    let ruler = overrule(1);", "rule"));
    assert!(!mentions("    /// A rule.", "rule"));
    assert!(!mentions("    a(); // by this rule", "rule"));
}

/// Whether a line of code has a word, comments left out.
fn mentions(line: &str, word: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        let ends = word.ends_with(is_part);
        !(before.is_some_and(is_part) || ends && after.is_some_and(is_part))
    })
}

/// The Rust files below a directory, by path, in order, without the tests at their ends.
fn sources(directory: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(directory).expect("each crate has sources");
    for entry in entries.map(|entry| entry.expect("it can be listed").path()) {
        if entry.is_dir() {
            found.extend(sources(&entry));
        } else if entry.extension().is_some_and(|end| end == "rs") {
            let text = std::fs::read_to_string(&entry).expect("sources are texts");
            let path = entry.strip_prefix(root()).unwrap_or(&entry).display().to_string();
            let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
            found.push((path, code.to_owned()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_difference_is_reported_by_crate() {
    let text = "| a | b, c |\n| d | |";
    let text = format!("| crate | depends on |\n| --- | --- |\n{text}\n\n| e | f |\n");
    let edges = |text: &[(&str, &[&str])]| -> Edges {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        text.iter().map(|(name, to)| ((*name).to_owned(), names(to))).collect()
    };
    let stated = stated_edges(&text);
    assert_eq!(stated, edges(&[("a", &["b", "c"]), ("d", &[])]));
    let real = edges(&[("a", &["b", "g"]), ("h", &[])]);
    let expected = [
        "`a` depends on `g`, and the table does not say so",
        "`a` does not depend on `c`, as the table says",
        "`d` is in the table, and there is no such crate",
        "`h` is a crate, and not in the table",
    ];
    assert_eq!(differences(&stated, &real), expected);
}

fn root() -> &'static Path {
    const { concat!(env!("CARGO_MANIFEST_DIR"), "/../..") }.as_ref()
}

fn architecture() -> String {
    std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the map is in the root")
}

/// The edges that the manifests have.
fn real_edges() -> Edges {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--format-version", "1"]).current_dir(root());
    let output = cargo.output().expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let list = |value: &Value| value.as_array().cloned().expect("this is a list");
    let name = |value: &Value| value["name"].as_str().expect("there is a name").to_owned();
    let edges = list(&metadata["packages"]).into_iter().map(|package| {
        let dependencies = list(&package["dependencies"]).into_iter();
        // A dependency without a kind is a normal one; those of the workspace have a path.
        let near = dependencies.filter(|to| to["kind"].is_null() && to["path"].is_string());
        (name(&package), near.map(|to| name(&to)).collect())
    });
    edges.collect()
}

/// The edges that the map has.
fn stated_edges(text: &str) -> Edges {
    let rows = rows_below(text, |cells| *cells == ["crate", "depends on"]);
    let edges = rows.into_iter().map(|row| {
        let names = row[1].split(',').map(|name| unquoted(name).to_owned());
        (unquoted(&row[0]).to_owned(), names.filter(|name| !name.is_empty()).collect())
    });
    edges.collect()
}

/// The rows of all tables whose header is such a one.
fn rows_below(text: &str, is_header: impl Fn(&[&str]) -> bool) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut is_wanted = None;
    for line in text.lines() {
        let cells = line.strip_prefix('|').and_then(|line| line.trim_end().strip_suffix('|'));
        let Some(cells) = cells else {
            is_wanted = None;
            continue;
        };
        let cells: Vec<&str> = cells.split('|').map(str::trim).collect();
        match is_wanted {
            None => is_wanted = Some(is_header(&cells)),
            Some(true) if !cells[0].starts_with("---") => {
                rows.push(cells.into_iter().map(str::to_owned).collect());
            }
            Some(_) => {}
        }
    }
    rows
}

fn unquoted(name: &str) -> &str {
    name.trim().trim_matches('`')
}

/// What the map says that is not so, and what it does not say.
fn differences(stated: &Edges, real: &Edges) -> Vec<String> {
    let mut differences = Vec::new();
    for name in stated.keys().chain(real.keys()).collect::<BTreeSet<_>>() {
        match (stated.get(name), real.get(name)) {
            (Some(stated), Some(real)) => {
                let unsaid = real.difference(stated);
                differences.extend(unsaid.map(|to| {
                    format!("`{name}` depends on `{to}`, and the table does not say so")
                }));
                let untrue = stated.difference(real);
                differences
                    .extend(untrue.map(|to| {
                        format!("`{name}` does not depend on `{to}`, as the table says")
                    }));
            }
            (Some(_), None) => {
                differences.push(format!("`{name}` is in the table, and there is no such crate"));
            }
            (None, _) => differences.push(format!("`{name}` is a crate, and not in the table")),
        }
    }
    differences
}

/// Edges as the map writes them.
fn table(edges: &Edges) -> String {
    let rows = edges.iter().map(|(name, to)| {
        let to: Vec<&str> = to.iter().map(String::as_str).collect();
        format!("| `{name}` | {} |", to.join(", "))
    });
    rows.collect::<Vec<_>>().join("\n")
}

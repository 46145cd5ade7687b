//! `docs/limits.md` against the modules `limits.rs` of all crates. `UPDATE=1` rewrites the file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A numeric limit: its name, its value as written, and the sentence that explains it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Limit {
    name: String,
    value: String,
    sentence: String,
}

#[test]
fn the_table_of_limits_is_that_of_the_sources() {
    let path = root().join("docs/limits.md");
    let table = table(&all_limits());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, table).expect("the file can be written");
        return;
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == table, "docs/limits.md is out of date: run this test with UPDATE=1");
}

#[test]
fn each_limit_has_a_sentence_and_a_name_of_its_own() {
    for (krate, limits) in all_limits() {
        let mut names = BTreeMap::new();
        for Limit { name, sentence, .. } in limits {
            assert!(sentence.ends_with('.'), "{krate}: `{name}` has no sentence");
            assert!(names.insert(name.clone(), ()).is_none(), "{krate}: `{name}` is there twice");
        }
    }
}

#[test]
fn limits_are_read_from_constants_with_their_comments() {
    let text = "//! Limits.\n\n/// Steps of a walk;\n/// beyond them it ends.\npub(crate) const STEPS: u32 = 1 << 4;\n\n\
                /// Wait.\npub const WAIT: Duration = Duration::from_secs(2);\n";
    let limit = |name: &str, value: &str, sentence: &str| Limit {
        name: name.to_owned(),
        value: value.to_owned(),
        sentence: sentence.to_owned(),
    };
    let expected = [
        limit("STEPS", "1 << 4", "Steps of a walk; beyond them it ends."),
        limit("WAIT", "2 s", "Wait."),
    ];
    assert_eq!(limits(text), expected);
}

/// The limits of all crates that have some, by crate.
fn all_limits() -> BTreeMap<String, Vec<Limit>> {
    let crates = std::fs::read_dir(root().join("crates")).expect("there are crates");
    let mut found = BTreeMap::new();
    for entry in crates {
        let path = entry.expect("the directory can be read").path();
        if let Ok(text) = std::fs::read_to_string(path.join("src/limits.rs")) {
            let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
            found.insert(name, limits(&text));
        }
    }
    assert!(!found.is_empty(), "no crate has limits");
    found
}

/// The constants of a text, each with the comment above it.
fn limits(text: &str) -> Vec<Limit> {
    let (mut limits, mut comment) = (Vec::new(), Vec::new());
    for line in text.lines() {
        if let Some(part) = line.strip_prefix("///") {
            comment.push(part.trim());
        } else if let Some((name, value)) = constant(line) {
            let sentence = comment.join(" ").replace("[`", "`").replace("`]", "`");
            limits.push(Limit { name, value, sentence });
            comment.clear();
        } else {
            comment.clear();
        }
    }
    limits
}

/// The name and value of a constant.
fn constant(line: &str) -> Option<(String, String)> {
    let declaration = line.trim_start_matches("pub(crate) ").trim_start_matches("pub ");
    let (name, rest) = declaration.strip_prefix("const ")?.split_once(':')?;
    let value = rest.split_once(" = ")?.1.strip_suffix(';')?;
    let duration =
        |unit: &str| value.strip_prefix(&format!("Duration::{unit}("))?.strip_suffix(')');
    let value = match (duration("from_secs"), duration("from_millis")) {
        (Some(seconds), _) => format!("{seconds} s"),
        (_, Some(milliseconds)) => format!("{milliseconds} ms"),
        (None, None) => value.to_owned(),
    };
    Some((name.trim().to_owned(), value))
}

fn table(all: &BTreeMap<String, Vec<Limit>>) -> String {
    let mut text = String::from(
        "# Limits\n\nThe numeric limits of each crate, from its module `limits.rs`: what each limits, and what happens beyond \
         it. Users set\nother bounds by flags, which `indict check --help` lists. A test compares this file with the \
         sources;\n`UPDATE=1 cargo test -p indict --test limits` rewrites it.\n",
    );
    for (krate, limits) in all {
        write!(text, "\n## {krate}\n\n| limit | value | meaning |\n| --- | --- | --- |\n")
            .expect("a string can be written to");
        for Limit { name, value, sentence } in limits {
            writeln!(text, "| `{name}` | {value} | {sentence} |")
                .expect("a string can be written to");
        }
    }
    text
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

//! Trusted assumptions by name, as `--assume` and `indict.toml` switch them, and their manual.

use std::fmt::Write as _;

use check::{ASSUMPTIONS, Principle};

use crate::nearest::suggestion;

/// Reads `NAME`, which switches an assumption on, or `-NAME`, which switches it off; `all` means all.
///
/// # Errors
/// If there is no assumption of this name; the message suggests the nearest.
pub fn assumption(text: &str) -> Result<(String, bool), String> {
    let (name, on) = match text.strip_prefix('-') {
        Some(name) => (name, false),
        None => (text.strip_prefix('+').unwrap_or(text), true),
    };
    let names = || ASSUMPTIONS.iter().map(|assumption| assumption.name);
    if name == "all" || names().any(|known| known == name) {
        return Ok((name.to_owned(), on));
    }
    let hint = match suggestion(name, names()) {
        hint if hint.is_empty() => "; docs/assumptions.md lists them".to_owned(),
        hint => hint,
    };
    Err(format!("there is no assumption `{name}`{hint}"))
}

/// Switches an assumption, or all.
pub(crate) fn switch(assumptions: &mut check::Assumptions, name: &str, on: bool) {
    match name {
        "all" if on => *assumptions = check::Assumptions::default(),
        "all" => *assumptions = assumptions.without(ASSUMPTIONS),
        name => {
            // A name that is none was refused when it was read.
            let _ = assumptions.switch(name, on);
        }
    }
}

const INTRODUCTION: &str = "\
# Trusted assumptions

C functions have no contracts. Indict therefore assumes that callers pass valid arguments and that unknown functions behave
well, until the function itself tests them: a failure is reported if *every* execution of its path class fails, that is, all
executions that take the same sides of the function's own tests as the failing one and have the same values where it
compares or masks some (`crates/check/src/path_class.rs`). The idea is that of Engler et al. 2001: a test states what the
author believes to be possible.

The assumptions below determine the path classes. They follow from a few principles, after which they are grouped. For each:
what is assumed, the evidence in a function that lifts it, and two functions that the tests check. The first is silent and is
reported with `--assume -NAME`; the second has the evidence and is reported.

    indict why list.c:12                     # why is nothing reported on this line?
    indict check list.c --assume -trip-count # switch an assumption off; repeatable, `-all` means all
    assume = [\"-trip-count\"]                 # the same in indict.toml

The inputs of a *program* are not trusted: `--entry main` checks `main` for every input and without assumptions.

This page is generated from `crates/check/src/assumptions`; `UPDATE=1 cargo test -p driver assumptions` writes it.
";

/// The manual of all assumptions, in Markdown.
pub fn assumptions_manual() -> String {
    let mut page = INTRODUCTION.to_owned();
    let listed = |principle: Principle| {
        let mut all: Vec<_> =
            ASSUMPTIONS.iter().filter(|assumption| assumption.principle == principle).collect();
        all.sort_by_key(|assumption| assumption.name);
        all
    };
    for principle in Principle::ALL {
        let (title, text) = principle.text();
        let _ = write!(page, "\n## {title}\n\n{text}\n");
        for assumption in listed(principle) {
            let (summary, rest) = assumption.described();
            let _ = write!(page, "\n### {}\n\n{summary}\n", assumption.name);
            if !rest.is_empty() {
                let _ = write!(page, "\n{rest}\n");
            }
            let _ = write!(page, "\nLifted by: {}.\n", assumption.lifted_by);
            if !assumption.along_with.is_empty() {
                let others: Vec<String> =
                    assumption.along_with.iter().map(|name| format!("`{name}`")).collect();
                let _ =
                    write!(page, "\nThe example is reported without {} too.\n", others.join(", "));
            }
            let _ = write!(page, "\nSilent:\n\n```c\n{}\n```\n", assumption.silent);
            let _ = write!(page, "\nReported:\n\n```c\n{}\n```\n", assumption.reported);
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{assumption, assumptions_manual};

    #[test]
    fn names_are_read_with_their_signs_and_unknown_ones_get_a_suggestion() {
        assert_eq!(assumption("-trip-count"), Ok(("trip-count".to_owned(), false)));
        assert_eq!(assumption("tag"), Ok(("tag".to_owned(), true)));
        let unknown = assumption("-tripcount").unwrap_err();
        assert_eq!(unknown, "there is no assumption `tripcount`; did you mean `trip-count`?");
    }

    #[test]
    fn the_page_of_assumptions_is_the_one_in_the_documentation() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/assumptions.md");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, assumptions_manual()).unwrap();
        }
        let page = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(assumptions_manual(), page, "docs/assumptions.md differs; UPDATE=1 writes it");
    }
}

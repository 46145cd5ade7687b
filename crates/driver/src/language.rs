//! The languages that can be checked. Adding one takes a line in [`LANGUAGES`].

use std::path::Path;

use ir::{Diagnostic, Module};

/// A language: how its files are recognised, lowered, and searched for comments.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// What it is called.
    pub name: &'static str,
    /// How its files' names end, without the dot.
    pub extensions: &'static [&'static str],
    /// What begins and ends a text or quoted name, so that what looks like a comment in there is
    /// none. Comments are C's.
    pub quotes: &'static [char],
    /// From a path and a text to a module. It never fails.
    pub lower: fn(&str, &str) -> (Module, Vec<Diagnostic>),
}

/// All languages.
pub const LANGUAGES: &[Language] =
    &[Language { name: "VIR", extensions: &["vir"], quotes: &['"', '`'], lower: ir::parse }];

/// The language of a file, by its name.
pub fn of_path(path: &Path) -> Option<&'static Language> {
    let extension = path.extension()?.to_str()?;
    LANGUAGES.iter().find(|language| language.extensions.contains(&extension))
}

/// What files of known languages are called: `.vir`, or `.c, .h or .vir`.
pub(crate) fn known_extensions() -> String {
    let all: Vec<String> = LANGUAGES
        .iter()
        .flat_map(|language| language.extensions.iter().map(|extension| format!(".{extension}")))
        .collect();
    match all.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

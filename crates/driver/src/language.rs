//! The languages that can be checked. Adding one takes a line in [`LANGUAGES`].

use std::path::Path;

use check::Search;
use explain::Presentation;
use ir::{Diagnostic, Module};
use report::{Note, Severity};

use crate::files::shown;

/// A language: how its files are recognised, lowered, and searched for comments.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// Its name.
    pub name: &'static str,
    /// The extensions of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// The delimiters of string literals and quoted names, in which there are no comments. Comments are those of C.
    pub quotes: &'static [char],
    /// How a file becomes a module.
    pub lower: Lower,
    /// How far the inputs of procedures without a contract are trusted.
    pub trust: Trust,
    /// How traces show state.
    pub presentation: Presentation,
    /// The order in which bounds grow.
    pub search: Search,
    /// Whether a text is in this language, where other languages have files with the same extension.
    pub accepts: Option<fn(&str) -> bool>,
    /// Rules that do not apply to it.
    pub leaves_out: &'static [&'static str],
}

impl Language {
    /// Whether its files are compiled to bitcode, with everything that they include.
    pub(crate) fn is_compiled(&self) -> bool {
        match self.lower {
            Lower::Text(_) | Lower::Linked(_) | Lower::Sourced(_) => false,
            Lower::Bitcode(_) | Lower::Compiled(_) => true,
        }
    }
}

/// How far the inputs of procedures without a contract are trusted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// Inputs are arbitrary.
    Never,
    /// Inputs are trusted until the procedure tests them.
    UntilTested,
    /// Inputs are trusted: objects satisfy invariants that are not written down.
    Always,
}

/// How a file becomes a module. It never fails.
#[derive(Clone, Copy, Debug)]
pub enum Lower {
    /// The file is a text: from its path and content.
    Text(fn(&str, &str) -> (Module, Vec<Diagnostic>)),
    /// The file is a text that imports other files by name.
    Linked(fn(&str, &str, &dyn resolve::Library) -> resolve::TableReport),
    /// The file is a text that refers to classes, whose sources are found by their packages.
    Sourced(FromSources),
    /// The file is bitcode.
    Bitcode(FromBitcode),
    /// The file is a text that a compiler turns into bitcode.
    Compiled(FromBitcode),
}

/// From bitcode, and the texts that it was made from, to a module.
pub type FromBitcode = fn(&bitcode::Module, &dyn c::Sources) -> (Module, Vec<Diagnostic>);

/// From a text, and where the files that it mentions are found, to a module.
pub type FromSources = fn(&str, &str, &dyn java::Sources) -> (Module, Vec<Diagnostic>);

/// All languages.
pub const LANGUAGES: &[Language] = &[
    Language {
        name: "Boogie",
        extensions: &["bpl"],
        quotes: &['"'],
        lower: Lower::Text(boogie::lower),
        trust: Trust::Never,
        presentation: Presentation::Plain,
        search: Search::Once,
        accepts: None,
        leaves_out: &[],
    },
    Language {
        name: "C",
        extensions: &["c", "i"],
        quotes: &['"', '\''],
        lower: Lower::Compiled(c::lower),
        trust: Trust::UntilTested,
        presentation: Presentation::Memory,
        search: Search::Unrolling,
        accepts: None,
        leaves_out: &[],
    },
    Language {
        name: "Java",
        extensions: &["java"],
        quotes: &['"', '\''],
        lower: Lower::Sourced(java::lower_with),
        trust: Trust::Always,
        presentation: Presentation::Objects,
        search: Search::Deepening,
        accepts: None,
        leaves_out: &[],
    },
    Language {
        name: "LLVM bitcode",
        extensions: &["bc"],
        quotes: &['"', '\''],
        lower: Lower::Bitcode(c::lower),
        trust: Trust::UntilTested,
        presentation: Presentation::Memory,
        search: Search::Unrolling,
        accepts: None,
        leaves_out: &[],
    },
    Language {
        name: "RESOLVE",
        extensions: &["rb", "fa", "en", "co"],
        quotes: &['"'],
        lower: Lower::Linked(resolve::read),
        trust: Trust::Never,
        presentation: Presentation::Plain,
        search: Search::Growing,
        accepts: Some(resolve::is_resolve),
        // Each obligation is a side exit, and many executions end there on purpose.
        leaves_out: &["doomed", "unreachable"],
    },
    Language {
        name: "VIR",
        extensions: &["vir"],
        quotes: &['"', '`'],
        lower: Lower::Text(ir::parse),
        trust: Trust::Never,
        presentation: Presentation::Plain,
        search: Search::Once,
        accepts: None,
        leaves_out: &[],
    },
];

impl Language {
    /// Whether its files are written by hand. Generated files are checked only if they are named.
    pub(crate) fn is_written(&self) -> bool {
        match self.lower {
            Lower::Text(_) | Lower::Linked(_) | Lower::Sourced(_) | Lower::Compiled(_) => true,
            Lower::Bitcode(_) => false,
        }
    }
}

/// The language of a file, by its name.
pub fn of_path(path: &Path) -> Option<&'static Language> {
    let extension = path.extension()?.to_str()?;
    LANGUAGES.iter().find(|language| language.extensions.contains(&extension))
}

/// Whether a file is read with others and not checked itself, by its name: headers, specifications of classes and
/// the configuration.
pub(crate) fn is_auxiliary(path: &Path) -> bool {
    let is_included = path.extension().is_some_and(|name| name == "h" || name == "jml");
    is_included || path.file_name().is_some_and(|name| name == crate::config::NAME)
}

/// The note on a file of an unsupported type.
pub(crate) fn unknown(path: &Path) -> Note {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let path = shown(path);
    let (severity, message) = match extension {
        "h" => (
            Severity::Note,
            format!("`{path}` is a header, which is checked with the files that include it"),
        ),
        "cc" | "cp" | "cpp" | "cxx" | "c++" | "C" | "CPP" | "ii" | "hh" | "hpp" | "hxx" => {
            (Severity::Error, format!("unsupported file type `{path}`: C++"))
        }
        _ => {
            let known = known_extensions();
            let message = format!("unsupported file type `{path}`; supported: {known}");
            (Severity::Error, message)
        }
    };
    Note { severity, message, place: None }
}

/// The extensions of all languages.
pub(crate) fn known_extensions() -> String {
    extensions(|_| true)
}

/// The extensions of the languages that are searched for in directories.
pub(crate) fn written_extensions() -> String {
    extensions(Language::is_written)
}

/// As in `.c, .i or .vir`.
fn extensions(are_meant: impl Fn(&Language) -> bool) -> String {
    let all: Vec<String> = LANGUAGES
        .iter()
        .filter(|language| are_meant(language))
        .flat_map(|language| language.extensions.iter().map(|extension| format!(".{extension}")))
        .collect();
    match all.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

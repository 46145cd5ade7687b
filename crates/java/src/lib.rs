//! The Java front end: from the text of a file to VIR, and what is wrong with the text.
//!
//! [`lower`] is all there is. It works in stages, each in files of its own: `read` makes a syntax of the
//! text by way of a grammar, `jml` and `alloy` read the specifications in comments and annotations,
//! `resolve` finds out what is declared and `lower` makes VIR of it; the table there says what becomes of
//! what. Classes of the library are known by signatures and small bodies of our own (`library/`).
//!
//! Methods are checked as Jackson and Vaziri do (*Finding Bugs with a Constraint Solver*, ISSTA 2000): a
//! field is a relation between objects, a contract a formula over relations, in JML or in their own
//! notation. This crate knows nothing of checkers, formulas, solvers, files and other languages.

mod alloy;
mod faults;
mod jml;
mod lower;
mod program;
mod read;
mod resolve;
mod spec;
mod syntax;
mod types;
mod walk;

use faults::Faults;
use resolve::File;

/// The library as far as it is known, in the same language.
const LIBRARY: [(&str, &str); 2] = [
    ("java/lang.java", include_str!("../library/lang.java")),
    ("java/util.java", include_str!("../library/util.java")),
];

/// Lowers a Java file to VIR, with what there is to say about it in the order of the text.
///
/// This never fails. Faults of the text are errors; what is sound but not modelled is noted and stands in
/// the module as `unsupported`. The module is valid in any case.
pub fn lower(path: &str, text: &str) -> (ir::Module, Vec<ir::Diagnostic>) {
    let mut faults = Faults::default();
    let unit = read::read(text, &mut faults);
    let mut files = vec![File { unit, is_library: false }];
    for (_, text) in LIBRARY {
        let mut told = Faults::default();
        files.push(File { unit: read::read(text, &mut told), is_library: true });
    }
    let paths: Vec<&str> = [path].into_iter().chain(LIBRARY.map(|(path, _)| path)).collect();
    let sources: Vec<&str> = [text].into_iter().chain(LIBRARY.map(|(_, text)| text)).collect();
    let program = resolve::resolve(&files, &mut faults);
    let module = lower::lower(&program, &paths, &sources, &mut faults);
    ir::debug_validate(&module);
    (module, faults.into_diagnostics())
}

//! The text form: tests are written in it, and it shows a front end's output.
//!
//! [`parse`] reads a text in two steps, as names may be used before they are declared: the parser builds a
//! syntax tree, the resolver a module. [`print()`] writes a module in full, with spans, points and origins,
//! so that parsing it yields the module again; [`print_brief`] leaves those out, for people. `docs/vir.md`
//! describes the language.

mod diagnostics;
mod lexer;
mod parse;
mod print;
mod resolve;
mod syntax;

use crate::diagnostic::Diagnostic;
use crate::module::Module;
use crate::span::{FileId, SourceFile};
use crate::validate::validate;
use diagnostics::{Diagnostics, TextRange};

/// Reads a text.
///
/// Parsing never fails. The diagnostics list the errors of the text; their spans lie in the last file of the
/// module. The module then contains what could be parsed, and `unsupported` or a cut in place of each
/// statement that could not. A text without diagnostics yields a valid module; one with diagnostics need not,
/// so a caller that uses it calls [`validate`] first.
pub fn parse(path: &str, source: &str) -> (Module, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let is_too_long = u32::try_from(source.len()).is_err();
    if is_too_long {
        diagnostics.add(TextRange { start: 0, end: 0 }, "the text is longer than 4 GB");
    }
    let syntax = parse::parse(if is_too_long { "" } else { source }, &mut diagnostics);
    let own = FileId(syntax.files.len() as u32);
    let mut module = resolve::resolve(path, &syntax, &mut diagnostics);
    if diagnostics.is_empty() {
        for violation in validate(&module) {
            // A span that the text annotates is none of this text.
            let at = match violation.span {
                Some(span) if span.file == own => TextRange { start: span.start, end: span.end },
                _ => TextRange { start: 0, end: 0 },
            };
            match violation.procedure {
                Some(id) => {
                    let note = format!("in the procedure `{}`", module.procedure(id).name);
                    diagnostics.add_with(at, violation.to_string(), note);
                }
                None => diagnostics.add(at, violation.to_string()),
            }
        }
        if !diagnostics.is_empty() && module.files.len() == syntax.files.len() {
            module.files.push(SourceFile { path: path.to_owned() });
        }
    }
    (module, diagnostics.into_diagnostics(own))
}

/// Writes a module, which must be valid, in full. Parsing the text yields the module in
/// [canonical](crate::canonical()) form.
pub fn print(module: &Module) -> String {
    print::module(module, print::Detail::Full)
}

/// Writes a module, which must be valid, for people, without spans, points and origins.
pub fn print_brief(module: &Module) -> String {
    print::module(module, print::Detail::Brief)
}

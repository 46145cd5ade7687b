//! The RESOLVE front end: components with their specifications become reasoning tables, error hypotheses,
//! readable formulas, and VIR.
//!
//! [`read`] does everything for one file and its imports. The stages have files of their own: `parse` builds
//! a syntax tree; `elaborate` finds the imported modules, through the trait [`Library`], and turns
//! specifications into typed [`Term`]s; `table` builds the reasoning [`Table`] of each procedure; `lower`
//! translates tables to VIR. [`hypotheses`] and [`formula()`] are views of a table for people. Nothing fails:
//! errors become diagnostics, and the rest is processed.
//!
//! The language and the tables are those of Sitaraman, Gandhi, Küchlin, Sinz and Weide, *The Humane
//! Bugfinder: Modular Static Analysis Using a SAT Solver*, RSRG-03-05, 2003, and of the RESOLVE workspace
//! as it is today. This crate knows no checker, no solver, no file system, and no other language. Of
//! components that are reused it reads specifications only.
//!
//! # What becomes of what
//!
//! | RESOLVE | VIR |
//! | --- | --- |
//! | `B`, `Z`, `N` | `bool`, `int`, `int` that is not negative |
//! | a type parameter | a sort whose `null` is an atom like any other |
//! | `Str(T)`, `Powerset(T)`, `A -> B` | `seq<T>`, a map to `bool`, a map |
//! | a Cartesian product, a record | a record |
//! | a variable in a state | a variable; a parameter if it is the first state |
//! | what may be assumed in the first state | preconditions |
//! | a row of the table | values for the variables of the state, then assumptions |
//! | a confirm cell | a side path on which each conjunct is asserted |
//! | a loop | a side path through any one iteration, and the path past it |
//! | a definition | a function, with its definition if it has one |
//! | a range, a definition by induction | spelt out to a depth, and cut beyond |
//! | something that is not modelled | `unsupported` |
//!
//! # What is not modelled
//!
//! Sums over values that are no range of numbers, quantifiers over strings that no equation determines, the
//! abstract values of a realization's shared variables, performance profiles. Each is noted at its place, and
//! what depends on it is not decided. Whether an operation that is passed to a realization matches its
//! parameter is not checked. Infix arithmetic of programs has no overflow obligations; the operations of
//! `Integer_Template` do.

mod diagnostics;
mod elaborate;
mod formula;
mod hypothesis;
mod lexer;
mod library;
mod limits;
mod lower;
mod parse;
mod print;
mod scope;
mod subject;
mod syntax;
mod table;
mod term;
mod theory;
mod types;

use elaborate::Elaborator;
use library::Loader;

pub use formula::{BooleanHypothesis, Formula, Scope, formula};
pub use hypothesis::{Hypothesis, hypotheses};
pub use library::{Library, NoLibrary, SourceText};
pub use parse::is_resolve;
pub use print::in_state;
pub use table::{
    Assumption, AssumptionReason, Obligation, Row, State, Table, escape, html, markdown, text,
};
pub use term::{Quantifier, Term, TermKind, TimePoint};
pub use theory::Theory;
pub use types::Type;

/// The result for a file.
pub struct TableReport {
    /// A table for each procedure, in the order of the text.
    pub tables: Vec<Table>,
    /// The tables as a module of VIR, a procedure for each.
    pub module: ir::Module,
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<ir::Diagnostic>,
    /// The texts that were read, the file's own first; spans refer to them by number.
    pub texts: Vec<SourceText>,
}

/// Reads a file and what it refers to. The module is valid in any case.
pub fn read(path: &str, text: &str, library: &dyn Library) -> TableReport {
    let mut elaborator = Elaborator::new(Loader::new(library));
    let is_too_long = u32::try_from(text.len()).is_err();
    let text = if is_too_long { "" } else { text };
    let own = SourceText { path: path.to_owned(), text: text.to_owned() };
    let unit = elaborator.loader.read(own, &mut elaborator.diagnostics);
    let mut tables = Vec::new();
    if let Some(unit) = unit {
        let scope = elaborator.scope_of(&unit);
        // Errors in specifications may affect everything that depends on them.
        let is_faulty = elaborator.diagnostics.errors() > 0;
        for subject in subject::subjects(&mut elaborator, &unit, &scope) {
            let before = elaborator.diagnostics.errors();
            let mut table = table::build(&mut elaborator, &subject, &scope);
            table.is_faulty = is_faulty || elaborator.diagnostics.errors() > before;
            tables.push(table);
        }
    }
    let module = lower::lower(&mut tables, &elaborator.definitions, elaborator.loader.files());
    ir::debug_validate(&module);
    let texts = elaborator.loader.texts;
    TableReport { tables, module, diagnostics: elaborator.diagnostics.into_diagnostics(), texts }
}

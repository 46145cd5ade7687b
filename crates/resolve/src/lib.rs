mod elaborate;
mod faults;
mod lexer;
mod library;
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

pub use library::{Library, NoLibrary, Text};
pub use parse::is_resolve;
pub use table::{html, markdown, text};
pub use table::{Assumption, Obligation, Row, State, Table, Why};
pub use term::{Kind, Quantifier, Term, When};
pub use theory::Theory;
pub use types::Type;

/// A RESOLVE file, read and resolved.
pub struct Lesson {
    /// The tables.
    pub tables: Vec<Table>,
    /// The module of VIR that says the same.
    pub module: ir::Module,
    /// What is wrong.
    pub diagnostics: Vec<ir::Diagnostic>,
    /// The texts that were read, the file's own first.
    pub texts: Vec<Text>,
}

/// Reads.
pub fn read(path: &str, text: &str, library: &dyn Library) -> Lesson {
    let mut elaborator = elaborate::Elaborator::new(library::Loader::new(library));
    let own = Text { path: path.to_owned(), text: text.to_owned() };
    let mut faults = std::mem::take(&mut elaborator.faults);
    let unit = elaborator.loader.read(own, &mut faults);
    elaborator.faults = faults;
    let mut tables = Vec::new();
    if let Some(unit) = unit {
        let scope = elaborator.scope_of(&unit);
        for subject in subject::subjects(&mut elaborator, &unit, &scope) {
            tables.push(table::build(&mut elaborator, &subject, &scope));
        }
    }
    let module = lower::lower(&tables, &elaborator.definitions, elaborator.loader.files());
    ir::debug_validate(&module);
    let texts = elaborator.loader.texts;
    Lesson { tables, module, diagnostics: elaborator.faults.into_diagnostics(), texts }
}

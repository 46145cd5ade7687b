//! The Java front end: from the text of a file to VIR, and what is wrong with the text.
//!
//! [`lower_with`] is the main entry point, and [`subset`] a view of small methods as in Jackson &
//! Vaziri 2000. The stages have files of their own: `read` builds a syntax tree from the grammar's
//! tree, `jml` and `alloy` parse the specifications in comments and annotations, `resolve` resolves
//! declarations and `lower` produces VIR; the table there lists the translation of each construct.
//! Library classes have signatures and small bodies of our own (`library/`).
//!
//! Methods are checked as Jackson and Vaziri do (*Finding Bugs with a Constraint Solver*, ISSTA 2000): a
//! field is a relation between objects, a contract a formula over relations, in JML or in their own
//! notation. This crate knows nothing of checkers, formulas, solvers, files and other languages.

mod alloy;
mod capture;
mod classfile;
mod constant;
mod diagnostics;
mod invariant_method;
mod jml;
mod limits;
mod lower;
mod merge;
mod mutate;
mod program;
mod read;
mod resolve;
mod sources;
mod spec;
pub mod subset;
mod syntax;
mod types;
mod walk;

use diagnostics::Diagnostics;
use resolve::File;
use sources::{PathAndText, ReferencedFile};
use syntax::Unit;

pub use classfile::signatures;
pub use invariant_method::{InvariantMethod, with_invariant_method};
pub use mutate::{Mutant, MutationOperator, NoMutants, mutants};
pub use sources::{NoSources, Nullness, Sources};

/// The known part of the library, in Java.
const LIBRARY: [(&str, &str); 3] = [
    ("java/io.java", include_str!("../library/io.java")),
    ("java/lang.java", include_str!("../library/lang.java")),
    ("java/util.java", include_str!("../library/util.java")),
];

/// Lowers a Java file by itself. See [`lower_with`].
pub fn lower(path: &str, text: &str) -> (ir::Module, Vec<ir::Diagnostic>) {
    lower_with(path, text, &NoSources)
}

/// Lowers a Java file to VIR, with what there is to say about it in the order of the text. Classes of other
/// files are looked for in `sources`; their methods are there to be called.
///
/// This never fails. Faults of the text are errors; what is sound but not modelled is noted and stands in
/// the module as `unsupported`. The module is valid in any case.
pub fn lower_with(
    path: &str,
    text: &str,
    sources: &dyn Sources,
) -> (ir::Module, Vec<ir::Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let (texts, files) = gather(path, text, sources, &mut diagnostics);
    let (paths, texts): (Vec<&str>, Vec<&str>) =
        texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).unzip();
    let program = resolve::resolve(&files, sources.nullness(), &mut diagnostics);
    let mut module = lower::lower(&program, &paths, &texts, &mut diagnostics);
    withdraw(&mut module, &mut diagnostics);
    (module, diagnostics.into_diagnostics())
}

/// A file, the files that it mentions and the library, read; each with its text.
pub(crate) fn gather(
    path: &str,
    text: &str,
    sources: &dyn Sources,
    diagnostics: &mut Diagnostics,
) -> (Vec<PathAndText>, Vec<File>) {
    let library = LIBRARY.map(|(_, text)| read::read(text, &mut Diagnostics::default()));
    // The library's classes without subclasses are sealed for checking.
    let is_known = |name: &str| {
        let all = library.iter().flat_map(|unit| unit.types.iter().map(move |decl| (unit, decl)));
        all.filter(|(_, decl)| decl.modifiers.has("final")).any(|(unit, decl)| {
            name.strip_prefix(&unit.package) == Some(&format!(".{}", decl.name.name))
        })
    };
    let mut unit = read::read(text, diagnostics);
    let specification = sources::specification(&unit, sources);
    sources::specify(&mut unit, specification.as_ref(), diagnostics);
    let others = sources::mentioned_files(text, &unit, &is_known, sources);
    let mut texts: Vec<PathAndText> = Vec::new();
    let mut files: Vec<File> = Vec::new();
    let mut add = |source: PathAndText, specification: Option<PathAndText>, unit, is_library| {
        texts.push(source);
        files.push(File { unit, is_library });
        // A specification in a separate file has been merged into the source; its file comes after that.
        if let Some(specification) = specification {
            texts.push(specification);
            files.push(File { unit: Unit::default(), is_library: true });
        }
    };
    add((path.to_owned(), text.to_owned()), specification, unit, false);
    for ReferencedFile { source, specification, unit } in others {
        add(source, specification, unit, true);
    }
    for ((path, text), unit) in LIBRARY.into_iter().zip(library) {
        add((path.to_owned(), text.to_owned()), None, unit, true);
    }
    (texts, files)
}

/// Removes procedures that were lowered to invalid VIR, and reports it. A text that is not valid Java can
/// have unforeseen meanings; its correct parts are still checked.
fn withdraw(module: &mut ir::Module, diagnostics: &mut Diagnostics) {
    let violations = ir::validate(module);
    for violation in &violations {
        let message = format!("this could not be lowered, which is a bug of Indict: {violation}");
        let Some(id) = violation.procedure else {
            diagnostics.error(syntax::TextRange::default(), message);
            *module = ir::Module { files: module.files.clone(), ..ir::Module::default() };
            return;
        };
        let procedure = &mut module.procedures[id.0 as usize];
        diagnostics.file = procedure.span.file.0;
        let at = syntax::TextRange { start: procedure.span.start, end: procedure.span.end };
        diagnostics.error(at, message);
        procedure.blocks = None;
        procedure.contract = ir::Contract::default();
        procedure.exprs = ir::Exprs::default();
        procedure
            .locals
            .retain(|local| matches!(local.mode, ir::Mode::Parameter | ir::Mode::Result));
    }
}

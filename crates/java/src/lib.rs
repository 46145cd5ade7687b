//! The Java front end: from the text of a file to VIR, and what is wrong with the text.
//!
//! [`lower_with`] is nearly all there is, and [`subset`] a view of small methods as the paper has them. It works in stages, each in files of its own: `read` makes a syntax of the
//! text by way of a grammar, `jml` and `alloy` read the specifications in comments and annotations,
//! `resolve` finds out what is declared and `lower` makes VIR of it; the table there says what becomes of
//! what. Classes of the library are known by signatures and small bodies of our own (`library/`).
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
pub use invariant_method::{InvariantMethod, bare};
pub use mutate::{Mutant, MutationOperator, NoMutants, mutants};
pub use sources::{NoSources, Nullness, Sources};

/// The library as far as it is known, in the same language.
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
    let mut faults = Diagnostics::default();
    let (texts, files) = gather(path, text, sources, &mut faults);
    let (paths, texts): (Vec<&str>, Vec<&str>) =
        texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).unzip();
    let program = resolve::resolve(&files, sources.nullness(), &mut faults);
    let mut module = lower::lower(&program, &paths, &texts, &mut faults);
    withdraw(&mut module, &mut faults);
    (module, faults.into_diagnostics())
}

/// A file, the files that it mentions and the library, read; each with its text.
pub(crate) fn gather(
    path: &str,
    text: &str,
    sources: &dyn Sources,
    faults: &mut Diagnostics,
) -> (Vec<PathAndText>, Vec<File>) {
    let library = LIBRARY.map(|(_, text)| read::read(text, &mut Diagnostics::default()));
    // What the library says of classes without subclasses is made for checking.
    let is_known = |name: &str| {
        let all = library.iter().flat_map(|unit| unit.types.iter().map(move |decl| (unit, decl)));
        all.filter(|(_, decl)| decl.modifiers.has("final")).any(|(unit, decl)| {
            name.strip_prefix(&unit.package) == Some(&format!(".{}", decl.name.name))
        })
    };
    let mut unit = read::read(text, faults);
    let specification = sources::specification(&unit, sources);
    sources::specify(&mut unit, specification.as_ref(), faults);
    let others = sources::mentioned(text, &unit, &is_known, sources);
    let mut texts: Vec<PathAndText> = Vec::new();
    let mut files: Vec<File> = Vec::new();
    let mut add = |source: PathAndText, specification: Option<PathAndText>, unit, is_library| {
        texts.push(source);
        files.push(File { unit, is_library });
        // What stands in a file of its own has been added to the source; its file is behind that.
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

/// Takes out what we have lowered wrongly, and says so. A text that is no Java can mean things that nobody
/// thought of; what is right in it is still checked.
fn withdraw(module: &mut ir::Module, faults: &mut Diagnostics) {
    let violations = ir::validate(module);
    for violation in &violations {
        let message = format!("this could not be lowered, which is a bug of Indict: {violation}");
        let Some(id) = violation.procedure else {
            faults.error(syntax::TextRange::default(), message);
            *module = ir::Module { files: module.files.clone(), ..ir::Module::default() };
            return;
        };
        let procedure = &mut module.procedures[id.0 as usize];
        faults.file = procedure.span.file.0;
        let at = syntax::TextRange { start: procedure.span.start, end: procedure.span.end };
        faults.error(at, message);
        procedure.blocks = None;
        procedure.contract = ir::Contract::default();
        procedure.exprs = ir::Exprs::default();
        procedure
            .locals
            .retain(|local| matches!(local.mode, ir::Mode::Parameter | ir::Mode::Result));
    }
}

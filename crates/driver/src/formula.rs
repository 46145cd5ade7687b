//! The formulas of one procedure: read its file, lower it, prepare it.

use std::fmt;
use std::io;
use std::path::Path;

use ir::{Module, ProcedureId, Span};
use papers::wlp::{Formulas, Inexpressible, formulas};
use passes::Effects;
use report::Place;

use crate::compiler::Compiler;
use crate::contain::{Panic, contain};
use crate::faults::{faults, trusted};
use crate::files::{Files, Kind, shown};
use crate::gather::unreadable;
use crate::language::{known_extensions, of_path};
use crate::nearest::suggestion;
use crate::options::NO_CLASSES;
use crate::source::{NoSource, Source, World, load};
use crate::unit::Atlas;

/// Why there are no formulas.
#[derive(Debug)]
pub enum NoFormula {
    /// The file cannot be read, or is of no supported type; the message says why.
    File(String),
    /// The procedure or a callee has faults; the first one.
    Faulty(String),
    /// No procedure has the name; the message suggests the nearest.
    Unknown(String),
    /// Several procedures have the name; these are their names in VIR.
    Ambiguous(String, Vec<String>),
    /// The procedure is only declared.
    NoBody(String),
    /// Something is not in the subset of Jackson & Vaziri 2000; the message, and its place.
    Beyond(String),
    /// The notation cannot express something.
    Unsayable(Inexpressible),
    /// A bug of Indict.
    Panic(Panic),
    /// They could not be written.
    Write(io::Error),
}

impl fmt::Display for NoFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoFormula::File(why) | NoFormula::Unknown(why) => f.write_str(why),
            NoFormula::Faulty(fault) => {
                write!(f, "the procedure, or one that it may call, has faults: {fault}")
            }
            NoFormula::Ambiguous(name, all) => {
                write!(
                    f,
                    "several procedures are called `{name}`; name one of `{}`",
                    all.join("`, `")
                )
            }
            NoFormula::NoBody(name) => {
                write!(f, "`{name}` is only declared; formulas are made from a body")
            }
            NoFormula::Beyond(why) => write!(
                f,
                "{why}; `--doomed` shows the conditions that decide what is doomed, of any method"
            ),
            NoFormula::Unsayable(why) => {
                write!(f, "{why}; without `--smt` the formulas are written for people")
            }
            NoFormula::Panic(panic) => {
                write!(f, "{panic}; this is a bug of Indict, please report it with the file")
            }
            NoFormula::Write(error) => write!(f, "the formulas could not be written: {error}"),
        }
    }
}

impl std::error::Error for NoFormula {}

/// Makes the formulas of a procedure: its passive form, the definitions of its blocks, and the error
/// verification conditions of its points. They go to `write`, with a function that says where in the source something is.
///
/// # Errors
/// If there are none, or if they cannot be written.
pub fn formula(
    path: &Path,
    name: &str,
    files: &dyn Files,
    compiler: &dyn Compiler,
    inline: u32,
    write: impl FnOnce(&Formulas<'_>, &dyn Fn(Span) -> String) -> Result<(), NoFormula>,
) -> Result<(), NoFormula> {
    let working = Path::new("");
    let world = World {
        files,
        libraries: &[],
        classes: &NO_CLASSES,
        models: &[],
        compiler,
        unset: false,
        working,
    };
    let Source { mut module, diagnostics, texts, .. } = source(path, world)?;
    let shown = shown(path);
    let errors = diagnostics.into_iter().filter(|d| d.severity == ir::Severity::Error).collect();
    let faults = faults(&module, errors);
    let id = find(&module, name, &shown)?;
    let trusted = trusted(&mut module, &faults);
    let atlas = Atlas::new(&module, &texts);
    let place = |span: Span| {
        atlas.place(span).map_or(String::new(), |Place { path, start, .. }| {
            let file = if path == shown { String::new() } else { format!("{path}:") };
            format!("{file}{}:{}", start.line, start.column)
        })
    };
    if !trusted[id.0 as usize] {
        let first = faults.iter().find(|fault| fault.procedure == Some(id)).or(faults.first());
        let message = first.map_or(String::new(), |fault| {
            let at = fault.span.map_or(String::new(), |span| format!("{shown}:{}: ", place(span)));
            format!("{at}{}", fault.message)
        });
        return Err(NoFormula::Faulty(message));
    }
    if module.procedure(id).blocks.is_none() {
        return Err(NoFormula::NoBody(name.to_owned()));
    }
    let formulas = contain(|| {
        let limits = passes::Limits { inline, ..passes::Limits::default() };
        let over = passes::for_over(&module, &Effects::of(&module), id, &limits);
        formulas(&module, &over.procedure)
    });
    write(&formulas.map_err(NoFormula::Panic)?, &place)
}

/// A file, lowered.
pub(crate) fn source(path: &Path, world: World<'_>) -> Result<Source, NoFormula> {
    let kind = world.files.kind(path).map_err(|why| NoFormula::File(unreadable(path, &why)))?;
    if kind == Kind::Directory {
        let path = shown(path);
        return Err(NoFormula::File(format!("`{path}` is a directory; name one file in it")));
    }
    let language = of_path(path).ok_or_else(|| {
        let (path, known) = (shown(path), known_extensions());
        NoFormula::File(format!("unsupported file type `{path}`; supported: {known}"))
    })?;
    load(path, language, world).map_err(|why| match why {
        NoSource::Panic(panic) => NoFormula::Panic(panic),
        NoSource::Notes(notes, _) => {
            let messages: Vec<String> = notes.into_iter().map(|note| note.message).collect();
            NoFormula::File(messages.join("; "))
        }
    })
}

/// The procedure with a name, in VIR or in the source.
fn find(module: &Module, name: &str, path: &str) -> Result<ProcedureId, NoFormula> {
    if let Some(id) = module.find_procedure(name) {
        return Ok(id);
    }
    let shown: Vec<ProcedureId> = (0..module.procedures.len() as u32)
        .map(ProcedureId)
        .filter(|&id| module.procedure(id).display.as_deref() == Some(name))
        .collect();
    match shown[..] {
        [one] => Ok(one),
        [] => {
            let names = module.procedures.iter().flat_map(|procedure| {
                [Some(procedure.name.as_str()), procedure.display.as_deref()]
            });
            let meant = suggestion(name, names.flatten());
            Err(NoFormula::Unknown(format!("there is no procedure `{name}` in `{path}`{meant}")))
        }
        _ => {
            let names = shown.iter().map(|&id| module.procedure(id).name.clone()).collect();
            Err(NoFormula::Ambiguous(name.to_owned(), names))
        }
    }
}

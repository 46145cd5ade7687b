//! The heaps that satisfy the invariant of a class: enumerated, or as bounds of their fields.

use std::fmt;
use std::path::Path;

use check::{Instances, Program};
use explain::Presentation;
use ir::ProcedureId;
use report::Chart;

use crate::compiler::NoCompiler;
use crate::contain::{Panic, contain};
use crate::faults::{faults, trusted};
use crate::files::{Files, shown};
use crate::formula::source;
use crate::nearest::suggestion;
use crate::options::Options;
use crate::overlay::Overlay;
use crate::source::{Source, World, read};
use crate::unit::Atlas;

/// Why no heaps can be shown.
#[derive(Debug)]
pub enum NoHeaps {
    /// The file cannot be read, or is not Java; the message says why.
    File(String),
    /// There is no such class; the message suggests the nearest.
    Unknown(String),
    /// The invariant has faults; the first one.
    Faulty(String),
    /// The solver is not available.
    Solver(sat::Error),
    /// A bug of Indict.
    Panic(Panic),
}

impl fmt::Display for NoHeaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoHeaps::File(why) | NoHeaps::Unknown(why) => f.write_str(why),
            NoHeaps::Faulty(fault) => write!(f, "the class has faults: {fault}"),
            NoHeaps::Solver(error) => write!(f, "the solver failed: {error}"),
            NoHeaps::Panic(panic) => {
                write!(f, "{panic}; this is a bug of Indict, please report it with the file")
            }
        }
    }
}

impl std::error::Error for NoHeaps {}

/// A class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeapClass {
    /// Its full name.
    pub class: String,
    /// Whether it has an invariant.
    pub has_invariant: bool,
    /// The text of its file.
    pub text: String,
    /// Constructs of the file that are not modelled: if the invariant has one, heaps that violate it may be shown.
    pub notes: Vec<String>,
}

/// The bounds of the fields of a class within the scope.
///
/// # Errors
/// If the file cannot be read, has no such class, or has faults there.
pub fn chart(
    path: &Path,
    class: Option<&str>,
    files: &dyn Files,
    options: &Options,
) -> Result<(HeapClass, Chart), NoHeaps> {
    on_bare(path, class, files, options, |program, procedure, class| {
        check::chart(program, procedure, class, &options.check)
    })
}

/// The instances of a class that satisfy its invariant, up to a maximum number.
///
/// # Errors
/// If the file cannot be read, has no such class, or has faults there.
pub fn instances(
    path: &Path,
    class: Option<&str>,
    files: &dyn Files,
    options: &Options,
    most: usize,
) -> Result<(HeapClass, Instances), NoHeaps> {
    on_bare(path, class, files, options, |program, procedure, _| {
        check::instances(program, procedure, &options.check, most)
    })
}

/// Calls a function with a procedure that requires the invariant of a class and nothing else.
fn on_bare<T>(
    path: &Path,
    class: Option<&str>,
    files: &dyn Files,
    options: &Options,
    act: impl Fn(&Program<'_>, ProcedureId, &str) -> Result<T, sat::Error>,
) -> Result<(HeapClass, T), NoHeaps> {
    let name = shown(path);
    let text = java_text(path, files).map_err(NoHeaps::File)?;
    let bare = java::with_invariant_method(&text, class).map_err(|known| {
        let meant = class.unwrap_or_default();
        let hint = suggestion(meant, known.iter().map(String::as_str));
        NoHeaps::Unknown(match class {
            Some(class) => format!("there is no class `{class}` in `{name}`{hint}"),
            None => format!("there is no class in `{name}`"),
        })
    })?;
    let overlay = Overlay::new(files, path, bare.text.clone());
    let world = World {
        files: &overlay,
        libraries: &[],
        classes: &options.classes,
        compiler: &NoCompiler,
        unset: false,
        models: &[],
        working: &options.working,
    };
    let Source { mut module, diagnostics, texts, .. } =
        source(path, world).map_err(|why| NoHeaps::File(why.to_string()))?;
    let (errors, remarks): (Vec<_>, Vec<_>) =
        diagnostics.into_iter().partition(|one| one.severity == ir::Severity::Error);
    let notes = remarks.iter().map(ToString::to_string).collect();
    let faults = faults(&module, errors);
    let found = module.procedures.iter().position(|procedure| {
        let display = procedure.display.as_deref().unwrap_or(&procedure.name);
        display.rsplit('.').next() == Some(bare.method) && procedure.blocks.is_some()
    });
    let trusted = trusted(&mut module, &faults);
    let is_sound = found.is_some_and(|number| trusted[number]);
    let (Some(number), true) = (found, is_sound) else {
        let atlas = Atlas::new(&module, &texts);
        let message = faults.first().map_or("it could not be lowered".to_owned(), |fault| {
            let place = fault.span.and_then(|span| atlas.place(span));
            let at = place.map_or(String::new(), |place| format!("{place}: "));
            format!("{at}{}", fault.message)
        });
        return Err(NoHeaps::Faulty(message));
    };
    let shown = contain(|| {
        let program = Program::new(&module, &texts).presented(Presentation::Objects);
        let program = program.with_cache(options.cache.as_deref());
        act(&program, ProcedureId(number as u32), &bare.class)
    });
    let shown = shown.map_err(NoHeaps::Panic)?.map_err(NoHeaps::Solver)?;
    let subject = HeapClass { class: bare.class, has_invariant: bare.has_invariant, text, notes };
    Ok((subject, shown))
}

/// The text of a Java file, or why there is none.
pub(crate) fn java_text(path: &Path, files: &dyn Files) -> Result<String, String> {
    if path.extension().is_none_or(|ending| ending != "java") {
        return Err(format!("`{}` is no Java file", shown(path)));
    }
    read(path, files).map_err(|note| note.message)
}

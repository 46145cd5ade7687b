//! Interpretation of a closed program: its output, and how it ends.

use std::fmt;
use std::path::Path;

use interpret::host::{self, Host};
use interpret::{Event, EventKind, Outcome, Site};
use ir::{AssertKind, Module};
use report::Place;

use crate::compiler::Compiler;
use crate::contain::contain;
use crate::files::{Files, shown};
use crate::formula::{NoFormula, source};
use crate::limits::PROGRAM_EVENTS;
use crate::options::NO_CLASSES;
use crate::source::{Source, World};
use crate::unit::Atlas;

/// The result of an interpreted program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// Its standard output.
    pub output: Vec<u8>,
    /// Its standard error.
    pub errors: Vec<u8>,
    /// How it ended.
    pub ended: ProgramEnd,
    /// The number of executed statements.
    pub steps: u64,
}

/// How a program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProgramEnd {
    /// With an exit status.
    Exit(u8),
    /// By `abort()` or the like, without an exit status.
    Purpose(String),
    /// With an error: the message, its kind, and its place.
    Failed(AssertKind, String, Option<String>),
    /// It could not be interpreted further: why, and where.
    Stopped(String, Option<String>),
}

/// Why a program was not interpreted: a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoProgram(pub String);

impl fmt::Display for NoProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoProgram {}

impl From<NoFormula> for NoProgram {
    fn from(why: NoFormula) -> Self {
        Self(why.to_string())
    }
}

/// Interprets `main` of a file, with arguments after the program's name, for at most this many steps.
///
/// # Errors
/// If the file cannot be read, or has no `main` that can be interpreted.
pub fn execute(
    path: &Path,
    arguments: &[Vec<u8>],
    steps: u64,
    files: &dyn Files,
    compiler: &dyn Compiler,
    working: &Path,
) -> Result<Execution, NoProgram> {
    let world = World {
        files,
        libraries: &[],
        classes: &NO_CLASSES,
        models: &[],
        compiler,
        unset: false,
        working,
    };
    let Source { module, texts, .. } = source(path, world)?;
    let shown = shown(path);
    let main = module.find_procedure("main").filter(|id| module.procedure(*id).blocks.is_some());
    let main = main.ok_or_else(|| NoProgram(format!("there is no `main` in `{shown}`")))?;
    let mut all = vec![shown.into_bytes()];
    all.extend(arguments.iter().cloned());
    let inputs = host::start(&module, main, &all);
    let inputs = inputs.ok_or_else(|| NoProgram("the arguments are too many".to_owned()))?;
    let mut host = Host::default();
    let options = interpret::Options {
        steps,
        work: u64::MAX,
        trace: PROGRAM_EVENTS,
        statics: true,
        ..interpret::Options::default()
    };
    let run = contain(|| interpret::run(&module, main, &inputs, &mut host, &options));
    let run = run.map_err(|panic| NoProgram::from(NoFormula::Panic(panic)))?;
    let atlas = Atlas::new(&module, &texts);
    let ended = ended(&module, &run, &host, &atlas);
    let Host { output, errors, .. } = host;
    Ok(Execution { output, errors, ended, steps: run.steps })
}

fn ended(
    module: &Module,
    run: &interpret::Execution,
    host: &Host,
    atlas: &Atlas<'_>,
) -> ProgramEnd {
    let place = |site: Site| place(module, run, atlas, site);
    if let Some(status) = host.exit_status(&run.outcome) {
        return ProgramEnd::Exit(status as u8);
    }
    match &run.outcome {
        Outcome::Exit(interpret::Ending::Intended(why)) => ProgramEnd::Purpose(why.clone()),
        Outcome::Failed(failure) => {
            ProgramEnd::Failed(failure.kind, failure.message.clone(), place(failure.site))
        }
        Outcome::Error { site, fault } => ProgramEnd::Stopped(fault.to_string(), place(*site)),
        other => ProgramEnd::Stopped(format!("it {other}"), None),
    }
}

/// A place in the source: that of the statement, or of the call by which it was reached.
fn place(
    module: &Module,
    run: &interpret::Execution,
    atlas: &Atlas<'_>,
    mut site: Site,
) -> Option<String> {
    let mut events: Vec<&Event> = run.trace.events().collect();
    loop {
        let is_written = module.procedure(site.procedure).span.end > 0;
        let place = site.span(module).filter(|_| is_written).and_then(|span| atlas.place(span));
        if let Some(Place { path, start, .. }) = place {
            return Some(format!("{path}:{}:{}", start.line, start.column));
        }
        // The active call is the last one of the procedure.
        site = loop {
            let event = events.pop()?;
            if matches!(&event.kind, EventKind::Called(callee, _) if *callee == site.procedure) {
                break event.site;
            }
        };
    }
}

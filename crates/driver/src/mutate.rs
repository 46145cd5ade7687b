//! Mutation: how many of the classic mistakes the specification of a method notices.
//!
//! Each mutant is a file of its own that is checked as any other, from heaps of one object on, until something
//! is found (paper 4, §4.3). What initial heaps can be is the same for all of them and found out once.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use java::{Mutant, MutationOperator, NoMutants, mutants};
use rayon::prelude::*;
use report::{LineIndex, Place, Severity, Verdict};

use crate::compiler::NoCompiler;
use crate::files::{Files, shown};
use crate::heaps::java_text;
use crate::nearest::suggestion;
use crate::options::Options;
use crate::overlay::Overlay;
use crate::part::Part;
use crate::run::{Silent, run};

/// What became of a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Something was found, in heaps of at most so many objects.
    Killed {
        /// How many objects of a class it took.
        scope: u32,
        /// What was found.
        message: String,
    },
    /// Nothing was found, and all runs were followed to their ends.
    Equivalent,
    /// Nothing was found, but some executions are cut off for longer than they were followed.
    Divergent,
    /// It could not be decided; a sentence says why.
    Unknown(String),
    /// No compiler would accept it.
    Refused,
}

/// A mutant, and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// Which kind of mistake it is.
    pub mistake: MutationOperator,
    /// Where.
    pub place: Place,
    /// What stood there.
    pub original: String,
    /// What stands there instead.
    pub replacement: String,
    /// What became of it.
    pub fate: Fate,
    /// How long that took. Unlike all else, this differs from run to run.
    pub time: Duration,
}

/// Why nothing was tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoTrial(pub String);

/// Tries all mutants of a method within the limits. `is_wanted` says which kinds of mistakes are made.
///
/// # Errors
/// If there are no mutants, or if the method as it stands does not keep its contract.
pub fn mutate(
    path: &Path,
    method: &str,
    files: &dyn Files,
    options: &Options,
    is_wanted: &(dyn Fn(MutationOperator) -> bool + Sync),
) -> Result<Vec<Tried>, NoTrial> {
    let text = java_text(path, files).map_err(NoTrial)?;
    let name = shown(path);
    let (method, all) = mutants(&text, method).map_err(|why| {
        NoTrial(match why {
            NoMutants::NoBody => format!("`{method}` has no body"),
            NoMutants::NoMethod(known) => {
                let hint = suggestion(method, known.iter().map(String::as_str));
                format!("there is no method `{method}` in `{name}`{hint}")
            }
        })
    })?;
    let wanted: Vec<Mutant> = all.into_iter().filter(|mutant| is_wanted(mutant.operator)).collect();
    let mut alone = Options {
        part: Part { only: vec![method.clone()], ..Part::default() },
        jobs: NonZeroUsize::new(1),
        store: Some(Arc::new(bounds::MemoryStore::default())),
        ..options.clone()
    };
    alone.check.policy.stop_at_first = true;
    match try_one(path, files, &alone) {
        Fate::Equivalent | Fate::Divergent => {}
        Fate::Killed { message, .. } => {
            return Err(NoTrial(format!(
                "`{method}` as it stands does not keep its contract, so that its mutants say \
                 nothing: {message}"
            )));
        }
        Fate::Unknown(why) => {
            return Err(NoTrial(format!("`{method}` as it stands could not be decided: {why}")));
        }
        Fate::Refused => {
            return Err(NoTrial(format!("`{name}` has faults; see `indict check`")));
        }
    }
    let lines = LineIndex::new(&text);
    let attempt = |mutant: &Mutant| {
        let start = Instant::now();
        let fate = try_one(path, &Overlay::new(files, path, mutant.text(&text)), &alone);
        let Mutant { operator: mistake, start: from, end, replacement } = mutant;
        Tried {
            mistake: *mistake,
            place: Place::of_offsets(&*name, &lines, *from as u32, *end as u32),
            original: text.get(*from..*end).unwrap_or_default().to_owned(),
            replacement: replacement.clone(),
            fate,
            time: start.elapsed(),
        }
    };
    let threads = options.jobs.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(match pool {
        Ok(pool) => pool.install(|| wanted.par_iter().map(attempt).collect()),
        // The machine has no threads to give; those that there are do the work.
        Err(_) => wanted.iter().map(attempt).collect(),
    })
}

/// Checks one file, of which only the method is looked at.
fn try_one(path: &Path, files: &dyn Files, options: &Options) -> Fate {
    let outcome = run(&[path], files, &NoCompiler, options, &Silent);
    let report = &outcome.report;
    if let Some(finding) = report.findings.first() {
        let scope = finding.bounds.0.iter().find(|bound| bound.name == "scope");
        let scope = scope.map_or(0, |bound| u32::try_from(bound.value).unwrap_or(u32::MAX));
        return Fate::Killed { scope, message: finding.message.clone() };
    }
    if report.notes.iter().any(|note| note.severity == Severity::Error) {
        return Fate::Refused;
    }
    let mut ends = true;
    for procedure in &report.procedures {
        match &procedure.verdict {
            Verdict::Unknown(why) => return Fate::Unknown(why.to_string()),
            Verdict::Findings | Verdict::NoneWithinBounds => {
                ends &= procedure.manner.as_ref().is_none_or(|manner| manner.ends);
            }
            Verdict::Skipped(_) => {}
        }
    }
    if ends { Fate::Equivalent } else { Fate::Divergent }
}

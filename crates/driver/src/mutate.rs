//! Mutation testing: how many mutants of a method its specification kills.
//!
//! Each mutant is a file of its own that is checked as any other, with growing scopes from one object on, until there
//! is a finding (Galeotti et al. 2010, §4.3). All mutants share the initial heaps, which are computed once.

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
use crate::part::Selection;
use crate::run::{Silent, run};

/// The result of a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MutantStatus {
    /// It is killed, within this scope.
    Killed {
        /// The number of objects of a class.
        scope: u32,
        /// The finding.
        message: String,
    },
    /// It survives, and all executions were followed to their ends.
    Equivalent,
    /// It survives, but some executions were cut off.
    Divergent,
    /// Unknown; the message says why.
    Unknown(String),
    /// It does not compile.
    Refused,
}

/// A mutant, and its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// The mutation operator.
    pub mistake: MutationOperator,
    /// The place.
    pub place: Place,
    /// The original text.
    pub original: String,
    /// The mutated text.
    pub replacement: String,
    /// The result.
    pub status: MutantStatus,
    /// The time. Unlike everything else, this differs from run to run.
    pub time: Duration,
}

/// Why no mutants were checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoTrial(pub String);

/// Checks all mutants of a method within the bounds. `is_wanted` selects mutation operators.
///
/// # Errors
/// If there are no mutants, or if the method itself violates its contract.
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
        part: Selection { only: vec![method.clone()], ..Selection::default() },
        jobs: NonZeroUsize::new(1),
        cache: Some(Arc::new(store::InMemory::default())),
        ..options.clone()
    };
    alone.check.policy.stop_at_first = true;
    match try_one(path, files, &alone) {
        MutantStatus::Equivalent | MutantStatus::Divergent => {}
        MutantStatus::Killed { message, .. } => {
            return Err(NoTrial(format!(
                "`{method}` as it stands does not keep its contract, so that its mutants say \
                 nothing: {message}"
            )));
        }
        MutantStatus::Unknown(why) => {
            return Err(NoTrial(format!("`{method}` as it stands could not be decided: {why}")));
        }
        MutantStatus::Refused => {
            return Err(NoTrial(format!("`{name}` has faults; see `indict check`")));
        }
    }
    let lines = LineIndex::new(&text);
    let attempt = |mutant: &Mutant| {
        let start = Instant::now();
        let status = try_one(path, &Overlay::new(files, path, mutant.text(&text)), &alone);
        let Mutant { operator: mistake, start: from, end, replacement } = mutant;
        Tried {
            mistake: *mistake,
            place: Place::of_offsets(&*name, &lines, *from as u32, *end as u32),
            original: text.get(*from..*end).unwrap_or_default().to_owned(),
            replacement: replacement.clone(),
            status,
            time: start.elapsed(),
        }
    };
    let threads = options.jobs.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(match pool {
        Ok(pool) => pool.install(|| wanted.par_iter().map(attempt).collect()),
        // No more threads are available; the current ones do the work.
        Err(_) => wanted.iter().map(attempt).collect(),
    })
}

/// Checks one method of a file.
fn try_one(path: &Path, files: &dyn Files, options: &Options) -> MutantStatus {
    let outcome = run(&[path], files, &NoCompiler, options, &Silent);
    let report = &outcome.report;
    if let Some(finding) = report.findings.first() {
        let scope = finding.bounds.0.iter().find(|bound| bound.name == "scope");
        let scope = scope.map_or(0, |bound| u32::try_from(bound.value).unwrap_or(u32::MAX));
        return MutantStatus::Killed { scope, message: finding.message.clone() };
    }
    if report.notes.iter().any(|note| note.severity == Severity::Error) {
        return MutantStatus::Refused;
    }
    let mut ends = true;
    for procedure in &report.procedures {
        match &procedure.verdict {
            Verdict::Unknown(why) => return MutantStatus::Unknown(why.to_string()),
            Verdict::Findings | Verdict::NoneWithinBounds => {
                ends &= procedure.manner.as_ref().is_none_or(|manner| manner.ends);
            }
            Verdict::Skipped(_) => {}
        }
    }
    if ends { MutantStatus::Equivalent } else { MutantStatus::Divergent }
}

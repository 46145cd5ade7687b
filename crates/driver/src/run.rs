//! A run: from paths to a report, on one screen.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use check::{Bodies, Effort, QuerySession};
use ir::{Module, ProcedureId};
use rayon::prelude::*;
use report::{Bounds, Finding, Note, Place, Procedure, Report, Severity};

use crate::cache;
use crate::compiler::Compiler;
use crate::files::Files;
use crate::gather::{Gathered, gather};
use crate::judged::Linked;
use crate::limits::{LOWERED_FILES, STACK_BYTES};
use crate::models::models;
use crate::options::Options;
use crate::packages::wrong_places;
use crate::source::World;
use crate::stubs::give_stubs;
use crate::summaries::{add_findings, summarise};
use crate::suppress::Suppression;
use crate::unit::{Lowered, RunContext, Unit, lower};

/// The result of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Findings, verdicts and notes. The caller adds the duration.
    pub report: Report,
    /// The texts that places in the report mention.
    pub sources: BTreeMap<String, String>,
    /// The suppressed findings.
    pub suppressed: Vec<Suppressed>,
    /// The time for each procedure, in the order of the source. Unlike the other fields, it differs between runs.
    pub timings: Vec<Timing>,
}

/// A finding that a comment in the source suppresses.
#[derive(Clone, PartialEq, Debug)]
pub struct Suppressed {
    /// The finding.
    pub finding: Finding,
    /// The reason that the comment gives.
    pub reason: String,
}

/// The time for a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timing {
    /// Its source name.
    pub name: String,
    /// Its place: `path:line:column`.
    pub place: String,
    /// How long it took.
    pub time: Duration,
    /// The number of its queries.
    pub effort: Effort,
}

impl Timing {
    pub(crate) fn new(procedure: &Procedure, time: Duration, effort: Effort) -> Self {
        let place = procedure.place.as_ref().map_or(String::new(), ToString::to_string);
        Self { name: procedure.name.clone(), place, time, effort }
    }
}

/// An observer of the progress of a run. Calls come from all threads, in no order.
pub trait Observer: Sync {
    /// So many files are to be checked.
    fn gathered(&self, _files: usize) {}

    /// A file is read, compiled if need be, and lowered now.
    fn lowering(&self, _path: &str) {}

    /// So many more procedures are to be examined.
    fn found(&self, _procedures: usize) {}

    /// A procedure has been examined, or it was decided that it cannot be.
    fn examined(&self, _timing: &Timing) {}

    /// A file has been lowered.
    fn lowered(&self, _path: &str, _module: &Module) {}

    /// All has been asked that was to be asked about an evaluation of a procedure.
    fn asked(&self, _procedure: ProcedureId, _session: &QuerySession<'_>) {}
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Checks files, and files below directories. Problems are notes in the report.
pub fn run(
    paths: &[&Path],
    files: &dyn Files,
    compiler: &dyn Compiler,
    options: &Options,
    observer: &dyn Observer,
) -> Outcome {
    let gathered = gather(paths, files, &options.exclude);
    let stored = options.cache.as_deref();
    let key = || cache::key(&gathered, compiler, options);
    let before = stored.and_then(|stored| cache::get(&key()?, stored, files, &options.working));
    if let Some(outcome) = before {
        return outcome;
    }
    let outcome = examine(gathered.clone(), files, compiler, options, observer);
    // By now more may be known of what files depend on.
    if let Some((stored, key)) = stored.zip(key()).filter(|_| !outcome.report.is_incomplete()) {
        cache::put(key, &outcome, stored);
    }
    outcome
}

/// Checks files that were gathered.
fn examine(
    gathered: Gathered,
    files: &dyn Files,
    compiler: &dyn Compiler,
    options: &Options,
    observer: &dyn Observer,
) -> Outcome {
    observer.gathered(gathered.files.len());
    let checkers = options.rules.checkers();
    let denied = options.rules.denied().clone();
    let registry = options.registry();
    let mut check = options.check.clone();
    check.policy.denied = denied;
    let world = World {
        files,
        libraries: &options.libraries,
        classes: &options.classes,
        compiler,
        models: &[],
        unset: options.rules.has("uninitialized"),
        working: &options.working,
    };
    let (models, loaded) = models(&options.models, world);
    let cx = RunContext {
        world: World { models: &models, ..world },
        checkers: &checkers,
        registry: &registry,
        options: &check,
        observer,
        part: &options.part,
        cache: options.cache.as_deref(),
        has_others: gathered.files.len() > 1,
        keeps: options.cache.is_some(),
    };
    let mut whole = Unit { notes: gathered.notes, ..Unit::default() };
    whole.add(loaded);
    whole.notes.extend(wrong_places(&options.classes, files));
    let mut all = || {
        let mut seen = BTreeSet::new();
        let (mut units, mut compiled) = (Vec::new(), Vec::new());
        for (number, batch) in gathered.files.chunks(LOWERED_FILES).enumerate() {
            let mut lowered: Vec<(usize, Lowered)> = batch
                .par_iter()
                .enumerate()
                .map(|(position, path)| (number * LOWERED_FILES + position, lower(path, &cx)))
                .collect();
            for (_, lowered) in &mut lowered {
                // The first in the order of the files is examined, however many threads there are.
                lowered.leave_out(&mut seen);
                if cx.checkers.is_empty() {
                    lowered.forget_repeated();
                }
            }
            // Compiled files wait until all of them are lowered.
            let (later, now): (Vec<_>, Vec<_>) =
                lowered.into_iter().partition(|(_, lowered)| lowered.compiled_file().is_some());
            let now = now.into_par_iter();
            let examined = now.map(|(number, lowered)| (number, lowered.examined(&cx).0));
            units.extend(examined.collect::<Vec<_>>());
            compiled.extend(later);
        }
        let summarised = (!compiled.is_empty()).then(|| {
            let files: Vec<_> =
                compiled.iter().filter_map(|(_, one)| one.compiled_file()).collect();
            summarise(&files, options)
        });
        // If procedures are not checked one by one, stubs are not needed.
        if let Some(summarised) = summarised.as_ref().filter(|_| !cx.checkers.is_empty()) {
            give_stubs(&mut compiled, summarised);
        }
        let modules: Vec<Module> =
            compiled.iter_mut().map(|(_, lowered)| lowered.take_module()).collect();
        let linked = summarised.as_ref().map(|of| Linked::new(of, &modules));
        let examined = compiled.into_par_iter().enumerate().map(|(position, (number, lowered))| {
            let file = linked.as_ref().map(|linked| linked.file(position));
            let file = file.as_ref().map(|file| file as &dyn Bodies);
            (number, lowered.examined_within(&modules[position], &cx, file))
        });
        units.extend(examined.collect::<Vec<_>>());
        units.sort_by_key(|(number, _)| *number);
        units.into_iter().for_each(|(_, unit)| whole.add(unit));
        if let Some(linked) = &linked {
            add_findings(linked, options, &mut whole);
        }
    };
    let threads = options.jobs.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES).build();
    match pool {
        Ok(pool) => pool.install(all),
        // The machine has no threads to give; those that there are do the work.
        Err(_) => all(),
    }

    let names = whole.procedures.iter().map(|procedure| procedure.name.as_str()).collect();
    let missing = options.part.missing(&names);
    whole.notes.extend(missing);
    whole.tell_once();
    for finding in &mut whole.findings {
        if let Ok(rule) = registry.find(finding.rule.as_str()) {
            finding.level = rule.level;
        }
    }
    let suppressed = whole.suppress(options);
    let Unit { findings, procedures, notes, timings, texts, .. } = whole;
    let bounds = relevant_bounds(&procedures, options);
    let report = Report::new(findings, procedures, notes, bounds, None);
    Outcome { report, sources: texts, suppressed, timings }
}

/// The bounds of the run that matter for some procedure.
fn relevant_bounds(procedures: &[Procedure], options: &Options) -> Bounds {
    let used: BTreeSet<&str> = procedures
        .iter()
        .flat_map(|procedure| &procedure.bounds.0)
        .map(|bound| bound.name.as_str())
        .collect();
    let mut bounds = options.check.bounds.stated();
    bounds.0.retain(|bound| used.contains(bound.name.as_str()));
    bounds
}

impl Unit {
    fn add(&mut self, other: Unit) {
        self.findings.extend(other.findings);
        self.procedures.extend(other.procedures);
        self.notes.extend(other.notes);
        self.timings.extend(other.timings);
        self.suppressions.extend(other.suppressions);
        self.decided.extend(other.decided);
        self.undecided.extend(other.undecided);
        for (path, text) in other.texts {
            self.texts.entry(path).or_insert(text);
        }
    }

    /// Takes out what files that share headers, or the lack of a compiler, say more than once. Of findings
    /// the first stays.
    fn tell_once(&mut self) {
        let mut seen = BTreeSet::new();
        self.findings.retain(|finding| {
            let Finding { rule, detail, place, message, function, .. } = finding;
            let (rule, detail) = (rule.as_str().to_owned(), detail.clone());
            seen.insert((rule, detail, place.clone(), message.clone(), function.clone()))
        });
        let mut seen = BTreeSet::new();
        self.notes.retain(|note| seen.insert((note.place.clone(), note.message.clone())));
        let mut seen = BTreeSet::new();
        self.suppressions.retain(|suppression| seen.insert(suppression.place.clone()));
    }

    /// Takes out what is suppressed, and notes which suppressions have nothing to suppress.
    fn suppress(&mut self, options: &Options) -> Vec<Suppressed> {
        let mut by_line: BTreeMap<(&str, u32), Vec<usize>> = BTreeMap::new();
        for (number, suppression) in self.suppressions.iter().enumerate() {
            let line = (suppression.place.path.as_str(), suppression.line);
            by_line.entry(line).or_default().push(number);
        }
        let mut used = vec![false; self.suppressions.len()];
        let (mut kept, mut suppressed) = (Vec::new(), Vec::new());
        for finding in std::mem::take(&mut self.findings) {
            let covering = finding
                .places()
                .filter_map(|place| by_line.get(&(place.path.as_str(), place.start.line)))
                .flatten()
                .copied()
                .find(|&number| self.suppressions[number].covers(&finding));
            match covering {
                None => kept.push(finding),
                Some(number) => {
                    used[number] = true;
                    let reason = self.suppressions[number].reason.clone();
                    suppressed.push(Suppressed { finding, reason });
                }
            }
        }
        self.findings = kept;
        for (suppression, _) in self.suppressions.iter().zip(used).filter(|(_, used)| !used) {
            if is_idle(suppression, &self.decided, &self.undecided, options) {
                self.notes.push(Note {
                    severity: Severity::Note,
                    message: "unused suppression: no such finding on this line".to_owned(),
                    place: Some(suppression.place.clone()),
                });
            }
        }
        suppressed
    }
}

/// Whether an unused suppression is reported: its rules were enabled, and its line was analysed, and not left out
/// by a compiler.
fn is_idle(
    suppression: &Suppression,
    decided: &[Place],
    undecided: &[Place],
    options: &Options,
) -> bool {
    let is_around = |place: &Place| {
        place.path == suppression.place.path
            && (place.start.line..=place.end.line).contains(&suppression.line)
    };
    suppression.rules.iter().all(|rule| options.rules.has(rule))
        && !undecided.iter().any(is_around)
        && (!suppression.is_compiled || decided.iter().any(is_around))
}

//! What is found by summaries: the procedures of all compiled files, callees before callers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ir::{Module, ProcedureId};
use report::{Confirmation, Finding, Note, Place, Related, Severity, Step, StepKind};
use summary::{
    Analysed, Budget, Digest, Forgetful, Happening, Index, Known, Statistics, Unit as File,
    Wording, analyse_program, brief, describe, shipped,
};

use crate::compiler::Compiler;
use crate::content::Key;
use crate::files::Files;
use crate::gather::gather;
use crate::models::models;
use crate::options::Options;
use crate::run::{Silent, Timing};
use crate::source::World;
use crate::unit::{Atlas, Bench, Unit, lower};

/// A compiled file whose procedures have been examined one by one.
pub(crate) struct Shelved {
    module: Module,
    keys: Vec<Option<Key>>,
    is_repeated: Vec<bool>,
    bodies: Vec<Option<Digest>>,
}

impl Shelved {
    /// Keeps a module, without the bodies that another file has too.
    pub(crate) fn new(
        mut module: Module,
        keys: Vec<Option<Key>>,
        is_repeated: Vec<bool>,
        bodies: Vec<Option<Digest>>,
    ) -> Self {
        for (procedure, is_repeated) in module.procedures.iter_mut().zip(&is_repeated) {
            if *is_repeated {
                procedure.blocks = None;
                procedure.exprs = ir::Exprs::default();
            }
        }
        Self { module, keys, is_repeated, bodies }
    }
}

/// A procedure and what its callers have to know of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// Its name with those of its parameters, and where it is.
    pub heading: String,
    /// The summary, in lines.
    pub text: String,
    /// The procedures that it calls and that have summaries.
    pub callees: Vec<String>,
    /// Whether it does anything to the state of an object.
    pub has_states: bool,
}

/// What is known of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Documented {
    /// The procedures, in the order of the files.
    pub procedures: Vec<Described>,
    /// How many do what.
    pub statistics: Statistics,
    /// What went wrong.
    pub notes: Vec<Note>,
}

/// The summaries of all procedures in compiled files.
pub fn summaries(
    paths: &[&Path],
    files: &dyn Files,
    compiler: &dyn Compiler,
    options: &Options,
) -> Documented {
    let gathered = gather(paths, files, &options.exclude);
    let world = World {
        files,
        libraries: &options.libraries,
        classes: &options.classes,
        compiler,
        models: &[],
        unset: false,
        working: &options.working,
    };
    let (models, told) = models(&options.models, world);
    let bench = Bench {
        world: World { models: &models, ..world },
        checkers: &[],
        limits: &options.limits,
        observer: &Silent,
        part: &options.part,
        store: None,
        has_others: gathered.files.len() > 1,
        keeps: options.memory.is_some(),
    };
    let mut notes = gathered.notes;
    notes.extend(told.notes);
    let mut seen = BTreeSet::new();
    let (mut shelf, mut texts) = (Vec::new(), BTreeMap::new());
    for path in &gathered.files {
        let mut lowered = lower(path, &bench);
        lowered.leave_out(&mut seen);
        let (unit, shelved) = lowered.examined(&bench);
        notes.extend(unit.notes);
        texts.extend(unit.texts);
        shelf.extend(shelved);
    }
    let (index, known) = known(&shelf, options);
    let name = |number: usize| {
        let known: &Known = &known[number];
        let procedure = shelf[known.unit].module.procedure(known.procedure);
        procedure.display.clone().unwrap_or_else(|| procedure.name.clone())
    };
    let places = places(&known, &shelf, &texts);
    let described = known.iter().zip(places).enumerate().filter_map(|(number, (of, place))| {
        let module = &shelf[of.unit].module;
        let procedure = module.procedure(of.procedure);
        let place = place?;
        let parameters: Vec<String> = procedure
            .locals_with(ir::Mode::Parameter)
            .map(|id| procedure.display(id).to_owned())
            .collect();
        let (text, has_states) = match &of.outcome {
            Ok(analysed) => (
                describe(&analysed.summary, Wording::new(module, procedure), index.properties()),
                !analysed.summary.machines.is_empty(),
            ),
            Err(_) => ("  is too large to be summarised\n".to_owned(), false),
        };
        Some(Described {
            name: name(number),
            heading: format!("{}({})  {place}", name(number), parameters.join(", ")),
            text,
            callees: of.callees.iter().map(|callee| name(*callee)).collect(),
            has_states,
        })
    });
    let procedures = described.collect();
    Documented { procedures, statistics: Statistics::of(&known), notes }
}

/// What is known of all procedures.
fn known(shelf: &[Shelved], options: &Options) -> (Index, Vec<Known>) {
    let mut properties = shipped();
    properties.extend(options.properties.clone());
    let index = Index::new(properties);
    let same = same(shelf);
    let files: Vec<File<'_>> = shelf
        .iter()
        .zip(&same)
        .map(|(Shelved { module, bodies, .. }, same)| {
            let name = module.files.first().map_or("", |file| &file.path);
            File { module, name, same, bodies }
        })
        .collect();
    let memory = options.memory.as_deref().unwrap_or(&Forgetful);
    let known = analyse_program(&files, &index, &Budget::default(), memory);
    (index, known)
}

/// Infers the summaries of all procedures, and tells what they show to be wrong.
pub(crate) fn summarise(shelf: &[Shelved], options: &Options, whole: &mut Unit) {
    let is_wanted = |rule: &str| options.rules.has(rule);
    if shelf.is_empty() || !summary::RULES.iter().any(|rule| is_wanted(rule.id)) {
        return;
    }
    let (index, all) = known(shelf, options);
    let mut given_up = Vec::new();
    // Of a function that several files have, the first is examined.
    let mut timings: BTreeMap<(String, String), &mut Timing> = BTreeMap::new();
    for timing in &mut whole.timings {
        timings.entry((timing.name.clone(), timing.place.clone())).or_insert(timing);
    }
    let places = places(&all, shelf, &whole.texts);
    for (known, place) in all.iter().zip(places) {
        let shelved = &shelf[known.unit];
        let procedure = shelved.module.procedure(known.procedure);
        let name = procedure.display.clone().unwrap_or_else(|| procedure.name.clone());
        let place = place.as_ref().map_or(String::new(), ToString::to_string);
        if let Some(timing) = timings.get_mut(&(name.clone(), place)) {
            timing.add(known);
        }
        match &known.outcome {
            Err(_) => given_up.push(name),
            Ok(Analysed { findings, .. }) if !findings.is_empty() => {
                let atlas = Atlas::new(&shelved.module, &whole.texts);
                let extent = atlas.place(crate::faults::extent(procedure));
                if options.part.leaves_out(&name, extent.as_ref()).is_some() {
                    continue;
                }
                let told = findings.iter().filter(|finding| is_wanted(&finding.rule));
                let told: Vec<Finding> =
                    told.filter_map(|finding| told_of(finding, &name, &atlas, options)).collect();
                let told = told.into_iter().map(|mut finding| {
                    let relied = known.callees.iter().map(|callee| &all[*callee]);
                    let relied = relied.filter_map(|callee| {
                        relied_on(
                            callee,
                            &finding,
                            &shelf[callee.unit].module,
                            &whole.texts,
                            &index,
                        )
                    });
                    let relied: Vec<Related> = relied.collect();
                    finding.related.extend(relied);
                    finding
                });
                let told: Vec<Finding> = told.collect();
                whole.findings.extend(told);
            }
            Ok(_) => {}
        }
    }
    if !given_up.is_empty() {
        let message = format!(
            "{} of the functions are too large to be summarised: {}",
            given_up.len(),
            given_up.join(", ")
        );
        whole.notes.push(Note { severity: Severity::Note, message, place: None });
    }
}

/// Where procedures are. They come file by file, and the lines of a file, and of all that it includes, are found once.
fn places(
    known: &[Known],
    shelf: &[Shelved],
    texts: &BTreeMap<String, String>,
) -> Vec<Option<Place>> {
    let mut places = Vec::with_capacity(known.len());
    for of_file in known.chunk_by(|a, b| a.unit == b.unit) {
        let module = &shelf[of_file[0].unit].module;
        let atlas = Atlas::new(module, texts);
        places.extend(of_file.iter().map(|of| atlas.place(module.procedure(of.procedure).span)));
    }
    places
}

impl Timing {
    /// Adds what it took to summarise a procedure.
    fn add(&mut self, known: &Known) {
        self.time += known.time;
        let questions = known.outcome.as_ref().map_or(0, |analysed| analysed.effort.questions);
        self.effort.questions += questions;
        self.effort.solved += questions;
    }
}

/// Where the body of each procedure that is left out in a file is found.
fn same(shelf: &[Shelved]) -> Vec<Vec<Option<(usize, ProcedureId)>>> {
    let mut first: BTreeMap<Key, (usize, ProcedureId)> = BTreeMap::new();
    for (unit, shelved) in shelf.iter().enumerate() {
        for (number, key) in shelved.keys.iter().enumerate() {
            if let (Some(key), false) = (key, shelved.is_repeated[number]) {
                first.entry(*key).or_insert((unit, ProcedureId(number as u32)));
            }
        }
    }
    let of = |shelved: &Shelved| {
        let numbers = 0..shelved.module.procedures.len();
        let other = numbers.map(|number| {
            let key = shelved.keys.get(number).copied().flatten()?;
            first.get(&key).copied().filter(|_| shelved.is_repeated[number])
        });
        other.collect()
    };
    shelf.iter().map(of).collect()
}

/// A finding as reports tell it; none if it has no place in the source.
fn told_of(
    finding: &summary::Finding,
    function: &str,
    atlas: &Atlas<'_>,
    options: &Options,
) -> Option<Finding> {
    let place = atlas.place(finding.span)?;
    let confirmation = Confirmation::ReplayedByInterpreter;
    let mut told = Finding::new(&*finding.rule, &*finding.message, place, confirmation);
    told.function = Some(function.to_owned());
    told.bounds = options.limits.bounds();
    let step = |happening: &Happening| {
        let step = Step::new(StepKind::Statement, &*happening.text);
        match atlas.place(happening.span) {
            Some(place) => step.at(place),
            None => step,
        }
    };
    let mut runs = finding.runs.iter();
    told.trace = runs.next().map_or(Vec::new(), |run| run.iter().map(step).collect());
    if let Some(last) = told.trace.last_mut() {
        last.kind = StepKind::Failure;
    }
    for happening in runs.flatten() {
        if let Some(place) = atlas.place(happening.span) {
            told.related.push(related(place, format!("in the other run, {}", happening.text)));
        }
    }
    told.identity = finding.relied.clone();
    Some(told)
}

/// A callee whose summary a finding relies on, where the callee is and what the summary says.
fn relied_on(
    callee: &Known,
    finding: &Finding,
    module: &Module,
    texts: &BTreeMap<String, String>,
    index: &Index,
) -> Option<Related> {
    let procedure = module.procedure(callee.procedure);
    let name = procedure.display.as_ref().unwrap_or(&procedure.name);
    let summary = &callee.outcome.as_ref().ok()?.summary;
    if !finding.identity.contains(name) {
        return None;
    }
    let says = brief(summary, Wording::new(module, procedure), index.properties());
    let place = Atlas::new(module, texts).place(procedure.span)?;
    Some(related(place, format!("relies on the summary of `{name}`: {says}")))
}

fn related(place: Place, message: String) -> Related {
    Related { place, message }
}

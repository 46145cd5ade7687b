//! What is found by summaries: the procedures of all compiled files, callees before callers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ir::{Module, ProcedureId};
use property::{Index, shipped};
use rayon::prelude::*;
use report::{Note, Place, Related, Severity};
use summary::{
    Analysed, Budget, Digest, Forgetful, Known, Statistics, Summaries, Unit as File, Wording,
    analyse_program, certain, describe,
};

use crate::compiler::Compiler;
use crate::content::Key;
use crate::files::Files;
use crate::gather::gather;
use crate::judged::{Linked, Verdict, told};
use crate::models::models;
use crate::options::Options;
use crate::run::{Silent, Timing};
use crate::source::World;
use crate::unit::{Atlas, Bench, Lowered, Unit, lower};

/// A compiled file, as those see it who look at whole programs.
pub(crate) struct Shelved<'s> {
    pub(crate) module: &'s Module,
    pub(crate) keys: &'s [Option<Key>],
    pub(crate) is_repeated: Vec<bool>,
    pub(crate) bodies: &'s [Option<Digest>],
}

/// What is known of all procedures of compiled files.
pub(crate) struct Whole {
    pub(crate) index: Index,
    pub(crate) summaries: Summaries,
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
        registry: &options.registry(),
        options: &options.check,
        observer: &Silent,
        part: &options.part,
        store: None,
        has_others: gathered.files.len() > 1,
        keeps: options.memory.is_some(),
    };
    let mut notes = gathered.notes;
    notes.extend(told.notes);
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    for path in &gathered.files {
        let mut lowered = lower(path, &bench);
        lowered.leave_out(&mut seen);
        lowered.forget_repeated();
        files.push(lowered);
    }
    let shelf: Vec<Shelved<'_>> = files.iter().filter_map(Lowered::shelved).collect();
    let Whole { index, summaries } = known(&shelf, options);
    let known = summaries.known;
    drop(shelf);
    let (mut modules, mut texts) = (Vec::new(), BTreeMap::new());
    for lowered in files {
        let (unit, module) = lowered.examined(&bench);
        notes.extend(unit.notes);
        texts.extend(unit.texts);
        modules.extend(module);
    }
    let name = |number: usize| {
        let known: &Known = &known[number];
        let procedure = modules[known.unit].procedure(known.procedure);
        procedure.display.clone().unwrap_or_else(|| procedure.name.clone())
    };
    let places = places(&known, &modules, &texts);
    let described = known.iter().zip(places).enumerate().filter_map(|(number, (of, place))| {
        let module = &modules[of.unit];
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
pub(crate) fn known(shelf: &[Shelved<'_>], options: &Options) -> Whole {
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
    let summaries = analyse_program(&files, &index, &Budget::default(), memory);
    Whole { index, summaries }
}

/// Tells what the summaries of procedures show to be wrong.
pub(crate) fn tell(linked: &Linked<'_>, options: &Options, whole: &mut Unit) {
    let Linked { whole: of, modules, .. } = *linked;
    tell_stubs(of, modules, whole);
    let is_wanted = |rule: &str| options.rules.has(rule);
    let mut reported = of.index.properties().reported.iter().map(|(rule, ..)| rule.as_str());
    let mut inferred = summary::RULES.iter().map(|rule| rule.id);
    if !reported.any(is_wanted) && !inferred.any(is_wanted) {
        return;
    }
    let all = &of.summaries.known;
    let mut given_up = Vec::new();
    // Of a function that several files have, the first is examined.
    let mut timings: BTreeMap<(String, String), &mut Timing> = BTreeMap::new();
    for timing in &mut whole.timings {
        timings.entry((timing.name.clone(), timing.place.clone())).or_insert(timing);
    }
    let places = places(all, modules, &whole.texts);
    let mut proposed = Vec::new();
    for (known, place) in all.iter().zip(&places) {
        let module = &modules[known.unit];
        let procedure = module.procedure(known.procedure);
        let name = procedure.display.clone().unwrap_or_else(|| procedure.name.clone());
        let shown = place.as_ref().map_or(String::new(), ToString::to_string);
        if let Some(timing) = timings.get_mut(&(name.clone(), shown)) {
            timing.add(known);
        }
        match &known.outcome {
            Err(_) => given_up.push(name),
            Ok(Analysed { findings, .. }) if !findings.is_empty() => {
                let atlas = Atlas::new(module, &whole.texts);
                let extent = atlas.place(crate::faults::extent(procedure));
                if options.part.leaves_out(&name, extent.as_ref()).is_none() {
                    let wanted = findings.iter().filter(|finding| is_wanted(&finding.rule));
                    proposed.extend(wanted.map(|finding| (known, finding, place.clone())));
                }
            }
            Ok(_) => {}
        }
    }
    let verdicts: Vec<Verdict> =
        proposed.par_iter().map(|(known, finding, _)| linked.judged(known, finding)).collect();
    for ((known, finding, place), verdict) in proposed.into_iter().zip(verdicts) {
        let module = &modules[known.unit];
        let procedure = module.procedure(known.procedure);
        let name = procedure.display.clone().unwrap_or_else(|| procedure.name.clone());
        match verdict {
            Verdict::Confirmed(runs, setup) => {
                let atlas = Atlas::new(module, &whole.texts);
                let told = told(&of.index, procedure, finding, &runs, &atlas);
                whole.findings.extend(told.map(|told| report::Finding { setup, ..told }));
            }
            Verdict::NotConfirmed => whole.not_confirmed(&name, place.as_ref(), &finding.rule),
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

impl Unit {
    /// Notes that a proposal about a procedure was not confirmed: nothing is decided about it.
    fn not_confirmed(&mut self, name: &str, place: Option<&Place>, rule: &str) {
        let of = |procedure: &&mut report::Procedure| {
            procedure.name == name && procedure.place.as_ref() == place
        };
        if let Some(procedure) = self.procedures.iter_mut().find(of)
            && procedure.verdict == report::Verdict::NoneWithinBounds
        {
            let reason = report::Reason::new(report::ReasonClass::NotConfirmed)
                .because(format!("{rule} was proposed"));
            procedure.verdict = report::Verdict::Unknown(reason);
        }
    }
}

/// Tells on which summaries findings rely that were made where callees are not followed.
fn tell_stubs(of: &Whole, modules: &[Module], whole: &mut Unit) {
    let relying = whole.findings.iter().flat_map(|finding| &finding.relied);
    let wanted: BTreeSet<&str> = relying.map(String::as_str).collect();
    let mut told: BTreeMap<String, Related> = BTreeMap::new();
    for known in &of.summaries.known {
        let module = &modules[known.unit];
        let procedure = module.procedure(known.procedure);
        let name = procedure.display.as_ref().unwrap_or(&procedure.name);
        let Some(analysed) = known.outcome.as_ref().ok().filter(|_| wanted.contains(&**name))
        else {
            continue;
        };
        let says =
            certain(&analysed.summary, Wording::new(module, procedure), of.index.properties());
        let place = Atlas::new(module, &whole.texts).place(procedure.span);
        if let Some(place) = place.filter(|_| !says.is_empty()) {
            let message = format!("relies on the summary of `{name}`: {says}");
            told.entry(name.clone()).or_insert(related(place, message));
        }
    }
    for finding in &mut whole.findings {
        let relied = std::mem::take(&mut finding.relied);
        finding.related.extend(relied.iter().filter_map(|name| told.get(name).cloned()));
    }
}

/// Where procedures are. They come file by file, and the lines of a file, and of all that it includes, are found once.
fn places(
    known: &[Known],
    modules: &[Module],
    texts: &BTreeMap<String, String>,
) -> Vec<Option<Place>> {
    let mut places = Vec::with_capacity(known.len());
    for of_file in known.chunk_by(|a, b| a.unit == b.unit) {
        let module = &modules[of_file[0].unit];
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
        self.effort.queries += questions;
        self.effort.solved += questions;
    }
}

/// Where the body of each procedure that is left out in a file is found.
fn same(shelf: &[Shelved<'_>]) -> Vec<Vec<Option<(usize, ProcedureId)>>> {
    let mut first: BTreeMap<Key, (usize, ProcedureId)> = BTreeMap::new();
    for (unit, shelved) in shelf.iter().enumerate() {
        for (number, key) in shelved.keys.iter().enumerate() {
            if let (Some(key), false) = (key, shelved.is_repeated[number]) {
                first.entry(*key).or_insert((unit, ProcedureId(number as u32)));
            }
        }
    }
    let of = |shelved: &Shelved<'_>| {
        let numbers = 0..shelved.module.procedures.len();
        let other = numbers.map(|number| {
            let key = shelved.keys.get(number).copied().flatten()?;
            first.get(&key).copied().filter(|_| shelved.is_repeated[number])
        });
        other.collect()
    };
    shelf.iter().map(of).collect()
}

fn related(place: Place, message: String) -> Related {
    Related { place, message }
}

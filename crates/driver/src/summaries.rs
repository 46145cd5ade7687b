//! Findings from summaries: the procedures of all compiled files, callees before callers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ir::{Module, ProcedureId};
use property::{Index, shipped};
use rayon::prelude::*;
use report::{Note, Place, Related, Severity};
use summary::{
    Analysed, Budget, Digest, ProcedureResult, Statistics, Summaries, Unit as File, Wording,
    analyse_program, describe, describe_facts,
};

use crate::compiler::Compiler;
use crate::content::Key;
use crate::files::Files;
use crate::gather::gather;
use crate::judged::{Linked, Verdict};
use crate::models::models;
use crate::options::Options;
use crate::run::{Silent, Timing};
use crate::source::World;
use crate::unit::{Atlas, Lowered, RunContext, Unit, lower};

/// A compiled file, as the analysis of whole programs sees it.
pub(crate) struct CompiledFile<'s> {
    pub(crate) module: &'s Module,
    pub(crate) keys: &'s [Option<Key>],
    pub(crate) is_repeated: Vec<bool>,
    pub(crate) bodies: &'s [Option<Digest>],
}

/// The summaries of all procedures of compiled files.
pub(crate) struct Whole {
    pub(crate) index: Index,
    pub(crate) summaries: Summaries,
}

/// A procedure and what its callers have to know of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SummaryText {
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

/// The summaries of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Documented {
    /// The procedures, in the order of the files.
    pub procedures: Vec<SummaryText>,
    /// How many do what.
    pub statistics: Statistics,
    /// The notes.
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
    let (models, loaded) = models(&options.models, world);
    let cx = RunContext {
        world: World { models: &models, ..world },
        checkers: &[],
        registry: &options.registry(),
        options: &options.check,
        observer: &Silent,
        part: &options.part,
        cache: None,
        has_others: gathered.files.len() > 1,
        keeps: options.cache.is_some(),
    };
    let mut notes = gathered.notes;
    notes.extend(loaded.notes);
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    for path in &gathered.files {
        let mut lowered = lower(path, &cx);
        lowered.leave_out(&mut seen);
        lowered.forget_repeated();
        files.push(lowered);
    }
    let compiled: Vec<CompiledFile<'_>> = files.iter().filter_map(Lowered::compiled_file).collect();
    let Whole { index, summaries } = summarise(&compiled, options);
    let known = summaries.procedures;
    drop(compiled);
    let (mut modules, mut texts) = (Vec::new(), BTreeMap::new());
    for lowered in files {
        let (unit, module) = lowered.examined(&cx);
        notes.extend(unit.notes);
        texts.extend(unit.texts);
        modules.extend(module);
    }
    let name = |number: usize| {
        let known: &ProcedureResult = &known[number];
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
        Some(SummaryText {
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

/// Summarises all procedures of compiled files.
pub(crate) fn summarise(compiled: &[CompiledFile<'_>], options: &Options) -> Whole {
    let mut properties = shipped();
    properties.extend(options.properties.clone());
    let index = Index::new(properties);
    let same = same(compiled);
    let files: Vec<File<'_>> = compiled
        .iter()
        .zip(&same)
        .map(|(CompiledFile { module, bodies, .. }, same)| {
            let name = module.files.first().map_or("", |file| &file.path);
            File { module, name, same, bodies }
        })
        .collect();
    let cache = options.cache.as_deref().unwrap_or(&store::NoCache);
    let summaries = analyse_program(&files, &index, &Budget::default(), cache);
    Whole { index, summaries }
}

/// Judges the candidates that the summaries propose, and adds the findings.
pub(crate) fn add_findings(linked: &Linked<'_>, options: &Options, whole: &mut Unit) {
    let Linked { whole: of, modules, .. } = *linked;
    report_stubs(of, modules, whole);
    let is_wanted = |rule: &str| options.rules.has(rule);
    let mut reported = of.index.properties().reported.iter().map(|(rule, ..)| rule.as_str());
    let mut inferred = summary::RULES.iter().map(|rule| rule.id);
    if !reported.any(is_wanted) && !inferred.any(is_wanted) {
        return;
    }
    let all = &of.summaries.procedures;
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
    let texts = &whole.texts;
    let verdicts: Vec<Verdict> = proposed
        .par_iter()
        .map(|(known, finding, _)| linked.judged(known, finding, texts))
        .collect();
    for ((known, finding, place), verdict) in proposed.into_iter().zip(verdicts) {
        let procedure = modules[known.unit].procedure(known.procedure);
        let name = procedure.display.clone().unwrap_or_else(|| procedure.name.clone());
        match verdict {
            Verdict::Confirmed(finding) => whole.findings.extend(finding.map(|finding| *finding)),
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
fn report_stubs(of: &Whole, modules: &[Module], whole: &mut Unit) {
    let relying = whole.findings.iter().flat_map(|finding| &finding.relied);
    let wanted: BTreeSet<&str> = relying.map(String::as_str).collect();
    let mut links: BTreeMap<String, Related> = BTreeMap::new();
    for known in &of.summaries.procedures {
        let module = &modules[known.unit];
        let procedure = module.procedure(known.procedure);
        let name = procedure.display.as_ref().unwrap_or(&procedure.name);
        let Some(analysed) = known.outcome.as_ref().ok().filter(|_| wanted.contains(&**name))
        else {
            continue;
        };
        let says = describe_facts(
            &analysed.summary,
            Wording::new(module, procedure),
            of.index.properties(),
        );
        let place = Atlas::new(module, &whole.texts).place(procedure.span);
        if let Some(place) = place.filter(|_| !says.is_empty()) {
            let message = format!("relies on the summary of `{name}`: {says}");
            links.entry(name.clone()).or_insert(related(place, message));
        }
    }
    for finding in &mut whole.findings {
        let relied = std::mem::take(&mut finding.relied);
        finding.related.extend(relied.iter().filter_map(|name| links.get(name).cloned()));
    }
}

/// The places of procedures. They come file by file, and the lines of a file, and of its headers, are found once.
fn places(
    known: &[ProcedureResult],
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
    fn add(&mut self, known: &ProcedureResult) {
        self.time += known.time;
        let queries = known.outcome.as_ref().map_or(0, |analysed| analysed.effort.queries);
        self.effort.queries += queries;
        self.effort.solved += queries;
    }
}

/// The file in which the body of each procedure that is left out is analysed.
fn same(compiled: &[CompiledFile<'_>]) -> Vec<Vec<Option<(usize, ProcedureId)>>> {
    let mut first: BTreeMap<Key, (usize, ProcedureId)> = BTreeMap::new();
    for (unit, compiled_file) in compiled.iter().enumerate() {
        for (number, key) in compiled_file.keys.iter().enumerate() {
            if let (Some(key), false) = (key, compiled_file.is_repeated[number]) {
                first.entry(*key).or_insert((unit, ProcedureId(number as u32)));
            }
        }
    }
    let of = |compiled_file: &CompiledFile<'_>| {
        let numbers = 0..compiled_file.module.procedures.len();
        let other = numbers.map(|number| {
            let key = compiled_file.keys.get(number).copied().flatten()?;
            first.get(&key).copied().filter(|_| compiled_file.is_repeated[number])
        });
        other.collect()
    };
    compiled.iter().map(of).collect()
}

fn related(place: Place, message: String) -> Related {
    Related { place, message }
}

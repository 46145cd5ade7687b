//! The stages of one file, top to bottom: read, lower, report faults, check its procedures.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use check::{
    Bodies, CheckOptions, Checker, Effort, Program, QuerySession, Search, Strategy, is_checked,
    search,
};
use explain::Presentation;
use ir::{Mode, Module, ProcedureId, Span};
use rayon::prelude::*;
use report::{
    Bounds, Finding, LineIndex, Note, Place, Procedure, Reason, ReasonClass, Severity, Verdict,
};
use summary::StubBody;

use crate::contain::contain;
use crate::content::{Key, bodies, keys};
use crate::faults::{extent, faults, trusted};
use crate::files::shown;
use crate::language::{Language, Trust, of_path};
use crate::options::without_objects;
use crate::part::Selection;
use crate::rules::Registry;
use crate::run::{Observer, Timing};
use crate::source::{NoSource, Source, World, load};
use crate::summaries::CompiledFile;
use crate::suppress::{Suppression, suppressions};

/// The results of a file.
#[derive(Default)]
pub(crate) struct Unit {
    pub(crate) findings: Vec<Finding>,
    pub(crate) procedures: Vec<Procedure>,
    pub(crate) notes: Vec<Note>,
    pub(crate) timings: Vec<Timing>,
    pub(crate) suppressions: Vec<Suppression>,
    /// The places of procedures with a decided verdict, and of the others.
    pub(crate) decided: Vec<Place>,
    pub(crate) undecided: Vec<Place>,
    /// The texts of the files that places may mention.
    pub(crate) texts: BTreeMap<String, String>,
}

/// The common options of all files of a run.
pub(crate) struct RunContext<'b> {
    pub(crate) world: World<'b>,
    pub(crate) checkers: &'b [&'static dyn Checker],
    /// The rules that suppressions may name.
    pub(crate) registry: &'b Registry,
    pub(crate) options: &'b CheckOptions,
    pub(crate) observer: &'b dyn Observer,
    /// The procedures to check.
    pub(crate) part: &'b Selection,
    /// The cache of initial heaps.
    pub(crate) cache: Option<&'b dyn store::Cache>,
    /// Whether other files may contain the same procedures.
    pub(crate) has_others: bool,
    /// Whether summaries are cached.
    pub(crate) keeps: bool,
}

/// A file that has been lowered, with its results so far.
#[derive(Default)]
pub(crate) struct Lowered {
    unit: Unit,
    module: Module,
    language: Option<&'static Language>,
    /// The plan for each procedure.
    plans: Vec<Plan>,
    /// The source text of each procedure.
    extents: Vec<Span>,
    /// The key of each procedure, where other files may contain the same one.
    keys: Vec<Option<Key>>,
    /// The digest of each body, where summaries are cached.
    bodies: Vec<Option<summary::Digest>>,
}

/// Whether a procedure is checked, or why not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plan {
    Examine,
    /// Its source has an error, or that of a callee.
    Faulty,
    /// Another file contains the same one.
    Repeated,
    /// A front end generated it: the model of a library function.
    Model,
}

pub(crate) const OUR_BUG: &str = "this is a bug of Indict, please report it with the file";

/// Reads and lowers a file, and reports its faults.
pub(crate) fn lower(path: &Path, cx: &RunContext<'_>) -> Lowered {
    let mut lowered = Lowered::default();
    let Some(language) = of_path(path) else { return lowered };
    let name = shown(path);
    cx.observer.lowering(&name);
    match load(path, language, cx.world) {
        Err(NoSource::Notes(notes, texts)) => {
            lowered.unit.notes = notes;
            lowered.unit.texts = texts;
        }
        Err(NoSource::Panic(panic)) => lowered.unit.notes.push(Note {
            severity: Severity::Error,
            message: format!("`{name}` could not be lowered: {panic}; {OUR_BUG}"),
            place: None,
        }),
        Ok(Source { module, diagnostics, texts, notes }) => {
            lowered.unit.notes = notes;
            cx.observer.lowered(&name, &module);
            lowered.module = module;
            lowered.language = Some(language);
            lowered.unit.texts = texts;
            lowered.unit.suppressed(&name, language, cx.registry);
            lowered.judge(diagnostics);
            // A procedure that only one file contains needs no key.
            let is_shared = language.is_compiled() && cx.has_others;
            if is_shared && lowered.plans.contains(&Plan::Examine) {
                lowered.keys = keys(&mut lowered.module);
            }
            if language.is_compiled() && cx.keeps {
                lowered.bodies = bodies(&lowered.module);
            }
        }
    }
    lowered
}

impl Unit {
    /// Collects suppressions of the file and, if it is compiled, of the files that it includes.
    fn suppressed(&mut self, name: &str, language: &Language, registry: &Registry) {
        let is_compiled = language.is_compiled();
        for (path, text) in self.texts.iter().filter(|(path, _)| is_compiled || *path == name) {
            let (mut found, notes) = suppressions(path, text, language.quotes, registry);
            found.iter_mut().for_each(|suppression| suppression.is_compiled = is_compiled);
            self.suppressions.extend(found);
            self.notes.extend(notes);
        }
    }
}

impl Lowered {
    /// Reports the errors of the module, and excludes the procedures that they affect.
    fn judge(&mut self, diagnostics: Vec<ir::Diagnostic>) {
        let (errors, remarks): (Vec<_>, Vec<_>) = diagnostics
            .into_iter()
            .partition(|diagnostic| diagnostic.severity == ir::Severity::Error);
        let faults = faults(&self.module, errors);
        self.extents = self.module.procedures.iter().map(extent).collect();
        let trusted = trusted(&mut self.module, &faults);
        let plan = |(procedure, trusted)| match trusted {
            false => Plan::Faulty,
            true if is_model(procedure) => Plan::Model,
            true => Plan::Examine,
        };
        self.plans = self.module.procedures.iter().zip(trusted).map(plan).collect();
        let atlas = Atlas::new(&self.module, &self.unit.texts);
        let place = |span: Span| atlas.place(span);
        self.unit.notes.extend(faults.iter().map(|fault| Note {
            severity: Severity::Error,
            message: fault.message.clone(),
            place: fault.span.and_then(place),
        }));
        self.unit.notes.extend(remarks.iter().map(|remark| Note {
            severity: Severity::Note,
            message: remark.to_string(),
            place: place(remark.span),
        }));
    }

    /// Skips procedures that an earlier file contains, and records the others.
    pub(crate) fn leave_out(&mut self, seen: &mut BTreeSet<Key>) {
        for (plan, key) in self.plans.iter_mut().zip(&self.keys) {
            if *plan == Plan::Examine && key.is_some_and(|key| !seen.insert(key)) {
                *plan = Plan::Repeated;
            }
        }
    }

    /// The file as input of the analysis of whole programs, if it is compiled.
    pub(crate) fn compiled_file(&self) -> Option<CompiledFile<'_>> {
        self.language.filter(|language| language.is_compiled())?;
        let is_repeated = self.plans.iter().map(|plan| *plan == Plan::Repeated).collect();
        let (module, keys, bodies) = (&self.module, &self.keys[..], &self.bodies[..]);
        Some(CompiledFile { module, keys, is_repeated, bodies })
    }

    /// Removes bodies that another file contains too, where procedures are not checked by themselves.
    pub(crate) fn forget_repeated(&mut self) {
        for (procedure, plan) in self.module.procedures.iter_mut().zip(&self.plans) {
            if *plan == Plan::Repeated {
                procedure.blocks = None;
                procedure.exprs = ir::Exprs::default();
                procedure
                    .locals
                    .retain(|local| matches!(local.mode, Mode::Parameter | Mode::Result));
                procedure.places.clear();
                procedure.forms.clear();
            }
        }
    }

    /// Adds the stubs of procedures that are not inlined.
    pub(crate) fn stub(&mut self, stubbed: Vec<(ProcedureId, StubBody)>) {
        for (id, StubBody { stub, procedures }) in stubbed {
            self.module.procedures.extend(procedures);
            self.module.stubs.insert(id, stub);
        }
    }

    /// Checks each procedure by itself. Returns the module of a compiled file, for the analysis of whole programs.
    pub(crate) fn examined(mut self, cx: &RunContext<'_>) -> (Unit, Option<Module>) {
        let is_compiled = self.language.is_some_and(Language::is_compiled);
        let module = self.take_module();
        let unit = self.examined_within(&module, cx, None);
        (unit, is_compiled.then_some(module))
    }

    /// Takes the module out. [`Self::examined_within`] needs it again.
    pub(crate) fn take_module(&mut self) -> Module {
        std::mem::take(&mut self.module)
    }

    /// Checks all procedures of the module that was taken, in parallel, and collects the results in source order. Failing
    /// executions are judged within the program that the file is part of.
    pub(crate) fn examined_within(
        self,
        module: &Module,
        cx: &RunContext<'_>,
        bodies: Option<&dyn Bodies>,
    ) -> Unit {
        let Self { mut unit, plans, extents, language, .. } = self;
        let (options, checkers) = for_language(language, cx);
        let cx = &RunContext { options: &options, checkers: &checkers, ..*cx };
        if language.is_some_and(|language| language.search == Search::Deepening) {
            unit.notes.extend(without_objects(&options));
        }
        let presentation = language.map_or(Presentation::Plain, |language| language.presentation);
        let atlas = Atlas::new(module, &unit.texts);
        cx.observer.found(plans.len());
        // Bounds and methods share initial heaps, even without a cache on disk.
        let memory = store::InMemory::default();
        let heaps = Some(cx.cache.unwrap_or(&memory));
        let program = (plans.contains(&Plan::Examine) && !cx.checkers.is_empty()).then(|| {
            contain(|| {
                Program::new(module, &unit.texts)
                    .presented(presentation)
                    .with_cache(heaps)
                    .within(bodies)
            })
        });
        let program = program.transpose();
        let started = cx.part.is_entry(START).then(|| started(module));
        let started = started.as_ref().filter(|_| language.is_some_and(Language::is_compiled));
        let started = started.map(|module| {
            contain(|| Program::new(module, &unit.texts).presented(presentation)).map_err(|_| ())
        });
        let examined: Vec<Examined> = (0..plans.len())
            .into_par_iter()
            .map(|number| {
                let id = ProcedureId(number as u32);
                let subject = subject(module, id, &atlas);
                let extent = atlas.place(extents[number]);
                let left_out = cx.part.leaves_out(&subject.name, extent.as_ref());
                let examined = match (plans[number], &program) {
                    (Plan::Examine, _) if left_out.is_some() => {
                        let why = left_out.unwrap_or(ReasonClass::NotAskedFor);
                        Examined::skipped(subject, why)
                    }
                    // Only rules of summaries are selected.
                    (Plan::Examine, _) if cx.checkers.is_empty() => Examined::unasked(subject),
                    (Plan::Examine, Ok(Some(program))) if cx.part.is_entry(&subject.name) => {
                        let mut options = cx.options.clone();
                        options.policy.trust_inputs = false;
                        let cx = &RunContext { options: &options, ..*cx };
                        let order = order(language, module.procedure(id));
                        let program = match &started {
                            Some(Ok(started)) if subject.name == START => started,
                            _ => program,
                        };
                        one(program, id, subject, order, cx)
                    }
                    (Plan::Examine, Ok(Some(program))) => {
                        let order = order(language, module.procedure(id));
                        one(program, id, subject, order, cx)
                    }
                    (Plan::Examine, _) => Examined::skipped(subject, ReasonClass::InternalError),
                    (Plan::Faulty, _) => Examined::skipped(subject, ReasonClass::FaultySource),
                    (Plan::Repeated, _) => Examined::skipped(subject, ReasonClass::Duplicate),
                    (Plan::Model, _) => Examined::skipped(subject, ReasonClass::Library),
                };
                cx.observer.examined(&examined.timing);
                examined
            })
            .collect();
        for ((examined, extent), plan) in examined.into_iter().zip(extents).zip(&plans) {
            let place = atlas.place(extent);
            match examined.procedure.verdict {
                Verdict::Findings | Verdict::NoneWithinBounds => unit.decided.extend(place),
                // The verdict is that of the first copy, or of no interest to the user.
                _ if matches!(plan, Plan::Repeated | Plan::Model) => {}
                Verdict::Unknown(_) | Verdict::Skipped(_) => unit.undecided.extend(place),
            }
            unit.findings.extend(examined.findings);
            unit.procedures.push(examined.procedure);
            unit.notes.extend(examined.note);
            unit.timings.push(examined.timing);
        }
        if let Err(panic) = program {
            let message = format!("the procedures could not be examined: {panic}; {OUR_BUG}");
            unit.notes.push(Note { severity: Severity::Error, message, place: None });
        }
        unit
    }
}

/// The function where a program starts.
const START: &str = "main";

/// The module at the start of a program: static objects have their initial values.
fn started(module: &Module) -> Module {
    let mut module = module.clone();
    for object in &mut module.objects {
        object.constant |= object.contents.is_some();
    }
    module
}

/// The rule of what fails in every execution.
const DOOMED: &str = "doomed";

/// The options and checkers for a language.
fn for_language(
    language: Option<&Language>,
    cx: &RunContext<'_>,
) -> (CheckOptions, Vec<&'static dyn Checker>) {
    let trust = language.map_or(Trust::Never, |language| language.trust);
    let (trust_inputs, definite) = (trust != Trust::Never, trust == Trust::Always);
    let mut options = cx.options.clone();
    (options.policy.trust_inputs, options.policy.definite) = (trust_inputs, definite);
    let mut options = match language.map(|language| language.search) {
        Some(Search::Unrolling) => {
            CheckOptions { strategy: Strategy::default(), ..options.for_many_procedures() }
        }
        Some(Search::Once | Search::Growing) | None => {
            CheckOptions { strategy: Strategy::default(), ..options }
        }
        Some(Search::Deepening) => options,
    };
    let left_out = language.map_or(&[][..], |language| language.leaves_out);
    let applies = |checker: &&&dyn Checker| !left_out.contains(&checker.rule().id);
    let mut checkers: Vec<&'static dyn Checker> =
        cx.checkers.iter().filter(applies).copied().collect();
    // If only failures of every execution are reported, every rule selects them.
    let has_doomed = checkers.iter().any(|checker| checker.rule().id == DOOMED);
    let is_denied = options.policy.denied.contains(DOOMED) || left_out.contains(&DOOMED);
    if options.policy.definite && !has_doomed && !is_denied && !checkers.is_empty() {
        let others = check::ALL.iter().map(|checker| checker.rule().id);
        let is_asked = |id: &&str| checkers.iter().any(|checker| checker.rule().id == *id);
        options.policy.denied.extend(others.filter(|id| !is_asked(id)).map(str::to_owned));
        checkers.splice(0..0, check::find(DOOMED));
    }
    (options, checkers)
}

/// The search for a procedure.
fn order(language: Option<&Language>, procedure: &ir::Procedure) -> Search {
    match language {
        // An assumption that holds within small bounds may not hold within larger ones.
        Some(Language {
            search: Search::Deepening,
            trust: Trust::Always | Trust::UntilTested,
            ..
        }) if !is_checked(procedure) => Search::Once,
        Some(language) => language.search,
        None => Search::Once,
    }
}

/// Whether a procedure is generated: it has a body, and no place in any source.
fn is_model(procedure: &ir::Procedure) -> bool {
    let is_synthetic = |origin: ir::Origin| origin == ir::Origin::Synthetic;
    procedure.span.start == procedure.span.end
        && procedure.blocks.as_ref().is_some_and(|blocks| {
            blocks.iter().all(|block| {
                is_synthetic(block.terminator.origin)
                    && block.statements.iter().all(|statement| is_synthetic(statement.origin))
            })
        })
}

/// The results of a procedure.
struct Examined {
    findings: Vec<Finding>,
    procedure: Procedure,
    note: Option<Note>,
    timing: Timing,
}

impl Examined {
    fn without_findings(procedure: Procedure, note: Option<Note>, time: Duration) -> Self {
        let timing = Timing::new(&procedure, time, Effort::default());
        Self { findings: Vec::new(), procedure, note, timing }
    }

    fn unasked(subject: Procedure) -> Self {
        let verdict = Verdict::NoneWithinBounds;
        Self::without_findings(Procedure { verdict, ..subject }, None, Duration::ZERO)
    }

    fn skipped(subject: Procedure, why: ReasonClass) -> Self {
        let verdict = Verdict::Skipped(Reason::new(why));
        Self::without_findings(Procedure { verdict, ..subject }, None, Duration::ZERO)
    }
}

/// Checks one procedure. If the solver fails, or Indict has a bug, the verdict says so.
fn one(
    program: &Program<'_>,
    id: ProcedureId,
    subject: Procedure,
    order: Search,
    cx: &RunContext<'_>,
) -> Examined {
    let start = Instant::now();
    let outcome = contain(|| -> Result<check::Examined, sat::Error> {
        let mut observer = |session: &QuerySession<'_>| cx.observer.asked(id, session);
        search(program, id, cx.checkers, cx.options, order, &mut observer)
    });
    let time = start.elapsed();
    let (class, why, message) = match outcome {
        Ok(Ok(check::Examined { findings, procedure, effort, .. })) => {
            let procedure = program.completed(id, procedure);
            let timing = Timing::new(&procedure, time, effort);
            return Examined { findings, procedure, note: None, timing };
        }
        Ok(Err(error)) => {
            (ReasonClass::Solver, error.to_string(), format!("the solver failed: {error}"))
        }
        Err(panic) => {
            let message = format!("`{}` could not be examined: {panic}; {OUR_BUG}", subject.name);
            (ReasonClass::InternalError, panic.to_string(), message)
        }
    };
    let note = Note { severity: Severity::Error, message, place: subject.place.clone() };
    let verdict = Verdict::Unknown(Reason::new(class).because(why));
    Examined::without_findings(Procedure { verdict, ..subject }, Some(note), time)
}

/// A procedure of which nothing is known yet.
fn subject(module: &Module, id: ProcedureId, atlas: &Atlas<'_>) -> Procedure {
    let subject = module.procedure(id);
    let name = subject.display.clone().unwrap_or_else(|| subject.name.clone());
    let verdict = Verdict::Unknown(Reason::new(ReasonClass::InternalError));
    let place = atlas.place(subject.span);
    Procedure { place, ..Procedure::new(name, verdict, Bounds::new()) }
}

/// The files of a module, indexed.
pub(crate) struct Atlas<'t> {
    files: Vec<(String, LineIndex<'t>)>,
}

impl<'t> Atlas<'t> {
    pub(crate) fn new(module: &Module, texts: &'t BTreeMap<String, String>) -> Self {
        let files = module.files.iter().map(|file| {
            let text = texts.get(&file.path);
            let ruled = || LineIndex::ruled(ir::RULED);
            (file.path.clone(), text.map_or_else(ruled, |text| LineIndex::new(text)))
        });
        Self { files: files.collect() }
    }

    pub(crate) fn place(&self, span: Span) -> Option<Place> {
        let (path, index) = self.files.get(span.file.0 as usize)?;
        Some(Place::of_offsets(&**path, index, span.start, span.end))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, Ordering};

    use check::{CheckContext, CheckOptions, Checker, Rule};

    use super::{RunContext, lower};
    use crate::compiler::NoCompiler;
    use crate::files::MemoryFiles;
    use crate::part::Selection;
    use crate::rules::Registry;
    use crate::run::Silent;
    use crate::source::World;

    /// A checker that is wrong about the first procedure it sees.
    struct Wrong;

    static IS_FIRST: AtomicBool = AtomicBool::new(true);

    impl Checker for Wrong {
        fn rule(&self) -> Rule {
            Rule { id: "wrong", ..check::ALL[0].rule() }
        }

        fn check(&self, _: &mut CheckContext<'_>) {
            assert!(!IS_FIRST.swap(false, Ordering::SeqCst), "we did not think of this");
        }
    }

    #[test]
    fn a_panic_is_the_verdict_on_one_procedure_and_the_rest_goes_on() {
        let procedure = |name: &str| format!("proc {name}()\n{{\n  entry:\n    exit;\n}}\n");
        let files = MemoryFiles::new([("a.vir", procedure("f") + &procedure("g"))]);
        let options = CheckOptions::default();
        let cx = RunContext {
            world: World {
                files: &files,
                libraries: &[],
                classes: &crate::options::NO_CLASSES,
                compiler: &NoCompiler,
                models: &[],
                unset: false,
                working: Path::new(""),
            },
            checkers: &[&Wrong],
            registry: &Registry::default(),
            options: &options,
            observer: &Silent,
            part: &Selection::default(),
            cache: None,
            has_others: false,
            keeps: false,
        };
        let (unit, _) = lower(Path::new("a.vir"), &cx).examined(&cx);
        let mut verdicts: Vec<String> =
            unit.procedures.iter().map(|procedure| procedure.verdict.to_string()).collect();
        verdicts.sort();
        assert_eq!(verdicts[0], "none within bounds");
        assert!(verdicts[1].starts_with("unknown: internal error (we did not think of this"));
        let [note] = unit.notes.as_slice() else { panic!("{:?}", unit.notes) };
        assert!(note.message.contains("could not be examined: we did not think of this"));
        assert!(note.message.ends_with("please report it with the file"));
        assert!(note.place.is_some());
    }
}

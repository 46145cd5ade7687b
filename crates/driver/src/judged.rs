//! The proposals of summaries, decided by the judge and explained as findings.

use std::collections::{BTreeMap, BTreeSet};

use check::{Bodies, Callers};
use explain::{Presentation, Recorded, Remark, Replay, Reply, Writer, is_nowhere};
use interpret::{
    Event, EventKind, Failure, Inputs, NewObject, Pointer, SiteDecisions, Value, Word,
};
use ir::{
    AssertKind, Callee, Mode, Module, Origin, PointId, ProcedureId, Span, Statement, StatementKind,
    Variable,
};
use judge::{
    AssumedResult, Assumption, Claim, Confirmed, Judged, LinkedProgram, Record, Sight,
    TrackedObject, confirm, judge,
};
use passes::Symbol;
use property::Index;
use report::{
    Confirmation, FailureKind, Finding, LineIndex, Place, Related, Setup, Step, StepKind,
};
use summary::ProcedureResult;

use crate::summaries::Whole;
use crate::unit::Atlas;

/// The judge's verdict on a proposal.
pub(crate) enum Verdict {
    /// Executions show it; none if the finding has no place in the source.
    Confirmed(Option<Box<Finding>>),
    /// No execution does.
    NotConfirmed,
}

/// The files that are checked together, linked by what is known of their procedures.
pub(crate) struct Linked<'l> {
    pub(crate) whole: &'l Whole,
    pub(crate) modules: &'l [Module],
    /// The procedures that others call by name.
    called: BTreeSet<Symbol>,
    /// The procedures whose address is taken.
    taken: BTreeSet<Symbol>,
}

impl<'l> Linked<'l> {
    pub(crate) fn new(whole: &'l Whole, modules: &'l [Module]) -> Linked<'l> {
        let mut linked = Linked { whole, modules, called: BTreeSet::new(), taken: BTreeSet::new() };
        let (mut called, mut taken) = (BTreeSet::new(), BTreeSet::new());
        for (unit, module) in modules.iter().enumerate() {
            let names = module.objects.iter().map(|object| module.function(object.address));
            let names: BTreeSet<&str> = names.map(|address| &*address.name).collect();
            for (number, procedure) in module.procedures.iter().enumerate() {
                let own = linked.definition(unit, ProcedureId(number as u32));
                let blocks = procedure.blocks.iter().flatten();
                let callees = blocks.flat_map(|block| &block.statements).filter_map(callee);
                let known = callees.filter_map(|callee| linked.definition(unit, callee));
                called.extend(known.filter(|callee| Some(*callee) != own));
                taken.extend(own.filter(|_| names.contains(&*procedure.name)));
            }
        }
        (linked.called, linked.taken) = (called, taken);
        linked
    }

    /// The definition of a procedure that a file may only declare.
    fn definition(&self, unit: usize, id: ProcedureId) -> Option<Symbol> {
        let node = (*self.whole.summaries.links.get(unit)?.get(id.0 as usize)?)?;
        let known = &self.whole.summaries.procedures[node];
        Some((known.unit, known.procedure))
    }

    fn with_program<T>(&self, act: impl FnOnce(&LinkedProgram<'_>) -> T) -> T {
        let definition = |unit: usize, id: ProcedureId| self.definition(unit, id);
        let units = self.modules.iter().collect();
        act(&LinkedProgram { units, definition: &definition, index: &self.whole.index })
    }

    /// Has a proposal judged, and explains the executions that show it.
    pub(crate) fn judged(
        &self,
        known: &ProcedureResult,
        finding: &summary::Finding,
        texts: &BTreeMap<String, String>,
    ) -> Verdict {
        let symbol = (known.unit, known.procedure);
        let shown = self.with_program(|program| judge(program, symbol, &finding.proposals));
        let Some(Confirmed { runs, module }) = shown else { return Verdict::NotConfirmed };
        let atlas = Atlas::new(&module, texts);
        let index = &self.whole.index;
        let confirmed = ConfirmedProposal {
            index,
            module: &module,
            procedure: known.procedure,
            finding,
            atlas: &atlas,
        };
        let explained = confirmed.finding(&runs).map(|explained| {
            let setup = runs.iter().find_map(|run| self.setup(known, finding, &module, run));
            Box::new(Finding { setup: setup.map(Box::new), ..explained })
        });
        Verdict::Confirmed(explained)
    }

    /// The setup for executing the program itself like a judged execution; none if no stub of a function can
    /// observe the failure.
    fn setup(
        &self,
        known: &ProcedureResult,
        finding: &summary::Finding,
        module: &Module,
        judged: &Judged,
    ) -> Option<Setup> {
        let record = judged.record.as_ref()?;
        let machine = &self.whole.index.properties().machines[record.property];
        if !machine.moves_arguments() {
            return None;
        }
        let file = &self.modules[known.unit];
        let inputs = inputs(module, known.procedure, judged);
        let made = record.answers.iter().flat_map(|answer| &answer.allocates);
        let objects: Vec<NewObject> = judged.inputs.objects.iter().chain(made).cloned().collect();
        let states = record.states.iter().map(|(property, subject, state)| {
            let object = match *subject {
                TrackedObject::At(object, offset) => Value::Ptr(Pointer { object, offset }),
                TrackedObject::Number(number) => Value::Bv(Word::new(64, number)),
            };
            (property.clone(), object, *state)
        });
        let replies = record.answers.iter().map(|answer| Reply {
            callee: answer.callee,
            arguments: &answer.arguments,
            result: answer.result.as_ref(),
            writes: Some(&answer.writes),
        });
        let setup = explain::setup(&Recorded {
            module,
            file,
            procedure: known.procedure,
            inputs: &inputs,
            objects: &objects,
            states: states.collect(),
            replies: replies.collect(),
            fails: &record.fails,
            run: &judged.run,
        });
        Some(Setup {
            violates: Some(finding.rule.clone()),
            chosen: record.is_chosen,
            missing: elsewhere(module, file, record).or(setup.missing),
            ..setup
        })
    }

    /// One of the files, as those see it who look at its procedures.
    pub(crate) fn file(&self, unit: usize) -> File<'_> {
        File { linked: self, unit }
    }
}

/// The procedure that a statement calls by its name.
fn callee(statement: &Statement) -> Option<ProcedureId> {
    match &statement.kind {
        StatementKind::Call { callee: Callee::Procedure(id), .. } => Some(*id),
        _ => None,
    }
}

/// A file of a program.
pub(crate) struct File<'f> {
    linked: &'f Linked<'f>,
    unit: usize,
}

impl Bodies for File<'_> {
    fn has_body(&self, id: ProcedureId) -> bool {
        let module = &self.linked.modules[self.unit];
        module.procedure(id).blocks.is_some() || self.linked.definition(self.unit, id).is_some()
    }

    fn callers(&self, id: ProcedureId) -> Callers {
        let is_in = |set: &BTreeSet<Symbol>| {
            self.linked.definition(self.unit, id).is_some_and(|symbol| set.contains(&symbol))
        };
        match (is_in(&self.linked.called), is_in(&self.linked.taken)) {
            (true, _) => Callers::ByName,
            (false, true) => Callers::ByPointer,
            (false, false) => Callers::External,
        }
    }

    fn confirm(
        &self,
        procedure: ProcedureId,
        inputs: &Inputs,
        answers: &SiteDecisions,
        at: (PointId, AssertKind),
    ) -> Option<Vec<String>> {
        let symbol = (self.unit, procedure);
        let relied =
            self.linked.with_program(|program| confirm(program, symbol, inputs, answers, at))?;
        Some(relied.iter().map(words).collect())
    }
}

/// Why a file alone cannot repeat an execution of the linked program, if it cannot.
fn elsewhere(module: &Module, file: &Module, record: &Record) -> Option<String> {
    let name = |id: ProcedureId| {
        let procedure = module.procedure(id);
        procedure.display.as_ref().unwrap_or(&procedure.name)
    };
    // The machine has library functions of its own.
    let is_model = |id: ProcedureId| {
        let span = module.procedure(id).span;
        span.start == span.end
    };
    let is_own = |id: ProcedureId| (id.0 as usize) < file.procedures.len();
    let imported = record.entered.iter().find(|id| !is_own(**id) && !is_model(**id));
    if let Some(id) = imported {
        return Some(format!("the execution enters `{}()`, which another file defines", name(*id)));
    }
    // A linker replaces what a file refers to, not what it defines.
    let mut callees = record.answers.iter().map(|answer| answer.callee);
    let defined = callees.find(|id| is_own(*id) && file.procedure(*id).blocks.is_some());
    defined.map(|id| format!("`{}()` is defined in the file, so no stub can replace it", name(id)))
}

/// An assumption in words.
fn words(assumption: &Assumption) -> String {
    let returns = match assumption.returns {
        AssumedResult::Null => "null".to_owned(),
        AssumedResult::Object => "a pointer that is not null".to_owned(),
        AssumedResult::Number(number) => number.to_string(),
        AssumedResult::NotZero => "a value other than 0".to_owned(),
        AssumedResult::Negative => "a negative value".to_owned(),
        AssumedResult::Positive => "a positive value".to_owned(),
    };
    format!("`{}()` returns {returns}", assumption.callee)
}

/// The parameters and state variables at the start of an execution.
fn inputs(module: &Module, procedure: ProcedureId, judged: &Judged) -> Vec<(Variable, Value)> {
    let parameters = module.procedure(procedure).locals_with(Mode::Parameter).map(Variable::Local);
    let parameters = parameters.zip(&judged.inputs.parameters);
    let mut inputs: Vec<(Variable, Value)> =
        parameters.filter_map(|(variable, value)| Some((variable, value.clone()?))).collect();
    let globals = judged.inputs.globals.iter();
    inputs.extend(globals.map(|(id, value)| (Variable::Global(*id), value.clone())));
    inputs
}

/// The kind of failure of a claim.
fn kind(finding: &summary::Finding) -> FailureKind {
    match finding.proposals.iter().flatten().next().map(|proposal| &proposal.claim) {
        Some(Claim::Error { .. }) => FailureKind::ObjectState,
        Some(Claim::Ends { .. }) => FailureKind::StateImbalance,
        Some(Claim::Loses { .. }) | None => FailureKind::MemoryLeak,
    }
}

/// A proposal that was confirmed, as a finding.
struct ConfirmedProposal<'t> {
    index: &'t Index,
    /// The linked program.
    module: &'t Module,
    procedure: ProcedureId,
    finding: &'t summary::Finding,
    atlas: &'t Atlas<'t>,
}

impl ConfirmedProposal<'_> {
    /// The finding; none if it has no place in the source.
    fn finding(&self, runs: &[Judged]) -> Option<Finding> {
        let place = self.atlas.place(self.finding.span)?;
        let (rule, message) = (&*self.finding.rule, &*self.finding.message);
        let confirmation = Confirmation::ReplayedByInterpreter;
        let mut finding = Finding::new(rule, kind(self.finding), message, place, confirmation);
        let procedure = self.module.procedure(self.procedure);
        finding.function =
            Some(procedure.display.clone().unwrap_or_else(|| procedure.name.clone()));
        let mut executions = runs.iter().map(|run| self.execution(run));
        (finding.trace, finding.related) = executions.next().unwrap_or_default();
        (finding.counterpart, _) = executions.next().unwrap_or_default();
        // Only the first of two executions fails; the other one is as it should be.
        for step in finding.counterpart.iter_mut().filter(|step| step.kind == StepKind::Failure) {
            step.kind = StepKind::Return;
        }
        let own = finding.place.clone();
        finding.related.retain(|related| related.place != own);
        for assumption in runs.iter().flat_map(|run| &run.assumptions) {
            let text = words(assumption);
            if !finding.assumptions.contains(&text) {
                finding.assumptions.push(text);
            }
        }
        finding.identity = self.finding.callees.clone();
        Some(finding)
    }

    /// The steps of an execution, and the places that it is about.
    fn execution(&self, run: &Judged) -> (Vec<Step>, Vec<Related>) {
        let inputs = inputs(self.module, self.procedure, run);
        let replayed = Replay {
            module: self.module,
            procedure: self.procedure,
            inputs: &inputs,
            functions: &[],
            run: &run.run,
        };
        let nowhere = || Place::of_offsets("", &LineIndex::new(""), 0, 0);
        let places = |span: Span| self.atlas.place(span).unwrap_or_else(nowhere);
        let sentence = |failure: &Failure| failure.message.clone();
        let writer = Writer::new(replayed, Presentation::Memory, &places, &sentence);
        let (mut remarks, mut related) = (Vec::new(), Vec::new());
        for seen in &run.seen {
            let call = seen.calls.saturating_sub(1);
            let remark = |text: String, fails| Remark { call, text, fails };
            let here = |message: String| {
                let place = self.atlas.place(self.span(seen.point)?)?;
                Some(Related { place, message })
            };
            match &seen.sight {
                Sight::Branch(_) => {}
                Sight::Moved { property, subject, from, to, .. } => {
                    if run.subject != Some(*subject) {
                        continue;
                    }
                    let object = &self.index.properties().machines[*property].object;
                    let state = self.state(*property, *to);
                    let still = if from == to { "stays" } else { "becomes" };
                    remarks.push(remark(format!("the {object} {still} {state}"), false));
                    if from != to {
                        related.extend(here(format!("becomes {state} here")));
                    }
                }
                Sight::Error { property, subject, from, .. } => {
                    let is_this = seen.point == self.finding.point;
                    if run.subject != Some(*subject) || !is_this {
                        continue;
                    }
                    let object = &self.index.properties().machines[*property].object;
                    let state = self.state(*property, *from);
                    remarks.push(remark(format!("but the {object} is already {state}"), true));
                    break;
                }
                Sight::Allocated { .. } => {
                    if run.subject.is_none() && seen.point == self.finding.point {
                        remarks.push(remark("allocated here".to_owned(), false));
                    }
                }
            }
        }
        let end = Step::new(StepKind::Failure, self.ending(run));
        let end = match self.end(run) {
            Some(place) => end.at(place),
            None => end,
        };
        match kind(self.finding) {
            FailureKind::MemoryLeak => {
                let place = end.place.clone();
                let message = "nothing refers to the memory any more".to_owned();
                related.extend(place.map(|place| Related { place, message }));
            }
            // The state at the failure comes from the last change.
            _ => related = related.pop().into_iter().collect(),
        }
        (writer.trace_with(&remarks, end), related)
    }

    /// How an execution ends that no remark has ended.
    fn ending(&self, run: &Judged) -> String {
        let last = run.seen.iter().rev().find_map(|seen| match seen.sight {
            Sight::Moved { property, subject, to, .. } if run.subject == Some(subject) => {
                Some((property, to))
            }
            _ => None,
        });
        match (run.subject, last) {
            (Some(_), Some((property, to))) => {
                let object = &self.index.properties().machines[property].object;
                format!("returns with the {object} {}", self.state(property, to))
            }
            (Some(_), None) => "returns".to_owned(),
            (None, _) => "returns; nothing refers to the memory any more".to_owned(),
        }
    }

    /// The end of an execution: the last statement of the procedure that has source text, or the end of the
    /// procedure if a branch leads there.
    fn end(&self, run: &Judged) -> Option<Place> {
        // The statement that passes the result on has been executed before.
        let is_result = |event: &&Event| match &event.kind {
            EventKind::Assigned(target, ..) => match target.variable {
                Variable::Local(id) => {
                    self.module.procedure(self.procedure).local(id).mode == Mode::Result
                }
                Variable::Global(_) => false,
            },
            _ => false,
        };
        let own = run.run.trace.events().filter(|event| event.depth == 0 && !is_result(event));
        let sites = own.map(|event| event.site).collect::<Vec<_>>();
        let origin = |site: &interpret::Site| {
            let block = site.block(self.module)?;
            let statement = block.statements.get(site.statement as usize);
            Some(statement.map_or(block.terminator.origin, |statement| statement.origin))
        };
        let last = sites.iter().rev().find(|site| origin(site) == Some(Origin::Source));
        let is_branch = |site: &interpret::Site| {
            let block = site.block(self.module);
            block.is_some_and(|block| site.statement as usize >= block.statements.len())
        };
        let last = last.map(|site| if is_branch(site) { run.run.last.site } else { *site });
        let span = last.and_then(|site| site.span(self.module)).filter(|span| !is_nowhere(*span));
        self.atlas.place(span.unwrap_or(self.finding.end))
    }

    fn state(&self, property: usize, state: u32) -> &str {
        let states = &self.index.properties().machines[property].states;
        states.get(state as usize).map_or("in error", String::as_str)
    }

    /// The source text of a point of the procedure.
    fn span(&self, point: PointId) -> Option<Span> {
        for block in self.module.procedure(self.procedure).blocks.iter().flatten() {
            if let Some(found) = block.statements.iter().find(|one| one.point == point) {
                return Some(found.span);
            }
            if block.terminator.point == point {
                return Some(block.terminator.span);
            }
        }
        None
    }
}

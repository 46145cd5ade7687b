//! From an execution to a trace: what each step did, in the syntax of the source.

use interpret::{Cause, Event, EventKind, Execution, Failure, Names, Outcome, Rest, Site, Value};
use ir::{
    FunctionId, GlobalId, Mode, Module, Origin, Procedure, ProcedureId, Span, TerminatorKind,
    Variable,
};
use report::{Heap, Place, Step, StepKind};

use crate::atoms::Atoms;
use crate::blocks::Blocks;
use crate::elide::Shown;
use crate::limits::FUNCTION_VALUES;
use crate::objects::{Objects, Presentation};

/// An execution that the interpreter has replayed with a trace.
#[derive(Clone, Copy)]
pub struct Replay<'e> {
    /// The program.
    pub module: &'e Module,
    /// The procedure in which it begins.
    pub procedure: ProcedureId,
    /// The parameters and state variables at the start.
    pub inputs: &'e [(Variable, Value)],
    /// The functions without definition that it was given.
    pub functions: &'e [(FunctionId, Value)],
    /// The execution.
    pub run: &'e Execution,
}

/// An observation of a monitor at a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The call: how many others were begun before it.
    pub call: usize,
    /// The observation.
    pub text: String,
    /// Whether the execution fails there; what happens afterwards is not shown.
    pub fails: bool,
}

/// Whether a span has no text: the models of libraries have none.
pub fn is_nowhere(span: Span) -> bool {
    span.start == 0 && span.end == 0
}

/// Whether an initial value is shown: the bytes of all objects are not.
fn tells_something(value: &Value) -> bool {
    !matches!(value, Value::Bytes(_))
}

/// Variables by the names that the source has for them.
struct Displayed<'m>(&'m Module);

impl Names for Displayed<'_> {
    fn variable(&self, procedure: ProcedureId, variable: Variable) -> Option<String> {
        match variable {
            Variable::Local(id) => self.0.procedure(procedure).local(id).display.clone(),
            Variable::Global(id) => self.0.global(id).display.clone(),
        }
    }
}

/// Writes traces and heaps.
pub struct Writer<'w> {
    pub(crate) execution: Replay<'w>,
    pub(crate) module: &'w Module,
    pub(crate) procedure: ProcedureId,
    pub(crate) presentation: Presentation,
    /// The place of a span in the source.
    places: &'w dyn Fn(Span) -> Place,
    /// The sentence for an obligation that failed.
    sentence: &'w dyn Fn(&Failure) -> String,
    atoms: Atoms,
    /// If state is presented as objects.
    objects: Option<Objects<'w>>,
}

impl<'w> Writer<'w> {
    /// A writer for an execution. `places` maps spans to the source, `sentence` describes failures.
    pub fn new(
        execution: Replay<'w>,
        presentation: Presentation,
        places: &'w dyn Fn(Span) -> Place,
        sentence: &'w dyn Fn(&Failure) -> String,
    ) -> Writer<'w> {
        let Replay { module, procedure, inputs, run, .. } = execution;
        let atoms = Atoms::of(module, inputs.iter().map(|(_, value)| value), run);
        let objects =
            (presentation == Presentation::Objects).then(|| Objects::new(module, &run.globals));
        Writer { execution, module, procedure, presentation, places, sentence, atoms, objects }
    }

    /// The steps of the execution.
    pub fn trace(&self) -> Vec<Step> {
        self.trace_of(&self.execution)
    }

    /// The steps of an execution over memory with the remarks of an observer, and how it ends if no remark says so.
    pub fn trace_with(&self, remarks: &[Remark], end: Step) -> Vec<Step> {
        let Replay { module, procedure, inputs, run, .. } = self.execution;
        let blocks = Blocks::new(module, module.procedure(procedure), inputs, run);
        let mut steps = self.steps(&blocks, inputs, run, remarks);
        if !steps.iter().any(|step| step.kind.is_failure()) {
            steps.push(end);
        }
        steps
    }

    /// The steps of an execution of the same procedure, with the names of this one.
    pub fn trace_of(&self, execution: &Replay<'_>) -> Vec<Step> {
        let Replay { module, procedure, inputs, functions, run } = *execution;
        match self.presentation {
            Presentation::Memory => {
                let blocks = Blocks::new(module, module.procedure(procedure), inputs, run);
                self.steps(&blocks, inputs, run, &[])
            }
            Presentation::Plain | Presentation::Objects => self.plain(inputs, functions, run),
        }
    }

    /// The heap before and after the execution, or what memory holds at entry, if there is something to show.
    pub fn heaps(&self) -> Vec<Heap> {
        let Replay { module, procedure, inputs, functions, run } = self.execution;
        match self.presentation {
            Presentation::Memory => {
                let blocks = Blocks::new(module, module.procedure(procedure), inputs, run);
                blocks.table(Vec::new()).into_iter().collect()
            }
            Presentation::Plain | Presentation::Objects => {
                self.heaps_of_objects(inputs, functions, run)
            }
        }
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        (self.places)(span)
    }

    pub(crate) fn sentence(&self, failure: &Failure) -> String {
        (self.sentence)(failure)
    }

    fn plain(
        &self,
        inputs: &[(Variable, Value)],
        functions: &[(FunctionId, Value)],
        run: &Execution,
    ) -> Vec<Step> {
        let subject = self.module.procedure(self.procedure);
        let mut entry = Step::new(StepKind::Entry, "").at(self.place(subject.span));
        // Objects are drawn apart.
        let is_shown = |variable: &Variable| match variable {
            Variable::Local(_) => true,
            Variable::Global(_) => self.objects.is_none(),
        };
        for (variable, value) in
            inputs.iter().filter(|(variable, value)| is_shown(variable) && tells_something(value))
        {
            let name = self.name(subject, *variable);
            entry = entry.with(name, self.show(value));
        }
        for (function, value) in functions.iter().filter(|_| self.objects.is_none()) {
            for (name, value) in self.function(*function, value) {
                entry = entry.with(name, value);
            }
        }
        let mut steps = vec![entry];
        let mut last: Option<(Site, u32)> = None;
        let events: Vec<&Event> = run.trace.events().collect();
        let is_visible = |event: &Event| !self.is_synthetic(event.site);
        let selection = self.selection(&events, run, &[], &is_visible);
        let bind = |event: &Event| self.step(event).values.into_iter().next();
        for shown in selection.shown() {
            let event = match shown {
                Shown::Event(at) => events[at],
                Shown::Gap(gap, elided) => {
                    steps.push(self.gap(gap, elided, &selection, &bind));
                    last = None;
                    continue;
                }
            };
            let step = self.step(event);
            match (&event.kind, steps.last_mut()) {
                // The effects of one statement are one step.
                (EventKind::Assigned(..), Some(before))
                    if last == Some((event.site, event.depth)) =>
                {
                    before.values.extend(step.values);
                }
                // The answer of a call that was not followed has been shown.
                (EventKind::Returned(_), Some(before))
                    if last == Some((event.site, event.depth)) && before.kind == StepKind::Call => {
                }
                _ => steps.push(step),
            }
            last = Some((event.site, event.depth));
        }
        steps.extend(self.outcome(run));
        steps
    }

    /// The step with which an execution fails, if it does.
    pub(crate) fn outcome(&self, run: &Execution) -> Option<Step> {
        match &run.outcome {
            Outcome::Failed(failure) => {
                let step = Step::new(StepKind::Failure, self.sentence(failure));
                Some(self.at(step, self.source_site(failure.site, run)))
            }
            Outcome::OutOfSteps => Some(Step::new(StepKind::Endless, "… and so on, without end")),
            Outcome::Exit(_) | Outcome::Blocked { .. } | Outcome::Error { .. } => None,
        }
    }

    /// The heap before and after, if state is presented as objects.
    fn heaps_of_objects(
        &self,
        inputs: &'w [(Variable, Value)],
        functions: &[(FunctionId, Value)],
        run: &'w Execution,
    ) -> Vec<Heap> {
        let Some(objects) = &self.objects else { return Vec::new() };
        let subject = self.module.procedure(self.procedure);
        let mut variables: Vec<(String, Value)> = inputs
            .iter()
            .filter(|(variable, _)| matches!(variable, Variable::Local(_)))
            .map(|(variable, value)| (self.name(subject, *variable), value.clone()))
            .collect();
        let constants: Vec<(String, Value)> = functions
            .iter()
            .map(|(id, value)| (self.module.function(*id).name.clone(), value.clone()))
            .collect();
        // A part that the execution never read is not shown.
        let before = |id: GlobalId| {
            run.globals.get(id.0 as usize)?.as_ref()?;
            let found = inputs.iter().find(|(variable, _)| *variable == Variable::Global(id));
            found.map(|(_, value)| value)
        };
        let first = objects.heap("before", &variables, &constants, &before);
        let assigned = run.trace.events().filter(|event| event.depth == 0);
        for event in assigned {
            if let EventKind::Assigned(target, Some(value), _) = &event.kind
                && let (Variable::Local(id), true) = (target.variable, target.path.is_empty())
                && subject.local(id).mode == Mode::Result
            {
                let name = self.name(subject, target.variable);
                variables.retain(|(known, _)| *known != name);
                variables.push((name, value.clone()));
            }
        }
        let after = |id: GlobalId| run.globals.get(id.0 as usize)?.as_ref();
        let last = objects.heap("after", &variables, &constants, &after);
        if first.objects.is_empty() && last.objects.is_empty() {
            return Vec::new();
        }
        match (first.objects == last.objects) && (first.variables == last.variables) {
            true => vec![first],
            false => vec![first, last],
        }
    }

    /// A value in the syntax of the source: a map by its value at some keys, and elsewhere.
    fn show(&self, value: &Value) -> String {
        if let Some(objects) = &self.objects {
            return objects.show(value);
        }
        let plain = |value: &Value| value.show(self.module, &self.atoms).to_string();
        let Value::Map(map) = value else { return plain(value) };
        let is_set = map.ty().value == ir::Type::Bool;
        if is_set && self.module.notation == ir::Notation::Mathematics {
            return plain(value);
        }
        let mut parts: Vec<String> = map
            .entries()
            .iter()
            .map(|(key, value)| {
                let key: Vec<String> = key.iter().map(plain).collect();
                format!("{}: {}", key.join(", "), self.show(value))
            })
            .collect();
        if let Rest::Is(rest) = map.rest() {
            parts.push(format!("else {}", self.show(rest)));
        }
        format!("[{}]", parts.join(", "))
    }

    /// The values of a function that the program declares, as far as they are not the same everywhere.
    fn function(&self, id: FunctionId, value: &Value) -> Vec<(String, String)> {
        let declared = self.module.function(id);
        let Value::Map(map) = value else {
            return vec![(declared.name.clone(), self.show(value))];
        };
        let entries = map.entries().iter().take(FUNCTION_VALUES);
        entries
            .map(|(key, value)| {
                let key: Vec<String> = key.iter().map(|part| self.show(part)).collect();
                (format!("{}({})", declared.name, key.join(", ")), self.show(value))
            })
            .collect()
    }

    /// Whether a front end or pass created the code there.
    pub(crate) fn is_synthetic(&self, site: Site) -> bool {
        let origin = site.block(self.module).map(|block| {
            let statement = block.statements.get(site.statement as usize);
            statement.map_or(block.terminator.origin, |statement| statement.origin)
        });
        origin == Some(Origin::Synthetic)
    }

    fn name(&self, subject: &Procedure, variable: Variable) -> String {
        match variable {
            Variable::Local(id) => subject.display(id).to_owned(),
            Variable::Global(id) => {
                let global = self.module.global(id);
                global.display.clone().unwrap_or_else(|| global.name.clone())
            }
        }
    }

    fn step(&self, event: &Event) -> Step {
        let show = |value: &Value| self.show(value);
        let step = match &event.kind {
            EventKind::Assigned(target, value, cause) => {
                let text = match cause {
                    Cause::Assignment | Cause::Result | Cause::Allocation => "",
                    Cause::Havoc => "chosen",
                    Cause::Effect => "changed by the callee",
                };
                let place = self.objects.as_ref().and_then(|objects| objects.place(target));
                let names = Displayed(self.module);
                let place = place.unwrap_or_else(|| {
                    target.show(self.module, event.site.procedure, &names).to_string()
                });
                let value = value.as_ref().map_or_else(|| "?".to_owned(), show);
                Step::new(StepKind::Statement, text).with(place, value)
            }
            EventKind::Freed(pointer) => {
                Step::new(StepKind::Statement, format!("{pointer} is freed"))
            }
            EventKind::Entered(block) => self.side(event.site, *block),
            EventKind::Called(callee, _) => {
                Step::new(StepKind::Call, format!("calls {}", self.module.procedure(*callee).name))
            }
            EventKind::UnknownCall(callee, _) => {
                let name = &self.module.procedure(*callee).name;
                Step::new(StepKind::Call, format!("calls {name}, known by its contract"))
            }
            EventKind::Returned(callee) => {
                let name = &self.module.procedure(*callee).name;
                Step::new(StepKind::Return, format!("{name} returns"))
            }
            EventKind::Threw(callee, _) => {
                let name = &self.module.procedure(*callee).name;
                Step::new(StepKind::Return, format!("{name} throws"))
            }
        };
        self.at(step.deep(event.depth), event.site)
    }

    /// The nearest place with source text: a failure in a model of a library happens at the call.
    pub(crate) fn source_site(&self, site: Site, run: &Execution) -> Site {
        if !site.span(self.module).is_some_and(is_nowhere) {
            return site;
        }
        let calls = run.trace.events().filter(|event| {
            matches!(event.kind, EventKind::Called(..)) && !self.is_synthetic(event.site)
        });
        calls.last().map_or(site, |event| event.site)
    }

    /// The step that says where an execution continues.
    pub(crate) fn side(&self, site: Site, taken: ir::BlockId) -> Step {
        match site.block(self.module).map(|block| &block.terminator.kind) {
            Some(TerminatorKind::Branch(_, then, _)) => {
                Step::new(StepKind::Branch, (*then == taken).to_string())
            }
            Some(TerminatorKind::Goto(_) | TerminatorKind::Exit(_)) | None => {
                Step::new(StepKind::Choice, "takes one of several branches")
            }
        }
    }

    pub(crate) fn at(&self, step: Step, site: Site) -> Step {
        match site.span(self.module) {
            Some(span) => step.at(self.place(span)),
            None => step,
        }
    }
}

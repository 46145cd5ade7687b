//! From a charge to a finding: the run, told in the words of the source.

use encode::{Answer, Others, Witness, replay};
use interpret::{Cause, Event, EventKind, Execution, Names, Outcome, Rest, Site};
use ir::{
    FunctionId, GlobalId, Mode, Module, Origin, Procedure, ProcedureId, Span, TerminatorKind,
    Variable,
};
use report::{Bounds, Confirmation, Finding, Heap, Place, Related, RuleId, Step, StepKind};

use crate::atoms::Atoms;
use crate::blocks::Blocks;
use crate::context::{Defect, Evidence, confirming, is_nowhere, sentence};
use crate::examine::Program;
use crate::setup::of_witness;
use crate::telling::{Objects, Telling};

/// What a charge looks like to whoever reads the source.
pub(crate) fn explain(
    program: &Program<'_>,
    procedure: ProcedureId,
    charge: &Defect,
    bounds: &Bounds,
) -> Finding {
    let module = program.module;
    let (atoms, last) = match &charge.evidence {
        Evidence::Run(shown) => {
            let inputs = shown.0.inputs.iter().map(|(_, value)| value);
            (Atoms::of(module, inputs, &shown.1), &shown.1.globals[..])
        }
        Evidence::Proof(_) => (Atoms::default(), &[][..]),
    };
    let objects = (program.telling == Telling::Objects).then(|| Objects::new(module, last));
    let subject = module.procedure(procedure);
    let writer = Writer { program, module, procedure, atoms, objects };
    let confirmation = match &charge.evidence {
        Evidence::Run(_) => Confirmation::ReplayedByInterpreter,
        Evidence::Proof(what) => Confirmation::ProvedWithoutRun((*what).to_owned()),
    };
    let place = writer.place(charge.span);
    let rule = RuleId(charge.rule.id.to_owned());
    let message = match charge.condition {
        Some((span, taken)) => {
            format!("{} whenever {}", charge.message, condition(&place, &writer.place(span), taken))
        }
        None => charge.message.clone(),
    };
    let mut finding = Finding::new(rule, message, place, confirmation);
    finding.extent = charge.extent;
    finding.detail =
        charge.kind.filter(|_| charge.rule.id == "contract").map(|kind| kind.name().to_owned());
    finding.function = Some(subject.display.clone().unwrap_or_else(|| subject.name.clone()));
    finding.bounds = bounds.clone();
    finding.assumptions = charge.assumptions.clone();
    let related = charge
        .related
        .iter()
        // What a model of a library says stands in no source.
        .filter(|(span, _)| !is_nowhere(*span))
        .map(|(span, message)| Related { place: writer.place(*span), message: message.clone() });
    finding.related = related.collect();
    if let Evidence::Run(shown) = &charge.evidence {
        let (witness, run) = &**shown;
        finding.relied = stubbed(module, witness);
        if program.telling == Telling::Memory {
            let blocks = Blocks::new(module, subject, &witness.inputs, run);
            finding.trace = writer.steps(&blocks, &witness.inputs, run);
            finding.heaps = blocks.table(Vec::new()).into_iter().collect();
            finding.setup = Some(Box::new(of_witness(&blocks, procedure, witness, run)));
            return finding;
        }
        finding.trace = writer.trace(&witness.inputs, &witness.functions, run);
        if let Some(others) = &charge.others {
            finding.trace.extend(writer.others(others));
        }
        finding.heaps = writer.heaps(&witness.inputs, &witness.functions, run);
    }
    finding
}

/// The condition of a branch, seen from a place, and what it is.
fn condition(from: &Place, branch: &Place, taken: bool) -> String {
    let line = branch.start.line;
    match from.path == branch.path {
        true => format!("the condition in line {line} is {taken}"),
        false => format!("the condition in line {line} of {} is {taken}", branch.path),
    }
}

/// The callees for which something else is run, by name.
fn stubbed(module: &Module, witness: &Witness) -> Vec<String> {
    let mut names = Vec::new();
    for answer in &witness.answers {
        if let Answer::Call(number) = answer
            && let Some(call) = witness.calls.get(*number).filter(|call| call.stub.is_some())
        {
            let callee = module.procedure(call.callee);
            let name = callee.display.as_ref().unwrap_or(&callee.name);
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

/// Of a function so many values are told.
const FEW: usize = 4;

/// Whether an initial value is worth telling: the bytes of all objects are not.
fn tells_something(value: &interpret::Value) -> bool {
    !matches!(value, interpret::Value::Bytes(_))
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

/// Tells a run of a procedure.
pub(crate) struct Writer<'w> {
    program: &'w Program<'w>,
    pub(crate) module: &'w Module,
    pub(crate) procedure: ProcedureId,
    atoms: Atoms,
    /// If state is told as objects.
    objects: Option<Objects<'w>>,
}

impl<'w> Writer<'w> {
    pub(crate) fn place(&self, span: Span) -> Place {
        self.program.place(span)
    }

    fn trace(
        &self,
        inputs: &[(Variable, interpret::Value)],
        functions: &[(FunctionId, interpret::Value)],
        run: &Execution,
    ) -> Vec<Step> {
        let subject = self.module.procedure(self.procedure);
        let mut entry = Step::new(StepKind::Entry, "").at(self.place(subject.span));
        // Objects are drawn apart.
        let is_told = |variable: &Variable| match variable {
            Variable::Local(_) => true,
            Variable::Global(_) => self.objects.is_none(),
        };
        for (variable, value) in
            inputs.iter().filter(|(variable, value)| is_told(variable) && tells_something(value))
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
        let left_out = run.trace.left_out();
        for (number, event) in run.trace.events().enumerate() {
            if self.is_made_up(event.site) {
                continue;
            }
            if left_out > 0 && number == run.trace.first().len() {
                let text = format!("… and so on: {left_out} steps are left out here");
                steps.push(Step::new(StepKind::Statement, text));
                last = None;
            }
            let step = self.step(event);
            match (&event.kind, steps.last_mut()) {
                // What one statement does is one step.
                (EventKind::Assigned(..), Some(before))
                    if last == Some((event.site, event.depth)) =>
                {
                    before.values.extend(step.values);
                }
                // Of a call that was not followed, the answer says it all.
                (EventKind::Returned(_), Some(before))
                    if last == Some((event.site, event.depth)) && before.kind == StepKind::Call => {
                }
                _ => steps.push(step),
            }
            last = Some((event.site, event.depth));
        }
        match &run.outcome {
            Outcome::Failed(failure) => {
                let step = Step::new(StepKind::Failure, sentence(&failure.message, failure.kind));
                steps.push(self.at(step, self.told_site(failure.site, run)));
            }
            Outcome::OutOfSteps => {
                steps.push(Step::new(StepKind::Endless, "… and so on, without end"));
            }
            Outcome::Exit(_) | Outcome::Blocked { .. } | Outcome::Error { .. } => {}
        }
        steps
    }

    /// Whether a run is the only one of its kind, and the values of those that are like it.
    fn others(&self, others: &Others) -> Vec<Step> {
        let text = match (others.witnesses.len(), others.complete) {
            (0, true) => "this is the only witness within these bounds".to_owned(),
            (0, false) => return Vec::new(),
            (count, true) => format!("there are {} witnesses within these bounds", count + 1),
            (1, false) => "this is not the only witness within these bounds".to_owned(),
            (count, false) => format!("there are more than {count} witnesses within these bounds"),
        };
        let mut steps = vec![Step::new(StepKind::Statement, text)];
        // Of two it is enough to know that the first is not the only one.
        if others.witnesses.len() < 2 && !others.complete {
            return steps;
        }
        for (number, witness) in (2..).zip(&others.witnesses) {
            let run = replay(self.module, self.procedure, witness, &confirming());
            let mut step = Step::new(StepKind::Statement, format!("witness {number}"));
            for told in self.trace(&witness.inputs, &witness.functions, &run) {
                step.values.extend(told.values);
            }
            steps.push(step);
        }
        steps
    }

    /// The heap before and after a run, if state is told as objects.
    fn heaps(
        &self,
        inputs: &'w [(Variable, interpret::Value)],
        functions: &[(FunctionId, interpret::Value)],
        run: &'w Execution,
    ) -> Vec<Heap> {
        let Some(objects) = &self.objects else { return Vec::new() };
        let subject = self.module.procedure(self.procedure);
        let mut variables: Vec<(String, interpret::Value)> = inputs
            .iter()
            .filter(|(variable, _)| matches!(variable, Variable::Local(_)))
            .map(|(variable, value)| (self.name(subject, *variable), value.clone()))
            .collect();
        let constants: Vec<(String, interpret::Value)> = functions
            .iter()
            .map(|(id, value)| (self.module.function(*id).name.clone(), value.clone()))
            .collect();
        // What the run never looked at is nobody's business.
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

    /// A value as people read it: a map by what it is at some keys, and elsewhere.
    fn show(&self, value: &interpret::Value) -> String {
        if let Some(objects) = &self.objects {
            return objects.show(value);
        }
        let plain = |value: &interpret::Value| value.show(self.module, &self.atoms).to_string();
        let interpret::Value::Map(map) = value else { return plain(value) };
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
    fn function(&self, id: FunctionId, value: &interpret::Value) -> Vec<(String, String)> {
        let declared = self.module.function(id);
        let interpret::Value::Map(map) = value else {
            return vec![(declared.name.clone(), self.show(value))];
        };
        let entries = map.entries().iter().take(FEW);
        entries
            .map(|(key, value)| {
                let key: Vec<String> = key.iter().map(|part| self.show(part)).collect();
                (format!("{}({})", declared.name, key.join(", ")), self.show(value))
            })
            .collect()
    }

    /// Whether a front end or pass made up what stands there.
    pub(crate) fn is_made_up(&self, site: Site) -> bool {
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
        let show = |value: &interpret::Value| self.show(value);
        let step = match &event.kind {
            EventKind::Assigned(target, value, cause) => {
                let text = match cause {
                    Cause::Assignment | Cause::Result | Cause::Allocation => "",
                    Cause::Havoc => "chosen",
                    Cause::Effect => "changed by the callee",
                };
                let told = self.objects.as_ref().and_then(|objects| objects.place(target));
                let names = Displayed(self.module);
                let place = told.unwrap_or_else(|| {
                    target.show(self.module, event.site.procedure, &names).to_string()
                });
                let value = value.as_ref().map_or_else(|| "?".to_owned(), show);
                Step::new(StepKind::Statement, text).with(place, value)
            }
            EventKind::Freed(pointer) => {
                Step::new(StepKind::Statement, format!("{pointer} is freed"))
            }
            EventKind::Entered(block) => Step::new(StepKind::Branch, self.side(event.site, *block)),
            EventKind::Called(callee, _) => {
                Step::new(StepKind::Call, format!("calls {}", self.module.procedure(*callee).name))
            }
            EventKind::UnknownCall(callee, _) => {
                let name = &self.module.procedure(*callee).name;
                Step::new(StepKind::Call, format!("{name} may do this, by its contract"))
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

    /// Where somebody wrote something: what fails in a model of a library fails at the call.
    pub(crate) fn told_site(&self, site: Site, run: &Execution) -> Site {
        if !site.span(self.module).is_some_and(is_nowhere) {
            return site;
        }
        let calls = run.trace.events().filter(|event| {
            matches!(event.kind, EventKind::Called(..)) && !self.is_made_up(event.site)
        });
        calls.last().map_or(site, |event| event.site)
    }

    /// Which side of a branch was taken, in words.
    pub(crate) fn side(&self, site: Site, taken: ir::BlockId) -> String {
        let Some(block) = site.block(self.module) else { return String::new() };
        match &block.terminator.kind {
            TerminatorKind::Branch(_, then, _) => (*then == taken).to_string(),
            TerminatorKind::Goto(_) | TerminatorKind::Exit(_) => "goes on".to_owned(),
        }
    }

    pub(crate) fn at(&self, step: Step, site: Site) -> Step {
        match site.span(self.module) {
            Some(span) => step.at(self.place(span)),
            None => step,
        }
    }
}

//! What summaries propose, decided by the judge, and told as findings.

use std::collections::BTreeSet;

use check::{Bodies, Callers, Recorded, Reply};
use interpret::{Inputs, NewObject, Pointer, SiteDecisions, Value, Word};
use ir::{
    AssertKind, Callee, Mode, Module, Origin, PointId, Procedure, ProcedureId, Span, Statement,
    StatementKind, Variable,
};
use judge::{
    Assumption, Confirmed, Judged, Program, Record, Returned, Sight, Subject, confirm, judge,
};
use passes::Symbol;
use property::Index;
use report::{Confirmation, Finding, Related, Setup, Step, StepKind};
use summary::Known;

use crate::summaries::Whole;
use crate::unit::Atlas;

/// How many steps of a run are told.
const MOST_STEPS: usize = 40;

/// What the judge says of a proposal.
pub(crate) enum Verdict {
    /// These runs show it: one, or two that differ. The setup is that of the one, if the machine can be asked about it.
    Confirmed(Vec<Judged>, Option<Box<Setup>>),
    /// No run does.
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

    /// Where a procedure is defined that a file may only declare.
    fn definition(&self, unit: usize, id: ProcedureId) -> Option<Symbol> {
        let node = (*self.whole.summaries.links.get(unit)?.get(id.0 as usize)?)?;
        let known = &self.whole.summaries.known[node];
        Some((known.unit, known.procedure))
    }

    fn with_program<T>(&self, act: impl FnOnce(&Program<'_>) -> T) -> T {
        let definition = |unit: usize, id: ProcedureId| self.definition(unit, id);
        let units = self.modules.iter().collect();
        act(&Program { units, definition: &definition, index: &self.whole.index })
    }

    /// Has a proposal judged.
    pub(crate) fn judged(&self, known: &Known, finding: &summary::Finding) -> Verdict {
        let symbol = (known.unit, known.procedure);
        let shown = self.with_program(|program| judge(program, symbol, &finding.proposals));
        let Some(Confirmed { mut runs, module }) = shown else { return Verdict::NotConfirmed };
        let record = runs.iter_mut().find_map(|run| run.record.take());
        let setup = record.and_then(|record| self.setup(known, finding, &module, &record));
        Verdict::Confirmed(runs, setup.map(Box::new))
    }

    /// What a machine has to be given to show what a run has shown; none if no stub of a function can observe it.
    fn setup(
        &self,
        known: &Known,
        finding: &summary::Finding,
        module: &Module,
        record: &Record,
    ) -> Option<Setup> {
        let machine = &self.whole.index.properties().machines[record.property];
        if !machine.moves_arguments() {
            return None;
        }
        let file = &self.modules[known.unit];
        let subject = module.procedure(known.procedure);
        let parameters = subject.locals_with(Mode::Parameter).map(Variable::Local);
        let parameters = parameters.zip(&record.inputs.parameters);
        let mut inputs: Vec<(Variable, Value)> =
            parameters.filter_map(|(variable, value)| Some((variable, value.clone()?))).collect();
        let globals = record.inputs.globals.iter();
        inputs.extend(globals.map(|(id, value)| (Variable::Global(*id), value.clone())));
        let made = record.answers.iter().flat_map(|answer| &answer.allocates);
        let objects: Vec<NewObject> = record.inputs.objects.iter().chain(made).cloned().collect();
        let states = record.states.iter().map(|(property, subject, state)| {
            let object = match *subject {
                Subject::At(object, offset) => Value::Ptr(Pointer { object, offset }),
                Subject::Number(number) => Value::Bv(Word::new(64, number)),
            };
            (property.clone(), object, *state)
        });
        let replies = record.answers.iter().map(|answer| Reply {
            callee: answer.callee,
            arguments: &answer.arguments,
            result: answer.result.as_ref(),
            writes: Some(&answer.writes),
        });
        let setup = check::setup(&Recorded {
            module,
            file,
            procedure: known.procedure,
            inputs: &inputs,
            objects: &objects,
            states: states.collect(),
            replies: replies.collect(),
            fails: &record.fails,
            run: &record.run,
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

/// Why a file alone cannot do what a run of the linked program did, if it cannot.
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
        return Some(format!("the run goes into `{}()`, which another file defines", name(*id)));
    }
    // A linker replaces what a file refers to, not what it defines.
    let mut callees = record.answers.iter().map(|answer| answer.callee);
    let defined = callees.find(|id| is_own(*id) && file.procedure(*id).blocks.is_some());
    defined.map(|id| format!("`{}()` is defined in the file, so no stub can replace it", name(id)))
}

/// An assumption in words.
fn words(assumption: &Assumption) -> String {
    let returns = match assumption.returns {
        Returned::Null => "null".to_owned(),
        Returned::Object => "a pointer that is not null".to_owned(),
        Returned::Number(number) => number.to_string(),
        Returned::NotZero => "a value other than 0".to_owned(),
        Returned::Negative => "a negative value".to_owned(),
        Returned::Positive => "a positive value".to_owned(),
    };
    format!("`{}()` returns {returns}", assumption.callee)
}

/// A finding as reports tell it; none if it has no place in the source.
pub(crate) fn told(
    index: &Index,
    procedure: &Procedure,
    finding: &summary::Finding,
    runs: &[Judged],
    atlas: &Atlas<'_>,
) -> Option<Finding> {
    let place = atlas.place(finding.span)?;
    let confirmation = Confirmation::ReplayedByInterpreter;
    let mut told = Finding::new(&*finding.rule, &*finding.message, place, confirmation);
    let name = procedure.display.clone().unwrap_or_else(|| procedure.name.clone());
    told.function = Some(name);
    let lines = Lines { index, procedure, finding };
    let mut all = runs.iter().map(|run| lines.of(run));
    let step = |(span, text): (Span, String)| {
        let step = Step::new(StepKind::Statement, text);
        match atlas.place(span) {
            Some(place) => step.at(place),
            None => step,
        }
    };
    told.trace = all.next().map_or(Vec::new(), |run| run.into_iter().map(step).collect());
    if let Some(last) = told.trace.last_mut() {
        last.kind = StepKind::Failure;
    }
    for (span, text) in all.flatten() {
        if let Some(place) = atlas.place(span) {
            told.related.push(Related { place, message: format!("in the other run, {text}") });
        }
    }
    for assumption in runs.iter().flat_map(|run| &run.assumptions) {
        let text = words(assumption);
        if !told.assumptions.contains(&text) {
            told.assumptions.push(text);
        }
    }
    told.identity = finding.callees.clone();
    Some(told)
}

/// What happens in a run, line by line.
struct Lines<'l> {
    index: &'l Index,
    procedure: &'l Procedure,
    finding: &'l summary::Finding,
}

impl Lines<'_> {
    fn of(&self, run: &Judged) -> Vec<(Span, String)> {
        let mut lines: Vec<(Span, String)> = Vec::new();
        let mut has_begun = false;
        for seen in &run.seen {
            let (span, origin) = self.at(seen.point);
            let text = match &seen.sight {
                Sight::Branch(taken) => {
                    if !has_begun || origin != Origin::Source {
                        continue;
                    }
                    let side = if *taken { "holds" } else { "does not hold" };
                    format!("the condition {side}")
                }
                Sight::Moved { callee, property, subject, from, to } => {
                    if run.subject != Some(*subject) {
                        continue;
                    }
                    let state = |state| self.state(*property, state);
                    format!("`{callee}`: {} to {}", state(*from), state(*to))
                }
                Sight::Error { callee, property, subject, from, .. } => {
                    if run.subject != Some(*subject) {
                        continue;
                    }
                    format!("`{callee}`: it is {} already", self.state(*property, *from))
                }
                Sight::Allocated { callee, .. } => {
                    if run.subject.is_some() || seen.point != self.finding.point {
                        continue;
                    }
                    format!("`{callee}` allocates memory")
                }
            };
            has_begun = true;
            let is_error = matches!(seen.sight, Sight::Error { .. });
            lines.push((span, text));
            if is_error && seen.point == self.finding.point {
                break;
            }
        }
        if lines.len() > MOST_STEPS {
            lines.drain(MOST_STEPS / 2..lines.len() - MOST_STEPS / 2);
        }
        if run.subject.is_none() {
            lines.push((self.finding.end, "nothing refers to it any more".to_owned()));
        }
        lines
    }

    fn state(&self, property: usize, state: u32) -> &str {
        let states = &self.index.properties().machines[property].states;
        states.get(state as usize).map_or("in error", String::as_str)
    }

    /// The source text of a point, and how it came to be.
    fn at(&self, point: PointId) -> (Span, Origin) {
        for block in self.procedure.blocks.iter().flatten() {
            if let Some(found) = block.statements.iter().find(|one| one.point == point) {
                return (found.span, found.origin);
            }
            if block.terminator.point == point {
                return (block.terminator.span, block.terminator.origin);
            }
        }
        (self.procedure.span, Origin::Synthetic)
    }
}

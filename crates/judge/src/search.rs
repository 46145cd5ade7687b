//! The search for an execution that shows a claim: from the witness, completion by completion.
//!
//! The first execution takes the first option wherever the witness leaves something open. If it does not show the
//! claim, the last choice that has an alternative is changed, and so on, a limited number of times. An execution
//! that leaves the path of the witness is not followed further, so that the last choice is likely to be the one
//! that matters.

use std::cell::Cell;
use std::collections::BTreeMap;

use interpret::{
    Ending, Execution, Inputs, NewObject, Options, Outcome, Pointer, SiteDecisions, Value,
};
use ir::address::ENVIRONMENT;
use ir::{AssertKind, GlobalId, Mode, Module, PointId, ProcedureId, Storage, Type};
use passes::Symbol;
use property::Index;

use crate::assumption::{Assumption, relied_on};
use crate::course::{Course, End, first_directed};
use crate::limits::{
    DIRECTED_RUN_STEPS, DIRECTED_STEPS, ENDLESS_RUNS, ENUMERATED_RUNS, OPEN_CALLS, PROCEDURE_STEPS,
    RECORDED_EVENTS, RUN_STEPS, SEARCH_STEPS, START_STEPS,
};
use crate::observe::{Observed, Observer, Sight};
use crate::oracle::{BEFORE, Choice, Completing, ObservedCall, ROOM};
use crate::pair::started_as;
use crate::record::{Notes, Record, is_error};
use crate::witness::{Claim, Proposal, Scalar, TrackedObject, Witness};

/// The values of numbers among the parameters that are tried besides those of a witness.
const OTHER_NUMBERS: [u128; 2] = [16, 1];

/// The function whose end is that of the program.
const MAIN: &str = "main";

/// A program that is linked from the files which are checked together.
pub struct LinkedProgram<'p> {
    /// The files.
    pub units: Vec<&'p Module>,
    /// The definitions of procedures that a file only declares.
    pub definition: &'p (dyn Fn(usize, ProcedureId) -> Option<Symbol> + Sync),
    /// The declared effects of functions.
    pub index: &'p Index,
}

/// A claim that an execution has shown.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The observations of the monitors, in order.
    pub seen: Vec<Observed>,
    /// The answers of functions without body on which it relies.
    pub assumptions: Vec<Assumption>,
    /// The object of the claim, if it has a state.
    pub subject: Option<TrackedObject>,
    /// The initial state of the execution, completed where it read more than the witness has.
    pub inputs: Inputs,
    /// The execution, with a trace.
    pub run: Execution,
    /// The other decisions of the execution, if the claim is about one operation.
    pub record: Option<Record>,
}

/// A confirmed proposal about a procedure.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// The executions that show it: one, or two that differ.
    pub runs: Vec<Judged>,
    /// The linked program. It begins with the procedure's own file.
    pub module: Module,
}

/// Judges the proposals about a procedure, one after the other: a claim about one execution, or about two that look
/// the same to the caller. Those start with the same state of the object, return the same class of value, and leave
/// the same bytes in the objects of the parameters.
pub fn judge(
    program: &LinkedProgram<'_>,
    symbol: Symbol,
    alternatives: &[Vec<Proposal>],
) -> Option<Confirmed> {
    let linked = passes::link(&program.units, program.definition, symbol);
    let judgement = Judgement::new(&linked.module, program.index, symbol.1);
    let judged = |effort: Effort| {
        alternatives.iter().find_map(|proposals| match &proposals[..] {
            [one] => {
                let shown = match effort {
                    Effort::Enumerate => judgement.search(one, effort, &|_| true)?,
                    Effort::Direct => {
                        judgement.search_directed(one, &judgement.left_directed, &|_| true)?
                    }
                };
                Some(vec![judgement.judged(&shown, &|_| true)])
            }
            [one, other] => judgement.pair(one, other, effort).map(Vec::from),
            _ => None,
        })
    };
    let runs = judged(Effort::Enumerate).or_else(|| judged(Effort::Direct))?;
    Some(Confirmed { runs, module: linked.module })
}

/// Runs a procedure with all bodies that there are, from inputs and what is said at places of its file, and
/// says on which answers it relies if it fails an obligation of a kind at a point of the procedure.
pub fn confirm(
    program: &LinkedProgram<'_>,
    symbol: Symbol,
    inputs: &Inputs,
    given: &SiteDecisions,
    at: (PointId, AssertKind),
) -> Option<Vec<Assumption>> {
    let linked = passes::link(&program.units, program.definition, symbol);
    let judgement = Judgement::new(&linked.module, program.index, symbol.1);
    let witness = Witness::default();
    // A null pointer of the proposal may be irrelevant.
    let all = std::iter::once(inputs.clone()).chain(without_nulls(inputs));
    all.into_iter().find_map(|inputs| {
        let run =
            |decisions, changed| judgement.fails(&inputs, given, &witness, decisions, changed);
        let (decisions, observed) = first_of_runs(&judgement.left, |decisions| {
            let Failed { at: failed, is_endless, steps, decisions, observed } =
                run(decisions, None);
            let shown = is_same(failed, at).then(|| (decisions.clone(), observed));
            Attempt { shown, is_endless, steps, decisions, course: None }
        })?;
        Some(relied_on(&observed, |number, other| {
            is_same(run(decisions.clone(), Some((number, other))).at, at)
        }))
    })
}

/// The same inputs with objects where parameters are null, if there are any.
fn without_nulls(inputs: &Inputs) -> Option<Inputs> {
    let mut other = inputs.clone();
    for (number, value) in other.parameters.iter_mut().enumerate() {
        if *value == Some(Value::Ptr(Pointer::NULL)) {
            let (object, pointer) = unknown_object(number);
            other.objects.push(object);
            *value = Some(pointer);
        }
    }
    (other.parameters != inputs.parameters).then_some(other)
}

/// An object that a parameter of this number points to, of which nothing is known.
fn unknown_object(number: usize) -> (NewObject, Value) {
    let object = ENVIRONMENT + (1 << 22) + number as u64;
    let pointer = Value::Ptr(Pointer { object, offset: BEFORE });
    (NewObject::new(ROOM, Storage::Heap).numbered(object), pointer)
}

/// Whether an execution has the expected failure. A function that frees a block twice uses it first, if it reads
/// it.
fn is_same(failed: Option<(PointId, AssertKind)>, said: (PointId, AssertKind)) -> bool {
    let is_about_life =
        |kind: AssertKind| matches!(kind, AssertKind::UseAfterFree | AssertKind::DoubleFree);
    failed.is_some_and(|(point, kind)| {
        point == said.0 && (kind == said.1 || is_about_life(kind) && is_about_life(said.1))
    })
}

/// How an execution is searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effort {
    /// Choice by decision, the last one first.
    Enumerate,
    /// The same, then directed by the comparisons of the executions.
    Direct,
}

/// The result of an execution.
pub(crate) struct Attempt<T> {
    /// The confirmed claim, if there is one.
    pub(crate) shown: Option<T>,
    pub(crate) is_endless: bool,
    pub(crate) steps: u64,
    pub(crate) decisions: Vec<Choice>,
    /// The comparisons on its path, if they were recorded.
    pub(crate) course: Option<Course>,
}

/// The first of several executions, each with other decisions, that shows something.
fn first_of_runs<T>(left: &Cell<u64>, mut run: impl FnMut(Vec<Choice>) -> Attempt<T>) -> Option<T> {
    let (mut decisions, mut endless) = (Vec::new(), 0);
    let end = left.get().saturating_sub(SEARCH_STEPS);
    for _ in 0..ENUMERATED_RUNS {
        let attempt = run(decisions);
        if attempt.shown.is_some() {
            return attempt.shown;
        }
        endless += usize::from(attempt.is_endless);
        left.set(left.get().saturating_sub(attempt.steps + START_STEPS));
        if endless > ENDLESS_RUNS || left.get() <= end {
            return None;
        }
        decisions = next(attempt.decisions)?;
    }
    None
}

/// The choices to try after some: the last that has an alternative is changed. Begun with those of an execution
/// that took the first option everywhere, this enumerates all executions.
pub fn next(mut decisions: Vec<Choice>) -> Option<Vec<Choice>> {
    while decisions.last().is_some_and(|last| last.chosen + 1 >= last.options) {
        decisions.pop();
    }
    decisions.last_mut()?.chosen += 1;
    Some(decisions)
}

/// An execution that is to fail.
struct Failed {
    /// The place in the entry procedure and the kind of the failed obligation, if there is one.
    at: Option<(PointId, AssertKind)>,
    is_endless: bool,
    steps: u64,
    decisions: Vec<Choice>,
    observed: Vec<ObservedCall>,
}

/// An execution that shows a claim.
pub(crate) struct Shown {
    /// The proposal that it confirms.
    pub(crate) proposal: Proposal,
    pub(crate) run: Execution,
    seen: Vec<Observed>,
    observed: Vec<ObservedCall>,
    decisions: Vec<Choice>,
    pub(crate) entry: BTreeMap<(usize, TrackedObject), u32>,
    pub(crate) subject: Option<TrackedObject>,
}

pub(crate) struct Judgement<'c> {
    pub(crate) module: &'c Module,
    pub(crate) index: &'c Index,
    pub(crate) procedure: ProcedureId,
    /// How many statements may still be executed.
    left: Cell<u64>,
    /// The same for directed searches.
    left_directed: Cell<u64>,
}

impl<'c> Judgement<'c> {
    pub(crate) fn new(
        module: &'c Module,
        index: &'c Index,
        procedure: ProcedureId,
    ) -> Judgement<'c> {
        let (left, left_directed) = (Cell::new(PROCEDURE_STEPS), Cell::new(DIRECTED_STEPS));
        Judgement { module, index, procedure, left, left_directed }
    }
}

impl Judgement<'_> {
    /// Looks for an execution that shows a claim, and meets a further condition.
    fn search(
        &self,
        proposal: &Proposal,
        effort: Effort,
        accepts: &dyn Fn(&Shown) -> bool,
    ) -> Option<Shown> {
        let enumerated = self.search_from(proposal, accepts).or_else(|| {
            // A model says nothing of numbers that decide no branch, such as sizes.
            OTHER_NUMBERS.iter().find_map(|number| {
                let other = with_numbers(proposal, *number)?;
                self.search_from(&other, accepts)
            })
        });
        match effort {
            Effort::Enumerate => enumerated,
            Effort::Direct => {
                enumerated.or_else(|| self.search_directed(proposal, &self.left_directed, accepts))
            }
        }
    }

    fn search_directed(
        &self,
        proposal: &Proposal,
        left: &Cell<u64>,
        accepts: &dyn Fn(&Shown) -> bool,
    ) -> Option<Shown> {
        let mut proposal = proposal.clone();
        proposal.witness.is_open = true;
        first_directed(left, |decisions| {
            let attempt = self.run(&proposal, decisions, None);
            Attempt { shown: attempt.shown.filter(accepts), ..attempt }
        })
    }

    fn search_from(&self, proposal: &Proposal, accepts: &dyn Fn(&Shown) -> bool) -> Option<Shown> {
        first_of_runs(&self.left, |decisions| {
            let attempt = self.run(proposal, decisions, None);
            Attempt { shown: attempt.shown.filter(accepts), ..attempt }
        })
    }

    /// Looks for two executions that look the same to the caller.
    fn pair(&self, first: &Proposal, second: &Proposal, effort: Effort) -> Option<[Judged; 2]> {
        let one = self.search(first, effort, &|_| true)?;
        let looks_same = |other: &Shown| self.looks_same(&one, other);
        let other =
            self.search(second, Effort::Enumerate, &looks_same).or_else(|| match effort {
                Effort::Enumerate => None,
                Effort::Direct => {
                    // The initial state of the first execution leads to an execution that differs in little.
                    let half = Cell::new(self.left_directed.get() / 2);
                    let started = started_as(second, &one);
                    let shared = self.search_directed(&started, &half, &looks_same);
                    shared
                        .or_else(|| self.search_directed(second, &self.left_directed, &looks_same))
                }
            })?;
        Some([self.judged(&one, &|_| true), self.judged(&other, &looks_same)])
    }

    /// Runs once.
    fn run(
        &self,
        proposal: &Proposal,
        decisions: Vec<Choice>,
        changed: Option<(usize, Scalar)>,
    ) -> Attempt<Shown> {
        let Proposal { claim, witness } = proposal;
        let (run, oracle) = self.interpreted(witness, decisions, changed);
        let (is_endless, steps) = (run.outcome == Outcome::OutOfSteps, run.steps);
        let Completing { observer, decisions, observed, course, .. } = oracle;
        let subject = match observer.is_infeasible {
            true => None,
            false => self.shows(claim, &run, &observer),
        };
        let shown = subject.map(|subject| Shown {
            proposal: proposal.clone(),
            run,
            seen: observer.seen,
            observed,
            decisions: decisions.clone(),
            entry: observer.entry,
            subject,
        });
        Attempt { shown, is_endless, steps, decisions, course }
    }

    /// Runs once from a witness, under observers.
    pub(crate) fn interpreted<'w>(
        &'w self,
        witness: &'w Witness,
        decisions: Vec<Choice>,
        changed: Option<(usize, Scalar)>,
    ) -> (Execution, Completing<'w>) {
        let inputs = self.inputs(witness);
        let mut oracle =
            Completing::new((self.module, self.procedure), self.index, witness, decisions);
        oracle.changed = changed;
        oracle.course = (witness.is_open && changed.is_none()).then(Course::default);
        let steps = if witness.is_open { DIRECTED_RUN_STEPS } else { RUN_STEPS };
        let options = Options { steps, ..options() };
        let run = interpret::run(self.module, self.procedure, &inputs, &mut oracle, &options);
        oracle.refused(&run.outcome);
        if let Some(course) = &mut oracle.course {
            course.end = match &run.outcome {
                Outcome::Exit(Ending::Normal(_)) => End::Returned,
                Outcome::Failed(failure) => {
                    let is_access = failure.pointer.is_some();
                    End::Failed { site: failure.site, is_access }
                }
                Outcome::OutOfSteps => End::Endless,
                Outcome::Exit(_) | Outcome::Blocked { .. } | Outcome::Error { .. } => End::Stopped,
            };
        }
        (run, oracle)
    }

    /// Executions from inputs and what is said at places; where the execution fails.
    fn fails(
        &self,
        inputs: &Inputs,
        given: &SiteDecisions,
        witness: &Witness,
        decisions: Vec<Choice>,
        changed: Option<(usize, Scalar)>,
    ) -> Failed {
        let mut oracle =
            Completing::new((self.module, self.procedure), self.index, witness, decisions);
        oracle.changed = changed;
        oracle.said = Some(given);
        let run = interpret::run(self.module, self.procedure, inputs, &mut oracle, &options());
        let at = match &run.outcome {
            Outcome::Failed(failure) => {
                let own = failure.site.point(self.module);
                let own = own.filter(|_| failure.site.procedure == self.procedure);
                own.or(oracle.current_point()).map(|point| (point, failure.kind))
            }
            Outcome::Exit(_)
            | Outcome::Blocked { .. }
            | Outcome::Error { .. }
            | Outcome::OutOfSteps => None,
        };
        let (is_endless, steps) = (run.outcome == Outcome::OutOfSteps, run.steps);
        Failed { at, is_endless, steps, decisions: oracle.decisions, observed: oracle.observed }
    }

    fn inputs(&self, witness: &Witness) -> Inputs {
        let procedure = self.module.procedure(self.procedure);
        let mut memory = interpret::Bytes::default();
        if !witness.is_open {
            for (object, offset, bytes) in &witness.memory {
                memory.write(*object, *offset, bytes);
            }
        }
        let mut objects: Vec<NewObject> = Vec::new();
        for &(number, size) in &witness.objects {
            objects.push(NewObject::new(size, Storage::Heap).numbered(number));
        }
        let mut parameters = Vec::new();
        for (number, id) in procedure.locals_with(Mode::Parameter).enumerate() {
            let ty = &procedure.local(id).ty;
            let given = witness.parameters.get(number).copied().flatten();
            let given = given.and_then(|given| given.value(ty));
            parameters.push(Some(given.unwrap_or_else(|| match ty {
                // The execution does not read it.
                Type::Ptr => {
                    let (object, pointer) = unknown_object(number);
                    objects.push(object);
                    pointer
                }
                ty => Value::default_of(ty, self.module),
            })));
        }
        let mut inputs = Inputs { parameters, objects, ..Inputs::default() };
        let globals = self.module.globals.iter().position(|global| global.ty == Type::Bytes);
        if let Some(position) = globals {
            inputs.globals.insert(GlobalId(position as u32), Value::Bytes(memory));
        }
        inputs
    }

    /// Whether an execution shows a claim, and the object with a state that it concerns.
    fn shows(
        &self,
        claim: &Claim,
        run: &Execution,
        observer: &Observer<'_>,
    ) -> Option<Option<TrackedObject>> {
        match claim {
            Claim::Error { rule, point } => {
                let error = observer.seen.iter().position(|seen| is_error(seen, rule, *point))?;
                let Sight::Error { subject: broken, .. } = observer.seen[error].sight else {
                    return None;
                };
                // The execution itself has settled the state of the object, not its caller.
                let is_own = observer.seen[..error].iter().any(|seen| match seen.sight {
                    Sight::Moved { subject, .. } => subject == broken,
                    Sight::Branch(_) | Sight::Error { .. } | Sight::Allocated { .. } => false,
                });
                is_own.then_some(Some(broken))
            }
            Claim::Ends { property, subject, state } => {
                results(run)?;
                let machines = &self.index.properties().machines;
                let property = machines.iter().position(|known| known.name == *property)?;
                let touched = observer.seen.iter().filter_map(|seen| match &seen.sight {
                    Sight::Moved { property: of, subject, .. } if *of == property => Some(*subject),
                    _ => None,
                });
                let touched: Vec<TrackedObject> = touched.collect();
                // An object of the proposal that the execution does not know is one that it moves.
                let named = subject.filter(|subject| touched.contains(subject));
                let subject = named.or_else(|| {
                    let ends = |subject: &TrackedObject| {
                        observer.state(property, *subject) == Some(*state)
                    };
                    touched.into_iter().find(ends)
                })?;
                let is_clean = !observer.seen.iter().any(|seen| match &seen.sight {
                    Sight::Error { subject: broken, .. } => *broken == subject,
                    Sight::Branch(_) | Sight::Moved { .. } | Sight::Allocated { .. } => false,
                });
                let ends = observer.state(property, subject) == Some(*state);
                (is_clean && ends).then_some(Some(subject))
            }
            Claim::Loses { point } => {
                // The program ends with it, as with `exit`, and loses nothing.
                if self.module.procedure(self.procedure).name == MAIN {
                    return None;
                }
                let results = results(run)?;
                // An execution that never reads memory has left it unchanged.
                let untouched = interpret::Bytes::default();
                let memory = memory(run).unwrap_or(&untouched);
                let lost = observer.lost(&run.objects, memory, results);
                lost.iter().any(|(_, at)| at == point).then_some(None)
            }
        }
    }

    /// An execution that shows a claim, with its trace, all its inputs, and the answers on which it depends.
    fn judged(&self, shown: &Shown, accepts: &dyn Fn(&Shown) -> bool) -> Judged {
        let assumptions = relied_on(&shown.observed, |number, other| {
            let decisions = shown.decisions.clone();
            let attempt = self.run(&shown.proposal, decisions, Some((number, other)));
            attempt.shown.is_some_and(|shown| accepts(&shown))
        });
        let Proposal { claim, witness } = &shown.proposal;
        let error = match claim {
            Claim::Error { rule, point } => {
                let error = shown.seen.iter().find(|seen| is_error(seen, rule, *point));
                error.and_then(|seen| match seen.sight {
                    Sight::Error { property, .. } => Some((rule, *point, property)),
                    Sight::Branch(_) | Sight::Moved { .. } | Sight::Allocated { .. } => None,
                })
            }
            Claim::Ends { .. } | Claim::Loses { .. } => None,
        };
        let mut inputs = self.inputs(witness);
        let (module, decisions) = (self.module, shown.decisions.clone());
        let mut oracle = Completing::new((module, self.procedure), self.index, witness, decisions);
        oracle.notes = error.map(|(rule, point, _)| Notes::until(rule, point));
        let options = Options { trace: RECORDED_EVENTS, ..options() };
        let run = interpret::run(module, self.procedure, &inputs, &mut oracle, &options);
        let Completing { observer, notes, .. } = oracle;
        for global in inputs.globals.values_mut() {
            if let Value::Bytes(memory) = global {
                for (object, offset, byte) in run.completed.written() {
                    if memory.written_at(object, offset).is_none() {
                        memory.write(object, offset, &[byte]);
                    }
                }
            }
        }
        inputs.objects.extend(run.found.iter().cloned());
        let machines = &self.index.properties().machines;
        let record = error.map(|(_, _, property)| {
            let notes = notes.unwrap_or_default();
            let states = observer.entry.iter();
            let states = states.map(|(&(property, subject), state)| {
                (machines[property].name.clone(), subject, *state)
            });
            Record {
                states: states.collect(),
                answers: notes.answers,
                fails: notes.fails,
                entered: notes.entered,
                is_chosen: notes.is_chosen,
                property,
            }
        });
        let (seen, subject) = (shown.seen.clone(), shown.subject);
        Judged { seen, assumptions, subject, inputs, run, record }
    }
}

/// The same with all numbers among the parameters replaced, if there are any.
fn with_numbers(proposal: &Proposal, number: u128) -> Option<Proposal> {
    let mut other = proposal.clone();
    for given in other.witness.parameters.iter_mut().flatten() {
        if let Scalar::Word(_, bits) = given {
            *bits = number;
        }
    }
    (other != *proposal).then_some(other)
}

fn options() -> Options {
    Options {
        steps: RUN_STEPS,
        depth: OPEN_CALLS,
        trace: 0,
        axioms: false,
        invariants: false,
        ..Options::default()
    }
}

pub(crate) fn results(run: &Execution) -> Option<&[Option<Value>]> {
    match &run.outcome {
        Outcome::Exit(Ending::Normal(results)) => Some(results),
        Outcome::Exit(_)
        | Outcome::Failed(_)
        | Outcome::Blocked { .. }
        | Outcome::Error { .. }
        | Outcome::OutOfSteps => None,
    }
}

pub(crate) fn memory(run: &Execution) -> Option<&interpret::Bytes> {
    run.globals.iter().flatten().find_map(|value| match value {
        Value::Bytes(memory) => Some(memory),
        _ => None,
    })
}

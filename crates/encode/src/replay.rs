//! Running a witness again, on the program as it was written.
//!
//! No charge is brought from a model alone. The interpreter runs the original procedure, loops and
//! calls included, from the witness's inputs, and is told on the way what the witness says. Where
//! the run asks for something else than the witness has next, it gets no answer, and fails.

use std::collections::VecDeque;
use std::sync::Arc;

use interpret::{
    CallResult, Execution, Inputs, Keyed, MapType, MapValue, OpenValue, Options, Oracle, Site,
    SiteDecisions, UnknownCall, Value, ValueRequest, run,
};
use ir::{FunctionId, HavocReason, Module, ProcedureId, SortId, Variable};
use passes::ExitKind;

use crate::lift::{Answer, Witness};

/// Runs a procedure as a witness says.
pub fn replay(
    module: &Module,
    procedure: ProcedureId,
    witness: &Witness,
    options: &Options,
) -> Execution {
    replay_with(module, procedure, witness, options, Afterwards::Stop)
}

/// Runs a procedure as a witness says, and goes on when the witness has no more to say: every value
/// that is asked for from then on is the default of its type. So a run that leaves the scope may still
/// come to an end, and how it ends is a fact about the program like any other.
pub fn run_on(
    module: &Module,
    procedure: ProcedureId,
    witness: &Witness,
    options: &Options,
) -> Execution {
    replay_with(module, procedure, witness, options, Afterwards::Default)
}

/// What a witness starts from, and what it says at each place, as [`run_on`] would have it.
pub fn by_place(
    module: &Module,
    procedure: ProcedureId,
    witness: &Witness,
    options: &Options,
) -> (Inputs, SiteDecisions) {
    let inputs = inputs(witness);
    let answers = witness.answers.iter().collect();
    let mut script = Script { witness, answers, afterwards: Afterwards::Default };
    let mut keyed = Keyed::new(&mut script);
    run(module, procedure, &inputs, &mut keyed, options);
    let answers = keyed.decisions;
    (inputs, answers)
}

fn inputs(witness: &Witness) -> Inputs {
    let mut inputs = Inputs { objects: witness.objects.clone(), ..Inputs::default() };
    for (variable, value) in &witness.inputs {
        match variable {
            Variable::Global(id) => drop(inputs.globals.insert(*id, value.clone())),
            // Parameters come in order.
            Variable::Local(_) => inputs.parameters.push(Some(value.clone())),
        }
    }
    inputs
}

/// What the oracle says when the witness has no more to say.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Afterwards {
    /// Nothing, which ends the run.
    Stop,
    /// The first of all answers.
    Default,
}

fn replay_with(
    module: &Module,
    procedure: ProcedureId,
    witness: &Witness,
    options: &Options,
    afterwards: Afterwards,
) -> Execution {
    let inputs = inputs(witness);
    let answers = witness.answers.iter().collect();
    let mut script = Script { witness, answers, afterwards };
    run(module, procedure, &inputs, &mut script, options)
}

/// An oracle that says what a witness says.
struct Script<'w> {
    witness: &'w Witness,
    answers: VecDeque<&'w Answer>,
    afterwards: Afterwards,
}

impl Script<'_> {
    /// Whether an answer is up to us.
    fn is_free(&self) -> bool {
        self.answers.is_empty() && self.afterwards == Afterwards::Default
    }

    fn next_value(&mut self) -> Option<Value> {
        match self.answers.pop_front()? {
            Answer::Value(value) => Some(value.clone()),
            Answer::Way(_)
            | Answer::Atom(_)
            | Answer::Fails(_)
            | Answer::Object(_)
            | Answer::Call(_) => None,
        }
    }

    fn function(&self, id: FunctionId, arguments: &[Value]) -> Option<Value> {
        let (_, table) = self.witness.functions.iter().find(|(known, _)| *known == id)?;
        match table {
            Value::Map(map) if !arguments.is_empty() => {
                let found = map.entries().get(arguments);
                found.cloned().or_else(|| match map.rest() {
                    interpret::Rest::Is(value) => Some(value.clone()),
                    interpret::Rest::Unknown(_) => None,
                })
            }
            value => Some(value.clone()),
        }
    }
}

impl Oracle for Script<'_> {
    fn value(&mut self, question: &ValueRequest<'_>) -> Option<Value> {
        match question.open {
            OpenValue::Function(id, arguments) => self
                .function(id, arguments)
                // Nobody looked at it, so any value will do.
                .or_else(|| Some(Value::default_of(question.ty, question.module))),
            // No finding may depend on what is not modelled, so nobody makes it up.
            OpenValue::Havoc(_, HavocReason::Unmodelled) if self.is_free() => None,
            OpenValue::Havoc(..) if self.is_free() => {
                Some(Value::default_of(question.ty, question.module))
            }
            OpenValue::Havoc(..) => self.next_value(),
            // What is read here and not there can be anything, too.
            OpenValue::Entry(..) | OpenValue::Input(_) => {
                Some(Value::default_of(question.ty, question.module))
            }
        }
    }

    fn choose(&mut self, _: Site, ways: usize) -> Option<usize> {
        if self.is_free() {
            return Some(0);
        }
        match self.answers.pop_front()? {
            Answer::Way(way) if *way < ways => Some(*way),
            _ => None,
        }
    }

    fn atom(&mut self, _: Site, _: SortId, is_fresh: &dyn Fn(u64) -> bool) -> Option<u64> {
        if self.is_free() {
            return (1..).find(|&number| is_fresh(number));
        }
        match self.answers.pop_front()? {
            Answer::Atom(number) if is_fresh(*number) => Some(*number),
            _ => None,
        }
    }

    fn object(&mut self, _: Site) -> Option<u64> {
        match self.answers.front()? {
            Answer::Object(number) => {
                self.answers.pop_front();
                Some(*number)
            }
            _ => None,
        }
    }

    fn fails(&mut self, _: Site, _: u64) -> Option<bool> {
        if self.is_free() {
            return Some(false);
        }
        match self.answers.pop_front()? {
            Answer::Fails(fails) => Some(*fails),
            _ => None,
        }
    }

    /// What a contract says of a call was told in a fixed order: the changed places, parameters that
    /// only the callee sees, the results, the way out, the value of an exception.
    fn call(&mut self, question: &UnknownCall<'_>) -> Option<CallResult> {
        let Answer::Call(number) = self.answers.pop_front()? else { return None };
        let call = self.witness.calls.get(*number).filter(|c| c.callee == question.callee)?;
        let mut answer = CallResult::default();
        for write in &call.writes {
            answer.writes.push((write.position, self.next_value()?));
        }
        for _ in 0..call.parameters {
            self.next_value()?;
        }
        for _ in 0..call.results {
            answer.results.push(self.next_value()?);
        }
        let way = match call.ways[..] {
            [only] => only,
            _ => match self.answers.pop_front()? {
                Answer::Way(way) => *call.ways.get(*way)?,
                _ => return None,
            },
        };
        match way {
            ExitKind::Normal => {}
            ExitKind::Exceptional => {
                let value = match question.exception {
                    Some(_) => Some(self.next_value()?),
                    None => None,
                };
                answer.throws = Some(value);
            }
            // A callee that ends the run is nobody's failure.
            ExitKind::Intended => return None,
        }
        Some(answer)
    }

    fn table(&self, module: &Module, function: FunctionId) -> Option<Arc<MapValue>> {
        let declared = module.function(function);
        match self.witness.functions.iter().find(|(known, _)| *known == function) {
            Some((_, Value::Map(map))) if !declared.parameters.is_empty() => Some(map.clone()),
            Some(_) => None,
            None => {
                let keys: Vec<_> = declared.parameters.iter().map(|p| p.1.clone()).collect();
                let rest = Value::default_of(&declared.result, module);
                let ty = MapType::new(&keys, &declared.result);
                Some(Arc::new(MapValue::constant(ty, rest)))
            }
        }
    }

    /// What the witness has run in the place of a callee.
    fn stub(&mut self, depth: usize, callee: ProcedureId) -> Option<ProcedureId> {
        let Some(Answer::Call(number)) = self.answers.front() else { return None };
        let call = &self.witness.calls[*number];
        let stub = call.stub.filter(|_| call.callee == callee && call.depth as usize == depth);
        if stub.is_some() {
            self.answers.pop_front();
        }
        stub
    }

    /// A call is followed unless the witness says what it does.
    fn executes_body(&self, _: Site, depth: usize, callee: ProcedureId) -> bool {
        match self.answers.front() {
            Some(Answer::Call(number)) => {
                let call = &self.witness.calls[*number];
                call.callee != callee || call.depth as usize != depth
            }
            _ => true,
        }
    }

    fn atoms(&self, sort: SortId) -> Option<Arc<Vec<u64>>> {
        let count = *self.witness.atoms.get(sort.0 as usize)?;
        Some(Arc::new((1..=count).collect()))
    }
}

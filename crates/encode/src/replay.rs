//! Replaying a witness on the program as written.
//!
//! No finding follows from a model alone. The interpreter runs the original procedure, loops and calls included,
//! from the witness's inputs, and the witness decides on its requests. If the execution requests something else
//! than the witness has next, it gets no decision, and stops.

use std::collections::VecDeque;
use std::sync::Arc;

use interpret::{
    CallResult, Execution, Inputs, Keyed, MapType, MapValue, OpenValue, Options, Oracle, Site,
    SiteDecisions, UnknownCall, Value, ValueRequest, run,
};
use ir::{FunctionId, HavocReason, Module, ProcedureId, SortId, Variable};
use passes::ExitKind;

use crate::lift::{Witness, WitnessDecision};

/// Runs a procedure as a witness says.
pub fn replay(
    module: &Module,
    procedure: ProcedureId,
    witness: &Witness,
    options: &Options,
) -> Execution {
    replay_with(module, procedure, witness, options, Afterwards::Stop)
}

/// Runs a procedure from a witness, and continues after its last decision: every further value is the default of
/// its type. So an execution that leaves the scope may still come to an end, and how it ends is a fact about the
/// program like any other.
pub fn run_on(
    module: &Module,
    procedure: ProcedureId,
    witness: &Witness,
    options: &Options,
) -> Execution {
    replay_with(module, procedure, witness, options, Afterwards::Default)
}

/// The initial state of a witness, and its decision at each place, for [`run_on`].
pub fn by_place(
    module: &Module,
    procedure: ProcedureId,
    witness: &Witness,
    options: &Options,
) -> (Inputs, SiteDecisions) {
    let inputs = inputs(witness);
    let decisions = witness.decisions.iter().collect();
    let mut script = Script { witness, decisions, afterwards: Afterwards::Default };
    let mut keyed = Keyed::new(&mut script);
    run(module, procedure, &inputs, &mut keyed, options);
    let decisions = keyed.decisions;
    (inputs, decisions)
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

/// The behaviour of the oracle after the last decision.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Afterwards {
    /// Nothing, which ends the execution.
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
    let decisions = witness.decisions.iter().collect();
    let mut script = Script { witness, decisions, afterwards };
    run(module, procedure, &inputs, &mut script, options)
}

/// An oracle that says what a witness says.
struct Script<'w> {
    witness: &'w Witness,
    decisions: VecDeque<&'w WitnessDecision>,
    afterwards: Afterwards,
}

impl Script<'_> {
    /// Whether an answer is up to us.
    fn is_free(&self) -> bool {
        self.decisions.is_empty() && self.afterwards == Afterwards::Default
    }

    fn next_value(&mut self) -> Option<Value> {
        match self.decisions.pop_front()? {
            WitnessDecision::Value(value) => Some(value.clone()),
            WitnessDecision::Goto(_)
            | WitnessDecision::Atom(_)
            | WitnessDecision::Fails(_)
            | WitnessDecision::Object(_)
            | WitnessDecision::Call(_) => None,
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
    fn value(&mut self, request: &ValueRequest<'_>) -> Option<Value> {
        match request.open {
            OpenValue::Function(id, arguments) => self
                .function(id, arguments)
                // The formula does not depend on it, so any value will do.
                .or_else(|| Some(Value::default_of(request.ty, request.module))),
            // No finding may depend on an unmodelled operation, so no value is chosen.
            OpenValue::Havoc(_, HavocReason::Unmodelled) if self.is_free() => None,
            OpenValue::Havoc(..) if self.is_free() => {
                Some(Value::default_of(request.ty, request.module))
            }
            OpenValue::Havoc(..) => self.next_value(),
            // A value that only this execution reads is arbitrary, too.
            OpenValue::Entry(..) | OpenValue::Input(_) => {
                Some(Value::default_of(request.ty, request.module))
            }
        }
    }

    fn choose(&mut self, _: Site, targets: usize) -> Option<usize> {
        if self.is_free() {
            return Some(0);
        }
        match self.decisions.pop_front()? {
            WitnessDecision::Goto(target) if *target < targets => Some(*target),
            _ => None,
        }
    }

    fn atom(&mut self, _: Site, _: SortId, is_fresh: &dyn Fn(u64) -> bool) -> Option<u64> {
        if self.is_free() {
            return (1..).find(|&number| is_fresh(number));
        }
        match self.decisions.pop_front()? {
            WitnessDecision::Atom(number) if is_fresh(*number) => Some(*number),
            _ => None,
        }
    }

    fn object(&mut self, _: Site) -> Option<u64> {
        match self.decisions.front()? {
            WitnessDecision::Object(number) => {
                self.decisions.pop_front();
                Some(*number)
            }
            _ => None,
        }
    }

    fn fails(&mut self, _: Site, _: u64) -> Option<bool> {
        if self.is_free() {
            return Some(false);
        }
        match self.decisions.pop_front()? {
            WitnessDecision::Fails(fails) => Some(*fails),
            _ => None,
        }
    }

    /// The effects of a call under its contract are in a fixed order: the changed places, parameters that only the
    /// callee sees, the results, the exit, the value of an exception.
    fn call(&mut self, request: &UnknownCall<'_>) -> Option<CallResult> {
        let WitnessDecision::Call(number) = self.decisions.pop_front()? else { return None };
        let call = self.witness.calls.get(*number).filter(|c| c.callee == request.callee)?;
        let mut result = CallResult::default();
        for write in &call.writes {
            result.writes.push((write.position, self.next_value()?));
        }
        for _ in 0..call.parameters {
            self.next_value()?;
        }
        for _ in 0..call.results {
            result.results.push(self.next_value()?);
        }
        let exit = match call.exits[..] {
            [only] => only,
            _ => match self.decisions.pop_front()? {
                WitnessDecision::Goto(exit) => *call.exits.get(*exit)?,
                _ => return None,
            },
        };
        match exit {
            ExitKind::Normal => {}
            ExitKind::Exceptional => {
                let value = match request.exception {
                    Some(_) => Some(self.next_value()?),
                    None => None,
                };
                result.throws = Some(value);
            }
            // A callee that ends the execution on purpose is no failure.
            ExitKind::Intended => return None,
        }
        Some(result)
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

    /// The stub that the witness runs instead of a callee.
    fn stub(&mut self, depth: usize, callee: ProcedureId) -> Option<ProcedureId> {
        let Some(WitnessDecision::Call(number)) = self.decisions.front() else { return None };
        let call = &self.witness.calls[*number];
        let stub = call.stub.filter(|_| call.callee == callee && call.depth as usize == depth);
        if stub.is_some() {
            self.decisions.pop_front();
        }
        stub
    }

    /// A call is followed unless the witness says what it does.
    fn executes_body(&self, _: Site, depth: usize, callee: ProcedureId) -> bool {
        match self.decisions.front() {
            Some(WitnessDecision::Call(number)) => {
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

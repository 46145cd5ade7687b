//! Other executions with the same failure, each with other values than those before it.
//!
//! An execution is determined by its initial values, those of undefined constants, and its decisions. Of a sequence
//! only the length and the elements within it count, so that values beyond its end make no difference. Each
//! execution that is found is excluded by one clause, until there is no further one or enough have been found.

use circuit::{Gate, Queries};
use interpret::Value;
use ir::{FunctionId, Module};

use crate::evaluation::{Evaluation, Event};
use crate::lift::{Witness, lift};
use crate::sym::Sym;

/// Executions that do the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Others {
    /// Some of them, each unlike the others and the first.
    pub witnesses: Vec<Witness>,
    /// Whether there are no more.
    pub complete: bool,
}

/// Looks for executions in which a gate holds and that differ from a first one. There is no answer where a value is
/// not determined by finitely many bits.
///
/// # Errors
/// If the solver cannot be had as asked.
pub fn others(
    module: &Module,
    evaluation: &Evaluation,
    gate: Gate,
    first: &Witness,
    most: usize,
    options: sat::Options,
    limits: sat::Limits,
) -> Result<Option<Others>, sat::Error> {
    let mut circuit = evaluation.circuit.clone();
    let mut queries = Queries::new(options)?;
    for &constraint in &evaluation.constraints {
        queries.assert(&circuit, constraint);
    }
    let mut found = Others { witnesses: Vec::new(), complete: false };
    // The first execution is found again, and perhaps some that differ from it only in irrelevant values.
    let mut left = most + 1;
    loop {
        match queries.ask_limited(&circuit, &[gate], &limits) {
            sat::Answer::Sat => {}
            sat::Answer::Unsat => {
                found.complete = true;
                return Ok(Some(found));
            }
            sat::Answer::Unknown(_) => return Ok(Some(found)),
        }
        let inputs = queries.witness(&evaluation.circuit);
        let witness = lift(module, evaluation, inputs);
        let is_first = witness.inputs == first.inputs
            && witness.decisions == first.decisions
            && constants(module, &witness).eq(constants(module, first));
        if !is_first {
            if left <= 1 {
                return Ok(Some(found));
            }
            left -= 1;
        }
        let mut value = |gate: Gate| queries.value(gate);
        let Some(determining) = determining(module, evaluation, &witness, &mut value) else {
            return Ok(None);
        };
        let same: Vec<Gate> =
            determining.into_iter().map(|gate| gate.negate_if(!value(gate))).collect();
        if !is_first {
            found.witnesses.push(witness);
        }
        let differs = !circuit.and_all(same);
        queries.assert(&circuit, differs);
    }
}

/// Functions that take nothing.
fn is_constant(module: &Module, id: FunctionId) -> bool {
    module.function(id).parameters.is_empty()
}

/// The values of the constants of an execution.
fn constants<'w>(
    module: &'w Module,
    witness: &'w Witness,
) -> impl Iterator<Item = &'w (FunctionId, Value)> {
    witness.functions.iter().filter(|(id, _)| is_constant(module, *id))
}

/// The gates that determine the values of an execution.
fn determining(
    module: &Module,
    evaluation: &Evaluation,
    witness: &Witness,
    value: &mut dyn FnMut(Gate) -> bool,
) -> Option<Vec<Gate>> {
    let mut gates = Vec::new();
    for (_, sym) in &evaluation.entry {
        collect(sym, value, &mut gates)?;
    }
    for (_, sym) in evaluation.functions.iter().filter(|(id, _)| is_constant(module, *id)) {
        collect(sym, value, &mut gates)?;
    }
    for block in &witness.path {
        for event in &evaluation.blocks[block.0 as usize].events {
            match event {
                Event::Havoc { value: sym, .. } | Event::Atom(sym) => {
                    collect(sym, value, &mut gates)?;
                }
                Event::Object(_, succeeds) => gates.extend(succeeds),
                Event::Call(_) | Event::Goto(_) => {}
            }
        }
    }
    Some(gates)
}

fn collect(sym: &Sym, value: &mut dyn FnMut(Gate) -> bool, gates: &mut Vec<Gate>) -> Option<()> {
    match sym {
        Sym::Bool(gate) => gates.push(*gate),
        Sym::Bits(bits) => gates.extend(bits.iter()),
        Sym::Int(integer) => gates.extend(integer.word.iter()),
        Sym::Table(parts) | Sym::Tuple(parts) => {
            for part in parts.iter() {
                collect(part, value, gates)?;
            }
        }
        Sym::Seq(sequence) => {
            gates.extend(sequence.length.iter());
            let bits = sequence.length.iter().enumerate();
            let length: usize = bits.map(|(bit, gate)| usize::from(value(gate)) << bit).sum();
            for slot in sequence.slots.iter().take(length) {
                collect(slot, value, gates)?;
            }
        }
        Sym::Nothing => {}
        Sym::Array(_) | Sym::Bytes(_) => return None,
    }
    Some(())
}

//! Single executions under the judge's monitors, without a claim.
//!
//! An execution is a witness and a list of choices: each says which of the options is taken where the witness
//! leaves something open. So all executions of a small program can be enumerated ([`next`]), and an execution can
//! be compared with that of a machine from the same witness and choices.

use interpret::Outcome;
use ir::PointId;
use passes::Symbol;

use crate::observe::Observed;
use crate::oracle::{Choice, ObservedCall};
use crate::search::{Judgement, LinkedProgram, memory, results};
use crate::witness::{TrackedObject, Witness};

/// One execution, as observers saw it.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The observations of the monitors, in order.
    pub seen: Vec<Observed>,
    /// The calls of functions without body, in order.
    pub observed: Vec<ObservedCall>,
    /// Whether allocations failed, in order, without those of functions without body.
    pub failed: Vec<bool>,
    /// The choices where the witness leaves something open, in order.
    pub decisions: Vec<Choice>,
    /// The objects with states that were touched.
    pub states: Vec<Touched>,
    /// The calls of the entry procedure that allocated what is lost, one for each block; none if the execution did
    /// not return.
    pub lost: Option<Vec<PointId>>,
    /// How the execution ended.
    pub outcome: Outcome,
    /// Whether an operation returned what it cannot return in the state of its object.
    pub is_infeasible: bool,
}

/// An object with a state that an execution has touched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Touched {
    /// The property, by position.
    pub property: usize,
    /// The object.
    pub subject: TrackedObject,
    /// The state at entry that the first operation settled.
    pub entry: u32,
    /// The state at the end.
    pub end: u32,
}

/// Runs a procedure from a witness, again and again: first with the first option everywhere, then with the choices
/// that `after` makes of the last execution, until it makes none.
pub fn observe(
    program: &LinkedProgram<'_>,
    symbol: Symbol,
    witness: &Witness,
    after: &mut dyn FnMut(Observation) -> Option<Vec<Choice>>,
) {
    let linked = passes::link(&program.units, program.definition, symbol);
    let judgement = Judgement::new(&linked.module, program.index, symbol.1);
    let mut decisions = Some(Vec::new());
    while let Some(chosen) = decisions {
        decisions = after(judgement.observation(witness, chosen));
    }
}

impl Judgement<'_> {
    fn observation(&self, witness: &Witness, decisions: Vec<Choice>) -> Observation {
        let (run, oracle) = self.interpreted(witness, decisions, None);
        let observer = &oracle.observer;
        let untouched = interpret::Bytes::default();
        let lost = results(&run).map(|results| {
            let memory = memory(&run).unwrap_or(&untouched);
            let lost = observer.lost(&run.objects, memory, results);
            lost.into_iter().map(|(_, point)| point).collect()
        });
        let touched = observer.entry.iter().map(|(&(property, subject), &entry)| {
            let end = observer.state(property, subject).unwrap_or(entry);
            Touched { property, subject, entry, end }
        });
        Observation {
            states: touched.collect(),
            lost,
            is_infeasible: observer.is_infeasible,
            outcome: run.outcome,
            seen: oracle.observer.seen,
            observed: oracle.observed,
            failed: oracle.failed,
            decisions: oracle.decisions,
        }
    }
}

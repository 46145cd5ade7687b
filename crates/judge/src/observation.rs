//! Single runs under the judge's observers, for whoever wants to look at runs and not at claims.
//!
//! A run is a witness and a list of choices: each says which of the options is taken where the witness
//! leaves something open. So all runs of a small program can be enumerated ([`next`]), and a run
//! can be compared with what a machine does when it is told the same.

use interpret::Outcome;
use ir::PointId;
use passes::Symbol;

use crate::observe::Observed;
use crate::oracle::{Decision, Told};
use crate::search::{Court, Program, memory, results};
use crate::witness::{Subject, Witness};

/// One run, as observers saw it.
#[derive(Clone, Debug)]
pub struct Observation {
    /// What observers saw, in order.
    pub seen: Vec<Observed>,
    /// What functions without body returned, in order.
    pub told: Vec<Told>,
    /// Whether allocations failed, in order; those of functions without body are told.
    pub failed: Vec<bool>,
    /// What was chosen where the witness leaves something open, in order.
    pub decisions: Vec<Decision>,
    /// The objects with states that were touched.
    pub states: Vec<Touched>,
    /// The calls of the entry procedure that allocated what is lost, one for each block; none if the run
    /// did not return.
    pub lost: Option<Vec<PointId>>,
    /// How the run ended.
    pub outcome: Outcome,
    /// Whether an operation returned what it cannot return in the state of its object.
    pub is_infeasible: bool,
}

/// An object with a state that a run has touched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Touched {
    /// The property, by position.
    pub property: usize,
    /// The object.
    pub subject: Subject,
    /// The state at entry that the first operation settled.
    pub entry: u32,
    /// The state at the end.
    pub end: u32,
}

/// Runs a procedure from a witness, again and again: first with the first option everywhere, then with
/// the choices that `after` makes of the last run, until it makes none.
pub fn observe(
    program: &Program<'_>,
    symbol: Symbol,
    witness: &Witness,
    after: &mut dyn FnMut(Observation) -> Option<Vec<Decision>>,
) {
    let linked = passes::link(&program.units, program.definition, symbol);
    let court = Court::new(&linked.module, program.index, symbol.1);
    let mut decisions = Some(Vec::new());
    while let Some(chosen) = decisions {
        decisions = after(court.observation(witness, chosen));
    }
}

impl Court<'_> {
    fn observation(&self, witness: &Witness, decisions: Vec<Decision>) -> Observation {
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
            told: oracle.told,
            failed: oracle.failed,
            decisions: oracle.decisions,
        }
    }
}

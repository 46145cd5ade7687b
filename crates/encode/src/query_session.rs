//! Queries about one evaluation: can these gates hold together, and in which execution?

use circuit::{Gate, Queries, QueryCounts};
use ir::Module;
use rustc_hash::FxHashMap;

use crate::evaluation::Evaluation;
use crate::lift::{Witness, lift};
use crate::limits::CLAUSES_PER_CONFLICT;

/// Asks about an evaluation on one incremental solver.
///
/// *Exists* looks for an execution and has a witness if it finds one; *never* is the same query asked in the hope
/// that there is none.
pub struct QuerySession<'e> {
    module: &'e Module,
    evaluation: &'e Evaluation,
    queries: Queries,
    limits: sat::Limits,
    asked: Vec<Query>,
    /// Gates, and whether each holds in some execution that was found.
    watched: FxHashMap<Gate, bool>,
}

/// A query that was asked, and its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// The gates that have to hold together.
    pub gates: Vec<Gate>,
    /// One of these was to hold as well.
    pub others: Vec<Gate>,
    /// The answer.
    pub answer: QueryAnswer,
}

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QueryAnswer {
    /// There is such an execution, described by the last model.
    Sat,
    /// There is none.
    Unsat,
    /// The solver gave up.
    Unknown(sat::Reason),
}

impl<'e> QuerySession<'e> {
    /// A session without queries. The constraints on all inputs are added to the solver.
    ///
    /// # Errors
    /// If the solver cannot be had as asked.
    pub fn new(
        module: &'e Module,
        evaluation: &'e Evaluation,
        options: sat::Options,
        limits: sat::Limits,
    ) -> Result<QuerySession<'e>, sat::Error> {
        let mut queries = Queries::new(options)?;
        for &constraint in &evaluation.constraints {
            queries.assert(&evaluation.circuit, constraint);
        }
        Ok(QuerySession {
            module,
            evaluation,
            queries,
            limits,
            asked: Vec::new(),
            watched: FxHashMap::default(),
        })
    }

    /// The module that the procedure is of.
    pub fn module(&self) -> &'e Module {
        self.module
    }

    /// The evaluation that is asked about.
    pub fn evaluation(&self) -> &'e Evaluation {
        self.evaluation
    }

    /// Makes the next execution that is found unlike the last ones, where there is a choice.
    pub fn vary(&mut self) {
        let number = self.asked.len() as u64;
        self.queries.vary(&self.evaluation.circuit, number);
    }

    /// Whether there is an execution in which all gates hold. All queries together may cost what the limits allow.
    pub fn ask(&mut self, gates: &[Gate]) -> QueryAnswer {
        self.ask_any(gates, &[Gate::TRUE])
    }

    /// Whether there is an execution in which all gates hold, within this number of conflicts, whatever the others
    /// have cost.
    pub fn ask_briefly(&mut self, gates: &[Gate], conflicts: u64) -> QueryAnswer {
        let limits = sat::Limits { conflicts: Some(conflicts), ..self.limits };
        self.ask_within(gates, &[Gate::TRUE], &limits)
    }

    /// Has every execution that is found from now on mark which of these gates hold in it.
    pub fn watch(&mut self, gates: impl IntoIterator<Item = Gate>) {
        for gate in gates {
            self.watched.entry(gate).or_insert(gate == Gate::TRUE);
        }
    }

    /// Whether a gate that is watched holds in some execution that was found.
    pub fn was_seen(&self, gate: Gate) -> bool {
        self.watched.get(&gate).is_some_and(|seen| *seen)
    }

    /// Whether there is an execution in which all gates hold, and one of the others.
    pub fn ask_any(&mut self, gates: &[Gate], others: &[Gate]) -> QueryAnswer {
        let mut limits = self.limits;
        if let Some(conflicts) = &mut limits.conflicts {
            *conflicts = conflicts.saturating_sub(self.cost());
        }
        self.ask_within(gates, others, &limits)
    }

    fn ask_within(&mut self, gates: &[Gate], others: &[Gate], limits: &sat::Limits) -> QueryAnswer {
        let answer = match self.queries.ask_any(&self.evaluation.circuit, gates, others, limits) {
            sat::Answer::Sat => QueryAnswer::Sat,
            sat::Answer::Unsat => QueryAnswer::Unsat,
            sat::Answer::Unknown(reason) => QueryAnswer::Unknown(reason),
        };
        if answer == QueryAnswer::Sat {
            let queries = &self.queries;
            let unseen = self.watched.iter_mut().filter(|(_, seen)| !**seen);
            unseen.for_each(|(gate, seen)| *seen = queries.value(*gate));
        }
        let (gates, others) = (gates.to_vec(), others.to_vec());
        self.asked.push(Query { gates, others, answer: answer.clone() });
        answer
    }

    /// Whether a gate holds in the execution just found.
    pub fn holds(&mut self, gate: Gate) -> bool {
        self.queries.value(gate)
    }

    /// The gates that fix some inputs to their values in the execution just found.
    pub fn same(&self, inputs: impl IntoIterator<Item = Gate>) -> Vec<Gate> {
        let value = |input: Gate| input.negate_if(!self.queries.value(input));
        inputs.into_iter().map(value).collect()
    }

    /// The execution just found.
    pub fn witness(&mut self) -> Witness {
        let inputs = self.queries.witness(&self.evaluation.circuit);
        lift(self.module, self.evaluation, inputs)
    }

    /// The gates that cannot hold together, of the query just answered with *never*.
    pub fn core(&self) -> &[Gate] {
        self.queries.core()
    }

    /// Whether the queries so far have cost all that they may, so that further ones are idle.
    pub fn is_spent(&self) -> bool {
        self.limits.conflicts.is_some_and(|conflicts| self.cost() >= conflicts)
    }

    /// Whether the queries so far have cost less than half of what they may, so that others need not be spared.
    pub(crate) fn has_room(&self) -> bool {
        self.limits.conflicts.is_none_or(|conflicts| self.cost() < conflicts / 2)
    }

    /// The cost of the queries so far: conflicts, and for each query that reached the solver the cost of reading
    /// the clauses.
    fn cost(&self) -> u64 {
        let session = self.queries.session();
        let reading = session.num_clauses() as u64 / CLAUSES_PER_CONFLICT;
        session.statistics().conflicts + self.queries.tally().solved() * reading
    }

    /// How much a query may cost.
    pub(crate) fn limits(&self) -> &sat::Limits {
        &self.limits
    }

    /// The queries so far, in order.
    pub fn asked(&self) -> &[Query] {
        &self.asked
    }

    /// How the queries so far were answered.
    pub fn tally(&self) -> QueryCounts {
        self.queries.tally()
    }
}

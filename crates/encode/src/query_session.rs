//! Questions about one evaluation: can these gates hold together, and in which run?

use circuit::{Gate, Queries, QueryCounts};
use ir::Module;
use rustc_hash::FxHashMap;

use crate::evaluation::Evaluation;
use crate::lift::{Witness, lift};
use crate::limits::CLAUSES_PER_CONFLICT;

/// Asks about an evaluation on one incremental solver.
///
/// *Exists* looks for a run and has a witness if it finds one; *never* is the same question asked in
/// the hope that there is none.
pub struct QuerySession<'e> {
    module: &'e Module,
    evaluation: &'e Evaluation,
    queries: Queries,
    limits: sat::Limits,
    questions: Vec<Question>,
    /// Gates, and whether each holds in some run that was found.
    watched: FxHashMap<Gate, bool>,
}

/// A question that was asked, and its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// What was to hold together.
    pub gates: Vec<Gate>,
    /// One of these was to hold as well.
    pub others: Vec<Gate>,
    /// What came of it.
    pub known: QueryAnswer,
}

/// What is known after a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QueryAnswer {
    /// There is such a run, described by the last model.
    Sat,
    /// There is none.
    Unsat,
    /// The solver gave up.
    Unknown(sat::Reason),
}

impl<'e> QuerySession<'e> {
    /// Nothing asked yet. What holds of all inputs is told to the solver.
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
            questions: Vec::new(),
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

    /// Makes the next run that is found unlike the last ones, where there is a choice.
    pub fn vary(&mut self) {
        let number = self.questions.len() as u64;
        self.queries.vary(&self.evaluation.circuit, number);
    }

    /// Whether there is a run in which all gates hold. All questions together may cost what the
    /// limits allow.
    pub fn ask(&mut self, gates: &[Gate]) -> QueryAnswer {
        self.ask_any(gates, &[Gate::TRUE])
    }

    /// Whether there is a run in which all gates hold. This may cost so many conflicts, whatever the others have
    /// cost.
    pub fn ask_briefly(&mut self, gates: &[Gate], conflicts: u64) -> QueryAnswer {
        let limits = sat::Limits { conflicts: Some(conflicts), ..self.limits };
        self.ask_within(gates, &[Gate::TRUE], &limits)
    }

    /// Has every run that is found from now on mark which of these gates hold in it.
    pub fn watch(&mut self, gates: impl IntoIterator<Item = Gate>) {
        for gate in gates {
            self.watched.entry(gate).or_insert(gate == Gate::TRUE);
        }
    }

    /// Whether a gate that is watched holds in some run that was found.
    pub fn was_seen(&self, gate: Gate) -> bool {
        self.watched.get(&gate).is_some_and(|seen| *seen)
    }

    /// Whether there is a run in which all gates hold, and one of the others.
    pub fn ask_any(&mut self, gates: &[Gate], others: &[Gate]) -> QueryAnswer {
        let mut limits = self.limits;
        if let Some(conflicts) = &mut limits.conflicts {
            *conflicts = conflicts.saturating_sub(self.cost());
        }
        self.ask_within(gates, others, &limits)
    }

    fn ask_within(&mut self, gates: &[Gate], others: &[Gate], limits: &sat::Limits) -> QueryAnswer {
        let known = match self.queries.ask_any(&self.evaluation.circuit, gates, others, limits) {
            sat::Answer::Sat => QueryAnswer::Sat,
            sat::Answer::Unsat => QueryAnswer::Unsat,
            sat::Answer::Unknown(reason) => QueryAnswer::Unknown(reason),
        };
        if known == QueryAnswer::Sat {
            let queries = &self.queries;
            let unseen = self.watched.iter_mut().filter(|(_, seen)| !**seen);
            unseen.for_each(|(gate, seen)| *seen = queries.value(*gate));
        }
        let (gates, others) = (gates.to_vec(), others.to_vec());
        self.questions.push(Question { gates, others, known: known.clone() });
        known
    }

    /// Whether a gate holds in the run just found.
    pub fn holds(&mut self, gate: Gate) -> bool {
        self.queries.value(gate)
    }

    /// What makes some inputs be what they are in the run just found.
    pub fn same(&self, inputs: impl IntoIterator<Item = Gate>) -> Vec<Gate> {
        let value = |input: Gate| input.negate_if(!self.queries.value(input));
        inputs.into_iter().map(value).collect()
    }

    /// The run just found.
    pub fn witness(&mut self) -> Witness {
        let inputs = self.queries.witness(&self.evaluation.circuit);
        lift(self.module, self.evaluation, inputs)
    }

    /// The gates that cannot hold together, of the question just answered with *never*.
    pub fn core(&self) -> &[Gate] {
        self.queries.core()
    }

    /// Whether the questions so far have cost all that they may, so that further ones are idle.
    pub fn is_spent(&self) -> bool {
        self.limits.conflicts.is_some_and(|conflicts| self.cost() >= conflicts)
    }

    /// Whether the questions so far have cost less than half of what they may, so that others need not be spared.
    pub(crate) fn has_room(&self) -> bool {
        self.limits.conflicts.is_none_or(|conflicts| self.cost() < conflicts / 2)
    }

    /// What the questions so far have cost: conflicts, and for each that reached the solver what it takes
    /// to look at the clauses.
    fn cost(&self) -> u64 {
        let session = self.queries.session();
        let reading = session.num_clauses() as u64 / CLAUSES_PER_CONFLICT;
        session.statistics().conflicts + self.queries.tally().solved() * reading
    }

    /// How much a question may cost.
    pub(crate) fn limits(&self) -> &sat::Limits {
        &self.limits
    }

    /// The questions so far, in order.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// How the questions so far were answered.
    pub fn tally(&self) -> QueryCounts {
        self.queries.tally()
    }
}

//! Facts about the text of a procedure and its evaluation from which assumptions decide.

use std::collections::BTreeSet;
use std::rc::Rc;

use encode::{BitVector, Condition, ConditionSet, Dependents, Edge, Evaluation, QueryAnswer, Side};
use ir::{AssertKind, Origin, PointId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::assumptions::{ALLOCATION_SUCCEEDS, CALLEE_RESULT, TRIP_COUNT};
use crate::bodies::Callers;
use crate::context::{CheckContext, is_nowhere};
use crate::flow::Flow;
use crate::limits::{TESTED_ALLOCATIONS, TESTED_BRANCHES};
use crate::returned::{Copies, pointer_calls, pointer_results};

/// The number of bits of a byte.
const BYTE: usize = 8;

/// Facts about a procedure's own text and its inputs.
pub(crate) struct ProcedureFacts {
    pub(crate) flow: Flow,
    /// The branches that determine how often a loop iterates, if these are not tests.
    pub(crate) exits: BTreeSet<PointId>,
    /// Everything on which the conditions of these branches depend.
    pub(crate) trip_counts: ConditionSet,
    /// Whether it tests whether an allocation has failed.
    pub(crate) tests_allocations: bool,
    /// Its calls that may return null, with the variables to which the results flow.
    pub(crate) results: FxHashMap<PointId, Copies>,
    /// Its calls of procedures of the program that return pointers.
    pub(crate) pointer_calls: FxHashSet<PointId>,
    /// The initial values of global variables.
    pub(crate) statics: ConditionSet,
    /// The initial contents of memory.
    memory: ConditionSet,
    /// How the program calls the procedure.
    callers: Callers,
    parameters: ConditionSet,
    /// Everything that depends on results of unknown functions, those of the library aside, and on whether allocations
    /// fail, if the procedure does not test that; nothing if that does not matter.
    external: Option<Dependents>,
    /// Under which conditions executions take a side of a branch that is not written.
    pub(crate) unwritten: Vec<Condition>,
}

impl ProcedureFacts {
    /// Whether a value is loaded from initial memory and has more than one byte: bytes are data.
    pub(crate) fn is_stored(&self, value: &BitVector) -> bool {
        let open = value.iter().filter(|bit| bit.as_constant().is_none());
        open.collect::<ConditionSet>().len() > BYTE && self.memory.contains_all(value)
    }

    /// Whether a value is computed from parameters alone, and a caller in the program passes them by name.
    pub(crate) fn is_passed(&self, evaluation: &Evaluation, value: &BitVector) -> bool {
        let bits: Vec<Condition> = value.iter().filter(|bit| bit.as_constant().is_none()).collect();
        self.callers == Callers::ByName && self.depend_on_parameters(evaluation, &bits)
    }

    /// Whether the procedure is a callback, and a branch tests nothing but its parameters.
    pub(crate) fn tests_callback_parameters(
        &self,
        evaluation: &Evaluation,
        branch: PointId,
    ) -> bool {
        if self.callers != Callers::ByPointer {
            return false;
        }
        let tests = evaluation.sides.iter().filter(|side| side.point == branch);
        let conditions: Vec<Condition> = tests.map(|side| side.condition).collect();
        !conditions.is_empty() && self.depend_on_parameters(evaluation, &conditions)
    }

    fn depend_on_parameters(&self, evaluation: &Evaluation, conditions: &[Condition]) -> bool {
        evaluation.inputs_of(conditions).iter().all(|input| self.parameters.contains(*input))
    }

    /// Whether a branch shows where a null comes from: one of the procedure's own, or of a callee that may have returned
    /// it.
    pub(crate) fn supplies_null(&self, side: &Side, returning: &FxHashSet<PointId>) -> bool {
        match side.origin {
            Origin::Source => true,
            Origin::Inlined(call) => {
                let is_external = self
                    .external
                    .as_ref()
                    .is_some_and(|external| external.contains(side.condition));
                !is_nowhere(side.span) && returning.contains(&call) && !is_external
            }
            Origin::Macro(_) | Origin::Synthetic => false,
        }
    }
}

impl CheckContext<'_> {
    /// The facts, which all rules share.
    pub(crate) fn facts(&mut self) -> Rc<ProcedureFacts> {
        if let Some(facts) = &self.facts {
            return facts.clone();
        }
        let assumptions = &self.options.policy.assumptions;
        let procedure = self.module.procedure(self.procedure);
        let flow = Flow::of(procedure);
        let exits = match assumptions.has(&TRIP_COUNT) {
            true => flow.exits.clone(),
            false => BTreeSet::new(),
        };
        let evaluation = self.under.evaluation();
        let conditions = evaluation.sides.iter().filter(|side| exits.contains(&side.point));
        let conditions: Vec<Condition> = conditions.map(|side| side.condition).collect();
        let trip_counts = evaluation.influence(&conditions);
        let tests_allocations = !assumptions.has(&ALLOCATION_SUCCEEDS) || self.tests_allocations();
        let trusts_results = assumptions.has(&CALLEE_RESULT);
        let external = trusts_results.then(|| {
            let answers = evaluation.answers.iter().filter(|(span, _)| !is_nowhere(*span));
            let answers = answers.flat_map(|(_, bits)| bits.iter());
            let attempts = evaluation.allocations.iter().map(|attempt| attempt.succeeds);
            let attempts = attempts.filter(|_| !tests_allocations);
            evaluation.dependents(answers.chain(attempts))
        });
        let is_unwritten = |edge: &&Edge| flow.is_unwritten(edge.point, edge.taken);
        let own = evaluation.edges.iter().filter(|edge| is_own(edge.origin));
        let unwritten = own.filter(is_unwritten).map(|edge| edge.gate).collect();
        let callers = self.bodies.map(|bodies| bodies.callers(self.procedure));
        let facts = ProcedureFacts {
            callers: callers.unwrap_or(Callers::External),
            parameters: evaluation.parameters().collect(),
            unwritten,
            flow,
            exits,
            trip_counts,
            tests_allocations,
            results: pointer_results(procedure, trusts_results),
            pointer_calls: pointer_calls(self.module, procedure),
            statics: evaluation.initial_statics().collect(),
            memory: evaluation.initial_memory().collect(),
            external,
        };
        self.facts.insert(Rc::new(facts)).clone()
    }

    /// Whether the procedure itself tests whether an allocation has failed, so that it expects others to fail as well.
    fn tests_allocations(&mut self) -> bool {
        let evaluation = self.under.evaluation();
        let own = evaluation.edges.iter().filter(|edge| is_own(edge.origin));
        let own: Vec<Condition> = own.map(|edge| edge.gate).take(TESTED_BRANCHES).collect();
        evaluation.allocations.iter().take(TESTED_ALLOCATIONS).any(|attempt| {
            own.iter().any(|&edge| {
                self.query(&[edge, attempt.succeeds]) == QueryAnswer::Unsat
                    && self.query(&[edge]) == QueryAnswer::Sat
            })
        })
    }
}

/// Whether a branch is in the text of the procedure itself.
pub(crate) fn is_own(origin: Origin) -> bool {
    match origin {
        Origin::Source => true,
        Origin::Macro(_) | Origin::Inlined(_) | Origin::Synthetic => false,
    }
}

/// Whether an obligation concerns the lifetime of objects. That a pointer is null is no excuse then.
pub(crate) fn is_about_lifetime(kind: AssertKind) -> bool {
    matches!(kind, AssertKind::UseAfterFree | AssertKind::DoubleFree | AssertKind::InvalidFree)
}

//! Narrowing the initial heaps that are looked at: by their shapes where there are few, by their bounds where there
//! are many.
//!
//! Both follow from preconditions and scope alone, and may be known from before ([`bounds::Cache`]).

use std::sync::Arc;

use bounds::{HeapQuery, Shapes};
use encode::{Feasible, Scope};
use passes::Prepared;
use report::Manner;

use crate::analysis::Analysis;
use crate::options::{CheckOptions, Proofs};

/// Where heaps are smaller, all is known of them sooner than their bounds.
const SMALL: u32 = 4;

/// So many conflicts each question about bounds may cost; what costs more is left open.
const EDGE: u64 = 2_000;

/// The number of shapes that are looked at one by one grows up to heaps of so many objects.
const MOST_OBJECTS: u32 = 18;

/// Heaps of fewer objects are not kept: they are enumerated sooner than read.
const KEPT: u32 = 5;

impl Analysis<'_> {
    /// The shapes of the initial heaps, if there are few and they are to be looked at one by one.
    pub(crate) fn shapes(
        &self,
        body: &Prepared,
        scope: &Scope,
        options: &CheckOptions,
    ) -> Result<Option<Vec<Feasible>>, encode::SolverError> {
        let is_wanted = options.strategy.shapes && scope.heaps.canonical && scope.columns.is_none();
        if !is_wanted || options.state.proofs != Proofs::Off || options.policy.trust_inputs {
            return Ok(None);
        }
        let costs = options.solver.of_query();
        let question = self.question(body, scope, options, &costs);
        Ok(
            match question
                .shapes(most_shapes(options.bounds.largest_scope()), self.cache(options))?
            {
                Shapes::All(shapes) => Some(shapes),
                Shapes::TooMany(_) => None,
            },
        )
    }

    /// Leaves out of a scope what no initial heap has.
    pub(crate) fn tighten(
        &mut self,
        body: &Prepared,
        scope: &mut Scope,
        options: &CheckOptions,
    ) -> Result<(), encode::SolverError> {
        let strategy = options.strategy;
        let is_large = strategy.of_small_heaps || options.bounds.largest_scope() >= SMALL;
        let is_wanted = strategy.bounds && scope.heaps.canonical && scope.columns.is_none();
        if !is_wanted || !is_large || options.policy.trust_inputs {
            return Ok(());
        }
        let costs = encode::QueryLimits::conflicts(EDGE);
        let question = self.question(body, scope, options, &costs);
        let tight = question.tighten(self.cache(options))?;
        self.known.ways.push(format!("{} of {} edges", tight.tight, tight.loose));
        self.known.effort.questions += tight.queries;
        scope.heaps.feasible = Some(Arc::new(tight.feasible));
        Ok(())
    }

    fn question<'q>(
        &self,
        body: &'q Prepared,
        scope: &'q Scope,
        options: &CheckOptions,
        costs: &'q encode::QueryLimits,
    ) -> HeapQuery<'q>
    where
        Self: 'q,
    {
        let (module, procedure) = (self.program.module, &body.procedure);
        HeapQuery { module, procedure, scope, options: options.solver.options(), limits: costs }
    }

    /// Where bounds and shapes are kept. Where proofs are asked for, nothing is taken on trust.
    fn cache(&self, options: &CheckOptions) -> Option<&dyn bounds::Cache> {
        self.program
            .cache
            .filter(|_| options.bounds.largest_scope() >= KEPT && !options.solver.certify)
    }

    /// How runs were looked for, if there was a choice.
    pub(crate) fn manner(&self, options: &CheckOptions) -> Option<Manner> {
        let ways = self.known.ways.clone();
        options.strategy.symmetry.then_some(Manner { ways, ends: !self.known.goes_on })
    }
}

/// How many shapes of heaps of so many objects are looked at one by one; more are looked at all at once.
/// Invariants that settle most of a heap leave about one and a half times as many with each further object.
fn most_shapes(objects: u32) -> usize {
    let mut most = 60;
    for _ in 0..objects.min(MOST_OBJECTS) {
        most += most / 2;
    }
    most
}

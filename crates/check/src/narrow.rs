//! Reducing the initial heaps: by enumerating their shapes where there are few, by tight field bounds where there are many
//! (Galeotti et al. 2010).
//!
//! Both follow from preconditions and scope alone, and may be cached ([`bounds::Cache`]).

use std::sync::Arc;

use bounds::{HeapQuery, Shapes};
use encode::{Feasible, Scope};
use passes::Prepared;
use report::SearchTechniques;

use crate::analysis::Analysis;
use crate::limits::{CACHED_OBJECTS, SHAPED_OBJECTS, TIGHTENED_OBJECTS, TIGHTENING_CONFLICTS};
use crate::options::{CheckOptions, Proofs};

impl Analysis<'_> {
    /// The shapes of the initial heaps, if there are few and they are to be checked one by one.
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
        let query = self.query(body, scope, options, &costs);
        Ok(
            match query.shapes(most_shapes(options.bounds.largest_scope()), self.cache(options))? {
                Shapes::All(shapes) => Some(shapes),
                Shapes::TooMany(_) => None,
            },
        )
    }

    /// Removes from a scope the field values that no initial heap has.
    pub(crate) fn tighten(
        &mut self,
        body: &Prepared,
        scope: &mut Scope,
        options: &CheckOptions,
    ) -> Result<(), encode::SolverError> {
        let strategy = options.strategy;
        let is_large =
            strategy.of_small_heaps || options.bounds.largest_scope() >= TIGHTENED_OBJECTS;
        let is_wanted = strategy.bounds && scope.heaps.canonical && scope.columns.is_none();
        if !is_wanted || !is_large || options.policy.trust_inputs {
            return Ok(());
        }
        let costs = encode::QueryLimits::conflicts(TIGHTENING_CONFLICTS);
        let query = self.query(body, scope, options, &costs);
        let tight = query.tighten(self.cache(options))?;
        self.results.techniques.push(format!("{} of {} edges", tight.tight, tight.loose));
        self.results.effort.queries += tight.queries;
        scope.heaps.feasible = Some(Arc::new(tight.feasible));
        Ok(())
    }

    fn query<'q>(
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

    /// The cache of bounds and shapes. Where proofs are checked, it is not used.
    fn cache(&self, options: &CheckOptions) -> Option<&dyn bounds::Cache> {
        self.program
            .cache
            .filter(|_| options.bounds.largest_scope() >= CACHED_OBJECTS && !options.solver.certify)
    }

    /// The techniques that were used, if there was a choice.
    pub(crate) fn manner(&self, options: &CheckOptions) -> Option<SearchTechniques> {
        let techniques = self.results.techniques.clone();
        options
            .strategy
            .symmetry
            .then_some(SearchTechniques { techniques, ends: !self.results.is_cut })
    }
}

/// The number of shapes of heaps with this number of objects that are checked one by one; more are checked in one formula.
/// Invariants that determine most of a heap leave about one and a half times as many shapes with each further object.
fn most_shapes(objects: u32) -> usize {
    let mut most = 60;
    for _ in 0..objects.min(SHAPED_OBJECTS) {
        most += most / 2;
    }
    most
}

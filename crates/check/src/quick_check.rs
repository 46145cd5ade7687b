//! The quick check: where initial heaps have few shapes, the executions from each shape are checked separately.
//!
//! Most shapes have no failing execution, and that shows at once: with the heap known, most of the formula folds away. Only
//! the others are checked in full.

use std::collections::BTreeSet;
use std::sync::Arc;

use bounds::concrete::Program;
use encode::{Condition, Feasible, QuerySession, Scope, atoms, evaluate};
use ir::{Procedure, StatementKind, Variable};
use passes::Prepared;
use rayon::prelude::*;

use crate::analysis::{Analysis, cut_by, ends, session};
use crate::clear::Open;
use crate::context::{LoopModel, has_no_meaning};
use crate::limits::{NUMBERED_EXECUTIONS, SUSPECT_SHAPES};
use crate::options::CheckOptions;
use crate::runs::executions;

/// The result of a quick check of one shape; the worse the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum QuickCheck {
    /// Nothing fails, and all executions end.
    Clean,
    /// Something may fail, or is unsupported.
    Suspect,
    /// The bounds cut some execution.
    Cut,
}

/// Why the quick check stops before the last shape.
enum Stop {
    /// The bounds cut some execution, and a later step has larger ones.
    Cut,
    Failed(encode::SolverError),
}

impl From<encode::SolverError> for Stop {
    fn from(error: encode::SolverError) -> Stop {
        Stop::Failed(error)
    }
}

impl Analysis<'_> {
    /// Checks the executions from each shape separately.
    pub(crate) fn check_each_shape(
        &mut self,
        shapes: &[Feasible],
        body: &Prepared,
        scope: &Scope,
        options: &CheckOptions,
        observer: &mut dyn FnMut(&QuerySession<'_>),
    ) -> Result<CheckOptions, encode::SolverError> {
        let program = self.program;
        let within = |shape: &Feasible, is_admitted: bool| {
            let mut scope = scope.clone();
            scope.heaps.feasible = Some(Arc::new(shape.clone()));
            scope.heaps.is_admitted = is_admitted;
            scope
        };
        let evaluated =
            |scope: &Scope| evaluate(program.module, &body.procedure, &body.calls, scope);
        let preconditions = bounds::preconditions(&body.procedure);
        let most = if changes_heap(&body.procedure) { NUMBERED_EXECUTIONS } else { 1 };
        let is_enough = |result| result == QuickCheck::Cut && options.state.defer_if_cut;
        let prepared = Program::new(program.module, &body.procedure);
        let count = atoms(program.module, &body.procedure, scope);
        let results: Result<Vec<QuickCheck>, Stop> = shapes
            .par_iter()
            .map(|shape| {
                let executed =
                    executions(program.module, &body.procedure, &prepared, &count, shape);
                match executed {
                    Some(result) if is_enough(result) => return Err(Stop::Cut),
                    Some(result) => return Ok(result),
                    None => {}
                }
                let numberings = shape.numbered(most);
                // A precondition that all of them satisfy need not be checked for each.
                let is_admitted = numberings.len() > 1 && {
                    let scope = within(shape, false);
                    evaluate(program.module, &preconditions, &[], &scope).begins == Condition::TRUE
                };
                let mut worst = QuickCheck::Clean;
                for numbered in numberings {
                    let evaluation = evaluated(&within(&numbered, is_admitted));
                    let mut bounded = session(program, &evaluation, options)?;
                    worst = worst.max(quick_check(&mut bounded));
                    if is_enough(worst) {
                        return Err(Stop::Cut);
                    }
                }
                Ok(worst)
            })
            .collect();
        let results = match results {
            Ok(results) => results,
            Err(Stop::Cut) => vec![QuickCheck::Cut],
            Err(Stop::Failed(error)) => return Err(error),
        };
        self.results.effort.queries += results.len() as u64 * 2;
        self.results.is_cut = results.contains(&QuickCheck::Cut);
        self.results.ends = results.contains(&QuickCheck::Clean);
        if self.results.is_cut && options.state.defer_if_cut {
            return Ok(options.clone());
        }
        let over = self.over_approximation(Open::default(), options);
        let suspect =
            results.iter().zip(shapes).filter(|(result, _)| **result != QuickCheck::Clean);
        let (mut undecided, mut unsupported) = (BTreeSet::new(), None);
        for (number, (_, shape)) in suspect.enumerate() {
            if number >= SUSPECT_SHAPES && !self.results.findings.is_empty() {
                break;
            }
            let evaluation = evaluated(&within(shape, false));
            let mut bounded = session(program, &evaluation, options)?;
            if self.results.cut.is_none() {
                self.results.note_cut(cut_by(&mut bounded, options));
                self.results.ends |= ends(&mut bounded);
            }
            let loop_model = LoopModel::Unrolled { first: true };
            self.check_evaluation(bounded, &over, options, loop_model, observer)?;
            undecided.append(&mut self.results.undecided);
            unsupported = unsupported.or(self.results.unsupported.take());
        }
        (self.results.undecided, self.results.unsupported) = (undecided, unsupported);
        Ok(options.clone())
    }
}

/// Whether a procedure assigns to a global variable.
fn changes_heap(procedure: &Procedure) -> bool {
    let statements = procedure.blocks.iter().flatten().flat_map(|block| &block.statements);
    statements.into_iter().any(|statement| match &statement.kind {
        StatementKind::Assign(pairs) => {
            pairs.iter().any(|(place, _)| matches!(place.variable, Variable::Global(_)))
        }
        _ => false,
    })
}

fn quick_check(bounded: &mut QuerySession<'_>) -> QuickCheck {
    let evaluation = bounded.evaluation();
    let mut may = |gate| bounded.ask(&[gate]) != encode::QueryAnswer::Unsat;
    if may(evaluation.goes_on) {
        return QuickCheck::Cut;
    }
    let mut unsupported = evaluation.cuts.iter().filter(|cut| has_no_meaning(&cut.why));
    let is_unsupported = unsupported.any(|cut| may(cut.gate));
    if is_unsupported || may(evaluation.fails) { QuickCheck::Suspect } else { QuickCheck::Clean }
}

//! A glance at each shape: where there are few initial heaps, the runs from each are looked at by themselves.
//!
//! Most of them fail nowhere, and that is seen at once: with the heap known, most of the formula folds away. Where
//! something may fail, everything is asked as usual.

use std::collections::BTreeSet;
use std::sync::Arc;

use bounds::concrete::Program;
use encode::{Condition, Feasible, QuerySession, Scope, atoms, evaluate};
use ir::{Procedure, StatementKind, Variable};
use passes::Prepared;
use rayon::prelude::*;

use crate::analysis::{Analysis, cut_by, ends, inquiry};
use crate::clear::Open;
use crate::context::{LoopModel, has_no_meaning};
use crate::options::CheckOptions;
use crate::runs::runs;

/// Where so many shapes have been looked at and something was found, the others are left.
const SUSPECTS: usize = 64;

/// Where a procedure changes the heap and is handed numbers that may have no more than so many values to tell
/// apart, each is looked at by itself: then nothing is open any more, and a formula is a run.
pub(crate) const MOST_NUMBERED: usize = 128;

/// What is seen at first sight of the runs from one shape; the worse the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum QuickCheck {
    /// Nothing fails, and all runs end.
    Nothing,
    /// Something may fail, or has no meaning here.
    Suspect,
    /// Some run goes further than it is followed.
    GoesOn,
}

/// Why no further shapes are looked at.
enum Stop {
    /// Some run goes further, and will be followed there first.
    GoesOn,
    Failed(encode::SolverError),
}

impl From<encode::SolverError> for Stop {
    fn from(error: encode::SolverError) -> Stop {
        Stop::Failed(error)
    }
}

impl Analysis<'_> {
    /// Looks at the runs from each shape by itself.
    pub(crate) fn hold_for_each(
        &mut self,
        shapes: &[Feasible],
        body: &Prepared,
        scope: &Scope,
        options: &CheckOptions,
        audience: &mut dyn FnMut(&QuerySession<'_>),
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
        let most = if changes_heap(&body.procedure) { MOST_NUMBERED } else { 1 };
        let is_enough = |glance| glance == QuickCheck::GoesOn && options.state.defer_if_cut;
        let prepared = Program::new(program.module, &body.procedure);
        let count = atoms(program.module, &body.procedure, scope);
        let looked: Result<Vec<QuickCheck>, Stop> = shapes
            .par_iter()
            .map(|shape| {
                let followed = runs(program.module, &body.procedure, &prepared, &count, shape);
                match followed {
                    Some(glance) if is_enough(glance) => return Err(Stop::GoesOn),
                    Some(glance) => return Ok(glance),
                    None => {}
                }
                let ways = shape.numbered(most);
                // What all of them are known to meet need not be asked of each.
                let is_admitted = ways.len() > 1 && {
                    let scope = within(shape, false);
                    evaluate(program.module, &preconditions, &[], &scope).begins == Condition::TRUE
                };
                let mut worst = QuickCheck::Nothing;
                for numbered in ways {
                    let evaluation = evaluated(&within(&numbered, is_admitted));
                    let mut bounded = inquiry(program, &evaluation, options)?;
                    worst = worst.max(quick_check(&mut bounded));
                    if is_enough(worst) {
                        return Err(Stop::GoesOn);
                    }
                }
                Ok(worst)
            })
            .collect();
        let looked = match looked {
            Ok(looked) => looked,
            Err(Stop::GoesOn) => vec![QuickCheck::GoesOn],
            Err(Stop::Failed(error)) => return Err(error),
        };
        self.known.effort.questions += looked.len() as u64 * 2;
        self.known.goes_on = looked.contains(&QuickCheck::GoesOn);
        self.known.ends = looked.contains(&QuickCheck::Nothing);
        if self.known.goes_on && options.state.defer_if_cut {
            return Ok(options.clone());
        }
        let all = self.all(Open::default(), options);
        let suspect =
            looked.iter().zip(shapes).filter(|(glance, _)| **glance != QuickCheck::Nothing);
        let (mut undecided, mut unsupported) = (BTreeSet::new(), None);
        for (number, (_, shape)) in suspect.enumerate() {
            if number >= SUSPECTS && !self.known.findings.is_empty() {
                break;
            }
            let evaluation = evaluated(&within(shape, false));
            let mut bounded = inquiry(program, &evaluation, options)?;
            if self.known.cut.is_none() {
                self.known.cut = cut_by(&mut bounded);
                self.known.ends |= ends(&mut bounded);
            }
            let loop_model = LoopModel::Unrolled { first: true };
            self.look(bounded, &all, options, loop_model, audience)?;
            undecided.append(&mut self.known.undecided);
            unsupported = unsupported.or(self.known.unsupported.take());
        }
        (self.known.undecided, self.known.unsupported) = (undecided, unsupported);
        Ok(options.clone())
    }
}

/// Whether a procedure assigns to what outlives it.
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
        return QuickCheck::GoesOn;
    }
    let mut lost = evaluation.cuts.iter().filter(|cut| has_no_meaning(&cut.why));
    let is_lost = lost.any(|cut| may(cut.gate));
    if is_lost || may(evaluation.fails) { QuickCheck::Suspect } else { QuickCheck::Nothing }
}

//! One procedure: from its body and the summaries of its callees to its own summary and its candidates.

use ir::{Mode, Module, Procedure, ProcedureId, StatementKind, Type, Variable};
use passes::{Effects, Unrolling, havoc, split, unroll};
use serde::{Deserialize, Serialize};

use crate::fact::Fact;
use crate::path::{Path, Root};
use crate::propose::{Finding, Proposed};
use crate::solve::Solver;
use crate::summary::Summary;
use crate::walk::{Callees, GaveUp, Walk, walk};
use circuit::Guard;
use property::Index;

/// The limits for a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The number of unrolled iterations of each loop.
    pub unroll: u32,
    /// How many statements and ends of blocks there may be without loops.
    pub size: usize,
    /// How many nodes the guards may have.
    pub nodes: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { unroll: 2, size: 20_000, nodes: 200_000 }
    }
}

/// The results of a procedure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Analysed {
    /// Its summary.
    pub summary: Summary,
    /// Its candidates, for the judge to decide.
    pub findings: Vec<Finding>,
    /// The effort.
    pub effort: Effort,
}

/// The effort for a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// The number of words and conditions.
    pub terms: usize,
    /// The number of nodes of guards.
    pub nodes: usize,
    /// The number of queries to the solver.
    pub queries: u64,
}

/// Analyses a procedure with a body, in up to two passes (Xie & Aiken 2007, §6.6): its loops are unrolled a few
/// times; if code behind a loop is not reached that way, they are replaced by a first, an arbitrary and a
/// last iteration.
///
/// # Errors
/// If it exceeds the budget.
pub fn analyse(
    module: &Module,
    id: ProcedureId,
    index: &Index,
    callees: &dyn Callees,
    budget: &Budget,
) -> Result<Analysed, GaveUp> {
    let (reducible, _) = split(module.procedure(id), budget.size);
    let unrolling = Unrolling { iterations: budget.unroll, size: budget.size, facts: false };
    let (unrolled, _) = unroll(&reducible, &unrolling);
    let subject = Subject { module, index, callees, budget };
    let (mut analysed, reach) = subject.analyse(&reducible, &unrolled, true)?;
    if !analysed.summary.is_partial {
        analysed.summary.facts = subject.facts(&unrolled);
        return Ok(analysed);
    }
    let (mut forgetful, _) = havoc(module, &Effects::unknown(module), &reducible, budget.size);
    let facts = subject.facts(&forgetful);
    if reach != Reach::Cut {
        analysed.summary.facts = facts;
        return Ok(analysed);
    }
    keep_memory(&mut forgetful);
    let (mut analysed, reach) = match subject.analyse(&reducible, &forgetful, false) {
        Ok(second) => second,
        Err(_) => (analysed, Reach::Cut),
    };
    analysed.summary.facts = facts;
    if reach != Reach::All {
        keep_all(&mut analysed.summary, module.procedure(id));
    }
    Ok(analysed)
}

/// Which part of a procedure was reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    All,
    /// The rest is unreachable, as far as the analysis knows.
    Part,
    /// The rest may follow further iterations of a loop, or code that is not modelled.
    Cut,
}

/// Lets the arguments of a procedure escape: the effects of unreached code are unknown.
fn keep_all(summary: &mut Summary, procedure: &Procedure) {
    for (number, id) in (0..).zip(procedure.locals_with(Mode::Parameter)) {
        let path = Path::root(Root::Parameter(number));
        if procedure.local(id).ty == Type::Ptr && !summary.escapes.contains(&path) {
            summary.escapes.push(path);
        }
    }
    summary.escapes.sort();
}

/// The inputs of an analysis.
struct Subject<'s> {
    module: &'s Module,
    index: &'s Index,
    callees: &'s dyn Callees,
    budget: &'s Budget,
}

impl Subject<'_> {
    fn walk<'w>(&'w self, procedure: &'w Procedure, is_must: bool) -> Result<Walk<'w>, GaveUp> {
        let size: usize =
            procedure.blocks.iter().flatten().map(|block| block.statements.len() + 1).sum();
        if size > self.budget.size {
            return Err(GaveUp::Size);
        }
        walk(self.module, procedure, self.index, self.callees, self.budget.nodes, is_must)
    }

    /// The must-analysis of a procedure whose loops are over-approximated, without assumptions.
    fn facts(&self, procedure: &Procedure) -> Vec<Fact> {
        let Ok(mut walk) = self.walk(procedure, true) else { return Vec::new() };
        let facts = walk.facts();
        if walk.space.diagrams.is_exhausted() { Vec::new() } else { facts }
    }

    /// Analyses the loop-free form of a procedure; and says which part was reached.
    fn analyse(
        &self,
        original: &Procedure,
        procedure: &Procedure,
        is_exact: bool,
    ) -> Result<(Analysed, Reach), GaveUp> {
        let mut walk = self.walk(procedure, false)?;
        let mut ends = original.blocks.iter().flatten().map(|block| block.terminator.point);
        let reach = match ends.all(|point| walk.reached.contains(&point)) {
            true => Reach::All,
            false if walk.cut == Guard::NEVER => Reach::Part,
            false => Reach::Cut,
        };
        let mut solver = Solver::default();
        let mut summary = walk.infer(&mut solver);
        let Proposed { findings, reported } = walk.propose(&mut solver, is_exact);
        for machine in &mut summary.machines {
            machine.is_reported |= reported.contains(&machine.object);
        }
        if walk.space.diagrams.is_exhausted() {
            return Err(GaveUp::Guards);
        }
        let effort = Effort {
            terms: walk.space.terms(),
            nodes: walk.space.diagrams.len(),
            queries: solver.asked,
        };
        Ok((Analysed { summary, findings, effort }, reach))
    }
}

/// Lets an arbitrary iteration begin with memory as the first found it, whatever callees do to it. Like the paper's, this loses what
/// loops write; to forget all of memory would lose everything else.
fn keep_memory(procedure: &mut Procedure) {
    for block in procedure.blocks.iter_mut().flatten() {
        block.statements.retain(|statement| match &statement.kind {
            StatementKind::Havoc { place, .. } => {
                !(matches!(place.variable, Variable::Global(_)) && place.path.is_empty())
            }
            _ => true,
        });
    }
}

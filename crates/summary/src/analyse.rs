//! One procedure: from its body and its callees' summaries to its own summary and what is wrong with it.

use ir::{Module, ProcedureId};
use passes::{Unrolling, split, unroll};

use crate::judge::Finding;
use crate::property::Index;
use crate::solve::Solver;
use crate::summary::Summary;
use crate::walk::{Callees, GaveUp, walk};

/// What a procedure may use up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// How often each loop is unrolled.
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

/// What is known of a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysed {
    /// What its callers have to know.
    pub summary: Summary,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
    /// How much work it was.
    pub effort: Effort,
}

/// How much work a procedure was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Words and conditions.
    pub terms: usize,
    /// Nodes of guards.
    pub nodes: usize,
    /// Questions to the solver.
    pub questions: u64,
    /// What looked wrong and was dropped, as no run showed it.
    pub dropped: usize,
}

/// Analyses a procedure with a body.
///
/// # Errors
/// If it is beyond the budget.
pub fn analyse(
    module: &Module,
    id: ProcedureId,
    index: &Index,
    callees: &dyn Callees,
    budget: &Budget,
) -> Result<Analysed, GaveUp> {
    let (reducible, _) = split(module.procedure(id), budget.size);
    let unrolling = Unrolling { iterations: budget.unroll, size: budget.size, facts: false };
    let (procedure, _) = unroll(&reducible, &unrolling);
    let size: usize =
        procedure.blocks.iter().flatten().map(|block| block.statements.len() + 1).sum();
    if size > budget.size {
        return Err(GaveUp::Size);
    }
    let mut walk = walk(module, &procedure, index, callees, budget.nodes)?;
    let mut solver = Solver::default();
    let summary = walk.infer(&mut solver);
    let (findings, dropped) = walk.judge(&mut solver, id);
    if walk.space.diagrams.is_exhausted() {
        return Err(GaveUp::Guards);
    }
    let effort = Effort {
        terms: walk.space.terms(),
        nodes: walk.space.diagrams.len(),
        questions: solver.asked,
        dropped,
    };
    Ok(Analysed { summary, findings, effort })
}

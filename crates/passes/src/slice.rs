//! Slicing: what has no influence on the obligations asked about is taken away.
//!
//! Unreachable blocks are removed, and so is everything after the last obligation on each path; then
//! assignments to variables that nothing reads any more (Weiser 1984, with the control flow unchanged).
//! Assumptions and other assertions before them stay, as they decide which executions get there. So the
//! selected obligations are reached and fail in the same executions as before, apart from how an execution
//! ends: what would continue after the last obligation ends in an intended exit.

use std::collections::BTreeSet;

use ir::{
    Block, BlockId, Exit, Module, Origin, PointId, Procedure, Statement, StatementKind, Terminator,
    TerminatorKind,
};

use crate::graph::{Graph, arrange};
use crate::live::{Liveness, Variables};

/// The reason of the intended exit that replaces everything that no query depends on.
pub const NOT_ASKED: &str = "what follows is not asked about";

/// Keeps what has influence on the assertions and exits with these points. An exit is asked about
/// for the postconditions and invariants that are checked there.
pub fn slice(module: &Module, procedure: &Procedure, asked: &BTreeSet<PointId>) -> Procedure {
    let mut sliced = procedure.clone();
    let Some(blocks) = sliced.blocks.take() else { return sliced };
    let graph = Graph::new(&blocks);
    let leads = leads_to_asked(&blocks, &graph, asked);
    let mut blocks: Vec<Block> = blocks
        .into_iter()
        .enumerate()
        .map(|(id, block)| if leads[id] { block } else { stub(block) })
        .collect();
    for block in &mut blocks {
        truncate(block, asked, &leads);
    }
    let mut blocks = arrange(blocks);
    drop_dead(module, procedure, &mut blocks, asked);
    sliced.blocks = Some(blocks);
    sliced
}

/// For each block, whether it or a block it leads to has something that is asked about.
fn leads_to_asked(blocks: &[Block], graph: &Graph, asked: &BTreeSet<PointId>) -> Vec<bool> {
    let mut leads = vec![false; blocks.len()];
    let has = |block: &Block| {
        last_asked(block, asked).is_some() || is_asked_exit(&block.terminator, asked)
    };
    let mut pending: Vec<BlockId> =
        graph.order().iter().copied().filter(|id| has(&blocks[id.0 as usize])).collect();
    while let Some(id) = pending.pop() {
        if !std::mem::replace(&mut leads[id.0 as usize], true) {
            pending.extend(graph.predecessors(id));
        }
    }
    leads
}

/// The position of the last assertion of a block that is asked about.
fn last_asked(block: &Block, asked: &BTreeSet<PointId>) -> Option<usize> {
    let is_asked = |statement: &Statement| {
        matches!(statement.kind, StatementKind::Assert { .. }) && asked.contains(&statement.point)
    };
    block.statements.iter().rposition(is_asked)
}

fn is_asked_exit(terminator: &Terminator, asked: &BTreeSet<PointId>) -> bool {
    match &terminator.kind {
        TerminatorKind::Exit(Exit::Normal | Exit::Exceptional(_)) => {
            asked.contains(&terminator.point)
        }
        TerminatorKind::Exit(Exit::Intended(_) | Exit::Cut(_))
        | TerminatorKind::Goto(_)
        | TerminatorKind::Branch(..) => false,
    }
}

/// Ends a block behind the last obligation if nothing that is asked about follows.
fn truncate(block: &mut Block, asked: &BTreeSet<PointId>, leads: &[bool]) {
    let targets = crate::graph::targets(&block.terminator.kind);
    let goes_on = targets.iter().any(|target| leads[target.0 as usize]);
    if !goes_on && !is_asked_exit(&block.terminator, asked) {
        let keep = last_asked(block, asked).map_or(0, |position| position + 1);
        block.statements.truncate(keep);
        block.terminator.kind = TerminatorKind::Exit(Exit::Intended(NOT_ASKED.to_owned()));
        block.terminator.origin = Origin::Synthetic;
    }
}

/// A block of which nothing is asked.
fn stub(block: Block) -> Block {
    let kind = TerminatorKind::Exit(Exit::Intended(NOT_ASKED.to_owned()));
    let terminator = Terminator { kind, origin: Origin::Synthetic, ..block.terminator };
    Block { label: block.label, statements: Vec::new(), terminator, facts: None }
}

/// Takes away assignments to variables that nothing reads any more.
fn drop_dead(
    module: &Module,
    procedure: &Procedure,
    blocks: &mut [Block],
    asked: &BTreeSet<PointId>,
) {
    let mut liveness = Liveness::new(module, procedure);
    let ensures = &procedure.contract.ensures;
    let mut at_exit =
        |liveness: &mut Liveness<'_>, live: &mut Variables, block: &Block, exit: &Exit| {
            if is_asked_exit(&block.terminator, asked) {
                liveness.read_invariants(live, module);
                let exceptional = matches!(exit, Exit::Exceptional(_));
                for ensured in ensures.iter().filter(|e| e.exceptional == exceptional) {
                    liveness.read(live, ensured.clause.condition);
                }
            }
        };
    let graph = Graph::new(blocks);
    let starts = liveness.solve(blocks, &graph, &mut at_exit);
    for block in blocks {
        let mut live = liveness.at_end(&starts, block, &mut at_exit);
        block.terminator.kind.for_each_expr(&mut |&id| liveness.read(&mut live, id));
        let mut kept = Vec::with_capacity(block.statements.len());
        for mut statement in std::mem::take(&mut block.statements).into_iter().rev() {
            let keep = match &mut statement.kind {
                StatementKind::Assign(pairs) => {
                    pairs.retain(|(place, _)| liveness.is_live(&live, place.variable));
                    !pairs.is_empty()
                }
                StatementKind::Havoc { place, condition, .. } => {
                    condition.is_some() || liveness.is_live(&live, place.variable)
                }
                StatementKind::Assume { .. }
                | StatementKind::Assert { .. }
                | StatementKind::Allocate { .. }
                | StatementKind::Free(_)
                | StatementKind::Call { .. }
                | StatementKind::Unsupported { .. } => true,
            };
            if keep {
                liveness.before(&mut live, &statement.kind);
                kept.push(statement);
            }
        }
        kept.reverse();
        block.statements = kept;
    }
}

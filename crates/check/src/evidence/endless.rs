//! Loops that may be infinite in every execution: loops whose exit conditions nothing in the loop changes.
//!
//! A loop that changes what its exit conditions read is taken to end, with two exceptions: comparisons that hold for every
//! value of a type, such as `i >= 0` of an unsigned number, and comparisons of a number with a constant that may be
//! outside the range of its narrower type. A loop without exit is intended.

use ir::{
    BlockId, Callee, Expr, ExprId, Module, Op, Procedure, ProcedureId, Projection, StatementKind,
    TerminatorKind, Type, Variable,
};
use passes::graph::{Graph, LoopId, targets};
use rustc_hash::FxHashSet;

/// For each procedure of a module, whether it or a procedure that it calls has such a loop.
pub(crate) fn endless(module: &Module) -> Vec<bool> {
    let mut endless: Vec<bool> = module.procedures.iter().map(has_endless_loop).collect();
    let mut pending: Vec<usize> = (0..endless.len()).filter(|&at| endless[at]).collect();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); endless.len()];
    for (number, procedure) in module.procedures.iter().enumerate() {
        for callee in callees(procedure) {
            callers[callee.0 as usize].push(number);
        }
    }
    while let Some(at) = pending.pop() {
        for &caller in &callers[at] {
            if !std::mem::replace(&mut endless[caller], true) {
                pending.push(caller);
            }
        }
    }
    endless
}

fn callees(procedure: &Procedure) -> Vec<ProcedureId> {
    let statements = procedure.blocks.iter().flatten().flat_map(|block| &block.statements);
    let mut callees = Vec::new();
    for statement in statements {
        if let StatementKind::Call { callee, .. } = &statement.kind {
            match callee {
                Callee::Procedure(id) => callees.push(*id),
                Callee::Choice(_, table) => callees.extend(table.iter().map(|(_, id)| *id)),
            }
        }
    }
    callees
}

fn has_endless_loop(procedure: &Procedure) -> bool {
    let Some(blocks) = procedure.blocks.as_deref() else { return false };
    let graph = Graph::new(blocks);
    let all: Vec<BlockId> = (0..blocks.len() as u32).map(BlockId).collect();
    (0..graph.loops().len() as u32).map(LoopId).any(|id| {
        let inside: FxHashSet<BlockId> =
            all.iter().copied().filter(|&block| graph.contains(id, block)).collect();
        let mut exits = Vec::new();
        let mut leaves = false;
        for &block in &inside {
            let end = &blocks[block.0 as usize].terminator;
            let is_exit = targets(&end.kind).iter().any(|target| !inside.contains(target));
            match &end.kind {
                TerminatorKind::Branch(condition, ..) if is_exit => exits.push(*condition),
                TerminatorKind::Branch(..) => {}
                TerminatorKind::Goto(_) => leaves |= is_exit,
                TerminatorKind::Exit(_) => leaves = true,
            }
        }
        let changed = Changed::of(inside.iter().map(|block| &blocks[block.0 as usize]));
        !leaves && !exits.is_empty() && exits.iter().all(|exit| changed.keeps(procedure, *exit))
    })
}

/// What a loop changes.
#[derive(Default)]
struct Changed {
    variables: FxHashSet<Variable>,
    memory: bool,
}

impl Changed {
    fn of<'b>(blocks: impl Iterator<Item = &'b ir::Block>) -> Changed {
        let mut changed = Changed::default();
        for statement in blocks.flat_map(|block| &block.statements) {
            let mut change = |place: &ir::Place| {
                let is_view = matches!(place.path.first(), Some(Projection::View { .. }));
                changed.memory |= is_view || matches!(place.variable, Variable::Global(_));
                changed.variables.insert(place.variable);
            };
            match &statement.kind {
                StatementKind::Assign(pairs) => pairs.iter().for_each(|(place, _)| change(place)),
                StatementKind::Havoc { place, .. } | StatementKind::Allocate { place, .. } => {
                    change(place);
                }
                StatementKind::Call { results, caught, .. } => {
                    results.iter().for_each(&mut change);
                    if let Some((place, value)) = caught {
                        change(place);
                        value.iter().for_each(&mut change);
                    }
                    changed.memory = true;
                }
                StatementKind::Unsupported { writes, .. } => writes.iter().for_each(change),
                StatementKind::Assume { .. }
                | StatementKind::Assert { .. }
                | StatementKind::Free(_) => {}
            }
        }
        changed
    }

    /// Whether a condition may keep its value in the loop.
    fn keeps(&self, procedure: &Procedure, condition: ExprId) -> bool {
        let exprs = &procedure.exprs;
        let mut pending = vec![condition];
        let mut changes = false;
        while let Some(id) = pending.pop() {
            let expr = exprs.get(id);
            match expr {
                Expr::Read(variable) => {
                    let is_global = matches!(variable, Variable::Global(_));
                    changes |= self.variables.contains(variable) || is_global && self.memory;
                }
                Expr::Op(op @ (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle), sides)
                    if is_one_sided(procedure, op, sides) =>
                {
                    return true;
                }
                _ => {}
            }
            pending.extend(expr.operands());
        }
        !changes
    }
}

/// Whether a comparison may have the same outcome for every value of one side.
fn is_one_sided(procedure: &Procedure, op: &Op, sides: &[ExprId]) -> bool {
    let exprs = &procedure.exprs;
    let bits = |id: ExprId| match (exprs.get(id), exprs.ty(id)) {
        (Expr::Bv(_, value), Type::Bv(width)) => Some((value.bits(), u64::from(*width))),
        _ => None,
    };
    let is_extended = |id: ExprId| {
        matches!(exprs.get(id), Expr::Op(Op::BvZeroExtend(_) | Op::BvSignExtend(_), _))
    };
    let (left, right) = (bits(sides[0]), bits(sides[1]));
    let is_least = |side: Option<(u64, u64)>| side.is_some_and(|(bits, _)| bits == 0);
    let is_great = |side: Option<(u64, u64)>| side.is_some_and(|(bits, width)| bits + 1 >= width);
    let is_extreme = match op {
        Op::BvUle => is_least(left) || is_great(right),
        Op::BvUlt => is_great(left) || is_least(right),
        _ => is_great(left) || is_great(right),
    };
    is_extreme
        || (left.is_some() || right.is_some()) && sides.iter().any(|&id| is_extended(id))
}

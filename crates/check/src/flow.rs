//! Control flow in the text of a procedure, from point to point, whatever the state.
//!
//! Bodies that are evaluated have their loops unrolled and lack unreachable code. Loops, and the order of points, can be
//! seen only in the text.

use std::collections::BTreeSet;

use ir::{Block, BlockId, Expr, ExprId, Op, PointId, Procedure, TerminatorKind, Type};
use passes::graph::{Graph, LoopId};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) struct Flow {
    blocks: FxHashMap<PointId, BlockId>,
    graph: Option<Graph>,
    /// The branches by which loops are left, which determine how often they iterate.
    pub(crate) exits: BTreeSet<PointId>,
    /// The branches that compare two pointers for equality, neither of which is literally null.
    pub(crate) compares_pointers: FxHashSet<PointId>,
    /// The sides of branches that end a chain of `else if` without an `else`.
    unwritten: BTreeSet<(PointId, bool)>,
}

impl Flow {
    pub(crate) fn of(procedure: &Procedure) -> Flow {
        let blocks = procedure.blocks.as_deref().unwrap_or_default();
        let graph = (!blocks.is_empty()).then(|| Graph::new(blocks));
        let exits = graph.as_ref().map(|graph| exits(graph, blocks)).unwrap_or_default();
        let mut holding = FxHashMap::default();
        for (number, block) in blocks.iter().enumerate() {
            let points = block.statements.iter().map(|statement| statement.point);
            for point in points.chain([block.terminator.point]) {
                holding.insert(point, BlockId(number as u32));
            }
        }
        let unwritten = graph.as_ref().map(|graph| unwritten(graph, blocks)).unwrap_or_default();
        let compares_pointers = compares_pointers(procedure, blocks);
        Flow { blocks: holding, graph, exits, compares_pointers, unwritten }
    }

    /// Whether a side of a branch is the missing last `else` of a chain.
    pub(crate) fn is_unwritten(&self, branch: PointId, taken: bool) -> bool {
        self.unwritten.contains(&(branch, taken))
    }

    /// Whether a branch determines how a loop before another point ends.
    pub(crate) fn ends_loop_before(&self, branch: PointId, behind: PointId) -> bool {
        let blocks = [branch, behind].map(|point| self.blocks.get(&point).copied());
        let (Some(graph), [Some(branch), Some(behind)]) = (&self.graph, blocks) else {
            return false;
        };
        let mut loops = graph.loops_around(branch);
        loops.any(|id| !graph.contains(id, behind) && leaves(graph, id, branch))
    }

    pub(crate) fn graph(&self) -> Option<&Graph> {
        self.graph.as_ref()
    }

    /// The block that holds a point.
    pub(crate) fn block(&self, point: PointId) -> Option<&BlockId> {
        self.blocks.get(&point)
    }

    /// Whether control may reach a branch from this point.
    pub(crate) fn reaches(&self, point: PointId) -> impl Fn(PointId) -> bool {
        let behind = match (&self.graph, self.blocks.get(&point)) {
            (Some(graph), Some(&from)) => graph.reached_from(&[from]),
            _ => Vec::new(),
        };
        let is_behind = move |block: &BlockId| behind.get(block.0 as usize).is_some_and(|is| *is);
        move |branch| self.blocks.get(&branch).is_some_and(&is_behind)
    }
}

/// Whether control gets out of a loop from a block of it, without another round.
fn leaves(graph: &Graph, id: LoopId, block: BlockId) -> bool {
    let header = graph.get(id).header;
    let (mut pending, mut seen) = (vec![block], FxHashSet::default());
    while let Some(block) = pending.pop() {
        for &next in graph.successors(block) {
            if !graph.contains(id, next) {
                return true;
            }
            if next != header && seen.insert(next) {
                pending.push(next);
            }
        }
    }
    false
}

fn compares_pointers(procedure: &Procedure, blocks: &[Block]) -> FxHashSet<PointId> {
    let exprs = &procedure.exprs;
    let compares = |mut condition: ExprId| loop {
        match exprs.get(condition) {
            Expr::Op(Op::Not, operands) => condition = operands[0],
            Expr::Op(Op::Eq, operands) => {
                let is_null = |id: &ExprId| matches!(exprs.get(*id), Expr::Null(_));
                return *exprs.ty(operands[0]) == Type::Ptr && !operands.iter().any(is_null);
            }
            _ => return false,
        }
    };
    let comparing = blocks.iter().filter(|block| match block.terminator.kind {
        TerminatorKind::Branch(condition, ..) => compares(condition),
        TerminatorKind::Goto(_) | TerminatorKind::Exit(_) => false,
    });
    comparing.map(|block| block.terminator.point).collect()
}

fn exits(graph: &Graph, blocks: &[Block]) -> BTreeSet<PointId> {
    let mut exits = BTreeSet::new();
    for id in (0..graph.loops().len() as u32).map(LoopId) {
        let inside = graph.order().iter().filter(|block| graph.contains(id, **block));
        for block in inside {
            if graph.successors(*block).iter().any(|to| !graph.contains(id, *to)) {
                exits.insert(blocks[block.0 as usize].terminator.point);
            }
        }
    }
    exits
}

fn unwritten(graph: &Graph, blocks: &[Block]) -> BTreeSet<(PointId, bool)> {
    let mut unwritten = BTreeSet::new();
    let branch = |id: BlockId| match blocks[id.0 as usize].terminator.kind {
        TerminatorKind::Branch(_, then, otherwise) => Some([then, otherwise]),
        TerminatorKind::Goto(_) | TerminatorKind::Exit(_) => None,
    };
    for &last in graph.order() {
        let (Some(sides), [first]) = (branch(last), graph.predecessors(last)) else { continue };
        let Some(others) = branch(*first) else { continue };
        let Some(answer) = others.into_iter().find(|side| *side != last) else { continue };
        for (side, taken) in [(0, true), (1, false)] {
            let (nothing, something) = (behind(blocks, sides[side]), sides[1 - side]);
            let asks_on = something == answer || behind(blocks, answer) == nothing;
            if asks_on || behind(blocks, something) == nothing {
                continue;
            }
            let leads = |from: BlockId| graph.reached_from(&[from])[nothing.0 as usize];
            if leads(answer) && leads(something) {
                unwritten.insert((blocks[last.0 as usize].terminator.point, taken));
            }
        }
    }
    unwritten
}

/// The first block from here on that does anything.
fn behind(blocks: &[Block], mut id: BlockId) -> BlockId {
    for _ in 0..blocks.len() {
        let block = &blocks[id.0 as usize];
        match &block.terminator.kind {
            TerminatorKind::Goto(targets) if targets.len() == 1 && block.statements.is_empty() => {
                id = targets[0];
            }
            _ => break,
        }
    }
    id
}

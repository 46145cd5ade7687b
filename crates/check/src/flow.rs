//! Where control goes in the text of a procedure, from point to point, whatever the state.
//!
//! Bodies that are evaluated have their loops unrolled, and what no run gets to is gone from them. What goes
//! round, and what comes before what, is to be seen in the text only.

use std::collections::BTreeSet;

use ir::{Block, BlockId, PointId, Procedure};
use passes::graph::{Graph, LoopId};
use rustc_hash::FxHashMap;

pub(crate) struct Flow {
    blocks: FxHashMap<PointId, BlockId>,
    graph: Option<Graph>,
    /// The branches that decide how often a loop goes round.
    pub(crate) turns: BTreeSet<PointId>,
}

impl Flow {
    pub(crate) fn of(procedure: &Procedure) -> Flow {
        let blocks = procedure.blocks.as_deref().unwrap_or_default();
        let graph = (!blocks.is_empty()).then(|| Graph::new(blocks));
        let turns = graph.as_ref().map(|graph| turns(graph, blocks)).unwrap_or_default();
        let mut holding = FxHashMap::default();
        for (number, block) in blocks.iter().enumerate() {
            let points = block.statements.iter().map(|statement| statement.point);
            for point in points.chain([block.terminator.point]) {
                holding.insert(point, BlockId(number as u32));
            }
        }
        Flow { blocks: holding, graph, turns }
    }

    /// Whether control may get to a branch from this point.
    pub(crate) fn leads(&self, point: PointId) -> impl Fn(PointId) -> bool {
        let behind = match (&self.graph, self.blocks.get(&point)) {
            (Some(graph), Some(&from)) => graph.reached_from(&[from]),
            _ => Vec::new(),
        };
        let is_behind = move |block: &BlockId| behind.get(block.0 as usize).is_some_and(|is| *is);
        move |branch| self.blocks.get(&branch).is_some_and(&is_behind)
    }
}

fn turns(graph: &Graph, blocks: &[Block]) -> BTreeSet<PointId> {
    let mut turns = BTreeSet::new();
    for id in (0..graph.loops().len() as u32).map(LoopId) {
        let inside = graph.order().iter().filter(|block| graph.contains(id, **block));
        for block in inside {
            if graph.successors(*block).iter().any(|to| !graph.contains(id, *to)) {
                turns.insert(blocks[block.0 as usize].terminator.point);
            }
        }
    }
    turns
}

//! Blocks that many edges reach are reached in steps.
//!
//! Where paths join, each path needs an assumption about each variable that another one has changed. For a
//! switch with `n` cases that each change a variable of their own that would be `n²` assumptions; if a few
//! neighbours join first, and then those, it is `n log n`.

use ir::{Block, BlockId, Origin, Terminator, TerminatorKind};

use crate::graph::{Graph, retarget};
use crate::limits::JOIN_EDGES;
use crate::names::Names;
use crate::product::start;

/// Inserts blocks so that no block is reached by many edges.
pub(super) fn narrow(mut blocks: Vec<Block>) -> Vec<Block> {
    let graph = Graph::new(&blocks);
    // The edges that reach each block, in the order of the blocks they leave.
    let mut incoming: Vec<Vec<(BlockId, usize)>> = vec![Vec::new(); blocks.len()];
    for &from in graph.order() {
        for (slot, to) in graph.successors(from).iter().enumerate() {
            incoming[to.0 as usize].push((from, slot));
        }
    }
    let mut names = Names::new(blocks.iter().map(|block| block.label.as_str()));
    let mut made: Vec<Block> = Vec::new();
    let count = blocks.len();
    for (number, mut edges) in incoming.into_iter().enumerate() {
        while edges.len() > JOIN_EDGES {
            let groups: Vec<Vec<(BlockId, usize)>> =
                edges.chunks(JOIN_EDGES).map(<[_]>::to_vec).collect();
            edges = Vec::with_capacity(groups.len());
            for group in groups {
                let meeting = BlockId((count + made.len()) as u32);
                let target = &blocks[number];
                let (span, point) = start(target);
                let label = names.fresh(&target.label);
                let kind = TerminatorKind::Goto(vec![BlockId(number as u32)]);
                let terminator = Terminator { kind, span, point, origin: Origin::Synthetic };
                made.push(Block { label, statements: Vec::new(), terminator, facts: None });
                for (from, slot) in group {
                    let from = from.0 as usize;
                    let leaving = match from.checked_sub(count) {
                        None => &mut blocks[from],
                        Some(inserted) => &mut made[inserted],
                    };
                    lead(leaving, slot, meeting);
                }
                edges.push((meeting, 0));
            }
        }
    }
    blocks.extend(made);
    blocks
}

/// Leads one edge of a block elsewhere.
fn lead(block: &mut Block, slot: usize, to: BlockId) {
    let mut number = 0..;
    retarget(
        &mut block.terminator.kind,
        |target| {
            if number.next() == Some(slot) { to } else { target }
        },
    );
}

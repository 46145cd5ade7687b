//! Node splitting: a body in which every loop has one entry.
//!
//! A cycle that remains without the back edges is a region with several entries (a `goto` into a loop). One
//! of its blocks becomes the header, and the blocks that other entries reach before the header are copied, so
//! that the copies lead to the header from outside and the region itself is entered through it alone. The
//! copies lack the header, so repeating this terminates (Janssen & Corporaal, *Making Graphs Reducible with
//! Controlled Node Splitting*, 1997, whose choice we follow: of the possible headers, the one for which least
//! is copied).
//!
//! Executions stay the same, step by step. Splitting can grow without bound in theory; beyond the limit all
//! other entries of a region lead to a cut instead.

use ir::{Block, BlockId, CutReason, Exit, Procedure};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Graph, arrange, retarget};
use crate::limits::HEADER_CANDIDATES;
use crate::names::Names;
use crate::note::Limitation;
use crate::product::{ending, start};

/// The reason of the cut where too much would have to be copied.
pub const SEVERAL_ENTRIES: &str = "a loop with too many entries";

/// Gives every loop one entry, with at most this many statements and ends of blocks in the result,
/// if that is more than the original has.
pub fn split(procedure: &Procedure, size: usize) -> (Procedure, Vec<Limitation>) {
    let mut notes = Vec::new();
    let mut split = procedure.clone();
    let Some(mut blocks) = split.blocks.take() else { return (split, notes) };
    let mut names = Names::new(blocks.iter().map(|block| block.label.as_str()));
    let mut graph = Graph::new(&blocks);
    while !graph.is_reducible() {
        for region in regions(&graph) {
            let room = size.saturating_sub(blocks.iter().map(weight).sum());
            split_region(&mut blocks, &graph, &region, room, &mut names, &mut notes);
        }
        blocks = arrange(blocks);
        graph = Graph::new(&blocks);
    }
    split.blocks = Some(blocks);
    (split, notes)
}

fn weight(block: &Block) -> usize {
    1 + block.statements.len()
}

/// Makes one block of a region its only entry. Other regions are not touched.
fn split_region(
    blocks: &mut Vec<Block>,
    graph: &Graph,
    region: &[BlockId],
    room: usize,
    names: &mut Names,
    notes: &mut Vec<Limitation>,
) {
    let inside: FxHashSet<BlockId> = region.iter().copied().collect();
    let is_inside = |block: &BlockId| inside.contains(block);
    let from_outside =
        |block: &&BlockId| graph.predecessors(**block).iter().any(|from| !is_inside(from));
    let entries: Vec<BlockId> = region.iter().filter(from_outside).copied().collect();
    // The blocks that the other entries reach before the header.
    let reached = |header: BlockId| {
        let mut reached: FxHashSet<BlockId> = FxHashSet::default();
        let mut pending = entries.clone();
        while let Some(block) = pending.pop() {
            if block != header && is_inside(&block) && reached.insert(block) {
                pending.extend(graph.successors(block));
            }
        }
        let mut reached: Vec<BlockId> = reached.into_iter().collect();
        reached.sort_unstable();
        reached
    };
    let cost = |copied: &[BlockId]| -> usize {
        copied.iter().map(|block| weight(&blocks[block.0 as usize])).sum()
    };
    let (header, copied) = entries
        .iter()
        .take(HEADER_CANDIDATES)
        .map(|&header| (header, reached(header)))
        .min_by_key(|(_, copied)| cost(copied))
        .expect("a reachable loop has an entry");
    let mut copies: FxHashMap<BlockId, BlockId> = FxHashMap::default();
    if cost(&copied) <= room {
        for &block in &copied {
            copies.insert(block, BlockId(blocks.len() as u32));
            let mut copy = blocks[block.0 as usize].clone();
            copy.label = names.fresh(&copy.label);
            blocks.push(copy);
        }
    } else {
        let block = &blocks[header.0 as usize];
        let (span, point) = start(block);
        notes.push(Limitation::EntriesCut { label: block.label.clone(), span });
        let cut = BlockId(blocks.len() as u32);
        let exit = Exit::Cut(CutReason::Unsupported(SEVERAL_ENTRIES.to_owned()));
        blocks.push(ending(&names.fresh("rest"), exit, span, point));
        copies.extend(copied.iter().map(|&block| (block, cut)));
    }
    for (number, block) in blocks.iter_mut().enumerate() {
        if !is_inside(&BlockId(number as u32)) {
            retarget(&mut block.terminator.kind, |to| copies.get(&to).copied().unwrap_or(to));
        }
    }
}

/// The strongly connected regions of more than one block that are left when back edges are gone.
fn regions(graph: &Graph) -> Vec<Vec<BlockId>> {
    let forward = |from: BlockId| {
        graph.successors(from).iter().copied().filter(move |&to| !graph.is_back_edge(from, to))
    };
    // Kosaraju's algorithm: in reverse postorder, a block and its predecessors that have no region yet.
    let count = graph.order().iter().map(|block| block.0 + 1).max().unwrap_or(0);
    let mut edges: Vec<Vec<BlockId>> = vec![Vec::new(); count as usize];
    let mut backwards: Vec<Vec<BlockId>> = vec![Vec::new(); count as usize];
    for &from in graph.order() {
        for to in forward(from) {
            edges[from.0 as usize].push(to);
            backwards[to.0 as usize].push(from);
        }
    }
    let mut taken = vec![false; count as usize];
    let mut regions = Vec::new();
    for block in crate::graph::reverse_postorder(&edges) {
        let mut region = Vec::new();
        let mut pending = vec![block];
        while let Some(block) = pending.pop() {
            if !std::mem::replace(&mut taken[block.0 as usize], true) {
                region.push(block);
                pending.extend(&backwards[block.0 as usize]);
            }
        }
        if region.len() > 1 {
            region.sort_unstable();
            regions.push(region);
        }
    }
    regions
}

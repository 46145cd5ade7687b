//! The control-flow graph of a procedure: its loops, and which branches decide whether a block is executed.
//!
//! A block is control dependent on a branch if one side of the branch always leads to it and the other can avoid it
//! (Ferrante, Ottenstein & Warren 1987): it postdominates a successor of the branch but not the branch itself.
//! Postdominators are computed by iteration over the reversed graph; procedures have few blocks.

use std::collections::BTreeSet;

use ir::{Block, BlockId, Procedure, TerminatorKind};

use crate::limits::CONTROLLED_BLOCKS;

/// Facts about the blocks of a procedure.
pub(crate) struct Graph {
    /// For each block, the blocks whose branches decide whether it is executed.
    controllers: Vec<Vec<BlockId>>,
    /// The loops, by header, outer ones first.
    loops: Vec<Loop>,
}

/// A loop.
pub(crate) struct Loop {
    pub(crate) header: BlockId,
    blocks: BTreeSet<BlockId>,
}

impl Loop {
    pub(crate) fn contains(&self, block: BlockId) -> bool {
        self.blocks.contains(&block)
    }
}

impl Graph {
    pub(crate) fn new(procedure: &Procedure) -> Graph {
        let blocks = procedure.blocks.as_deref().unwrap_or_default();
        Graph { controllers: controllers(blocks), loops: loops(blocks) }
    }

    pub(crate) fn controllers(&self, block: BlockId) -> &[BlockId] {
        self.controllers.get(block.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The loops around a block, outer ones first.
    pub(crate) fn around(&self, block: BlockId) -> impl Iterator<Item = &Loop> {
        self.loops.iter().filter(move |one| one.contains(block))
    }
}

fn successors(block: &Block) -> Vec<usize> {
    match &block.terminator.kind {
        TerminatorKind::Goto(targets) => targets.iter().map(|to| to.0 as usize).collect(),
        TerminatorKind::Branch(_, yes, no) => vec![yes.0 as usize, no.0 as usize],
        TerminatorKind::Exit(_) => Vec::new(),
    }
}

/// For each block, the set of blocks that every path from it to an exit passes; itself among them.
fn postdominators(blocks: &[Block]) -> Vec<BTreeSet<usize>> {
    let all: BTreeSet<usize> = (0..blocks.len()).collect();
    let mut sets: Vec<BTreeSet<usize>> = vec![all; blocks.len()];
    loop {
        let mut has_changed = false;
        for at in (0..blocks.len()).rev() {
            let mut next: Option<BTreeSet<usize>> = None;
            for to in successors(&blocks[at]) {
                next = Some(match next {
                    Some(known) => known.intersection(&sets[to]).copied().collect(),
                    None => sets[to].clone(),
                });
            }
            let mut next = next.unwrap_or_default();
            next.insert(at);
            if next.len() < sets[at].len() {
                sets[at] = next;
                has_changed = true;
            }
        }
        if !has_changed {
            return sets;
        }
    }
}

fn controllers(blocks: &[Block]) -> Vec<Vec<BlockId>> {
    let mut controllers = vec![Vec::new(); blocks.len()];
    // Sets of this many blocks would be too large; then nothing is said.
    if blocks.len() > CONTROLLED_BLOCKS {
        return controllers;
    }
    let passed = postdominators(blocks);
    for (at, block) in blocks.iter().enumerate() {
        let targets = successors(block);
        if targets.len() < 2 {
            continue;
        }
        let decided: BTreeSet<usize> =
            targets.iter().flat_map(|to| passed[*to].iter().copied()).collect();
        for block in decided {
            let is_avoidable = targets.iter().any(|to| !passed[*to].contains(&block));
            if is_avoidable {
                controllers[block].push(BlockId(at as u32));
            }
        }
    }
    controllers
}

/// The natural loops: for each edge back to an open block of a depth-first walk, what leads to its start without
/// passing the header.
fn loops(blocks: &[Block]) -> Vec<Loop> {
    let mut predecessors = vec![Vec::new(); blocks.len()];
    for (at, block) in blocks.iter().enumerate() {
        for to in successors(block) {
            predecessors[to].push(at);
        }
    }
    let mut loops: Vec<Loop> = Vec::new();
    for (from, to) in back_edges(blocks) {
        let header = BlockId(to as u32);
        let mut body = BTreeSet::from([header]);
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            if body.insert(BlockId(at as u32)) {
                open.extend(&predecessors[at]);
            }
        }
        match loops.iter_mut().find(|known| known.header == header) {
            Some(known) => known.blocks.extend(body),
            None => loops.push(Loop { header, blocks: body }),
        }
    }
    loops.sort_by_key(|one| (std::cmp::Reverse(one.blocks.len()), one.header));
    loops
}

fn back_edges(blocks: &[Block]) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    let (mut seen, mut is_open) = (vec![false; blocks.len()], vec![false; blocks.len()]);
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    if let Some(first) = blocks.first() {
        (seen[0], is_open[0]) = (true, true);
        open.push((0, successors(first)));
    }
    while let Some((at, targets)) = open.last_mut() {
        let at = *at;
        let Some(to) = targets.pop() else {
            is_open[at] = false;
            open.pop();
            continue;
        };
        if is_open[to] {
            edges.push((at, to));
        }
        if !std::mem::replace(&mut seen[to], true) {
            is_open[to] = true;
            open.push((to, successors(&blocks[to])));
        }
    }
    edges
}

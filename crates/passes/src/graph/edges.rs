//! The edges between blocks: following them, leading them elsewhere, putting blocks in order.

use ir::{Block, BlockId, TerminatorKind};

use super::reverse_postorder;

/// Where the end of a block leads, an edge at a time.
pub fn targets(kind: &TerminatorKind) -> Vec<BlockId> {
    match kind {
        TerminatorKind::Goto(targets) => targets.clone(),
        TerminatorKind::Branch(_, then, otherwise) => vec![*then, *otherwise],
        TerminatorKind::Exit(_) => Vec::new(),
    }
}

/// Leads the end of a block elsewhere, an edge at a time.
pub fn retarget(kind: &mut TerminatorKind, mut to: impl FnMut(BlockId) -> BlockId) {
    match kind {
        TerminatorKind::Goto(targets) => {
            for target in targets {
                *target = to(*target);
            }
        }
        TerminatorKind::Branch(_, then, otherwise) => {
            *then = to(*then);
            *otherwise = to(*otherwise);
        }
        TerminatorKind::Exit(_) => {}
    }
}

/// The blocks that the entry leads to, renumbered in reverse postorder.
pub fn arrange(blocks: Vec<Block>) -> Vec<Block> {
    let successors: Vec<_> = blocks.iter().map(|block| targets(&block.terminator.kind)).collect();
    let order = reverse_postorder(&successors);
    let mut numbers = vec![BlockId(0); blocks.len()];
    for (number, block) in order.iter().enumerate() {
        numbers[block.0 as usize] = BlockId(number as u32);
    }
    let mut blocks: Vec<Option<Block>> = blocks.into_iter().map(Some).collect();
    let mut arranged = Vec::with_capacity(order.len());
    for block in order {
        let mut block =
            blocks[block.0 as usize].take().expect("a block has one place in the order");
        retarget(&mut block.terminator.kind, |target| numbers[target.0 as usize]);
        arranged.push(block);
    }
    arranged
}

/// Joins blocks with the only block they lead to if nothing else leads there. The point of an end
/// that goes is the point of a statement or end that stays.
pub fn straighten(blocks: Vec<Block>) -> Vec<Block> {
    let mut entries = vec![0u32; blocks.len()];
    for target in blocks.iter().flat_map(|block| targets(&block.terminator.kind)) {
        entries[target.0 as usize] += 1;
    }
    let mut blocks: Vec<Option<Block>> = blocks.into_iter().map(Some).collect();
    for id in 0..blocks.len() {
        let Some(mut block) = blocks[id].take() else { continue };
        while let TerminatorKind::Goto(to) = &block.terminator.kind
            && let [to] = to[..]
            && entries[to.0 as usize] == 1
            && let Some(next) = blocks[to.0 as usize].take_if(|next| may_join(&block, next))
        {
            block.statements.extend(next.statements);
            block.terminator = next.terminator;
        }
        blocks[id] = Some(block);
    }
    // Joined blocks disappear: the others are renumbered, in the same order.
    let mut numbers = Vec::with_capacity(blocks.len());
    let mut kept = 0;
    for block in &blocks {
        numbers.push(BlockId(kept));
        kept += u32::from(block.is_some());
    }
    let mut blocks: Vec<Block> = blocks.into_iter().flatten().collect();
    for block in &mut blocks {
        retarget(&mut block.terminator.kind, |target| numbers[target.0 as usize]);
    }
    blocks
}

fn may_join(block: &Block, next: &Block) -> bool {
    let point = block.terminator.point;
    let stays = block.statements.last().is_some_and(|statement| statement.point == point)
        || next.statements.first().is_some_and(|statement| statement.point == point)
        || next.statements.is_empty() && next.terminator.point == point;
    stays && next.facts.is_none()
}

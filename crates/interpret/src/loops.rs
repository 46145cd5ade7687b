//! Loop invariants and measures, checked each time the header is reached.

use std::collections::BTreeSet;
use std::sync::Arc;

use ir::{AssertKind, BlockId};

use crate::apply::integer;
use crate::machine::{Frame, Machine};
use crate::run::{FailedAssumption, Obligation, Site};
use crate::step::Stop;

impl Machine<'_, '_> {
    /// Checks what is known of a loop when its header is reached. A measure counts as decreasing if
    /// it was not negative before and is smaller now.
    pub(crate) fn check_loop(
        &mut self,
        (from, site): (BlockId, Site),
        header: BlockId,
    ) -> Result<(), Stop> {
        let cx = self.here();
        let frame = &self.frames[cx.frame];
        let Some(facts) = &frame.blocks[header.0 as usize].facts else { return Ok(()) };
        for (index, clause) in facts.invariants.iter().enumerate() {
            if self.holds(cx, clause.condition)? {
                continue;
            }
            if clause.free {
                return self.block(FailedAssumption::LoopInvariant(header, index));
            }
            let obligation = Obligation::LoopInvariant(header, index);
            return self.fail(site, AssertKind::LoopInvariant, &clause.message, obligation);
        }
        if let Some(measure) = facts.decreases {
            let value = integer(&self.evaluate(cx, measure)?)?.clone();
            let is_back = self.back_edges(cx.frame).contains(&(from, header));
            let measures = &mut self.frames[cx.frame].measures;
            let before = measures.iter().position(|(block, _)| *block == header);
            let before = before.map(|position| measures.swap_remove(position).1);
            measures.push((header, value.clone()));
            if let Some(before) = before
                && is_back
                && (before.is_negative() || value >= before)
            {
                let message = "the loop's measure does not decrease";
                let obligation = Obligation::LoopMeasure(header);
                return self.fail(site, AssertKind::Progress, message, obligation);
            }
        }
        Ok(())
    }

    /// The edges of a frame's procedure that lead back to a block from which they are reached: those
    /// to a block that is still open in a depth-first walk. In a reducible graph the walk does not
    /// matter.
    fn back_edges(&mut self, frame: usize) -> Arc<BTreeSet<(BlockId, BlockId)>> {
        let Frame { id, blocks, .. } = self.frames[frame];
        let facts = self.facts(id);
        if let Some(edges) = &facts.back_edges {
            return edges.clone();
        }
        let successors = |block: BlockId| -> Vec<BlockId> {
            match &blocks[block.0 as usize].terminator.kind {
                ir::TerminatorKind::Goto(targets) => targets.clone(),
                ir::TerminatorKind::Branch(_, yes, no) => vec![*yes, *no],
                ir::TerminatorKind::Exit(_) => Vec::new(),
            }
        };
        let mut edges = BTreeSet::new();
        let mut seen = vec![false; blocks.len()];
        let mut is_open = vec![false; blocks.len()];
        let mut open = vec![(BlockId(0), successors(BlockId(0)))];
        seen[0] = true;
        is_open[0] = true;
        while let Some((block, targets)) = open.last_mut() {
            let block = *block;
            let Some(target) = targets.pop() else {
                is_open[block.0 as usize] = false;
                open.pop();
                continue;
            };
            let index = target.0 as usize;
            if is_open[index] {
                edges.insert((block, target));
            }
            if !seen[index] {
                seen[index] = true;
                is_open[index] = true;
                open.push((target, successors(target)));
            }
        }
        let edges = Arc::new(edges);
        self.facts(id).back_edges = Some(edges.clone());
        edges
    }
}

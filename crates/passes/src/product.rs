//! Copies of blocks by phase: the product of a reducible body with what its loops have been through.
//!
//! A loop treatment determines the phases of a loop (the number of the iteration; first, arbitrary, last). A
//! block is copied for each combination of phases of the enclosing loops in which an execution can be.
//! Following the edges from the entry makes exactly the copies that are reached, for nested loops and loops
//! with several exits alike.

use ir::{Block, BlockId, Exit, PointId, Span, Terminator, TerminatorKind};
use rustc_hash::FxHashMap;

use crate::graph::{Graph, LoopId};
use crate::names::Names;

/// The phases of the loops around a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ContextId(u32);

/// Outside all loops.
const OUTSIDE: ContextId = ContextId(0);

/// The effect of an edge on the phases of the enclosing loops.
pub(crate) enum LoopTransition {
    /// To a block with these phases; no loop is entered or begun again.
    Along(ContextId),
    /// Into a loop from outside, with these phases around the loop.
    Into(LoopId, ContextId),
    /// Back to the header of a loop in this phase, with these phases around the loop.
    Again(LoopId, ContextId, u32),
}

/// A block that has been copied: the original, its phases and the number of the copy.
#[derive(Clone, Copy)]
pub(crate) struct Copy {
    pub(crate) original: BlockId,
    pub(crate) context: ContextId,
    pub(crate) id: BlockId,
}

/// A body under construction.
pub(crate) struct Product<'p> {
    graph: &'p Graph,
    /// The phases around the innermost loop, and its phase.
    contexts: Vec<(ContextId, u32)>,
    known: FxHashMap<(ContextId, u32), ContextId>,
    copies: FxHashMap<(BlockId, ContextId), BlockId>,
    pending: Vec<Copy>,
    output: Vec<Option<Block>>,
    names: Names,
}

impl<'p> Product<'p> {
    /// The product whose only copy so far is that of the entry.
    pub(crate) fn new(graph: &'p Graph) -> Product<'p> {
        let mut product = Product {
            graph,
            contexts: vec![(OUTSIDE, 0)],
            known: FxHashMap::default(),
            copies: FxHashMap::default(),
            pending: Vec::new(),
            output: Vec::new(),
            names: Names::default(),
        };
        product.copy(BlockId(0), OUTSIDE);
        product
    }

    /// The next copy that has to be made.
    pub(crate) fn next(&mut self) -> Option<Copy> {
        self.pending.pop()
    }

    /// The number of the copy of a block in these phases.
    pub(crate) fn copy(&mut self, original: BlockId, context: ContextId) -> BlockId {
        let id = BlockId(self.output.len() as u32);
        let known = *self.copies.entry((original, context)).or_insert(id);
        if known == id {
            self.output.push(None);
            self.pending.push(Copy { original, context, id });
        }
        known
    }

    /// The number of a block that is no copy and will be given later.
    pub(crate) fn reserve(&mut self) -> BlockId {
        self.output.push(None);
        BlockId(self.output.len() as u32 - 1)
    }

    /// Gives a block its content.
    pub(crate) fn fill(&mut self, id: BlockId, block: Block) {
        self.output[id.0 as usize] = Some(block);
    }

    /// The phases inside a loop that is in this phase.
    pub(crate) fn inside(&mut self, outer: ContextId, phase: u32) -> ContextId {
        let new = ContextId(self.contexts.len() as u32);
        let known = *self.known.entry((outer, phase)).or_insert(new);
        if known == new {
            self.contexts.push((outer, phase));
        }
        known
    }

    /// The phases around the innermost loop, and its phase.
    pub(crate) fn innermost(&self, context: ContextId) -> (ContextId, u32) {
        self.contexts[context.0 as usize]
    }

    /// The effect of an edge that leaves a copy.
    pub(crate) fn follow(&self, from: Copy, to: BlockId) -> LoopTransition {
        let mut context = from.context;
        for id in self.graph.loops_around(from.original) {
            let (outer, phase) = self.innermost(context);
            if self.graph.get(id).header == to {
                return LoopTransition::Again(id, outer, phase);
            }
            if self.graph.contains(id, to) {
                break;
            }
            context = outer;
        }
        match self.graph.headed_by(to) {
            Some(id) => LoopTransition::Into(id, context),
            None => LoopTransition::Along(context),
        }
    }

    /// The body: the blocks that are reached, with distinct labels. A copy that comes first keeps
    /// its label.
    pub(crate) fn finish(mut self) -> Vec<Block> {
        let filled = self.output.into_iter().map(|block| block.expect("every copy is made"));
        let mut blocks = crate::graph::arrange(filled.collect());
        for block in &mut blocks {
            block.label = self.names.fresh(&block.label);
        }
        blocks
    }
}

/// A synthetic block that only ends an execution.
pub(crate) fn ending(label: &str, exit: Exit, span: Span, point: PointId) -> Block {
    let kind = TerminatorKind::Exit(exit);
    Block {
        label: label.to_owned(),
        statements: Vec::new(),
        terminator: Terminator { kind, span, point, origin: ir::Origin::Synthetic },
        facts: None,
    }
}

/// The source place that a block begins with.
pub(crate) fn start(block: &Block) -> (Span, PointId) {
    match block.statements.first() {
        Some(statement) => (statement.span, statement.point),
        None => (block.terminator.span, block.terminator.point),
    }
}

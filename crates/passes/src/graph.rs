//! Control-flow facts about a body.
//!
//! Everything is computed once, by iteration, in near-linear time: a depth-first search yields the order;
//! dominators follow by intersecting paths in it until nothing changes (Cooper, Harvey & Kennedy, *A Simple,
//! Fast Dominance Algorithm*, 2001). An edge whose target dominates its source is a back edge, and the blocks
//! that lead to a back edge without passing its target are a natural loop (Aho, Sethi & Ullman, §10.4). Loops
//! are found innermost first, and a loop that has been found is stepped over as a whole (Tarjan 1974). A body
//! is reducible if it is acyclic without its back edges.

mod edges;

use ir::{Block, BlockId};

pub use edges::{arrange, retarget, straighten, targets};

/// A natural loop of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LoopId(pub u32);

/// A natural loop: all loops with the same header are one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The block through which the loop is entered.
    pub header: BlockId,
    /// The smallest loop around it.
    pub parent: Option<LoopId>,
    /// The number of loops around it and itself.
    pub depth: u32,
    /// The sources of its back edges.
    pub latches: Vec<BlockId>,
    /// The blocks that are in this loop and in no smaller one, the header first.
    pub blocks: Vec<BlockId>,
}

/// The order, dominators and loops of a control-flow graph.
///
/// Invariants: only blocks that the entry leads to have a place in the order, a dominator and loops;
/// `loops` lists outer loops before those inside them.
#[derive(Clone, Debug)]
pub struct Graph {
    successors: Vec<Vec<BlockId>>,
    predecessors: Vec<Vec<BlockId>>,
    order: Vec<BlockId>,
    /// Places in the order; blocks that are not reached have none.
    places: Vec<Option<u32>>,
    dominators: Vec<Option<BlockId>>,
    /// The stretch that a block and what it dominates take up when the tree of dominators is laid
    /// out in a line; empty for blocks that are not reached.
    spans: Vec<Stretch>,
    loops: Vec<Loop>,
    innermost: Vec<Option<LoopId>>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Stretch {
    start: u32,
    end: u32,
}

impl Graph {
    /// The facts about a body that has at least one block.
    pub fn new(blocks: &[Block]) -> Graph {
        Graph::from_successors(blocks.iter().map(|block| targets(&block.terminator.kind)).collect())
    }

    /// The facts about a graph whose first node is the entry.
    pub(crate) fn from_successors(successors: Vec<Vec<BlockId>>) -> Graph {
        let order = reverse_postorder(&successors);
        let mut places = vec![None; successors.len()];
        for (place, block) in order.iter().enumerate() {
            places[block.0 as usize] = Some(place as u32);
        }
        let mut predecessors = vec![Vec::new(); successors.len()];
        for &block in &order {
            for target in &successors[block.0 as usize] {
                predecessors[target.0 as usize].push(block);
            }
        }
        let dominators = dominators(&order, &places, &predecessors);
        let spans = stretches(&order, &dominators);
        let innermost = vec![None; successors.len()];
        let mut graph = Graph {
            successors,
            predecessors,
            order,
            places,
            dominators,
            spans,
            loops: Vec::new(),
            innermost,
        };
        graph.find_loops();
        graph
    }

    /// Where a block leads, an edge at a time.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        &self.successors[block.0 as usize]
    }

    /// The reached blocks that lead to a block, an edge at a time.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block.0 as usize]
    }

    /// For each block, whether one of these leads to it, or is it.
    pub fn reached_from(&self, blocks: &[BlockId]) -> Vec<bool> {
        reached(&self.successors, blocks)
    }

    /// The blocks that the entry leads to, in reverse postorder: each before those it leads to,
    /// loops aside.
    pub fn order(&self) -> &[BlockId] {
        &self.order
    }

    /// Whether the entry leads to a block.
    pub fn is_reached(&self, block: BlockId) -> bool {
        self.places[block.0 as usize].is_some()
    }

    /// The closest block that every path to this one passes before it; the entry has none.
    pub fn immediate_dominator(&self, block: BlockId) -> Option<BlockId> {
        self.dominators[block.0 as usize].filter(|&dominator| dominator != block)
    }

    /// Whether every path to the second block passes the first, or they are the same.
    pub fn dominates(&self, first: BlockId, second: BlockId) -> bool {
        let (above, below) = (self.spans[first.0 as usize], self.spans[second.0 as usize]);
        above.start <= below.start && below.end <= above.end && below.start < below.end
    }

    /// Whether an edge leads back to a block that dominates its source.
    pub fn is_back_edge(&self, from: BlockId, to: BlockId) -> bool {
        self.retreats(from, to) && self.dominates(to, from)
    }

    /// The natural loops, outer ones first.
    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }

    /// A natural loop.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id.0 as usize]
    }

    /// The smallest loop that a block is in.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block.0 as usize]
    }

    /// The loops that a block is in, innermost first.
    pub fn loops_around(&self, block: BlockId) -> impl Iterator<Item = LoopId> + '_ {
        std::iter::successors(self.innermost(block), |&id| self.get(id).parent)
    }

    /// Whether a block is in a loop.
    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        self.loops_around(block).any(|around| around == id)
    }

    /// The loop that a block is the header of.
    pub fn headed_by(&self, block: BlockId) -> Option<LoopId> {
        self.innermost(block).filter(|&id| self.get(id).header == block)
    }

    /// Whether every cycle contains a back edge.
    pub fn is_reducible(&self) -> bool {
        self.order.iter().all(|&from| {
            let mut retreating =
                self.successors(from).iter().filter(|&&to| self.retreats(from, to));
            retreating.all(|&to| self.dominates(to, from))
        })
    }

    /// Whether an edge does not go forward in the order.
    fn retreats(&self, from: BlockId, to: BlockId) -> bool {
        self.places[to.0 as usize] <= self.places[from.0 as usize]
    }

    fn find_loops(&mut self) {
        let mut found: Vec<Loop> = Vec::new();
        // The largest loop found so far around each loop, with the path halved on every visit.
        let mut around: Vec<usize> = Vec::new();
        let mut inner: Vec<Option<usize>> = vec![None; self.successors.len()];
        for &header in self.order.iter().rev() {
            let latches: Vec<BlockId> = self.predecessors[header.0 as usize]
                .iter()
                .copied()
                .filter(|&from| self.is_back_edge(from, header))
                .collect();
            if latches.is_empty() {
                continue;
            }
            let id = found.len();
            around.push(id);
            inner[header.0 as usize] = Some(id);
            let mut blocks = vec![header];
            let mut pending = latches.clone();
            while let Some(block) = pending.pop() {
                let entered = match inner[block.0 as usize] {
                    None => {
                        inner[block.0 as usize] = Some(id);
                        blocks.push(block);
                        block
                    }
                    Some(known) => {
                        let outermost = outermost(&mut around, known);
                        if outermost == id {
                            continue;
                        }
                        around[outermost] = id;
                        found[outermost].parent = Some(LoopId(id as u32));
                        found[outermost].header
                    }
                };
                pending.extend(&self.predecessors[entered.0 as usize]);
            }
            blocks[1..].sort_unstable_by_key(|block| self.places[block.0 as usize]);
            found.push(Loop { header, parent: None, depth: 1, latches, blocks });
        }
        self.number_loops(found, &inner);
    }

    /// Turns the list around, so that outer loops come first, and counts depths.
    fn number_loops(&mut self, found: Vec<Loop>, inner: &[Option<usize>]) {
        let last = found.len().wrapping_sub(1);
        for mut one in found.into_iter().rev() {
            one.parent = one.parent.map(|parent| LoopId(last as u32 - parent.0));
            one.depth = one.parent.map_or(1, |parent| self.get(parent).depth + 1);
            self.loops.push(one);
        }
        for (block, id) in inner.iter().enumerate() {
            self.innermost[block] = id.map(|id| LoopId((last - id) as u32));
        }
    }
}

/// For each node of a graph, whether one of some nodes leads to it, or is it.
pub fn reached(successors: &[Vec<BlockId>], from: &[BlockId]) -> Vec<bool> {
    let mut reached = vec![false; successors.len()];
    let mut pending = from.to_vec();
    while let Some(block) = pending.pop() {
        if !std::mem::replace(&mut reached[block.0 as usize], true) {
            pending.extend(&successors[block.0 as usize]);
        }
    }
    reached
}

/// Among the blocks that a block leads to, the first comes first: successors are searched from the
/// last to the first.
pub(crate) fn reverse_postorder(successors: &[Vec<BlockId>]) -> Vec<BlockId> {
    let mut order = Vec::with_capacity(successors.len());
    let mut seen = vec![false; successors.len()];
    let Some(first) = seen.first_mut() else { return order };
    *first = true;
    let mut stack = vec![(BlockId(0), successors[0].len())];
    while let Some((block, left)) = stack.last_mut() {
        let Some(next) = left.checked_sub(1) else {
            order.push(*block);
            stack.pop();
            continue;
        };
        *left = next;
        let target = successors[block.0 as usize][next];
        if !std::mem::replace(&mut seen[target.0 as usize], true) {
            stack.push((target, successors[target.0 as usize].len()));
        }
    }
    order.reverse();
    order
}

/// Immediate dominators; the entry is its own.
fn dominators(
    order: &[BlockId],
    places: &[Option<u32>],
    predecessors: &[Vec<BlockId>],
) -> Vec<Option<BlockId>> {
    // In this order a dominator precedes the blocks that it dominates, so paths join at the smaller one.
    let mut dominator: Vec<Option<u32>> = vec![None; order.len()];
    if let Some(first) = dominator.first_mut() {
        *first = Some(0);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (place, block) in order.iter().enumerate().skip(1) {
            let mut new: Option<u32> = None;
            for predecessor in &predecessors[block.0 as usize] {
                let Some(from) = places[predecessor.0 as usize] else { continue };
                if dominator[from as usize].is_some() {
                    new = Some(new.map_or(from, |so_far| meet(&dominator, so_far, from)));
                }
            }
            if dominator[place] != new {
                dominator[place] = new;
                changed = true;
            }
        }
    }
    let mut dominators = vec![None; places.len()];
    for (place, block) in order.iter().enumerate() {
        dominators[block.0 as usize] = dominator[place].map(|place| order[place as usize]);
    }
    dominators
}

/// The closest place that dominates both.
fn meet(dominator: &[Option<u32>], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        let later = if a > b { &mut a } else { &mut b };
        *later = dominator[*later as usize].expect("what dominates a finished place is finished");
    }
    a
}

/// Lays the tree of dominators out in a line, each block before what it dominates.
fn stretches(order: &[BlockId], dominators: &[Option<BlockId>]) -> Vec<Stretch> {
    let mut sizes = vec![1u32; dominators.len()];
    for &block in order.iter().skip(1).rev() {
        if let Some(dominator) = dominators[block.0 as usize] {
            sizes[dominator.0 as usize] += sizes[block.0 as usize];
        }
    }
    let mut stretches = vec![Stretch::default(); dominators.len()];
    let mut next = vec![1u32; dominators.len()];
    for &block in order {
        let parent = dominators[block.0 as usize].filter(|&dominator| dominator != block);
        let start = parent.map_or(0, |parent| next[parent.0 as usize]);
        let end = start + sizes[block.0 as usize];
        if let Some(parent) = parent {
            next[parent.0 as usize] = end;
        }
        next[block.0 as usize] = start + 1;
        stretches[block.0 as usize] = Stretch { start, end };
    }
    stretches
}

fn outermost(around: &mut [usize], mut id: usize) -> usize {
    while around[id] != id {
        around[id] = around[around[id]];
        id = around[id];
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[&[u32]]) -> Graph {
        let successors =
            edges.iter().map(|to| to.iter().map(|&to| BlockId(to)).collect()).collect();
        Graph::from_successors(successors)
    }

    /// The definition: every path to `second` passes `first`.
    fn dominates_by_definition(edges: &[Vec<BlockId>], first: BlockId, second: BlockId) -> bool {
        let mut seen = vec![false; edges.len()];
        let mut pending = vec![BlockId(0)];
        while let Some(block) = pending.pop() {
            if block != first && !std::mem::replace(&mut seen[block.0 as usize], true) {
                pending.extend(&edges[block.0 as usize]);
            }
        }
        !seen[second.0 as usize]
    }

    fn headers(graph: &Graph) -> Vec<(u32, Option<u32>, u32)> {
        let header = |id: LoopId| graph.get(id).header.0;
        graph.loops().iter().map(|l| (l.header.0, l.parent.map(header), l.depth)).collect()
    }

    #[test]
    fn nested_loops_know_their_parents() {
        // 0 → 1 (2 (3) 4) 5, with two back edges to 1.
        let graph = graph(&[&[1], &[2, 5], &[3, 1], &[3, 4], &[2, 1], &[]]);
        assert!(graph.is_reducible());
        assert_eq!(headers(&graph), [(1, None, 1), (2, Some(1), 2), (3, Some(2), 3)]);
        assert_eq!(graph.get(LoopId(0)).latches, [BlockId(2), BlockId(4)]);
        assert_eq!(graph.get(LoopId(1)).blocks, [BlockId(2), BlockId(4)]);
        assert_eq!(graph.innermost(BlockId(5)), None);
    }

    #[test]
    fn two_entries_are_irreducible_and_no_natural_loop() {
        let graph = graph(&[&[1, 2], &[2, 3], &[1], &[]]);
        assert!(!graph.is_reducible());
        assert!(graph.loops().is_empty());
    }

    #[test]
    fn unreached_blocks_take_no_part() {
        let graph = graph(&[&[1], &[], &[1, 2]]);
        assert!(!graph.is_reached(BlockId(2)));
        assert_eq!(graph.predecessors(BlockId(1)), [BlockId(0)]);
        assert!(graph.loops().is_empty());
    }

    #[test]
    fn random_graphs_agree_with_the_definitions() {
        let mut random = fastrand::Rng::with_seed(7);
        for round in 0..2_000 {
            let count = random.usize(1..12);
            let successors: Vec<Vec<BlockId>> = (0..count)
                .map(|_| {
                    let degree = random.usize(0..3).min(count - 1);
                    (0..degree).map(|_| BlockId(random.usize(1..count) as u32)).collect()
                })
                .collect();
            let graph = Graph::from_successors(successors.clone());
            let blocks: Vec<BlockId> = graph.order().to_vec();
            for (&a, &b) in blocks.iter().flat_map(|a| blocks.iter().map(move |b| (a, b))) {
                let expected = dominates_by_definition(&successors, a, b);
                assert_eq!(graph.dominates(a, b), expected, "round {round}: {a:?} {b:?}");
            }
            for (number, one) in graph.loops().iter().enumerate() {
                let id = LoopId(number as u32);
                for &block in &blocks {
                    // The header dominates it, and it leads to a latch without passing the header.
                    let expected = block == one.header
                        || graph.dominates(one.header, block)
                            && reaches_avoiding(&successors, block, &one.latches, one.header);
                    assert_eq!(graph.contains(id, block), expected, "round {round}: {block:?}");
                }
            }
            let without_back_edges: Vec<Vec<BlockId>> = (0..count as u32)
                .map(|from| {
                    let from = BlockId(from);
                    let forward = successors[from.0 as usize].iter().copied();
                    forward.filter(|&to| !graph.is_back_edge(from, to)).collect()
                })
                .collect();
            assert_eq!(graph.is_reducible(), is_acyclic(&without_back_edges), "round {round}");
        }
    }

    fn reaches_avoiding(
        edges: &[Vec<BlockId>],
        from: BlockId,
        to: &[BlockId],
        avoiding: BlockId,
    ) -> bool {
        let mut seen = vec![false; edges.len()];
        let mut pending = vec![from];
        while let Some(block) = pending.pop() {
            if to.contains(&block) {
                return true;
            }
            if block != avoiding && !std::mem::replace(&mut seen[block.0 as usize], true) {
                pending.extend(edges[block.0 as usize].iter().filter(|&&next| next != avoiding));
            }
        }
        false
    }

    fn is_acyclic(edges: &[Vec<BlockId>]) -> bool {
        let order = reverse_postorder(edges);
        let place = |block: BlockId| order.iter().position(|&other| other == block);
        order.iter().all(|&from| edges[from.0 as usize].iter().all(|&to| place(to) > place(from)))
    }
}

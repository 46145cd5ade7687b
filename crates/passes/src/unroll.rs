//! Unrolling: every loop a number of times, the rest cut off.
//!
//! The header of a loop is copied `k + 1` times and the rest of its body `k` times, so that an execution may
//! leave after `k` iterations; the edge that would begin another one leads to a cut (Jackson & Vaziri 2000,
//! §3; Galeotti et al. 2010, §2). Each execution of the result is an execution of the original or ends in a
//! cut, and each execution of the original with at most `k` consecutive iterations of each loop is an
//! execution of the result. Copies share the expressions of the original, as unrolling renames nothing.
//!
//! Nested loops multiply. If the result would be larger than the limit, the largest nest of loops is
//! unrolled less often, and a note and the reason of its cuts say how often.

use ir::{
    AssertKind, AssumeReason, Block, BlockId, Clause, CutReason, Exit, Mode, Procedure, Statement,
    StatementKind, Type,
};
use rustc_hash::FxHashMap;

use crate::graph::{Graph, LoopId, retarget};
use crate::measure;
use crate::names::Names;
use crate::note::Limitation;
use crate::product::{Copy, LoopTransition, Product, ending, start};

/// How far to unroll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unrolling {
    /// How many iterations of each loop are kept.
    pub iterations: u32,
    /// How many statements and ends of blocks the result may have, if that is more than the
    /// original has.
    pub size: usize,
    /// Whether the invariants and measures of loops are asserted whenever their header is reached.
    pub facts: bool,
}

/// Unrolls all loops of a procedure whose body is reducible.
pub fn unroll(procedure: &Procedure, unrolling: &Unrolling) -> (Procedure, Vec<Limitation>) {
    let Some(blocks) = &procedure.blocks else { return (procedure.clone(), Vec::new()) };
    let graph = Graph::new(blocks);
    assert!(graph.is_reducible(), "a loop with several entries is split before it is unrolled");
    let has_facts = blocks.iter().any(|block| block.facts.is_some());
    if graph.loops().is_empty() && !has_facts {
        return (procedure.clone(), Vec::new());
    }
    let (iterations, notes) = iterations(blocks, &graph, unrolling);
    let mut unrolled = Procedure { blocks: None, ..procedure.clone() };
    let mut variables = Names::new(procedure.locals.iter().map(|local| local.name.as_str()));
    let mut measures = FxHashMap::default();
    let mut cuts: FxHashMap<LoopId, BlockId> = FxHashMap::default();
    let mut product = Product::new(&graph);
    while let Some(copy) = product.next() {
        let mut block = blocks[copy.original.0 as usize].clone();
        let headed = graph.headed_by(copy.original);
        let iteration = product.innermost(copy.context).1;
        if let Some(facts) = block.facts.take().filter(|_| unrolling.facts) {
            let first = headed.is_none() || iteration == 0;
            let (span, point) = start(&block);
            let mut checks: Vec<StatementKind> =
                facts.invariants.iter().map(|clause| invariant(clause, first)).collect();
            if let (Some(id), Some(measured)) = (headed, facts.decreases) {
                let kept = *measures.entry(id).or_insert_with(|| {
                    unrolled.new_local(variables.fresh("measure"), Type::Int, Mode::Ghost)
                });
                if !first {
                    let message = "the measure of the loop does not decrease";
                    checks.push(measure::decreases(&mut unrolled, measured, kept, message));
                }
                checks.push(measure::keep(measured, kept));
            }
            let checks = checks.into_iter().map(|kind| Statement::synthetic(kind, span, point));
            block.statements.splice(0..0, checks);
        }
        let (span, point) = (block.terminator.span, block.terminator.point);
        retarget(&mut block.terminator.kind, |to| {
            // A header that is copied once more than the body has no body to go to.
            if let Some(id) = headed
                && iteration == iterations[id.0 as usize]
                && graph.contains(id, to)
            {
                return *cuts.entry(id).or_insert_with(|| {
                    let cut = product.reserve();
                    let exit = Exit::Cut(CutReason::Unrolling(iteration));
                    product.fill(cut, ending("rest", exit, span, point));
                    cut
                });
            }
            let context = enter(&mut product, copy, to);
            product.copy(to, context)
        });
        product.fill(copy.id, block);
    }
    unrolled.blocks = Some(product.finish());
    (unrolled, notes)
}

/// The phases with which an edge reaches its target.
fn enter(product: &mut Product<'_>, from: Copy, to: BlockId) -> crate::product::ContextId {
    match product.follow(from, to) {
        LoopTransition::Along(context) => context,
        LoopTransition::Into(_, outer) => product.inside(outer, 0),
        LoopTransition::Again(_, outer, iteration) => product.inside(outer, iteration + 1),
    }
}

/// The number of iterations of each loop, and the limitations to report.
fn iterations(
    blocks: &[Block],
    graph: &Graph,
    unrolling: &Unrolling,
) -> (Vec<u32>, Vec<Limitation>) {
    let weight = |block: BlockId| 1 + blocks[block.0 as usize].statements.len() as u64;
    let original: u64 = graph.order().iter().map(|&block| weight(block)).sum();
    let limit = (unrolling.size as u64).max(original);
    let outside: u64 = graph
        .order()
        .iter()
        .filter(|&&block| graph.innermost(block).is_none())
        .map(|&block| weight(block))
        .sum();
    // Inner loops come after the loops around them, so a nest is the loops from an outermost one to
    // the next.
    let loops = graph.loops();
    let outermost = |id: &LoopId| graph.loops_around(graph.get(*id).header).last() == Some(*id);
    let ids: Vec<LoopId> = (0..loops.len() as u32).map(LoopId).collect();
    let mut nests: Vec<Nest> =
        ids.iter().filter(|id| outermost(id)).map(|&id| Nest::new(id, unrolling)).collect();
    let mut nest_of = vec![0; loops.len()];
    for (number, nest) in nests.iter_mut().enumerate() {
        nest_of[nest.outermost.0 as usize] = number;
    }
    for id in &ids {
        if let Some(parent) = graph.get(*id).parent {
            nest_of[id.0 as usize] = nest_of[parent.0 as usize];
        }
        nests[nest_of[id.0 as usize]].loops.push(*id);
    }
    for nest in &mut nests {
        nest.measure(graph, &weight);
    }
    loop {
        let total = nests.iter().fold(outside, |sum, nest| sum.saturating_add(nest.size));
        let largest = nests.iter_mut().filter(|nest| nest.iterations > 0).max_by_key(|n| n.size);
        match largest {
            Some(nest) if total > limit => {
                nest.iterations -= 1;
                nest.measure(graph, &weight);
            }
            Some(_) | None => break,
        }
    }
    let asked = unrolling.iterations;
    let less = nests.iter().filter(|nest| nest.iterations < asked).map(|nest| {
        let header = &blocks[graph.get(nest.outermost).header.0 as usize];
        let label = header.label.clone();
        Limitation::UnrolledLess { label, span: start(header).0, asked, done: nest.iterations }
    });
    let notes = less.collect();
    (nest_of.iter().map(|&nest| nests[nest].iterations).collect(), notes)
}

/// An outermost loop with those inside it.
struct Nest {
    outermost: LoopId,
    loops: Vec<LoopId>,
    iterations: u32,
    size: u64,
}

impl Nest {
    fn new(outermost: LoopId, unrolling: &Unrolling) -> Nest {
        Nest { outermost, loops: Vec::new(), iterations: unrolling.iterations, size: 0 }
    }

    /// Computes the size after unrolling: for each loop, the body once per iteration, and the header once
    /// more.
    fn measure(&mut self, graph: &Graph, weight: &impl Fn(BlockId) -> u64) {
        let mut inside: FxHashMap<LoopId, u64> = FxHashMap::default();
        let times = u64::from(self.iterations);
        for &id in self.loops.iter().rev() {
            let one = graph.get(id);
            let own: u64 = one.blocks.iter().map(|&block| weight(block)).sum();
            let body = own.saturating_add(inside.get(&id).copied().unwrap_or(0));
            self.size = body.saturating_mul(times).saturating_add(weight(one.header));
            if let Some(parent) = one.parent {
                let around = inside.entry(parent).or_insert(0);
                *around = around.saturating_add(self.size);
            }
        }
    }
}

/// The check that an invariant holds when the header is reached, for the first time or again.
pub(crate) fn invariant(clause: &Clause, first: bool) -> StatementKind {
    let condition = clause.condition;
    if clause.free {
        return StatementKind::Assume { condition, reason: AssumeReason::Contract };
    }
    let when = if first { "does not hold on entry" } else { "is not maintained" };
    let message = match clause.message.as_str() {
        "" => format!("the loop invariant {when}"),
        message => format!("{message} (the loop invariant {when})"),
    };
    StatementKind::Assert { condition, kind: AssertKind::LoopInvariant, message }
}

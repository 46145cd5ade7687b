//! First, arbitrary, last: a loop-free body that over-approximates the executions of a body with loops.
//!
//! Each loop keeps three iterations (Hoenicke et al. 2009, §7). The first starts from the state before the
//! loop. The arbitrary one starts from any values of the variables that the loop may change, and so does the
//! last, unless it comes right after the first; the last one leaves the loop. An execution with `n`
//! iterations is described by its first iteration, any one of those in between and its last; whatever happens
//! in some iteration happens in one of the copies. Invariants of the header are asserted before values are
//! havocked and assumed after (Barnett & Leino 2005).
//!
//! A loop without an exit edge is intended not to terminate: its last iteration ends in an intended exit.
//! Otherwise claims about exits do not concern an execution that never leaves the loop.
//!
//! Nested loops multiply. If the result would be too large, the first iteration of a nest is merged with the
//! others; if it still would, executions that enter the nest are cut.

use std::collections::BTreeSet;

use ir::{
    AssumeReason, Block, BlockId, CutReason, Exit, Expr, ExprId, HavocReason, LoopFacts, Module,
    Origin, Place, PointId, Procedure, Span, Statement, StatementKind, Terminator, TerminatorKind,
    Type, Variable,
};
use rustc_hash::FxHashMap;

use crate::effects::{Effects, changes_liveness, memories};
use crate::graph::{Graph, LoopId, retarget, targets};
use crate::note::Limitation;
use crate::product::{ContextId, Copy, LoopTransition, Product, ending, start};
use crate::unroll::invariant;

/// The iteration that starts from what leads into the loop.
const FIRST: u32 = 0;
/// An iteration that starts from anything and is not the last.
const ARBITRARY: u32 = 1;
/// The iteration that leaves the loop.
const LAST: u32 = 2;

/// How precisely a nest of loops is modelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Treatment {
    /// The first, an arbitrary and the last iteration.
    Three,
    /// An arbitrary and the last iteration.
    Two,
    /// Nothing: what leads into the loop is cut.
    Cut,
}

/// Replaces the loops of a procedure whose body is reducible by a first, an arbitrary and a last
/// iteration, with at most this many statements and ends of blocks in the result, if that is more
/// than the original has.
pub fn havoc(
    module: &Module,
    effects: &Effects,
    procedure: &Procedure,
    size: usize,
) -> (Procedure, Vec<Limitation>) {
    let Some(blocks) = &procedure.blocks else { return (procedure.clone(), Vec::new()) };
    let graph = Graph::new(blocks);
    assert!(graph.is_reducible(), "a loop with several entries is split before it is forgotten");
    let has_facts = blocks.iter().any(|block| block.facts.is_some());
    if graph.loops().is_empty() && !has_facts {
        return (procedure.clone(), Vec::new());
    }
    let mut havocked = Procedure { blocks: None, ..procedure.clone() };
    let never = havocked.exprs.push(Expr::Bool(false), Type::Bool);
    let modified = modified(module, effects, blocks, &graph);
    let (treatments, notes) = treatments(blocks, &graph, size);
    let mut product = Product::new(&graph);
    let left = left(blocks, &graph);
    let made = FxHashMap::default();
    let mut cx = Loops { blocks, graph: &graph, modified, treatments, left, never, made };
    while let Some(copy) = product.next() {
        let block = cx.copy_block(&mut product, copy);
        product.fill(copy.id, block);
    }
    havocked.blocks = Some(product.finish());
    (havocked, notes)
}

/// The loops of a body, and what becomes of them.
struct Loops<'p> {
    blocks: &'p [Block],
    graph: &'p Graph,
    /// The variables that each loop may change.
    modified: Vec<BTreeSet<Variable>>,
    treatments: Vec<Treatment>,
    /// Whether some edge or exit leads out of each loop.
    left: Vec<bool>,
    never: ExprId,
    /// The blocks in front of headers, by the loop, the phases around it and the phase left.
    made: FxHashMap<(LoopId, ContextId, Option<u32>), BlockId>,
}

impl Loops<'_> {
    fn copy_block(&mut self, product: &mut Product<'_>, copy: Copy) -> Block {
        let mut block = self.blocks[copy.original.0 as usize].clone();
        let facts = block.facts.take();
        let source = start(&block);
        let before = match (self.graph.headed_by(copy.original), product.innermost(copy.context).1)
        {
            (None, _) | (Some(_), FIRST) => self.check(source, facts.as_ref(), true),
            (Some(id), ARBITRARY) => self.forget(source, id, facts.as_ref()),
            (Some(_), _) => Vec::new(),
        };
        block.statements.splice(0..0, before);
        retarget(&mut block.terminator.kind, |to| match product.follow(copy, to) {
            LoopTransition::Along(context) => product.copy(to, context),
            LoopTransition::Into(id, outer) => match self.treatments[id.0 as usize] {
                Treatment::Three => {
                    let context = product.inside(outer, FIRST);
                    product.copy(to, context)
                }
                Treatment::Two | Treatment::Cut => self.between(product, id, outer, None),
            },
            LoopTransition::Again(id, outer, phase) => {
                self.between(product, id, outer, Some(phase))
            }
        });
        block
    }

    /// The block between an iteration, or what leads into the loop, and the next iteration.
    fn between(
        &mut self,
        product: &mut Product<'_>,
        id: LoopId,
        outer: ContextId,
        from: Option<u32>,
    ) -> BlockId {
        if let Some(&made) = self.made.get(&(id, outer, from)) {
            return made;
        }
        let made = product.reserve();
        self.made.insert((id, outer, from), made);
        let header = self.graph.get(id).header;
        let block = &self.blocks[header.0 as usize];
        let facts = block.facts.as_ref();
        let source = start(block);
        let mut goto = |phase: u32| {
            let context = product.inside(outer, phase);
            product.copy(header, context)
        };
        let label = format!("{}.next", block.label);
        let new = match from {
            None if self.treatments[id.0 as usize] == Treatment::Cut => {
                let exit = Exit::Cut(CutReason::Unrolling(0));
                ending(&label, exit, source.0, source.1)
            }
            None => {
                let mut statements = self.check(source, facts, true);
                statements.extend(self.forget(source, id, facts));
                going(label, source, statements, vec![goto(ARBITRARY), goto(LAST)])
            }
            Some(FIRST) => {
                let statements = self.check(source, facts, false);
                going(label, source, statements, vec![goto(ARBITRARY), goto(LAST)])
            }
            Some(ARBITRARY) => {
                let mut statements = self.check(source, facts, false);
                statements.extend(self.forget(source, id, facts));
                going(label, source, statements, vec![goto(LAST)])
            }
            Some(_) if self.left[id.0 as usize] => {
                let mut end = ending(&label, Exit::Normal, source.0, source.1);
                let condition = self.never;
                let kind = StatementKind::Assume { condition, reason: AssumeReason::Model };
                end.statements.push(Statement::synthetic(kind, source.0, source.1));
                end
            }
            Some(_) => {
                let exit = Exit::Intended("a loop that nothing leaves".to_owned());
                ending(&label, exit, source.0, source.1)
            }
        };
        product.fill(made, new);
        made
    }

    /// Asserts the invariants.
    fn check(
        &self,
        (span, point): (Span, PointId),
        facts: Option<&LoopFacts>,
        first: bool,
    ) -> Vec<Statement> {
        let clauses = facts.iter().flat_map(|facts| &facts.invariants);
        let kinds = clauses.map(|clause| invariant(clause, first));
        kinds.map(|kind| Statement::synthetic(kind, span, point)).collect()
    }

    /// Forgets what the loop may change and assumes the invariants.
    fn forget(
        &self,
        (span, point): (Span, PointId),
        id: LoopId,
        facts: Option<&LoopFacts>,
    ) -> Vec<Statement> {
        let forgotten = self.modified[id.0 as usize].iter().map(|&variable| {
            let place = Place { variable, path: Vec::new() };
            StatementKind::Havoc { place, condition: None, reason: HavocReason::Loop }
        });
        let clauses = facts.iter().flat_map(|facts| &facts.invariants);
        let assumed = clauses.map(|clause| StatementKind::Assume {
            condition: clause.condition,
            reason: AssumeReason::Contract,
        });
        forgotten.chain(assumed).map(|kind| Statement::synthetic(kind, span, point)).collect()
    }
}

/// A synthetic block that continues at another.
fn going(
    label: String,
    (span, point): (Span, PointId),
    statements: Vec<Statement>,
    targets: Vec<BlockId>,
) -> Block {
    let kind = TerminatorKind::Goto(targets);
    let terminator = Terminator { kind, span, point, origin: Origin::Synthetic };
    Block { label, statements, terminator, facts: None }
}

/// The variables that each loop may change: those that its statements or their callees assign.
fn modified(
    module: &Module,
    effects: &Effects,
    blocks: &[Block],
    graph: &Graph,
) -> Vec<BTreeSet<Variable>> {
    let mut modified = vec![BTreeSet::new(); graph.loops().len()];
    for (number, one) in graph.loops().iter().enumerate().rev() {
        let statements = one.blocks.iter().flat_map(|block| &blocks[block.0 as usize].statements);
        let mut own: BTreeSet<Variable> = std::mem::take(&mut modified[number]);
        for statement in statements {
            own.extend(statement.kind.written().iter().map(|place| place.variable));
            if changes_liveness(&statement.kind) {
                own.extend(memories(module).map(Variable::Global));
            }
            if let StatementKind::Call { callee, .. } = &statement.kind {
                for callee in callee.targets() {
                    own.extend(effects.get(callee).modifies().map(Variable::Global));
                }
            }
        }
        if let Some(parent) = one.parent {
            modified[parent.0 as usize].extend(&own);
        }
        modified[number] = own;
    }
    modified
}

/// For each loop, whether some edge or exit leads out of it.
fn left(blocks: &[Block], graph: &Graph) -> Vec<bool> {
    let mut left = vec![false; graph.loops().len()];
    for &block in graph.order() {
        let kind = &blocks[block.0 as usize].terminator.kind;
        let is_exit = matches!(kind, TerminatorKind::Exit(_));
        let targets = targets(kind);
        for id in graph.loops_around(block) {
            left[id.0 as usize] |= is_exit || targets.iter().any(|&to| !graph.contains(id, to));
        }
    }
    left
}

/// How each loop is treated, all of a nest alike, so that the result is not too large.
fn treatments(blocks: &[Block], graph: &Graph, size: usize) -> (Vec<Treatment>, Vec<Limitation>) {
    let weight = |block: &BlockId| 1 + blocks[block.0 as usize].statements.len() as u64;
    let loops = graph.loops();
    let mut limit = (size as u64).max(graph.order().iter().map(weight).sum());
    // The sizes of loops with their nested ones, with two and with three copies.
    let mut sizes = vec![[0u64; 2]; loops.len()];
    for (number, one) in loops.iter().enumerate().rev() {
        let own: u64 = one.blocks.iter().map(weight).sum();
        for (copies, size) in [(2u64, 0), (3, 1)] {
            // Besides the copies there are the blocks between them.
            let total = sizes[number][size].saturating_add(own + 3).saturating_mul(copies);
            sizes[number][size] = total;
            if let Some(parent) = one.parent {
                let around = &mut sizes[parent.0 as usize][size];
                *around = around.saturating_add(total);
            }
        }
    }
    let outside = graph.order().iter().filter(|&&block| graph.innermost(block).is_none());
    limit = limit.saturating_sub(outside.map(weight).sum());
    let mut treatments: Vec<Treatment> = Vec::new();
    let mut notes = Vec::new();
    for (number, one) in loops.iter().enumerate() {
        if let Some(parent) = one.parent {
            treatments.push(treatments[parent.0 as usize]);
            continue;
        }
        let [two, three] = sizes[number];
        let (treatment, taken) = if three <= limit {
            (Treatment::Three, three)
        } else if two <= limit {
            (Treatment::Two, two)
        } else {
            (Treatment::Cut, 1)
        };
        limit = limit.saturating_sub(taken);
        treatments.push(treatment);
        if treatment != Treatment::Three {
            let header = &blocks[one.header.0 as usize];
            let (label, span) = (header.label.clone(), start(header).0);
            notes.push(Limitation::ForgottenMore { label, span, cut: treatment == Treatment::Cut });
        }
    }
    (treatments, notes)
}

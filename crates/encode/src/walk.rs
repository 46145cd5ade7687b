//! The walk over a loop-free body: each block once, predecessors first.
//!
//! At every block there is a guard, under which an execution reaches it, and a state, a value for each
//! variable as a function of the inputs (Xie & Aiken 2007, §2). Where paths join, guards are united and
//! the guard of the path taken selects the values. Statements that can end an execution narrow the guard
//! for what follows: a failed assertion, a false assumption, and an exit from the scope unless a fresh
//! value can describe everything outside.
//!
//! [`enter`] sets up the initial state, [`statement`] and [`terminator`] execute blocks, [`exit`] handles
//! obligations and exits, [`finish`] gathers the results.

mod enter;
mod exit;
mod finish;
mod place;
mod statement;
mod terminator;
mod tested;

use circuit::{Bits, Gate};
use ir::{
    Allocation, Block, BlockId, LocalId, Module, Origin, PointId, Procedure, Span, StatementKind,
    TerminatorKind,
};
use passes::ContractCall;
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::escape::Escape;
use crate::evaluation::{
    Attempt, BlockRecord, Cut, Evaluation, Event, Masked, Obligation, Side, Unusual,
};
use crate::expr::Reader;
use crate::guard::{Guard, Guards};
use crate::heap::{Initial, tightened};
use crate::memory::may_alias;
use crate::scope::Scope;
use crate::state::State;
use crate::statics::mentioned;
use crate::sym::Sym;
use tested::Masks;

/// Evaluates a procedure that passes have prepared: its body is loop-free, and contracts stand for
/// the calls that are listed. Blocks that a loop leads back to, and calls, are cut.
pub fn evaluate(
    module: &Module,
    procedure: &Procedure,
    calls: &[ContractCall],
    scope: &Scope,
) -> Evaluation {
    let blocks = procedure.blocks.as_deref().unwrap_or(&[]);
    let scope = &tightened(module, procedure, scope);
    let mut walk = Walk::new(module, procedure, blocks, calls, scope);
    if !blocks.is_empty() {
        walk.enter();
        for block in reverse_postorder(blocks) {
            walk.block(block);
        }
        walk.leave_together();
    }
    walk.finish()
}

struct Walk<'w> {
    cx: Context<'w>,
    guards: Guards,
    procedure: &'w Procedure,
    blocks: &'w [Block],
    calls: &'w [ContractCall],
    /// The variables whose assignment marks the beginning of a call's effects under its contract.
    markers: FxHashMap<LocalId, usize>,
    entry: State,
    /// The parts of the initial state, if its numbering is canonical.
    initial: Vec<Initial>,
    /// The guards and states with which blocks are reached, until they are walked.
    arrivals: Vec<Vec<(Guard, State)>>,
    walked: Vec<bool>,
    here: Here,
    points: FxHashMap<PointId, Passed>,
    /// Sides of branches, and under which condition executions take them at the boundary.
    edges: FxHashMap<(PointId, bool), (Passed, Guard)>,
    sides: Vec<Side>,
    masked: Vec<Masked>,
    /// The expressions that mask something, and those that contain one, by number.
    masks: Masks,
    allocations: Vec<Attempt>,
    obligations: Vec<Obligation>,
    exits: [Guard; 3],
    /// The blocks in which executions leave, and how they get there, where they leave together.
    leaving: [Vec<(BlockId, (Guard, State))>; 2],
    /// The condition under which an execution comes to an assertion that is literally false.
    declared: Guard,
    /// The condition under which an execution begins at all.
    begins: Guard,
    cuts: Vec<Cut>,
    records: Vec<BlockRecord>,
    /// The number of the next object to be allocated.
    next_object: u32,
    /// The call whose contract is being followed, by number.
    calling: Option<usize>,
    unusual: Unusual,
    answers: Vec<(Span, Bits)>,
    external: Vec<Gate>,
    unmodelled: Vec<Gate>,
}

/// The present position of the walk.
struct Here {
    block: BlockId,
    guard: Guard,
    state: State,
}

const NORMAL: usize = 0;
const EXCEPTIONAL: usize = 1;
const INTENDED: usize = 2;

impl<'w> Walk<'w> {
    fn new(
        module: &'w Module,
        procedure: &'w Procedure,
        blocks: &'w [Block],
        calls: &'w [ContractCall],
        scope: &'w Scope,
    ) -> Walk<'w> {
        let mut atoms: Vec<u32> = module.sorts.iter().map(|sort| scope.atoms_of(sort)).collect();
        let statics = mentioned(module, procedure);
        let mut objects = 0;
        let clauses = procedure.contract.requires.len() + procedure.contract.ensures.len();
        let mut conditions = clauses + usize::from(scope.heaps.links);
        for block in blocks {
            conditions += 1 + block.statements.len();
            for statement in &block.statements {
                if let StatementKind::Allocate { allocation, .. } = &statement.kind {
                    match allocation {
                        Allocation::Atom(sort) => atoms[sort.0 as usize] += 1,
                        Allocation::Object { .. } => objects += 1,
                    }
                }
            }
        }
        // Every condition may also leave the scope.
        let guards = Guards::new(2 * conditions);
        let nowhere = guards.never();
        let mut cx = Context::new(module, scope, atoms, objects, statics);
        let next_object = cx.first_own();
        cx.claims.expected = cx.expects_claims(procedure);
        cx.aliasing = may_alias(cx.module, procedure);
        Walk {
            cx,
            next_object,
            calling: None,
            unusual: Unusual::default(),
            answers: Vec::new(),
            external: Vec::new(),
            unmodelled: Vec::new(),
            procedure,
            blocks,
            calls,
            markers: calls.iter().enumerate().map(|(number, call)| (call.marker, number)).collect(),
            entry: State::new(module, procedure),
            initial: Vec::new(),
            arrivals: vec![Vec::new(); blocks.len()],
            walked: vec![false; blocks.len()],
            here: Here { block: BlockId(0), guard: nowhere, state: State::new(module, procedure) },
            points: FxHashMap::default(),
            edges: FxHashMap::default(),
            sides: Vec::new(),
            masked: Vec::new(),
            masks: Masks::of(procedure, scope),
            allocations: Vec::new(),
            obligations: Vec::new(),
            exits: [nowhere, nowhere, nowhere],
            leaving: [Vec::new(), Vec::new()],
            declared: nowhere,
            begins: nowhere,
            cuts: Vec::new(),
            records: vec![BlockRecord::default(); blocks.len()],
            guards,
        }
    }

    fn block(&mut self, id: BlockId) {
        self.walked[id.0 as usize] = true;
        let arrivals = std::mem::take(&mut self.arrivals[id.0 as usize]);
        let Some((guard, state)) = self.merge(arrivals) else { return };
        self.here = Here { block: id, guard, state };
        let block = &self.blocks[id.0 as usize];
        for (position, statement) in block.statements.iter().enumerate() {
            if self.guards.is_never(&self.here.guard) {
                return;
            }
            self.pass(statement.point, statement.span, statement.origin);
            if self.cx.circuit.len() > self.cx.scope.gates {
                self.cut(Gate::TRUE, Escape::Size);
                return;
            }
            self.statement(position, statement);
        }
        if !self.guards.is_never(&self.here.guard) {
            let end = &block.terminator;
            self.pass(end.point, end.span, end.origin);
            self.terminator(block);
        }
    }

    /// Unites what reaches a block: a value comes from the path whose guard holds.
    fn merge(&mut self, arrivals: Vec<(Guard, State)>) -> Option<(Guard, State)> {
        let mut arrivals = arrivals.into_iter().filter(|(guard, _)| !self.guards.is_never(guard));
        let (mut guard, mut state) = arrivals.next()?;
        for (other_guard, other) in arrivals.collect::<Vec<_>>() {
            let condition = self.guards.gate(&mut self.cx.circuit, &other_guard);
            for (mine, theirs) in state.zip(&other) {
                match (&*mine, theirs) {
                    (Some(a), Some(b)) if a != b => *mine = Some(self.cx.select(condition, b, a)),
                    (None, Some(b)) => *mine = Some(b.clone()),
                    _ => {}
                }
            }
            for (mine, theirs) in state.objects.iter_mut().zip(&other.objects) {
                if mine != theirs {
                    self.cx.replace_where(condition, mine, theirs);
                }
            }
            if state.freed != other.freed {
                let [mine, theirs] = [&state, &other].map(|state| self.cx.freed(state));
                state.freed = Some(self.cx.arrays.select(condition, theirs, mine));
            }
            guard = self.guards.or(&mut self.cx.circuit, &guard, &other_guard);
        }
        Some((guard, state))
    }

    /// Records that executions pass a point here.
    fn pass(&mut self, point: PointId, span: Span, origin: Origin) {
        let known = self.points.remove(&point);
        let guard = self.here.guard;
        let passed = self.united(known, span, origin, guard);
        self.points.insert(point, passed);
    }

    /// The record of a point or branch edge; executions pass it here too.
    fn united(
        &mut self,
        known: Option<Passed>,
        span: Span,
        origin: Origin,
        guard: Guard,
    ) -> Passed {
        let block = self.here.block;
        match known {
            Some(mut known) => {
                known.guard = self.guards.or(&mut self.cx.circuit, &known.guard, &guard);
                if known.origin == Origin::Synthetic {
                    (known.span, known.origin) = (span, origin);
                }
                if known.blocks.last() != Some(&block) {
                    known.blocks.push(block);
                }
                known
            }
            None => Passed { span, origin, blocks: vec![block], guard },
        }
    }

    /// The value of an expression. Where it leaves the scope, it has an arbitrary value in an over-approximation,
    /// if the type has one; otherwise executions are cut there.
    fn value(&mut self, exprs: &'w ir::Exprs, id: ir::ExprId) -> Sym {
        self.note_reached();
        let mut reader = Reader::new(exprs, &self.here.state, &self.entry);
        let value = self.cx.eval(&mut reader, id);
        if !self.cx.under()
            && !self.cx.escapes.is_empty()
            && let Some(any) = self.cx.anything(exprs.ty(id))
        {
            let escapes = std::mem::take(&mut self.cx.escapes);
            let left = self.cx.circuit.or_all(escapes.into_iter().map(|(gate, _)| gate));
            return self.cx.select(left, &any, &value);
        }
        self.leave_scope();
        value
    }

    /// The value of one of the procedure's expressions.
    fn eval(&mut self, id: ir::ExprId) -> Sym {
        self.value(&self.procedure.exprs, id)
    }

    /// Records the condition under which executions reach this place, where claims need it.
    fn note_reached(&mut self) {
        if self.cx.claims.expected {
            self.cx.claims.reached = self.guards.gate(&mut self.cx.circuit, &self.here.guard);
        }
    }

    /// Cuts the executions that the expressions just evaluated lead out of the scope.
    fn leave_scope(&mut self) {
        for (gate, why) in std::mem::take(&mut self.cx.escapes) {
            self.cut(gate, why);
        }
        for outside in std::mem::take(&mut self.cx.numbers.outside) {
            if self.cx.scope.records_tests {
                let reached = self.guards.gate(&mut self.cx.circuit, &self.here.guard);
                self.unusual.conversions.push(self.cx.circuit.and(reached, outside));
            }
        }
    }

    fn cut(&mut self, gate: Gate, why: Escape) {
        let leaving = self.guards.and(&mut self.cx.circuit, &self.here.guard, gate);
        if self.guards.is_never(&leaving) {
            return;
        }
        let cut = self.guards.gate(&mut self.cx.circuit, &leaving);
        let (block, origin) = (self.here.block, self.origin_of(self.here.block));
        self.cuts.push(Cut { why, block, origin, gate: cut });
        self.narrow(!gate);
    }

    fn origin_of(&self, block: BlockId) -> Origin {
        let blocks = self.procedure.blocks.as_deref().unwrap_or_default();
        blocks.get(block.0 as usize).map_or(Origin::Synthetic, |block| block.terminator.origin)
    }

    /// Only executions in which the condition holds continue.
    fn narrow(&mut self, condition: Gate) {
        self.here.guard = self.guards.and(&mut self.cx.circuit, &self.here.guard, condition);
    }

    fn record(&mut self, event: Event) {
        self.records[self.here.block.0 as usize].events.push(event);
    }
}

/// A point or branch edge, and the condition under which executions pass it.
struct Passed {
    span: Span,
    origin: Origin,
    blocks: Vec<BlockId>,
    guard: Guard,
}

/// The blocks that the entry leads to, each before those it leads to, loops aside.
fn reverse_postorder(blocks: &[Block]) -> Vec<BlockId> {
    let mut order = Vec::with_capacity(blocks.len());
    let mut seen = vec![false; blocks.len()];
    seen[0] = true;
    let mut stack = vec![(BlockId(0), 0)];
    while let Some((block, next)) = stack.pop() {
        let targets: &[BlockId] = &targets(&blocks[block.0 as usize]);
        match targets.get(next) {
            Some(&target) => {
                stack.push((block, next + 1));
                if !std::mem::replace(&mut seen[target.0 as usize], true) {
                    stack.push((target, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}

fn targets(block: &Block) -> Vec<BlockId> {
    match &block.terminator.kind {
        TerminatorKind::Goto(targets) => targets.clone(),
        TerminatorKind::Branch(_, then, otherwise) => vec![*then, *otherwise],
        TerminatorKind::Exit(_) => Vec::new(),
    }
}

//! The walk over a loop-free body: each block once, predecessors first.
//!
//! At every block there is a guard, under which a run gets there, and a state, a value for each
//! variable as a function of the inputs (paper 2, §2). Where paths meet, guards are united and
//! values are chosen by the guard of the path taken. Statements that can end a run narrow the guard
//! for what follows: a failed assertion, a false assumption, and a way out of the scope unless whatever
//! lies there can be described as anything at all.

mod place;
mod tested;

use std::collections::BTreeMap;

use circuit::{Bits, Circuit, Gate};
use ir::{
    Allocation, AssertKind, Block, BlockId, CutReason, Exit, ExitClause, HavocReason, LocalId,
    Module, Origin, Place, PointId, Procedure, Span, Statement, StatementKind, Storage,
    TerminatorKind, Type, Variable,
};
use passes::ContractCall;
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::escape::Escape;
use crate::evaluation::{
    Attempt, BlockRecord, Cut, Edge, Evaluation, Event, Masked, Obligation, ObligationGroup, Point,
    Side, Unusual,
};
use crate::expr::Reader;
use crate::guard::{Guard, Guards};
use crate::heap::{Initial, tightened};
use crate::memory::{OFFSET, Object, meeting, nameable};
use crate::scope::Scope;
use crate::state::State;
use crate::statics::mentioned;
use crate::sym::Sym;
use place::Steps;
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
    /// The variables whose assignment begins what a contract says of a call.
    markers: FxHashMap<LocalId, usize>,
    entry: State,
    /// The parts of the initial state, where it is numbered in one way.
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
    /// The blocks in which runs leave, and how they get there, where they leave together.
    leaving: [Vec<(BlockId, (Guard, State))>; 2],
    /// Under which condition a run comes to an assertion that is literally false.
    declared: Guard,
    /// Under which condition a run begins at all.
    begins: Guard,
    cuts: Vec<Cut>,
    records: Vec<BlockRecord>,
    /// The number of the next object to be allocated.
    next_object: u32,
    /// The call whose contract is being followed, by number.
    calling: Option<usize>,
    unusual: Unusual,
    answers: Vec<(Span, Bits)>,
    foreign: Vec<Gate>,
    unmodelled: Vec<Gate>,
}

/// Where the walk is.
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
        let mut individuals: Vec<u32> =
            module.sorts.iter().map(|sort| scope.individuals_of(sort)).collect();
        let statics = mentioned(module, procedure);
        let mut objects = 0;
        let clauses = procedure.contract.requires.len() + procedure.contract.ensures.len();
        let mut conditions = clauses + usize::from(scope.heaps.links);
        for block in blocks {
            conditions += 1 + block.statements.len();
            for statement in &block.statements {
                if let StatementKind::Allocate { allocation, .. } = &statement.kind {
                    match allocation {
                        Allocation::Individual(sort) => individuals[sort.0 as usize] += 1,
                        Allocation::Object { .. } => objects += 1,
                    }
                }
            }
        }
        // Every condition may also leave the scope.
        let guards = Guards::new(2 * conditions);
        let nowhere = guards.never();
        let mut cx = Context::new(module, scope, individuals, objects, statics);
        let next_object = cx.first_own();
        cx.claims.expected = cx.expects_claims(procedure);
        cx.meeting = meeting(cx.module, procedure);
        Walk {
            cx,
            next_object,
            calling: None,
            unusual: Unusual::default(),
            answers: Vec::new(),
            foreign: Vec::new(),
            unmodelled: Vec::new(),
            procedure,
            blocks,
            calls,
            markers: calls.iter().enumerate().map(|(number, call)| (call.marker, number)).collect(),
            entry: State::new(module, procedure),
            initial: Vec::new(),
            arrivals: vec![Vec::new(); blocks.len()],
            walked: vec![false; blocks.len()],
            here: Here {
                block: BlockId(0),
                guard: nowhere.clone(),
                state: State::new(module, procedure),
            },
            points: FxHashMap::default(),
            edges: FxHashMap::default(),
            sides: Vec::new(),
            masked: Vec::new(),
            masks: Masks::of(procedure, scope),
            allocations: Vec::new(),
            obligations: Vec::new(),
            exits: [nowhere.clone(), nowhere.clone(), nowhere.clone()],
            leaving: [Vec::new(), Vec::new()],
            declared: nowhere.clone(),
            begins: nowhere,
            cuts: Vec::new(),
            records: vec![BlockRecord::default(); blocks.len()],
            guards,
        }
    }

    /// Sets up the initial state: anything within the scope for which the preconditions hold.
    fn enter(&mut self) {
        let module = self.cx.module;
        self.here.guard = self.guards.always();
        self.entry.objects = vec![Object::absent(); self.cx.objects as usize];
        if self.cx.scope.heaps.canonical {
            let (values, initial) = self.cx.canonical_state(self.procedure);
            values.into_iter().for_each(|(variable, value)| self.entry.set(variable, value));
            self.initial = initial;
        } else {
            self.any_state();
        }
        for id in &module.unevaluated {
            let value = self.entry.get(Variable::Global(*id));
            self.foreign.extend(value.into_iter().flat_map(Sym::word));
        }
        self.here.state = self.entry.clone();
        self.cx.entered = true;
        self.leave_scope();
        for axiom in module.axioms.iter().chain(&module.invariants) {
            let condition = self.value(&axiom.exprs, axiom.condition).gate();
            self.narrow(condition);
        }
        let is_admitted = self.cx.scope.heaps.is_admitted;
        for clause in self.procedure.contract.requires.iter().filter(|_| !is_admitted) {
            let condition = self.eval(clause.condition).gate();
            self.narrow(condition);
        }
        if self.cx.scope.heaps.links && !is_admitted {
            let mut reader = Reader::new(&self.procedure.exprs, &self.here.state, &self.entry);
            let follows = self.cx.follows_of_links(&mut reader, self.procedure);
            self.narrow(follows);
        }
        self.begins = self.here.guard.clone();
        let arrival = (self.here.guard.clone(), self.here.state.clone());
        self.arrivals[0].push(arrival);
    }

    /// Lets globals and parameters be anything.
    fn any_state(&mut self) {
        let module = self.cx.module;
        let mut globals = Vec::with_capacity(module.globals.len());
        for (number, global) in module.globals.iter().enumerate() {
            let value = self.cx.fresh(&global.ty);
            let id = ir::GlobalId(number as u32);
            globals.push((global.ty.clone(), value.clone()));
            self.entry.set(Variable::Global(id), value);
        }
        let mut variables = Vec::new();
        for id in self.procedure.locals_with(ir::Mode::Parameter) {
            let ty = &self.procedure.local(id).ty;
            self.cx.meets = self.cx.meeting.has_variable(Variable::Local(id));
            let value = self.cx.fresh(ty);
            variables.push((ty.clone(), value.clone()));
            self.entry.set(Variable::Local(id), value);
        }
        variables.append(&mut globals);
        self.cx.break_symmetry(&variables);
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

    /// Notes that runs pass a point here.
    fn pass(&mut self, point: PointId, span: Span, origin: Origin) {
        let known = self.points.remove(&point);
        let guard = self.here.guard.clone();
        let passed = self.united(known, span, origin, guard);
        self.points.insert(point, passed);
    }

    /// What is known of a point or side of a branch, and that runs get there here too.
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

    /// The value of an expression. Where it leaves the scope it has any value if that can be said,
    /// erring over; otherwise runs are cut there.
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

    /// Tells whoever wants to know it under which condition runs get here.
    fn note_reached(&mut self) {
        if self.cx.claims.expected {
            self.cx.claims.reached = self.guards.gate(&mut self.cx.circuit, &self.here.guard);
        }
    }

    /// Cuts the runs that the expressions just evaluated lead out of the scope.
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

    /// Only runs in which the condition holds go on.
    fn narrow(&mut self, condition: Gate) {
        self.here.guard = self.guards.and(&mut self.cx.circuit, &self.here.guard, condition);
    }

    fn statement(&mut self, position: usize, statement: &Statement) {
        statement.kind.for_each_expr(&mut |&id| self.record_masks(id, statement.origin));
        match &statement.kind {
            StatementKind::Assign(pairs) => {
                if let [(Place { variable: Variable::Local(id), .. }, _)] = &pairs[..]
                    && let Some(&call) = self.markers.get(id)
                {
                    self.record(Event::Call(call));
                    self.calling = Some(call);
                }
                let values: Vec<Sym> = pairs.iter().map(|&(_, value)| self.eval(value)).collect();
                let places: Vec<Steps> = pairs.iter().map(|(place, _)| self.steps(place)).collect();
                for (steps, value) in places.into_iter().zip(values) {
                    self.assign(&steps, value);
                }
            }
            StatementKind::Havoc { place, condition, reason } => {
                let steps = self.steps(place);
                // What a callee returns that is not followed is nobody else's.
                self.cx.meets = !matches!(reason, HavocReason::UnknownCallee)
                    && self.cx.meeting.has_variable(place.variable);
                let value = match (&steps.ty, reason) {
                    (Type::Bytes, HavocReason::UnknownCallee) => self.after_callee(place.variable),
                    _ => self.cx.fresh(&steps.ty),
                };
                self.leave_scope();
                if let (Sym::Bits(bits), HavocReason::UnknownCallee) = (&value, reason) {
                    self.answers.push((statement.span, bits.clone()));
                    self.record_count(&steps.ty, bits);
                }
                match reason {
                    HavocReason::Foreign => self.foreign.extend(value.word()),
                    HavocReason::Unmodelled => gates_of(&value, &mut self.unmodelled),
                    HavocReason::Parameter
                    | HavocReason::Environment
                    | HavocReason::Volatile
                    | HavocReason::UnknownCallee
                    | HavocReason::Uninitialized
                    | HavocReason::Loop
                    | HavocReason::Choice => {}
                }
                // A variable that a pass made up is not asked for by the program as it was written.
                let made_up = statement.origin == Origin::Synthetic
                    && matches!(reason, HavocReason::Uninitialized | HavocReason::Loop);
                if !made_up {
                    self.record(Event::Havoc { value: value.clone(), ty: steps.ty.clone() });
                }
                self.assign(&steps, value);
                if let Some(condition) = condition {
                    let condition = self.eval(*condition).gate();
                    self.narrow(condition);
                }
            }
            StatementKind::Assume { condition, .. } => {
                let condition = self.eval(*condition).gate();
                self.narrow(condition);
            }
            StatementKind::Assert { condition, kind, message } => {
                if *self.procedure.exprs.get(*condition) == ir::Expr::Bool(false) {
                    let guard = &self.here.guard;
                    self.declared = self.guards.or(&mut self.cx.circuit, &self.declared, guard);
                }
                let condition = self.eval(*condition).gate();
                let due = Due {
                    kind: *kind,
                    message,
                    span: statement.span,
                    point: statement.point,
                    origin: statement.origin,
                    position,
                };
                self.oblige(condition, due);
            }
            StatementKind::Allocate { place, allocation } => match allocation {
                Allocation::Individual(sort) => {
                    let steps = self.steps(place);
                    let value = self.cx.allocate(*sort);
                    self.record(Event::Individual(value.clone()));
                    self.assign(&steps, value);
                }
                Allocation::Object { size, storage, may_fail } => {
                    let size = self.eval(*size).bits().clone();
                    let steps = self.steps(place);
                    let value = self.allocate_object(&size, *storage, *may_fail);
                    self.assign(&steps, value);
                }
            },
            StatementKind::Free(pointer) => {
                let pointer = self.eval(*pointer).bits().clone();
                self.cx.free(&mut self.here.state, &pointer);
            }
            StatementKind::Call { .. } => {
                self.cut(Gate::TRUE, Escape::Cut(CutReason::Inlining(0)));
            }
            StatementKind::Unsupported { what, writes } => {
                if self.cx.under() {
                    self.cut(Gate::TRUE, Escape::Cut(CutReason::Unsupported(what.clone())));
                    return;
                }
                for place in writes {
                    let steps = self.steps(place);
                    let value = self.cx.fresh(&steps.ty);
                    self.leave_scope();
                    self.assign(&steps, value);
                }
            }
        }
    }

    /// A pointer to the next object, or `null` if the allocation may fail.
    fn allocate_object(&mut self, size: &Bits, storage: Storage, may_fail: bool) -> Sym {
        let number = self.next_object;
        self.next_object += 1;
        if !nameable(number) {
            self.cut(Gate::TRUE, Escape::Individuals);
        }
        let pointer = self.cx.pointer_to(number);
        let has_room = self.cx.has_room(size);
        let succeeds = match may_fail {
            true => {
                let fails = self.cx.circuit.input();
                let succeeds = self.cx.circuit.and(!fails, has_room);
                let reached = self.guards.gate(&mut self.cx.circuit, &self.here.guard);
                self.allocations.push(Attempt { reached, succeeds });
                succeeds
            }
            false => {
                self.cut(!has_room, Escape::Integer);
                Gate::TRUE
            }
        };
        self.record(Event::Object(number, may_fail.then_some(succeeds)));
        if let Some(size) = size.as_constant() {
            self.cx.addresses.has_size(number, size as u64);
        }
        let index = (number - self.cx.first_own()) as usize;
        self.here.state.objects[index] = Object::allocated(size, storage, succeeds);
        let null = self.cx.default(&Type::Ptr);
        self.cx.select(succeeds, &pointer, &null)
    }

    /// Memory after a callee that is not followed: what it was handed and what it could know of has any
    /// contents. Erring under, what it was not handed stays as it was where the callee is quiet. What it
    /// frees is left out: no run survives by that.
    fn after_callee(&mut self, memory: Variable) -> Sym {
        let below = self.cx.read_variable(&self.here.state, memory, &Type::Bytes).contents();
        let call = self.calling.and_then(|call| self.calls.get(call));
        let mut passed = Vec::new();
        for &argument in call.iter().flat_map(|call| &call.arguments) {
            if self.procedure.local(argument).ty == Type::Ptr
                && let Some(Sym::Bits(pointer)) = self.here.state.get(Variable::Local(argument))
            {
                let pointer = pointer.clone();
                self.cx.hand_over(&pointer);
                passed.push(pointer.extract(OFFSET..64));
            }
        }
        let others = match self.cx.under() {
            true => {
                let noisy = self.cx.circuit.input();
                self.unusual.writes.push(noisy);
                noisy
            }
            false => Gate::TRUE,
        };
        Sym::Bytes(self.cx.forget(below, passed, others))
    }

    fn record(&mut self, event: Event) {
        self.records[self.here.block.0 as usize].events.push(event);
    }

    /// Notes an obligation; runs in which it fails end here.
    fn oblige(&mut self, condition: Gate, due: Due<'_>) {
        let c = &mut self.cx.circuit;
        let failing = self.guards.and(c, &self.here.guard, !condition);
        let reached = self.guards.gate(c, &self.here.guard);
        let fails = self.guards.gate(c, &failing);
        self.obligations.push(Obligation {
            kind: due.kind,
            message: due.message.to_owned(),
            span: due.span,
            point: due.point,
            origin: due.origin,
            place: (self.here.block, due.position),
            reached,
            condition,
            fails,
        });
        self.narrow(condition);
    }

    fn terminator(&mut self, block: &Block) {
        let terminator = &block.terminator;
        match &terminator.kind {
            TerminatorKind::Goto(targets) => match targets[..] {
                [target] => self.go(target, Gate::TRUE),
                _ => {
                    let choice = self.cx.fresh_below(targets.len() as u32);
                    self.record(Event::Goto(choice.clone()));
                    for (number, &target) in targets.iter().enumerate() {
                        let number = Bits::constant(choice.width(), number as u128);
                        let chosen = self.cx.circuit.equal(&choice, &number);
                        self.go(target, chosen);
                    }
                }
            },
            TerminatorKind::Branch(test, then, otherwise) => {
                let test = *test;
                self.record_masks(test, terminator.origin);
                let condition = self.eval(test).gate();
                for (taken, target) in [(true, *then), (false, *otherwise)] {
                    let gate = condition.negate_if(!taken);
                    let side = self.guards.and(&mut self.cx.circuit, &self.here.guard, gate);
                    let key = (terminator.point, taken);
                    let (known, boundary) = self.edges.remove(&key).unzip();
                    let (here, compared) = self.boundary(test, taken);
                    let here = self.guards.and(&mut self.cx.circuit, &side, here);
                    if self.cx.scope.records_tests {
                        let at_boundary = self.guards.gate(&mut self.cx.circuit, &here);
                        let reached = self.guards.gate(&mut self.cx.circuit, &side);
                        self.record_sizes(reached, &compared);
                        self.sides.push(Side {
                            point: terminator.point,
                            span: terminator.span,
                            origin: terminator.origin,
                            block: self.here.block,
                            taken,
                            gate: reached,
                            condition,
                            at_boundary,
                            compared,
                        });
                    }
                    let boundary = match boundary {
                        Some(known) => self.guards.or(&mut self.cx.circuit, &known, &here),
                        None => here,
                    };
                    let passed = self.united(known, terminator.span, terminator.origin, side);
                    self.edges.insert(key, (passed, boundary));
                    self.go(target, gate);
                }
            }
            TerminatorKind::Exit(exit) => self.exit(block, exit),
        }
    }

    fn go(&mut self, target: BlockId, condition: Gate) {
        let guard = self.guards.and(&mut self.cx.circuit, &self.here.guard, condition);
        if self.guards.is_never(&guard) {
            return;
        }
        let gate = self.guards.gate(&mut self.cx.circuit, &guard);
        if self.walked[target.0 as usize] {
            // Back to where the walk has been: a loop that no pass has removed.
            let why = Escape::Cut(CutReason::Unrolling(1));
            let (block, origin) = (self.here.block, self.origin_of(self.here.block));
            self.cuts.push(Cut { why, block, origin, gate });
            return;
        }
        self.records[self.here.block.0 as usize].successors.push((target, gate));
        self.arrivals[target.0 as usize].push((guard, self.here.state.clone()));
    }

    fn exit(&mut self, block: &Block, exit: &Exit) {
        let slot = match exit {
            Exit::Normal => NORMAL,
            Exit::Exceptional(value) => {
                if let Some(value) = value {
                    self.eval(*value);
                }
                EXCEPTIONAL
            }
            Exit::Intended(_) => INTENDED,
            Exit::Cut(reason) => {
                self.cut(Gate::TRUE, Escape::Cut(reason.clone()));
                return;
            }
        };
        if slot != INTENDED && self.cx.scope.heaps.canonical {
            let arrival = (self.here.guard.clone(), self.here.state.clone());
            self.leaving[slot].push((self.here.block, arrival));
            return;
        }
        self.leave(block, slot);
    }

    /// Runs that leave by one kind of exit owe the same, whichever exit it is. What they owe is dear where
    /// it speaks of heaps, so it is asked once.
    fn leave_together(&mut self) {
        for slot in [NORMAL, EXCEPTIONAL] {
            let (blocks, arrivals): (Vec<BlockId>, Vec<_>) =
                std::mem::take(&mut self.leaving[slot]).into_iter().unzip();
            let Some((guard, state)) = self.merge(arrivals) else { continue };
            let Some(&block) = blocks.last() else { continue };
            self.here = Here { block, guard, state };
            self.leave(&self.blocks[block.0 as usize], slot);
        }
    }

    /// What is owed at an exit, and that runs leave there.
    fn leave(&mut self, block: &Block, slot: usize) {
        if slot != INTENDED {
            let ensures = &self.procedure.contract.ensures;
            for ensured in ensures.iter().filter(|e| e.exceptional == (slot == EXCEPTIONAL)) {
                self.ensure(block, ensured);
            }
            let module = self.cx.module;
            for invariant in &module.invariants {
                let condition = self.value(&invariant.exprs, invariant.condition).gate();
                let due = Due {
                    kind: AssertKind::Invariant,
                    message: "",
                    span: invariant.span,
                    point: block.terminator.point,
                    origin: block.terminator.origin,
                    position: block.statements.len(),
                };
                self.oblige(condition, due);
            }
        }
        let united = self.guards.or(&mut self.cx.circuit, &self.exits[slot], &self.here.guard);
        self.exits[slot] = united;
    }

    fn ensure(&mut self, block: &Block, ensured: &ExitClause) {
        let clause = &ensured.clause;
        if clause.free {
            return;
        }
        // In a postcondition a parameter is what the caller gave, whatever the body made of it.
        let assigned = self.here.state.clone();
        for id in self.procedure.locals_with(ir::Mode::Parameter) {
            if let Some(given) = self.entry.get(Variable::Local(id)) {
                self.here.state.set(Variable::Local(id), given.clone());
            }
        }
        let condition = self.eval(clause.condition).gate();
        self.here.state = assigned;
        let due = Due {
            kind: ensured.kind(),
            message: &clause.message,
            span: clause.span,
            point: block.terminator.point,
            origin: block.terminator.origin,
            position: block.statements.len(),
        };
        self.oblige(condition, due);
    }

    fn finish(mut self) -> Evaluation {
        let elsewhere = self.cx.instantiate();
        self.cx.constrain_cells();
        let c = &mut self.cx.circuit;
        let mut points: Vec<Point> = Vec::with_capacity(self.points.len());
        for (id, Passed { span, origin, blocks, guard }) in self.points {
            let gate = self.guards.gate(c, &guard);
            points.push(Point { id, span, origin, blocks, gate });
        }
        points.sort_unstable_by_key(|point| point.id);
        let mut edges: Vec<Edge> = Vec::with_capacity(self.edges.len());
        for ((point, taken), (passed, boundary)) in self.edges {
            let Passed { span, origin, blocks, guard } = passed;
            let gate = self.guards.gate(c, &guard);
            let at_boundary = self.guards.gate(c, &boundary);
            edges.push(Edge { point, span, origin, blocks, taken, gate, at_boundary });
        }
        edges.sort_unstable_by_key(|edge| (edge.point, !edge.taken));
        let [normal, exceptional, intended] =
            self.exits.each_ref().map(|guard| self.guards.gate(c, guard));
        let ends = c.or_all([normal, exceptional, intended]);
        let fails = c.or_all(self.obligations.iter().map(|one| one.fails).collect::<Vec<_>>());
        let further = self.cuts.iter().filter(|cut| cut.why.is_bound()).map(|cut| cut.gate);
        let goes_on = c.or_all(further.collect::<Vec<_>>());
        let cuts = self.cuts.iter().map(|cut| cut.gate);
        let survives = c.or_all(cuts.chain([ends]));
        let declared = self.guards.gate(c, &self.declared);
        let admissible = c.or(survives, declared);
        let begins = self.guards.gate(c, &self.begins);
        // Where values are few, a word is made of other inputs than its bits.
        let foreign: Vec<Gate> = circuit::cone(c, &self.foreign).inputs().collect();
        let groups = match self.cx.scope.records_tests {
            true => groups(c, &self.obligations),
            false => Vec::new(),
        };
        let globals = (0..self.cx.module.globals.len() as u32).map(ir::GlobalId);
        let heaps = &self.cx.scope.heaps;
        let mentioned = heaps.mentioned(self.cx.module);
        let is_told = |id: &ir::GlobalId| !heaps.canonical || mentioned.globals.contains(id);
        let parameters = self.procedure.locals_with(ir::Mode::Parameter).map(Variable::Local);
        let entry = globals
            .filter(is_told)
            .map(Variable::Global)
            .chain(parameters)
            .filter_map(|variable| Some((variable, self.entry.get(variable)?.clone())))
            .collect();
        let mut functions: Vec<_> = self.cx.functions.into_iter().collect();
        functions.sort_unstable_by_key(|(id, _)| *id);
        Evaluation {
            circuit: self.cx.circuit,
            constraints: self.cx.constraints,
            scope: self.cx.scope.clone(),
            points,
            edges,
            sides: self.sides,
            masked: self.masked,
            allocations: self.allocations,
            pointers: self.cx.pointers,
            obligations: self.obligations,
            groups,
            fails,
            normal,
            exceptional,
            intended,
            ends,
            cuts: self.cuts,
            goes_on,
            begins,
            survives,
            admissible,
            graph: self.blocks.iter().map(targets).collect(),
            arrays: self.cx.arrays,
            elsewhere,
            entry,
            initial: self.initial,
            functions,
            blocks: self.records,
            memories: self.cx.memories,
            addresses: self.cx.addresses,
            given: self.cx.given,
            unusual: Unusual { nan_inputs: self.cx.numbers.unexpected(), ..self.unusual },
            answers: self.answers,
            foreign,
            unmodelled: self.unmodelled,
            individuals: self.cx.individuals,
            statics: self.cx.statics,
            calls: self.calls.to_vec(),
            parameter_types: self
                .procedure
                .locals_with(ir::Mode::Parameter)
                .map(|id| (id, self.procedure.local(id).ty.clone()))
                .collect(),
        }
    }
}

/// The gates of a value that is made of words.
fn gates_of(value: &Sym, gates: &mut Vec<Gate>) {
    match value {
        Sym::Tuple(parts) => parts.iter().for_each(|part| gates_of(part, gates)),
        other => gates.extend(other.word()),
    }
}

/// A point or side of a branch, and how runs get there.
struct Passed {
    span: Span,
    origin: Origin,
    blocks: Vec<BlockId>,
    guard: Guard,
}

/// When and what an obligation is.
struct Due<'d> {
    kind: AssertKind,
    message: &'d str,
    span: Span,
    point: PointId,
    origin: Origin,
    position: usize,
}

/// Obligations by what the source says.
fn groups(c: &mut Circuit, obligations: &[Obligation]) -> Vec<ObligationGroup> {
    let mut copies: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (number, obligation) in obligations.iter().enumerate() {
        let Obligation { point, kind, span, message, .. } = obligation;
        copies.entry((*point, *kind, *span, message)).or_default().push(number);
    }
    let group = |copies: Vec<usize>| {
        let reached = c.or_all(copies.iter().map(|&copy| obligations[copy].reached));
        let fails = c.or_all(copies.iter().map(|&copy| obligations[copy].fails));
        ObligationGroup { copies, reached, fails }
    };
    copies.into_values().map(group).collect()
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

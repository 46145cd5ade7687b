//! The evaluator: one pass over the blocks of a loop-free procedure, with a state and a guard at each.
//!
//! This is the evaluator of Xie & Aiken 2007, §2, adapted to summaries: scalars are terms that are not bit-blasted,
//! pointers are guarded location sets, calls apply summaries. State transitions of objects and allocations are
//! recorded with their guards, for [`crate::infer`] and the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ir::{Allocation, AssertKind, Block, Exit, Expr, ExprId, HavocReason, LocalId, Mode, Module};
use ir::{
    Place, PointId, Procedure, Projection, Span, Statement, StatementKind, Storage, TerminatorKind,
    Type, Variable,
};
use passes::graph::Graph;
use property::Index;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::space::{Atom, Input, Region, RegionId, Site, Space};
use crate::state::{State, mark, pointed_to};
use crate::summary::Summary;
use crate::value::{Location, Value, pointer};
use circuit::Guard;

/// The summaries of callees.
pub trait Callees {
    /// The summary of the procedure with this name in this module.
    fn summary(&self, name: &str) -> Option<&Summary>;

    /// The name of a global variable of this module in the whole program.
    fn global(&self, name: &str) -> String {
        name.to_owned()
    }
}

/// A state transition of an object.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The object, by number.
    pub(crate) object: u32,
    pub(crate) site: Site,
    pub(crate) point: PointId,
    pub(crate) span: Span,
    /// Where it happens.
    pub(crate) guard: Guard,
    /// Where it must happen.
    pub(crate) certain: Guard,
    /// The states before and after, where it happens; the error state comes last.
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// The callee that performs it.
    pub(crate) callee: String,
    /// The violated rule, if the state after is the error state.
    pub(crate) rule: Option<String>,
}

/// An allocation.
#[derive(Clone, Debug)]
pub(crate) struct Fresh {
    pub(crate) region: RegionId,
    /// Where it succeeds, relative to the guard of its statement.
    pub(crate) valid: Guard,
    /// Where it happens.
    pub(crate) guard: Guard,
    pub(crate) point: PointId,
    pub(crate) span: Span,
    /// The allocator.
    pub(crate) callee: String,
}

/// The assumed effects of a callee.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallEffects {
    pub(crate) result: Option<Value>,
    /// Its writes: the place, the size in bytes, and the value.
    pub(crate) writes: Vec<(Value, u32, Value)>,
    /// The epochs that it starts.
    pub(crate) epochs: Range<u32>,
    /// The objects that it allocates.
    pub(crate) new: Vec<RegionId>,
}

/// The number of the condition that an allocation succeeds; those of one statement are consecutive.
pub(crate) const SUCCEEDS: u32 = 1000;

/// The limit that an evaluation exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GaveUp {
    /// The guards became too large.
    Guards,
    /// The loop-free procedure is too large.
    Size,
}

/// The evaluation of a procedure.
pub(crate) struct Walk<'w> {
    pub(crate) module: &'w Module,
    pub(crate) procedure: &'w Procedure,
    pub(crate) index: &'w Index,
    pub(crate) callees: &'w dyn Callees,
    pub(crate) space: Space,
    pub(crate) steps: Vec<Step>,
    pub(crate) fresh: Vec<Fresh>,
    /// Where a loop would iterate again, or where code is not modelled.
    pub(crate) cut: Guard,
    /// The state at normal exits.
    pub(crate) exit: Option<State>,
    /// The ends of blocks that were reached.
    pub(crate) reached: BTreeSet<PointId>,
    /// The edges of branches: the block, its condition and its guard.
    pub(crate) branches: Vec<(Site, Guard, Guard)>,
    /// The assumed effects of callees.
    pub(crate) effects: BTreeMap<Site, CallEffects>,
    /// The values of havocs.
    pub(crate) opened: BTreeMap<Site, Value>,
    /// The variables that hold results of inline assembly.
    pub(crate) external: BTreeSet<LocalId>,
    /// The place where inline assembly last wrote a possible pointer.
    pub(crate) exchanged: Option<PointId>,
    /// Where the pointers to objects must be dereferenced.
    pub(crate) dereferenced: BTreeMap<RegionId, Guard>,
    /// The objects for which that holds only if pointers do not alias.
    pub(crate) assumed: BTreeSet<RegionId>,
    /// Whether facts depend on assumptions about callees: their effects in executions that were cut, or that they
    /// have no others.
    pub(crate) rests_on_assumptions: bool,
    /// The objects that have several parts in some access.
    pub(crate) structures: BTreeSet<RegionId>,
    /// The variables that some expression reads.
    pub(crate) looked_at: FxHashSet<LocalId>,
    /// The number of nondeterministic values of the current statement.
    pub(crate) made: u32,
    pub(crate) site: Site,
    pub(crate) memo: Vec<Option<Value>>,
    pub(crate) known: Vec<ExprId>,
}

/// Evaluates a loop-free procedure.
pub(crate) fn walk<'w>(
    module: &'w Module,
    procedure: &'w Procedure,
    index: &'w Index,
    callees: &'w dyn Callees,
    room: usize,
    is_must: bool,
) -> Result<Walk<'w>, GaveUp> {
    let blocks = procedure.blocks.as_deref().unwrap_or_default();
    let mut walk = Walk {
        module,
        procedure,
        index,
        callees,
        space: Space::new(room, is_must, index.properties().first_error()),
        steps: Vec::new(),
        fresh: Vec::new(),
        cut: Guard::NEVER,
        exit: None,
        reached: BTreeSet::new(),
        branches: Vec::new(),
        effects: BTreeMap::new(),
        opened: BTreeMap::new(),
        external: BTreeSet::new(),
        exchanged: None,
        dereferenced: BTreeMap::new(),
        assumed: BTreeSet::new(),
        rests_on_assumptions: false,
        structures: BTreeSet::new(),
        looked_at: (0..procedure.exprs.len() as u32)
            .filter_map(|number| match procedure.exprs.get(ExprId(number)) {
                Expr::Read(Variable::Local(id)) => Some(*id),
                _ => None,
            })
            .collect(),
        made: 0,
        site: Site { block: 0, statement: 0 },
        memo: vec![None; procedure.exprs.len()],
        known: Vec::new(),
    };
    let graph = Graph::new(blocks);
    let mut arrived: Vec<Option<State>> = Vec::new();
    arrived.resize_with(blocks.len(), || None);
    if let Some(first) = arrived.first_mut() {
        *first = Some(walk.entry_state());
    }
    for &id in graph.order() {
        let Some(state) = arrived[id.0 as usize].take() else { continue };
        if state.guard == Guard::NEVER {
            continue;
        }
        walk.block(id.0, &blocks[id.0 as usize], state, &mut arrived);
        if walk.space.diagrams.is_exhausted() {
            return Err(GaveUp::Guards);
        }
    }
    Ok(walk)
}

impl Walk<'_> {
    fn entry_state(&mut self) -> State {
        let mut state = State::new(self.procedure.locals.len());
        for (number, id) in (0..).zip(self.procedure.locals_with(Mode::Parameter)) {
            let ty = &self.procedure.local(id).ty;
            state.locals[id.0 as usize] = Some(self.space.given(Input::Parameter(number), ty));
        }
        state
    }

    fn block(
        &mut self,
        number: u32,
        block: &Block,
        mut state: State,
        arrived: &mut [Option<State>],
    ) {
        for (position, statement) in (0..).zip(&block.statements) {
            self.at(number, position);
            self.statement(&mut state, statement);
            if state.guard == Guard::NEVER {
                return;
            }
        }
        self.at(number, block.statements.len() as u32);
        self.reached.insert(block.terminator.point);
        match &block.terminator.kind {
            TerminatorKind::Goto(targets) => {
                for (number, target) in targets.iter().enumerate() {
                    if number + 1 == targets.len() {
                        return self.arrive(arrived, target.0, state);
                    }
                    let taken = self.space.atom(Atom::Made(self.site, number as u32));
                    let side = self.side(&state, taken);
                    self.arrive(arrived, target.0, side);
                    state.guard = self.space.diagrams.and_not(state.guard, taken);
                }
            }
            TerminatorKind::Branch(condition, then, otherwise) => {
                let condition = self.truth(&mut state, *condition);
                self.branches.push((self.site, condition, state.guard));
                let side = self.side(&state, condition);
                self.arrive(arrived, then.0, side);
                state.guard = self.space.diagrams.and_not(state.guard, condition);
                self.arrive(arrived, otherwise.0, state);
            }
            TerminatorKind::Exit(Exit::Normal) => {
                let others = self.exit.take();
                self.exit = Some(match others {
                    None => state,
                    Some(others) => State::merge(&mut self.space, others, state),
                });
            }
            TerminatorKind::Exit(Exit::Cut(_)) => {
                self.cut = self.space.diagrams.or(self.cut, state.guard);
            }
            TerminatorKind::Exit(Exit::Exceptional(_) | Exit::Intended(_)) => {}
        }
    }

    fn at(&mut self, block: u32, statement: u32) {
        self.site = Site { block, statement };
        self.made = 0;
        self.forget_known();
    }

    fn forget_known(&mut self) {
        for id in self.known.drain(..) {
            self.memo[id.0 as usize] = None;
        }
    }

    fn side(&mut self, state: &State, condition: Guard) -> State {
        let mut side = state.clone();
        side.guard = self.space.diagrams.and(state.guard, condition);
        side
    }

    fn arrive(&mut self, arrived: &mut [Option<State>], target: u32, state: State) {
        if state.guard == Guard::NEVER {
            return;
        }
        let slot = &mut arrived[target as usize];
        *slot = Some(match slot.take() {
            None => state,
            Some(others) => State::merge(&mut self.space, others, state),
        });
    }

    fn statement(&mut self, state: &mut State, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign(pairs) => {
                let values: Vec<Option<Value>> = pairs
                    .iter()
                    .map(|(place, value)| self.assigned(state, place, *value))
                    .collect();
                for ((place, of), value) in pairs.iter().zip(values) {
                    if let Some(value) = value {
                        self.assign(state, place, value);
                    }
                    self.written_by_assembly(state, place, *of, statement.point);
                }
            }
            StatementKind::Havoc { place, condition, reason } => {
                if let (Variable::Local(id), HavocReason::Environment) = (place.variable, reason) {
                    self.external.insert(id);
                    self.exchange(state, id, statement.point);
                }
                // A variable of which an arbitrary iteration knows nothing may still hold what it held.
                if let (Variable::Local(id), []) = (place.variable, &place.path[..])
                    && let Some(before) = state.locals[id.0 as usize].take()
                {
                    self.escape(state, &pointed_to(&before));
                }
                if *reason == HavocReason::Loop && self.space.is_must {
                    self.forget_memory(state);
                }
                let value = self.open_place(place);
                if *reason == HavocReason::Unmodelled {
                    let input = Input::Made { site: self.site, number: self.made };
                    self.space.unmodelled.insert(input);
                }
                self.opened.insert(self.site, value.clone());
                self.assign(state, place, value);
                self.forget_known();
                if let Some(condition) = condition {
                    self.assume(state, *condition);
                }
            }
            StatementKind::Assume { condition, .. } => self.assume(state, *condition),
            // An execution that fails an assertion of the program does not continue; other obligations are checked
            // elsewhere.
            StatementKind::Assert { condition, kind, .. } => {
                if *kind == AssertKind::Assertion {
                    self.assume(state, *condition);
                } else if *kind == AssertKind::NullDereference && self.space.is_must {
                    self.note_dereference(state, *condition);
                }
            }
            StatementKind::Allocate { place, allocation } => {
                let value = self.allocate(state, allocation, statement);
                self.assign(state, place, value);
            }
            StatementKind::Free(freed) => {
                let value = self.value(state, *freed);
                self.release(state, &value);
                mark(&mut self.space, &mut state.must_freed, &value, Guard::ALWAYS);
            }
            StatementKind::Call { results, callee, arguments, .. } => {
                self.call(state, statement, results, callee, arguments);
            }
            StatementKind::Unsupported { .. } => {
                self.cut = self.space.diagrams.or(self.cut, state.guard);
                state.guard = Guard::NEVER;
            }
        }
    }

    /// Havocs memory: earlier iterations may have written it.
    fn forget_memory(&mut self, state: &mut State) {
        state.is_stale = true;
        for region in self.space.regions() {
            let epoch = self.space.new_epoch();
            state.forget(region, epoch);
        }
    }

    /// Records that inline assembly has written a possible pointer to external memory.
    fn written_by_assembly(
        &mut self,
        state: &mut State,
        place: &Place,
        value: ExprId,
        point: PointId,
    ) {
        let Expr::Read(Variable::Local(id)) = self.procedure.exprs.get(value) else { return };
        let [Projection::View { pointer, ty, .. }] = &place.path[..] else { return };
        if !self.external.contains(id) || !may_be_pointer(ty) {
            return;
        }
        let target = self.value(state, *pointer);
        let is_own = |(_, region): &(Guard, RegionId)| {
            matches!(self.space.get(self.space.whole(*region)), Region::Stack(_))
        };
        if !pointed_to(&target).iter().all(is_own) {
            self.exchanged = Some(point);
        }
    }

    /// Inline assembly that writes a word and returns one exchanges them: it may have written any pointer among its
    /// operands.
    fn exchange(&mut self, state: &mut State, given: LocalId, point: PointId) {
        if self.exchanged != Some(point) || !may_be_pointer(&self.procedure.local(given).ty) {
            return;
        }
        let mut known: Vec<(Guard, RegionId)> =
            self.fresh.iter().map(|fresh| (Guard::ALWAYS, fresh.region)).collect();
        for id in self.procedure.locals_with(Mode::Parameter) {
            known.extend(state.locals[id.0 as usize].iter().flat_map(pointed_to));
        }
        self.escape(state, &known);
    }

    fn assume(&mut self, state: &mut State, condition: ExprId) {
        let holds = self.truth(state, condition);
        state.guard = self.space.diagrams.and(state.guard, holds);
    }

    fn allocate(
        &mut self,
        state: &mut State,
        allocation: &Allocation,
        statement: &Statement,
    ) -> Value {
        let Allocation::Object { storage, may_fail, .. } = allocation else { return Value::Opaque };
        match storage {
            Storage::Heap => {
                // The body of an allocator, such as a library model.
                let name = self.procedure.display.as_ref().unwrap_or(&self.procedure.name).clone();
                self.new_memory(state, statement, &name, !may_fail, 0)
            }
            Storage::Stack | Storage::Global | Storage::Environment => {
                pointer(Location::At(self.space.region(Region::Stack(self.site)), 0))
            }
        }
    }

    /// A pointer to new memory, or null where the allocation fails.
    pub(crate) fn new_memory(
        &mut self,
        state: &State,
        statement: &Statement,
        callee: &str,
        never_fails: bool,
        number: u32,
    ) -> Value {
        let region = self.space.region(Region::New(self.site, number));
        let valid = match never_fails {
            true => Guard::ALWAYS,
            false => self.space.atom(Atom::Made(self.site, SUCCEEDS + number)),
        };
        self.fresh.push(Fresh {
            region,
            valid,
            guard: state.guard,
            point: statement.point,
            span: statement.span,
            callee: callee.to_owned(),
        });
        let given = pointer(Location::At(region, 0));
        self.space.select(valid, &given, &pointer(Location::Null))
    }

    /// An unconstrained value.
    pub(crate) fn open(&mut self, ty: &Type) -> Value {
        self.made += 1;
        let input = Input::Made { site: self.site, number: self.made };
        self.space.given(input, ty)
    }

    fn open_place(&mut self, place: &Place) -> Value {
        let ty = match place.path.last() {
            Some(Projection::View { ty, .. }) => ty.clone(),
            Some(Projection::Field(..) | Projection::Index(_)) => return Value::Opaque,
            None => match place.variable {
                Variable::Local(id) => self.procedure.local(id).ty.clone(),
                Variable::Global(_) => return Value::Opaque,
            },
        };
        self.open(&ty)
    }

    /// The value for a place; none if the place is all of memory, which is havocked at once.
    fn assigned(&mut self, state: &mut State, place: &Place, value: ExprId) -> Option<Value> {
        match (place.variable, &place.path[..]) {
            (Variable::Global(_), []) => {
                if let Expr::Op(ir::Op::Memory(op), operands) = self.procedure.exprs.get(value) {
                    self.change_memory(state, op, operands);
                }
                None
            }
            _ => Some(self.value(state, value)),
        }
    }

    /// Assigns a place.
    pub(crate) fn assign(&mut self, state: &mut State, place: &Place, value: Value) {
        match (place.variable, &place.path[..]) {
            (Variable::Local(id), []) => state.locals[id.0 as usize] = Some(value),
            (Variable::Global(_), [Projection::View { pointer, ty, .. }]) => {
                let target = self.value(state, *pointer);
                self.store(state, &target, ty, &value);
            }
            // Parts of records and maps are not followed.
            (Variable::Local(id), [_, ..]) => state.locals[id.0 as usize] = Some(Value::Opaque),
            (Variable::Global(_), _) => {}
        }
    }
}

/// Whether a value of a type may contain an address: it is a pointer, or a word or record that is large enough for
/// one.
fn may_be_pointer(ty: &Type) -> bool {
    match ty {
        Type::Ptr | Type::Record(_) => true,
        Type::Bv(width) => *width == ir::ADDRESS_BITS,
        Type::Bool
        | Type::Int
        | Type::Sort(_)
        | Type::Map(..)
        | Type::Seq(_)
        | Type::Variant(_)
        | Type::Bytes => false,
    }
}

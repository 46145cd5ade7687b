//! Evidence: which obligations the policy for procedures without contracts could ever report.
//!
//! Inputs are trusted until the procedure tests them, so most obligations cannot be reported whatever a solver says: a
//! dereference of an untested parameter, an access to an object of the caller, a use of a pointer when nothing was
//! freed. This pass finds the others, in one walk over the loop-free body and before there is a formula. An obligation
//! has evidence if one of these may hold where it is due:
//!
//! - null dereference: a null literal may flow to the pointer; or a test on the way depends on the pointer; or it is the
//!   result of an allocation that may fail, and some test depends on such a result;
//! - use after free, double free: an object was freed on the way that the pointer may point to;
//! - out of bounds: the object is one whose size is known, and the access is not to a constant offset inside it;
//! - invalid free: the pointer may point to a static or stack object, or not to the start of its object;
//! - division by zero: the divisor is computed, or a test on the way depends on it, or it may be a literal zero;
//! - everything else, assertions above all: always.
//!
//! The pass over-approximates: values are sets of [origins](value), memory accumulates what is stored
//! ([`memory`]), and what it does not know is evidence. Precision costs nothing but queries.

mod endless;
mod memory;
mod value;

use std::rc::Rc;

use interpret::{ConstantWorld, Word, apply};
use ir::{
    Allocation, AssertKind, BlockId, Expr, ExprId, Memory as MemoryOp, Module, Op, Procedure,
    Projection, Statement, StatementKind, Storage, TerminatorKind, Type, Variable,
};
use passes::graph::Graph;
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use endless::endless;
use memory::{Memory, own_objects};
use value::{Origin, OriginKind, Origins, Set, Value};

/// The obligations of a loop-free body that have evidence, by block and position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct EvidenceMap {
    obligations: FxHashSet<(BlockId, usize)>,
    /// Whether a statement has one; clauses that are due at exits are not counted.
    is_empty: bool,
}

impl EvidenceMap {
    /// Finds the evidence in a procedure without loops and calls.
    pub(crate) fn of(module: &Module, procedure: &Procedure) -> EvidenceMap {
        let blocks = procedure.blocks.as_deref().unwrap_or_default();
        let graph = Graph::new(blocks);
        let mut walk = Walk {
            module,
            procedure,
            graph: &graph,
            origins: Origins::new(),
            memory: Memory::default(),
            written: vec![FxHashMap::default(); blocks.len()],
            ends: vec![Reached::default(); blocks.len()],
            compared: Set::default(),
            expects_failures: false,
            decided: FxHashSet::default(),
            allocated: Vec::new(),
        };
        for &block in graph.order() {
            walk.block(block);
        }
        let mut obligations = walk.decided;
        if walk.expects_failures {
            obligations.extend(walk.allocated);
        }
        let is_empty = obligations.is_empty();
        // Clauses that are due at an exit come after all statements.
        let ends = blocks.iter().zip(0..).map(|(block, at)| (BlockId(at), block.statements.len()));
        obligations.extend(ends);
        EvidenceMap { obligations, is_empty }
    }

    /// Whether an obligation has evidence.
    pub(crate) fn has(&self, place: (BlockId, usize)) -> bool {
        self.obligations.contains(&place)
    }

    /// Whether no obligation has evidence.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }
}

/// What holds of the executions that reach a place.
#[derive(Clone, Default, Debug)]
struct Reached {
    /// The origins that a test on the way depends on.
    tested: Rc<FxHashSet<Origin>>,
    /// The origins of pointers that were freed on the way.
    freed: Rc<FxHashSet<Origin>>,
}

struct Walk<'p> {
    module: &'p Module,
    procedure: &'p Procedure,
    graph: &'p Graph,
    origins: Origins,
    memory: Memory,
    /// The values of variables at the end of each block, as far as they were assigned or looked up there.
    written: Vec<FxHashMap<Variable, Value>>,
    ends: Vec<Reached>,
    /// What pointers are compared with pointers, or computed with as numbers: these may point to one object.
    compared: Set,
    /// Whether a test depends on the result of an allocation that may fail.
    expects_failures: bool,
    decided: FxHashSet<(BlockId, usize)>,
    /// Obligations that have evidence if allocations are expected to fail.
    allocated: Vec<(BlockId, usize)>,
}

impl Walk<'_> {
    fn block(&mut self, block: BlockId) {
        let mut here = self.begin(block);
        let body = &self.procedure.blocks.as_deref().unwrap_or_default()[block.0 as usize];
        for (position, statement) in body.statements.iter().enumerate() {
            self.statement(block, position, statement, &mut here);
        }
        match &body.terminator.kind {
            TerminatorKind::Branch(condition, ..) => {
                self.test(block, *condition, &mut here);
            }
            TerminatorKind::Goto(_) | TerminatorKind::Exit(_) => {}
        }
        self.ends[block.0 as usize] = here;
    }

    fn begin(&self, block: BlockId) -> Reached {
        let mut before = self.graph.predecessors(block).iter();
        let mut before = before.by_ref().map(|block| &self.ends[block.0 as usize]);
        let Some(first) = before.next() else { return Reached::default() };
        before.fold(first.clone(), |all, more| Reached {
            tested: union(&all.tested, &more.tested),
            freed: union(&all.freed, &more.freed),
        })
    }

    fn statement(
        &mut self,
        block: BlockId,
        position: usize,
        statement: &Statement,
        here: &mut Reached,
    ) {
        let at = (block.0, position as u32);
        match &statement.kind {
            StatementKind::Assign(pairs) => {
                let values: Vec<Value> =
                    pairs.iter().map(|(_, value)| self.eval(block, *value)).collect();
                for ((place, expr), value) in pairs.iter().zip(values) {
                    match place.path.is_empty() && self.is_memory(place.variable) {
                        true => self.change_memory(block, *expr),
                        false => self.assign(block, place, value),
                    }
                }
            }
            StatementKind::Havoc { place, condition, .. } => {
                let unknown = self.origins.number(OriginKind::Unknown(at.0, at.1));
                if !(place.path.is_empty() && self.is_memory(place.variable)) {
                    self.assign(block, place, Value::of(unknown));
                }
                if let Some(condition) = condition {
                    self.test(block, *condition, here);
                }
            }
            StatementKind::Assume { condition, .. } => self.test(block, *condition, here),
            StatementKind::Assert { condition, kind, .. } => {
                self.assert(block, position, *condition, *kind, here);
                if *kind == AssertKind::Assertion {
                    self.test(block, *condition, here);
                }
            }
            StatementKind::Allocate { place, allocation } => {
                let value = match allocation {
                    Allocation::Atom(_) => {
                        Value::of(self.origins.number(OriginKind::Unknown(at.0, at.1)))
                    }
                    Allocation::Object { size, storage, may_fail } => {
                        let size = self.eval(block, *size).constant.and_then(|size| size.small());
                        let (heap, may_fail) = (*storage == Storage::Heap, *may_fail);
                        let kind = OriginKind::Allocated { at, size, heap, may_fail };
                        Value::of(self.origins.number(kind))
                    }
                };
                self.assign(block, place, value);
            }
            StatementKind::Free(pointer) => {
                let pointer = self.eval(block, *pointer);
                insert(&mut here.freed, &pointer.objects);
            }
            StatementKind::Call { results, caught, .. } => {
                let places = results.iter().chain(caught.iter().map(|(place, _)| place));
                let places = places.chain(caught.iter().filter_map(|(_, place)| place.as_ref()));
                let unknown = self.origins.number(OriginKind::Unknown(at.0, at.1));
                for place in places {
                    self.assign(block, place, Value::of(unknown));
                }
            }
            StatementKind::Unsupported { writes, .. } => {
                let unknown = self.origins.number(OriginKind::Unknown(at.0, at.1));
                for place in writes {
                    self.assign(block, place, Value::of(unknown));
                }
            }
        }
    }

    fn is_memory(&self, variable: Variable) -> bool {
        let ty = match variable {
            Variable::Global(id) => &self.module.global(id).ty,
            Variable::Local(id) => &self.procedure.local(id).ty,
        };
        *ty == Type::Bytes
    }

    fn assign(&mut self, block: BlockId, place: &ir::Place, value: Value) {
        match &place.path[..] {
            [] => {
                self.written[block.0 as usize].insert(place.variable, value);
            }
            [Projection::View { pointer, ty, .. }] => {
                let pointer = self.eval(block, *pointer);
                self.memory.store(&pointer, bytes(ty), &value);
            }
            _ => {
                let value = self.read(block, place.variable).join(&value);
                self.written[block.0 as usize].insert(place.variable, value);
            }
        }
    }

    /// Memory gets the value of an expression: a chain of stores, copies and fills.
    fn change_memory(&mut self, block: BlockId, expr: ExprId) {
        let procedure = self.procedure;
        let mut changes = vec![expr];
        while let Some(expr) = changes.pop() {
            let Expr::Op(op, operands) = procedure.exprs.get(expr) else { continue };
            match op {
                Op::Memory(MemoryOp::Store(ty)) => {
                    let [pointer, value] = [1, 2].map(|at| self.eval(block, operands[at]));
                    self.memory.store(&pointer, bytes(ty), &value);
                    changes.push(operands[0]);
                }
                Op::Memory(MemoryOp::Copy) => {
                    let [to, from, length] = [1, 2, 3].map(|at| self.eval(block, operands[at]));
                    let length = length.constant.and_then(|length| length.small_signed());
                    let (module, origins) = (self.module, &mut self.origins);
                    self.memory.copy(module, origins, &to, &from, length);
                    changes.push(operands[0]);
                }
                Op::Memory(MemoryOp::Fill) => {
                    let [to, byte, _] = [1, 2, 3].map(|at| self.eval(block, operands[at]));
                    let value = Value { constant: None, ..byte };
                    self.memory.store(&Value { offset: None, ..to }, 1, &value);
                    changes.push(operands[0]);
                }
                Op::Ite => changes.extend([operands[1], operands[2]]),
                _ => {}
            }
        }
    }

    /// The value of a variable here: what the block assigned, or what its predecessors hold.
    fn read(&mut self, block: BlockId, variable: Variable) -> Value {
        let mut pending = vec![block];
        while let Some(&at) = pending.last() {
            if self.written[at.0 as usize].contains_key(&variable) {
                pending.pop();
                continue;
            }
            let before = self.graph.predecessors(at);
            let has = |block: &BlockId| self.written[block.0 as usize].contains_key(&variable);
            let missing: Vec<BlockId> =
                before.iter().copied().filter(|block| !has(block)).collect();
            if !missing.is_empty() {
                pending.extend(missing);
                continue;
            }
            let held = before.iter().filter_map(|block| {
                self.written[block.0 as usize].get(&variable)
            });
            let joined = held.cloned().reduce(|all, more| all.join(&more));
            let value = match joined {
                Some(value) => value,
                None => Value::of(self.origins.number(OriginKind::Entry(variable))),
            };
            self.written[at.0 as usize].insert(variable, value);
            pending.pop();
        }
        self.written[block.0 as usize].get(&variable).cloned().unwrap_or_default()
    }

    /// The value of an expression here.
    fn eval(&mut self, block: BlockId, expr: ExprId) -> Value {
        let procedure = self.procedure;
        let mut known: FxHashMap<ExprId, Value> = FxHashMap::default();
        let mut pending = vec![expr];
        while let Some(&id) = pending.last() {
            let operands = procedure.exprs.get(id).operands();
            let missing: Vec<ExprId> =
                operands.iter().copied().filter(|id| !known.contains_key(id)).collect();
            if known.contains_key(&id) || missing.is_empty() {
                pending.pop();
                if !known.contains_key(&id) {
                    let value = self.node(block, id, &known);
                    known.insert(id, value);
                }
                continue;
            }
            pending.extend(missing);
        }
        known.remove(&expr).unwrap_or_default()
    }

    fn node(&mut self, block: BlockId, id: ExprId, known: &FxHashMap<ExprId, Value>) -> Value {
        let exprs = &self.procedure.exprs;
        match exprs.get(id) {
            Expr::Bool(value) => Value::constant(Word::new(1, u64::from(*value))),
            Expr::Bv(width, value) => Value::constant(Word::from_int(*width, value)),
            Expr::Int(value) => {
                Value { zero: value.bits() == 0, ..Value::default() }
            }
            Expr::Null(_) => Value::null(),
            Expr::Read(variable) if self.is_memory(*variable) => Value::default(),
            Expr::Read(variable) => self.read(block, *variable),
            Expr::Apply(function, arguments) => match self.module.object_at(*function) {
                Some(_) => Value::of(self.origins.number(OriginKind::Static(*function))),
                None => mixed(arguments.iter().map(|argument| &known[argument])),
            },
            Expr::Op(op, operands) => {
                let operands: Vec<&Value> = operands.iter().map(|id| &known[id]).collect();
                self.apply(id, op, &operands)
            }
            Expr::Bound(_) | Expr::Old(_) | Expr::Quantified(..) | Expr::Lambda(..) => {
                Value::of(value::ANYTHING)
            }
        }
    }

    fn apply(&mut self, id: ExprId, op: &Op, operands: &[&Value]) -> Value {
        let exprs = &self.procedure.exprs;
        match op {
            Op::Memory(MemoryOp::Load(ty)) => {
                let (module, origins) = (self.module, &mut self.origins);
                self.memory.load(module, origins, operands[1], bytes(ty))
            }
            Op::Memory(MemoryOp::Peek) => {
                let (module, origins) = (self.module, &mut self.origins);
                self.memory.load(module, origins, operands[1], 1)
            }
            Op::Memory(MemoryOp::ObjectSize) => Value {
                constant: self.size(operands[0]).map(|size| Word::new(64, size)),
                ..mixed(operands.iter().copied())
            },
            Op::Memory(_) => mixed(operands.iter().copied()),
            Op::PtrOffset => Value {
                constant: operands[0].offset.map(|offset| Word::signed(64, offset)),
                ..mixed(operands.iter().copied())
            },
            Op::PtrAdd => {
                let distance = operands[1].constant.as_ref().and_then(Word::small_signed);
                let offset = operands[0].offset.zip(distance);
                Value {
                    offset: offset.and_then(|(offset, distance)| offset.checked_add(distance)),
                    depends: operands[0].depends.union(&operands[1].all()),
                    constant: None,
                    ..operands[0].clone()
                }
            }
            Op::PtrToBv => {
                self.compared = self.compared.union(&operands[0].objects);
                mixed(operands.iter().copied())
            }
            Op::BvToPtr => {
                let zero = operands[0].zero || operands[0].constant.is_some();
                Value { objects: operands[0].all(), zero, offset: None, ..mixed(operands.iter().copied()) }
            }
            Op::Eq | Op::PtrSameObject => {
                let Expr::Op(_, sides) = exprs.get(id) else { return Value::default() };
                let is_null = |id: &ExprId| matches!(exprs.get(*id), Expr::Null(_));
                if *exprs.ty(sides[0]) == Type::Ptr && !sides.iter().any(is_null) {
                    let both = operands[0].objects.union(&operands[1].objects);
                    self.compared = self.compared.union(&both);
                }
                self.folded(id, op, operands)
            }
            Op::Ite => {
                let joined = operands[1].join(operands[2]);
                Value { depends: joined.depends.union(&operands[0].all()), ..joined }
            }
            // Parts of a value are that value, as far as origins go.
            Op::Record(_) | Op::Field(..) | Op::WithField(..) | Op::Construct(..)
            | Op::Argument(..) | Op::Select | Op::Store | Op::ConstMap(_) => {
                let joined = operands.iter().fold(Value::default(), |all, more| all.join(more));
                Value { offset: None, constant: None, ..joined }
            }
            _ => self.folded(id, op, operands),
        }
    }

    /// An operator on words: a constant if all operands are.
    fn folded(&self, id: ExprId, op: &Op, operands: &[&Value]) -> Value {
        let exprs = &self.procedure.exprs;
        let mixed = mixed(operands.iter().copied());
        let Expr::Op(_, parts) = exprs.get(id) else { return mixed };
        let concrete = |(value, part): (&&Value, &ExprId)| {
            let word = value.constant.clone()?;
            Some(match exprs.ty(*part) {
                Type::Bool => interpret::Value::Bool(!word.is_zero()),
                _ => interpret::Value::Bv(word),
            })
        };
        let concrete: Option<Vec<_>> = operands.iter().zip(parts).map(concrete).collect();
        let Some(mut concrete) = concrete else { return mixed };
        match apply(&mut ConstantWorld::new(self.module), op, &mut concrete, exprs.ty(id)) {
            Ok(interpret::Value::Bv(word)) => Value { depends: mixed.depends, ..Value::constant(word) },
            Ok(interpret::Value::Bool(truth)) => Value {
                depends: mixed.depends,
                ..Value::constant(Word::new(1, u64::from(truth)))
            },
            _ => mixed,
        }
    }

    /// Executions go on from here only if the condition has the value that it has.
    fn test(&mut self, block: BlockId, condition: ExprId, here: &mut Reached) {
        let tested = self.eval(block, condition).all();
        self.expects_failures |= tested.iter().any(|origin| {
            matches!(self.origins.kind(origin), OriginKind::Allocated { may_fail: true, .. })
        });
        insert(&mut here.tested, &tested);
    }

    fn assert(
        &mut self,
        block: BlockId,
        position: usize,
        condition: ExprId,
        kind: AssertKind,
        here: &Reached,
    ) {
        let place = (block, position);
        let has_evidence = match kind {
            AssertKind::NullDereference => {
                let pointers = self.pointers(block, condition, |op| {
                    matches!(op, Op::PtrSameObject | Op::Eq)
                });
                if pointers.iter().any(|pointer| self.may_fail(pointer)) {
                    self.allocated.push(place);
                }
                pointers.is_empty() || pointers.iter().any(|pointer| {
                    pointer.zero || pointer.objects.is_empty() || is_among(&pointer.objects, &here.tested)
                })
            }
            AssertKind::UseAfterFree | AssertKind::DoubleFree => {
                let pointers = self.pointers(block, condition, |op| {
                    matches!(op, Op::Memory(MemoryOp::IsLive))
                });
                pointers.is_empty() || pointers.iter().any(|pointer| {
                    pointer.objects.is_empty() || self.is_freed(&pointer.objects, &here.freed)
                })
            }
            AssertKind::OutOfBounds => self.may_be_outside(block, condition),
            AssertKind::InvalidFree => {
                let pointers = self.pointers(block, condition, |op| {
                    matches!(op, Op::Memory(MemoryOp::IsHeap))
                });
                pointers.is_empty() || pointers.iter().any(|pointer| self.may_be_invalid(pointer))
            }
            AssertKind::DivisionByZero => self.may_divide(block, condition, here),
            AssertKind::Overflow | AssertKind::Shift => {
                let condition = self.eval(block, condition);
                let is_false = |truth: &Word| truth.is_zero();
                match &condition.constant {
                    Some(truth) => is_false(truth),
                    None => is_among(&condition.all(), &here.tested),
                }
            }
            AssertKind::Uninitialized => {
                self.eval(block, condition).constant.is_none_or(|truth| truth.is_zero())
            }
            AssertKind::Assertion
            | AssertKind::Precondition
            | AssertKind::Postcondition
            | AssertKind::Invariant
            | AssertKind::LoopInvariant
            | AssertKind::Progress
            | AssertKind::Assignable
            | AssertKind::Exception => true,
        };
        if std::env::var_os("EVSTAT").is_some() {
            eprintln!("EV {kind:?} {has_evidence}");
        }
        if has_evidence {
            self.decided.insert(place);
        }
    }

    /// The pointers, literal nulls aside, to which a condition applies one of the selected operators.
    fn pointers(
        &mut self,
        block: BlockId,
        condition: ExprId,
        selected: impl Fn(&Op) -> bool,
    ) -> Vec<Value> {
        let exprs = &self.procedure.exprs;
        let mut found = Vec::new();
        let mut pending = vec![condition];
        while let Some(id) = pending.pop() {
            let expr = exprs.get(id);
            match expr {
                Expr::Op(op, operands) if selected(op) => {
                    let is_pointer = |id: &&ExprId| {
                        *exprs.ty(**id) == Type::Ptr && !matches!(exprs.get(**id), Expr::Null(_))
                    };
                    found.extend(operands.iter().filter(is_pointer).copied());
                }
                _ => pending.extend(expr.operands()),
            }
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|id| self.eval(block, id)).collect()
    }

    /// The size of the object that a pointer points to, if it is constant.
    fn size(&self, pointer: &Value) -> Option<u64> {
        let mut sizes = pointer.objects.iter().map(|origin| match self.origins.kind(origin) {
            OriginKind::Allocated { size, .. } => size,
            OriginKind::Static(address) => {
                let object = &self.module.objects[self.module.object_at(address)?];
                Some(object.size)
            }
            _ => None,
        });
        let first = sizes.next()??;
        sizes.all(|size| size == Some(first)).then_some(first)
    }

    fn may_fail(&self, pointer: &Value) -> bool {
        own_objects(&self.origins, &pointer.objects)
            .any(|kind| matches!(kind, OriginKind::Allocated { may_fail: true, .. }))
    }

    fn is_freed(&self, objects: &Set, freed: &FxHashSet<Origin>) -> bool {
        let may_alias = |origin: Origin| self.compared.iter().any(|one| one == origin);
        is_among(objects, freed)
            || !freed.is_empty()
                && (objects.is_anything()
                    || self.compared.is_anything()
                    || objects.iter().any(may_alias) && freed.iter().copied().any(may_alias))
    }

    fn may_be_invalid(&self, pointer: &Value) -> bool {
        let is_invalid = |kind: OriginKind| match kind {
            OriginKind::Allocated { heap, .. } => !heap,
            OriginKind::Static(_) => true,
            _ => false,
        };
        pointer.objects.is_empty()
            || pointer.objects.is_anything()
            || pointer.offset != Some(0)
            || pointer.objects.iter().any(|origin| {
                is_invalid(self.origins.kind(origin))
                    || self.compared.is_anything()
                    || self.compared.iter().any(|one| one == origin)
            })
    }

    /// Whether an access may leave an object of known size. Objects of the caller are as large as it takes.
    fn may_be_outside(&mut self, block: BlockId, condition: ExprId) -> bool {
        let sizes =
            self.pointers(block, condition, |op| matches!(op, Op::Memory(MemoryOp::ObjectSize)));
        if sizes.is_empty() {
            return true;
        }
        let is_constant = self.eval(block, condition).constant.is_some_and(|truth| !truth.is_zero());
        if is_constant {
            return false;
        }
        let is_known = |kind| matches!(kind, OriginKind::Allocated { .. } | OriginKind::Static(_));
        sizes.iter().any(|pointer| {
            pointer.objects.is_empty()
                || pointer.objects.is_anything()
                || pointer.objects.iter().any(|origin| is_known(self.origins.kind(origin)))
        })
    }

    /// Whether a divisor is anything but an untested input.
    fn may_divide(&mut self, block: BlockId, condition: ExprId, here: &Reached) -> bool {
        let exprs = &self.procedure.exprs;
        let Expr::Op(Op::Not, negated) = exprs.get(condition) else { return true };
        let Expr::Op(Op::Eq, sides) = exprs.get(negated[0]) else { return true };
        let mut divisor = sides[0];
        while let Expr::Op(Op::BvZeroExtend(_) | Op::BvSignExtend(_), operands) = exprs.get(divisor) {
            divisor = operands[0];
        }
        let is_plain = matches!(
            exprs.get(divisor),
            Expr::Read(_) | Expr::Bv(..) | Expr::Op(Op::Memory(MemoryOp::Load(_)), _)
        );
        let value = self.eval(block, divisor);
        !is_plain || value.zero || is_among(&value.all(), &here.tested) || value.depends.iter().count() != 1
    }
}

/// How many bytes a value takes up.
fn bytes(ty: &Type) -> i64 {
    match ty {
        Type::Bv(width) => i64::from(width.div_ceil(8)),
        _ => value::SLOT,
    }
}

/// What is computed from several values.
fn mixed<'v>(values: impl Iterator<Item = &'v Value>) -> Value {
    values.fold(Value::default(), |all, value| Value {
        depends: all.depends.union(&value.all()),
        zero: all.zero || value.zero,
        ..Value::default()
    })
}

fn is_among(origins: &Set, among: &FxHashSet<Origin>) -> bool {
    origins.is_anything()
        || among.contains(&value::ANYTHING)
        || origins.iter().any(|origin| among.contains(&origin))
}

fn insert(set: &mut Rc<FxHashSet<Origin>>, more: &Set) {
    if more.iter().any(|origin| !set.contains(&origin)) {
        Rc::make_mut(set).extend(more.iter());
    }
}

fn union(a: &Rc<FxHashSet<Origin>>, b: &Rc<FxHashSet<Origin>>) -> Rc<FxHashSet<Origin>> {
    if Rc::ptr_eq(a, b) || b.is_subset(a) {
        return a.clone();
    }
    if a.is_subset(b) {
        return b.clone();
    }
    let (mut large, small) = if a.len() < b.len() { (b.clone(), a) } else { (a.clone(), b) };
    Rc::make_mut(&mut large).extend(small.iter().copied());
    large
}

//! Reading and writing: variables of VIR for promoted `alloca`s, memory for the rest.

use bitcode::{RmwOp, TypeId, Value};
use ir::{ExprId, HavocReason, LocalId, Memory, Op, StatementKind, Type};

use crate::body::Body;
use crate::promote::AllocaKind;
use crate::value::InstructionResult;

impl Body<'_, '_> {
    /// The variable that an `alloca` became.
    fn variable_at(&self, pointer: Value) -> Option<LocalId> {
        let Value::Instruction(id) = pointer else { return None };
        match (self.homes[id.index()], self.slots[id.index()]) {
            (AllocaKind::Variable(_), InstructionResult::Variable(local)) => Some(local),
            _ => None,
        }
    }

    pub(crate) fn load(&mut self, pointer: Value, volatile: bool) {
        let id = self.function.instructions[self.at as usize].ty;
        if let Some(local) = self.variable_at(pointer) {
            self.may_read_variable(pointer);
            self.note_read(local);
            let value = self.read(local);
            self.set(value);
            return;
        }
        if self.context.is_opaque(id) {
            return self.give_up("a large value read at once", false);
        }
        let at = self.pointer(pointer);
        self.may_access(pointer, at, self.source.layout(id).store_size());
        let result = self.own_variable();
        if volatile && !self.is_own(pointer) {
            let place = self.place(result);
            let reason = HavocReason::Volatile;
            self.emit(StatementKind::Havoc { place, condition: None, reason });
            return;
        }
        self.may_read_memory(pointer, at, id);
        let value = match self.context.ty(id) {
            Type::Bv(width) if width % 8 == 0 && self.changes_bit_field(self.at) => {
                Some(self.peeked(at, width))
            }
            _ => self.loaded(at, id),
        };
        match value {
            Some(value) => self.assign(result, value),
            None => self.give_up("pointers that are not of 64 bits", false),
        }
    }

    /// The value of a type at a pointer.
    pub(crate) fn loaded(&mut self, at: ExprId, id: TypeId) -> Option<ExprId> {
        let ty = self.context.ty(id);
        match &ty {
            Type::Bool => {
                let byte = self.view(at, Type::Bv(8));
                let low = self.op(Op::BvExtract { low: 0, width: 1 }, &[byte], Type::Bv(1));
                Some(self.is_one(low))
            }
            Type::Bv(width) => {
                let whole = self.view(at, Type::Bv(width.next_multiple_of(8)));
                self.fit(whole, &ty)
            }
            Type::Ptr => self.holds_pointers(id).then(|| self.view(at, Type::Ptr)),
            Type::Record(_) => {
                let parts = self.parts_of(id)?;
                let lanes = self.lanes(&ty)?;
                self.lanewise(&ty, &lanes, |body, lane, _| {
                    let (offset, part) = *parts.get(lane as usize)?;
                    let at = body.move_by(at, offset as i64);
                    body.loaded(at, part)
                })
            }
            _ => None,
        }
    }

    fn view(&mut self, at: ExprId, ty: Type) -> ExprId {
        let memory = self.memory();
        self.op(Op::Memory(Memory::Load(ty.clone())), &[memory, at], ty)
    }

    fn holds_pointers(&self, id: TypeId) -> bool {
        self.source.layout(id).bits == u64::from(ir::ADDRESS_BITS)
    }

    /// The offsets and types of the parts of a value in memory.
    fn parts_of(&self, id: TypeId) -> Option<Vec<(u64, TypeId)>> {
        match &self.source[id] {
            bitcode::Type::Struct(body) => {
                let offsets = self.source.field_offsets(body);
                Some(offsets.into_iter().zip(body.fields.iter().copied()).collect())
            }
            bitcode::Type::Array { count, element }
            | bitcode::Type::Vector { count, element, .. } => {
                // Types with more parts are opaque and do not come here.
                let count = usize::try_from(*count).ok().filter(|count| *count <= 64)?;
                let offset = |position| self.context.offset_of(id, position);
                (0..count).map(|position| Some((offset(position)?, *element))).collect()
            }
            _ => None,
        }
    }

    pub(crate) fn store(&mut self, pointer: Value, value: Value, volatile: bool) {
        let Some(id) = self.type_of(value) else {
            return self.give_up("a value without a type", true);
        };
        if let Some(local) = self.variable_at(pointer) {
            // A parameter that is this variable need not be copied.
            if matches!(value, Value::Argument(number) if LocalId(number) == local) {
                return;
            }
            let ty = self.locals[local.0 as usize].ty.clone();
            let value = self.value_as(value, &ty);
            self.settle(local);
            self.assign(local, value);
            if let Value::Instruction(variable) = pointer {
                self.is_set(variable, true);
            }
            return;
        }
        if self.context.is_opaque(id) {
            return self.give_up("a large value written at once", true);
        }
        let ty = self.context.ty(id);
        let value = self.value_as(value, &ty);
        let at = self.pointer(pointer);
        self.may_access(pointer, at, self.source.layout(id).store_size());
        if self.stored(at, value, id, volatile).is_none() {
            self.give_up("pointers that are not of 64 bits", true);
        }
    }

    /// Writes a value of a type to memory.
    pub(crate) fn stored(
        &mut self,
        at: ExprId,
        value: ExprId,
        id: TypeId,
        volatile: bool,
    ) -> Option<()> {
        let ty = self.context.ty(id);
        let (value, ty) = match &ty {
            Type::Bool => {
                let (one, zero) = (self.word(8, 1), self.word(8, 0));
                (self.op(Op::Ite, &[value, one, zero], Type::Bv(8)), Type::Bv(8))
            }
            Type::Bv(width) => {
                let whole = Type::Bv(width.next_multiple_of(8));
                (self.fit(value, &whole)?, whole)
            }
            Type::Ptr if self.holds_pointers(id) => (value, ty),
            Type::Record(_) => {
                let parts = self.parts_of(id)?;
                for (lane, (offset, part)) in (0..).zip(parts) {
                    let value = self.part(value, lane)?;
                    let at = self.move_by(at, offset as i64);
                    self.stored(at, value, part, volatile)?;
                }
                return Some(());
            }
            _ => return None,
        };
        let place = self.memory_at(at, ty, volatile);
        self.emit(StatementKind::Assign(vec![(place, value)]));
        Some(())
    }

    /// An `alloca` that is not in the first block, or whose size is computed.
    pub(crate) fn dynamic_alloca(
        &mut self,
        label: bitcode::BlockId,
        allocated: TypeId,
        count: Value,
    ) {
        let at = self.at as usize;
        let (AllocaKind::Memory, InstructionResult::Variable(local)) =
            (self.homes[at], self.slots[at])
        else {
            return;
        };
        if label.0 == 0 && self.source.integer(count).is_some() {
            return;
        }
        let word = Type::Bv(ir::ADDRESS_BITS);
        let count = self.value(count);
        let Some(count) = self.fit(count, &word) else {
            return self.give_up("an alloca of no number of elements", false);
        };
        let element = self.word(ir::ADDRESS_BITS, self.source.size_of(allocated));
        let size = self.op(Op::BvMul, &[count, element], word);
        self.allocate_sized(local, size);
    }

    /// `cmpxchg`, in a single thread.
    pub(crate) fn compare_exchange(&mut self, pointer: Value, expected: Value, replacement: Value) {
        let Some(id) = self.type_of(expected) else {
            return self.give_up("a value without a type", true);
        };
        let ty = self.context.ty(id);
        let expected = self.value_as(expected, &ty);
        let replacement = self.value_as(replacement, &ty);
        let at = self.pointer(pointer);
        self.may_access(pointer, at, self.source.layout(id).store_size());
        let Some(before) = self.current(at, id) else {
            return self.give_up("an atomic operation on what is no word", true);
        };
        let matched = self.test(Op::Eq, &[before, expected]);
        let after = self.op(Op::Ite, &[matched, replacement, before], ty.clone());
        let result = self.result_type();
        let Type::Record(record) = result else {
            return self.give_up("an atomic operation on what is no word", true);
        };
        if self.fields(record) != [ty, Type::Bool] {
            return self.give_up("an atomic operation on what is no word", true);
        }
        let both = self.op(Op::Record(record), &[before, matched], result);
        let local = self.own_variable();
        self.assign(local, both);
        let _ = self.stored(at, after, id, false);
    }

    pub(crate) fn read_modify_write(&mut self, op: RmwOp, pointer: Value, value: Value) {
        let Some(id) = self.type_of(value) else {
            return self.give_up("a value without a type", true);
        };
        let ty = self.context.ty(id);
        let b = self.value_as(value, &ty);
        let at = self.pointer(pointer);
        self.may_access(pointer, at, self.source.layout(id).store_size());
        let before = self.current(at, id);
        let after = before.and_then(|a| Some((a, self.modified(op, a, b, &ty)?)));
        let Some((before, after)) = after.filter(|_| self.result_type() == ty) else {
            return self.give_up("an atomic operation on what is no word", true);
        };
        let local = self.own_variable();
        self.assign(local, before);
        let _ = self.stored(at, after, id, false);
    }

    /// The current contents of memory, in a variable of its own, as memory is written before the value is
    /// used.
    fn current(&mut self, at: ExprId, id: TypeId) -> Option<ExprId> {
        let ty = self.context.ty(id);
        if self.context.is_opaque(id) {
            return None;
        }
        let value = self.loaded(at, id)?;
        let local = self.new_local("old", ty);
        self.assign(local, value);
        Some(self.read(local))
    }

    fn modified(&mut self, op: RmwOp, a: ExprId, b: ExprId, ty: &Type) -> Option<ExprId> {
        let word = |op| Some((op, [a, b]));
        let plain = match (op, ty) {
            (RmwOp::Xchg, _) => return Some(b),
            (_, Type::Bool | Type::Ptr | Type::Record(_)) => return None,
            (RmwOp::Add, _) => word(Op::BvAdd),
            (RmwOp::Sub, _) => word(Op::BvSub),
            (RmwOp::And, _) => word(Op::BvAnd),
            (RmwOp::Or, _) => word(Op::BvOr),
            (RmwOp::Xor, _) => word(Op::BvXor),
            _ => None,
        };
        if let Some((op, operands)) = plain {
            return Some(self.op(op, &operands, ty.clone()));
        }
        let by = match op {
            RmwOp::Nand => {
                let both = self.op(Op::BvAnd, &[a, b], ty.clone());
                return Some(self.op(Op::BvNot, &[both], ty.clone()));
            }
            RmwOp::Max => self.test(Op::BvSlt, &[b, a]),
            RmwOp::Min => self.test(Op::BvSlt, &[a, b]),
            RmwOp::UMax => self.test(Op::BvUlt, &[b, a]),
            RmwOp::UMin => self.test(Op::BvUlt, &[a, b]),
            _ => return None,
        };
        Some(self.op(Op::Ite, &[by, a, b], ty.clone()))
    }
}

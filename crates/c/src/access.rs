//! The obligations of a memory access: a pointer that is not null, to an object that is live, with room for
//! the access. Obligations that evidently hold are omitted: variables of the function and static objects
//! exist, and so do their parts.

use bitcode::{AttributeKind, CastOp, ConstantKind, InstructionKind, Value};
use ir::{
    ADDRESS_BITS, AssertKind, AssumeReason, Expr, ExprId, LocalId, Memory, Op, StatementKind, Type,
    Variable,
};

use crate::body::Body;
use crate::limits::{KNOWN_ACCESSES, POINTER_STEPS};
use crate::offset::OffsetStep;

/// Where a pointer comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointerBase {
    pub(crate) base: Value,
    /// The distance from there, if it is constant.
    pub(crate) offset: Option<i64>,
}

impl Body<'_, '_> {
    /// The obligations of accessing a number of bytes at a pointer.
    pub(crate) fn may_access(&mut self, pointer: Value, at: ExprId, bytes: u64) {
        self.note_place(pointer);
        let size = self.word(ADDRESS_BITS, bytes);
        let root = self.root_variable(at).zip(self.distance(at));
        if self.inside.len() > KNOWN_ACCESSES {
            self.inside.clear();
        }
        let key = root.map(|(local, offset)| (local, offset, bytes));
        if let Some(key) = key
            && !self.inside.insert(key)
            && self.live.contains(&key.0)
        {
            return;
        }
        self.may_access_range(pointer, at, size, Some(bytes), None);
    }

    /// The same for a number of bytes that is computed; nothing is asked if there are none.
    pub(crate) fn may_access_some(&mut self, pointer: Value, at: ExprId, size: ExprId) {
        let known = self.constant_word(size).and_then(|size| u64::try_from(size).ok());
        if known == Some(0) {
            return;
        }
        let none = match known {
            Some(_) => None,
            None => {
                let zero = self.word(ADDRESS_BITS, 0);
                Some(self.test(Op::Eq, &[size, zero]))
            }
        };
        self.may_access_range(pointer, at, size, known, none);
    }

    fn may_access_range(
        &mut self,
        pointer: Value,
        at: ExprId,
        size: ExprId,
        known: Option<u64>,
        unless: Option<ExprId>,
    ) {
        let root = self.root(pointer);
        let own_size = self.own_size(root.base);
        if let (Some(own), Some(offset), Some(bytes)) = (own_size, root.offset, known)
            && let Ok(offset) = u64::try_from(offset)
            && offset.checked_add(bytes).is_some_and(|end| end <= own)
        {
            return;
        }
        if own_size.is_none() {
            self.exists(root.base, at, unless);
        }
        let message = match self.lvalue_text(pointer) {
            // The first of several elements adds no information to the array.
            Some(text) if known.is_none_or(|bytes| bytes > 16) => {
                format!("`{}` is out of bounds", text.strip_suffix("[0]").unwrap_or(&text))
            }
            Some(text) => format!("`{text}` is out of bounds"),
            None => "the access is out of bounds".to_owned(),
        };
        let condition = self.in_bounds(at, size);
        let condition = self.unless(unless, condition);
        self.assert(condition, AssertKind::OutOfBounds, message);
    }

    /// The pointer leads to a live object.
    fn exists(&mut self, base: Value, at: ExprId, unless: Option<ExprId>) {
        let local = self.root_variable(at);
        let is_new = |set: &rustc_hash::FxHashSet<LocalId>| local.is_none_or(|l| !set.contains(&l));
        let (ask_null, ask_live) = (is_new(&self.not_null), is_new(&self.live));
        if !ask_null && !ask_live {
            return;
        }
        let text = self.text(base);
        let text = text.map_or("the pointer".to_owned(), |text| format!("`{text}`"));
        let at = self.object_of(at);
        if ask_null {
            let null = self.null();
            let is_null = self.test(Op::PtrSameObject, &[at, null]);
            let condition = self.not(is_null);
            let condition = self.unless(unless, condition);
            self.assert(condition, AssertKind::NullDereference, format!("{text} is null"));
        }
        if ask_live {
            let condition = self.test(Op::Memory(Memory::IsLive), &[at]);
            let condition = self.unless(unless, condition);
            let message = format!("what {text} points to was freed");
            self.assert(condition, AssertKind::UseAfterFree, message);
        }
        if let (Some(local), None) = (local, unless) {
            self.not_null.insert(local);
            self.live.insert(local);
        }
    }

    fn unless(&mut self, unless: Option<ExprId>, condition: ExprId) -> ExprId {
        match unless {
            Some(unless) => self.test(Op::Or, &[unless, condition]),
            None => condition,
        }
    }

    fn in_bounds(&mut self, at: ExprId, size: ExprId) -> ExprId {
        let word = Type::Bv(ADDRESS_BITS);
        let start = self.object_of(at);
        let object = self.op(Op::Memory(Memory::ObjectSize), &[start], word.clone());
        let offset = self.op(Op::PtrOffset, &[at], word.clone());
        let fits = self.test(Op::BvUle, &[size, object]);
        let last = self.op(Op::BvSub, &[object, size], word);
        let within = self.test(Op::BvUle, &[offset, last]);
        self.test(Op::And, &[fits, within])
    }

    /// The distance of a pointer from the simpler one, if it is constant.
    fn distance(&self, pointer: ExprId) -> Option<i64> {
        match self.exprs.get(pointer) {
            Expr::Op(Op::PtrAdd, operands) if self.object_of(pointer) == operands[0] => {
                self.constant_word(operands[1])
            }
            Expr::Op(Op::PtrAdd, _) => None,
            _ => Some(0),
        }
    }

    /// A simpler pointer into the same object.
    fn object_of(&self, mut pointer: ExprId) -> ExprId {
        for _ in 0..POINTER_STEPS {
            match self.exprs.get(pointer) {
                Expr::Op(Op::PtrAdd, operands) => pointer = operands[0],
                _ => break,
            }
        }
        pointer
    }

    /// The variable that holds the pointer into an object of which this is another.
    fn root_variable(&self, pointer: ExprId) -> Option<LocalId> {
        match self.exprs.get(self.object_of(pointer)) {
            Expr::Read(Variable::Local(local)) => Some(*local),
            _ => None,
        }
    }

    /// Where a pointer comes from.
    pub(crate) fn root(&self, pointer: Value) -> PointerBase {
        let mut root = PointerBase { base: pointer, offset: Some(0) };
        for _ in 0..POINTER_STEPS {
            let (base, source, indices) = match root.base {
                Value::Instruction(id) => match &self.function.instructions[id.index()].kind {
                    InstructionKind::GetElementPtr { source, base, indices, .. } => {
                        (*base, *source, indices)
                    }
                    InstructionKind::Cast {
                        op: CastOp::BitCast | CastOp::AddrSpaceCast,
                        operand,
                        ..
                    } => {
                        root.base = *operand;
                        continue;
                    }
                    _ => return root,
                },
                Value::Constant(id) => match &self.source[id].kind {
                    ConstantKind::GetElementPtr { source, base, indices, .. } => {
                        (*base, *source, indices)
                    }
                    _ => return root,
                },
                _ => return root,
            };
            let steps = self.context.steps(source, indices).unwrap_or_default();
            for step in steps {
                root.offset = match step {
                    OffsetStep::Bytes(bytes) => root.offset.and_then(|sum| sum.checked_add(bytes)),
                    OffsetStep::Times(..) => None,
                };
            }
            root.base = base;
        }
        root
    }

    /// The size of an object that exists for sure.
    fn own_size(&self, base: Value) -> Option<u64> {
        match base {
            Value::Instruction(id) => match &self.function.instructions[id.index()].kind {
                InstructionKind::Alloca { allocated, count, .. } => {
                    let count = u64::try_from(self.source.integer(*count)?).ok()?;
                    self.source.size_of(*allocated).checked_mul(count)
                }
                _ => None,
            },
            Value::Argument(number) => self.promised_size(number),
            Value::Global(id) => {
                let address = self.context.globals[id.index()];
                let position = self.context.module.object_at(address)?;
                Some(self.context.module.objects[position].size)
            }
            _ => None,
        }
    }

    /// The size of the object that a parameter points to, if the calling convention promises one: a
    /// structure that is passed in memory, or room for the one that is returned.
    pub(crate) fn promised_size(&self, parameter: u32) -> Option<u64> {
        let list = &self.source[self.function.attributes?];
        let group = list.parameter(self.source, parameter)?;
        let by_value = group.type_of(AttributeKind::ByVal);
        let ty = by_value.or_else(|| group.type_of(AttributeKind::StructRet))?;
        let is_pointer = self.locals[parameter as usize].ty == Type::Ptr;
        is_pointer.then(|| self.source.size_of(ty))
    }

    /// Assumes what the calling convention guarantees about the parameters.
    pub(crate) fn assume_promises(&mut self) {
        for number in 0..self.function.parameters.len() as u32 {
            let Some(bytes) = self.promised_size(number) else { continue };
            let (at, size) = (self.read(LocalId(number)), self.word(ADDRESS_BITS, bytes));
            let null = self.null();
            let is_null = self.test(Op::PtrSameObject, &[at, null]);
            let exists = self.not(is_null);
            let is_live = self.test(Op::Memory(Memory::IsLive), &[at]);
            let fits = self.in_bounds(at, size);
            for condition in [exists, is_live, fits] {
                let reason = AssumeReason::Model;
                self.emit(StatementKind::Assume { condition, reason });
            }
        }
    }

    /// Whether a pointer leads into a variable of the function.
    pub(crate) fn is_own(&self, pointer: Value) -> bool {
        let Value::Instruction(id) = self.root(pointer).base else { return false };
        matches!(self.function.instructions[id.index()].kind, InstructionKind::Alloca { .. })
    }
}

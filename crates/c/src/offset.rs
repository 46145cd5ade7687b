//! Addresses of parts: from indices to bytes, by the data layout.

use bitcode::{TypeId, Value};
use ir::{ADDRESS_BITS, Expr, ExprId, Op, Type};

use crate::body::Body;
use crate::context::Context;

/// One step of an address computation.
pub(crate) enum OffsetStep {
    /// So many bytes further.
    Bytes(i64),
    /// An index times this size.
    Times(Value, u64),
}

impl Context<'_> {
    /// The distance that constant indices lead to.
    pub(crate) fn constant_offset(&self, source: TypeId, indices: &[Value]) -> Option<i64> {
        let mut total = 0i64;
        for step in self.steps(source, indices)? {
            match step {
                OffsetStep::Bytes(bytes) => total = total.wrapping_add(bytes),
                OffsetStep::Times(..) => return None,
            }
        }
        Some(total)
    }

    /// The steps of an address computation; none if they do not fit the type.
    pub(crate) fn steps(&self, source: TypeId, indices: &[Value]) -> Option<Vec<OffsetStep>> {
        let mut steps = Vec::with_capacity(indices.len());
        let mut indices = indices.iter();
        let first = indices.next()?;
        steps.push(self.times(*first, self.source.size_of(source)));
        let mut ty = source;
        for index in indices {
            match &self.source[ty] {
                bitcode::Type::Struct(body) => {
                    let field = usize::try_from(self.source.integer(*index)?).ok()?;
                    ty = *body.fields.get(field)?;
                    steps.push(OffsetStep::Bytes(self.field_offset(body, field) as i64));
                }
                bitcode::Type::Array { element, .. } | bitcode::Type::Vector { element, .. } => {
                    ty = *element;
                    steps.push(self.times(*index, self.source.size_of(ty)));
                }
                _ => return None,
            }
        }
        Some(steps)
    }

    /// The offset of a structure's field. `Module::field_offsets` computes those of all fields.
    pub(crate) fn field_offset(&self, body: &bitcode::StructType, field: usize) -> u64 {
        let mut end = 0u64;
        for (position, ty) in body.fields.iter().enumerate() {
            let layout = self.source.layout(*ty);
            let align = if body.packed { 1 } else { layout.align };
            let start = end.checked_next_multiple_of(align).unwrap_or(u64::MAX);
            if position == field {
                return start;
            }
            end = start.saturating_add(layout.alloc_size());
        }
        end
    }

    fn times(&self, index: Value, size: u64) -> OffsetStep {
        match self.source.integer(index) {
            Some(number) => OffsetStep::Bytes(number.wrapping_mul(size as i64)),
            None => OffsetStep::Times(index, size),
        }
    }
}

impl Body<'_, '_> {
    pub(crate) fn element_pointer(&mut self, source: TypeId, base: Value, indices: &[Value]) {
        if self.result_type() != Type::Ptr {
            return self.give_up("a vector of pointers", false);
        }
        self.may_index(source, base, indices);
        let pointer = self.pointer(base);
        match self.moved(pointer, source, indices) {
            Some(value) => self.set(value),
            None => self.give_up("an address of no part", false),
        }
    }

    /// The pointer that indices lead to.
    pub(crate) fn moved(
        &mut self,
        pointer: ExprId,
        source: TypeId,
        indices: &[Value],
    ) -> Option<ExprId> {
        let word = Type::Bv(ADDRESS_BITS);
        let mut known = 0i64;
        let mut distance = None;
        for step in self.context.steps(source, indices)? {
            match step {
                OffsetStep::Bytes(bytes) => known = known.wrapping_add(bytes),
                OffsetStep::Times(index, size) => {
                    let index = self.value(index);
                    let index = match self.exprs.ty(index) {
                        Type::Bv(width) if *width < ADDRESS_BITS => {
                            self.op(Op::BvSignExtend(ADDRESS_BITS), &[index], word.clone())
                        }
                        Type::Bv(_) => self.fit(index, &word)?,
                        Type::Bool => {
                            let all = self.word(ADDRESS_BITS, -1);
                            let none = self.word(ADDRESS_BITS, 0);
                            self.op(Op::Ite, &[index, all, none], word.clone())
                        }
                        _ => return None,
                    };
                    let bytes = if size == 1 {
                        index
                    } else {
                        let size = self.word(ADDRESS_BITS, size);
                        self.op(Op::BvMul, &[index, size], word.clone())
                    };
                    distance = Some(match distance {
                        None => bytes,
                        Some(sum) => self.op(Op::BvAdd, &[sum, bytes], word.clone()),
                    });
                }
            }
        }
        let moved = self.move_by(pointer, known);
        Some(match distance {
            None => moved,
            Some(bytes) => self.op(Op::PtrAdd, &[moved, bytes], Type::Ptr),
        })
    }

    /// The pointer a number of bytes further.
    pub(crate) fn move_by(&mut self, pointer: ExprId, bytes: i64) -> ExprId {
        if bytes == 0 {
            return pointer;
        }
        let (base, bytes) = match self.exprs.get(pointer) {
            Expr::Op(Op::PtrAdd, operands) => match self.constant_word(operands[1]) {
                Some(before) => (operands[0], before.wrapping_add(bytes)),
                None => (pointer, bytes),
            },
            _ => (pointer, bytes),
        };
        if bytes == 0 {
            return base;
        }
        let bytes = self.word(ADDRESS_BITS, bytes);
        self.op(Op::PtrAdd, &[base, bytes], Type::Ptr)
    }
}

//! Intrinsics that move and set bytes.

use bitcode::Call;
use ir::{ExprId, Memory, Op, Type};

use crate::body::Body;

impl Body<'_, '_> {
    /// `memcpy` and `memmove`: all bytes are read before any is written.
    pub(super) fn move_bytes(&mut self, call: &Call) {
        let Some((to, from, size)) = self.block_operands(call, &Type::Ptr) else {
            return self.give_up("an intrinsic at an unusual type", true);
        };
        self.note_place(call.arguments[0]);
        self.may_access_some(call.arguments[0], to, size);
        self.may_access_some(call.arguments[1], from, size);
        self.copy_memory(to, from, size);
    }

    pub(super) fn fill_bytes(&mut self, call: &Call) {
        let Some((to, byte, size)) = self.block_operands(call, &Type::Bv(8)) else {
            return self.give_up("an intrinsic at an unusual type", true);
        };
        self.note_place(call.arguments[0]);
        self.may_access_some(call.arguments[0], to, size);
        let memory = self.memory();
        let filled = self.op(Op::Memory(Memory::Fill), &[memory, to, byte, size], Type::Bytes);
        self.set_memory(filled);
    }

    /// Where a block begins, what it gets, and how many bytes it has.
    fn block_operands(&mut self, call: &Call, what: &Type) -> Option<(ExprId, ExprId, ExprId)> {
        let to = self.operand(call, 0, &Type::Ptr);
        let what = self.operand(call, 1, what);
        let (to, what, size) = (to?, what?, *call.arguments.get(2)?);
        let size = self.value(size);
        let size = self.fit(size, &Type::Bv(ir::ADDRESS_BITS))?;
        Some((to, what, size))
    }
}

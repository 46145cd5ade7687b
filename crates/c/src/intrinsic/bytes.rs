//! Intrinsics that move and set bytes.

use bitcode::Call;
use ir::{Memory, Op, Type};

use crate::body::Body;

impl Body<'_, '_> {
    /// `memcpy` and `memmove`: all bytes are read before any is written.
    pub(super) fn move_bytes(&mut self, call: &Call) {
        let operands = (
            self.operand(call, 0, &Type::Ptr),
            self.operand(call, 1, &Type::Ptr),
            call.arguments.get(2).copied(),
        );
        let (Some(to), Some(from), Some(size)) = operands else {
            return self.give_up("an intrinsic at an unusual type", true);
        };
        let size = self.value(size);
        let Some(size) = self.fit(size, &Type::Bv(ir::ADDRESS_BITS)) else {
            return self.give_up("an intrinsic at an unusual type", true);
        };
        self.note_place(call.arguments[0]);
        self.may_access_some(call.arguments[0], to, size);
        self.may_access_some(call.arguments[1], from, size);
        self.copy_memory(to, from, size);
    }

    pub(super) fn fill_bytes(&mut self, call: &Call) {
        let operands = (
            self.operand(call, 0, &Type::Ptr),
            self.operand(call, 1, &Type::Bv(8)),
            call.arguments.get(2).copied(),
        );
        let (Some(to), Some(byte), Some(size)) = operands else {
            return self.give_up("an intrinsic at an unusual type", true);
        };
        let size = self.value(size);
        let Some(size) = self.fit(size, &Type::Bv(ir::ADDRESS_BITS)) else {
            return self.give_up("an intrinsic at an unusual type", true);
        };
        self.note_place(call.arguments[0]);
        self.may_access_some(call.arguments[0], to, size);
        let memory = self.memory();
        let filled = self.op(Op::Memory(Memory::Fill), &[memory, to, byte, size], Type::Bytes);
        self.set_memory(filled);
    }
}

//! `va_start` and `va_copy`, as the calling convention of x86-64 has them.
//!
//! A `va_list` has two offsets into the saved registers, the address of the arguments on the stack and the
//! address of those registers. The variadic arguments are unknown, and reading them is trusted like every
//! reliance on the caller.

use bitcode::Call;
use ir::{HavocReason, StatementKind, Type};

use crate::body::Body;

/// The parts of a `va_list`: offset and type.
const PARTS: [(i64, Type); 4] =
    [(0, Type::Bv(32)), (4, Type::Bv(32)), (8, Type::Ptr), (16, Type::Ptr)];

/// How many bytes it has.
const SIZE: u64 = 24;

impl Body<'_, '_> {
    pub(super) fn start_arguments(&mut self, call: &Call) {
        let list = self.operand(call, 0, &Type::Ptr);
        let Some(list) = list.filter(|_| self.has_argument_lists()) else {
            return self.give_up("va_list", true);
        };
        for (offset, ty) in PARTS {
            let value = self.unknown("arguments", ty.clone(), HavocReason::Environment);
            let at = self.move_by(list, offset);
            let place = self.memory_at(at, ty, false);
            self.emit(StatementKind::Assign(vec![(place, value)]));
        }
    }

    pub(super) fn copy_arguments(&mut self, call: &Call) {
        let lists = [0, 1].map(|position| self.operand(call, position, &Type::Ptr));
        let ([Some(to), Some(from)], true) = (lists, self.has_argument_lists()) else {
            return self.give_up("va_list", true);
        };
        let size = self.word(ir::ADDRESS_BITS, SIZE);
        self.copy_memory(to, from, size);
    }

    /// Whether lists of arguments are those of x86-64.
    fn has_argument_lists(&self) -> bool {
        self.source.triple.starts_with("x86_64-")
    }
}

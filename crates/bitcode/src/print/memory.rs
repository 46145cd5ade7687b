//! Allocations, reads and writes as text.

use super::Printer;
use crate::function::Function;
use crate::id::TypeId;
use crate::instruction::{Atomic, Instruction, InstructionKind};
use crate::operation::Align;
use crate::types::Type;
use crate::value::{ConstantKind, Value};

impl Printer<'_> {
    pub(super) fn memory(&mut self, instruction: &Instruction, f: &Function) {
        match &instruction.kind {
            InstructionKind::Alloca { allocated, count, align, in_alloca, swift_error } => {
                self.push("alloca ");
                self.push(if *in_alloca { "inalloca " } else { "" });
                self.push(if *swift_error { "swifterror " } else { "" });
                self.ty(*allocated);
                let ty = self.module.type_of(*count, Some(f));
                if !(self.is_one(*count) && self.is_integer_of(ty, 32)) {
                    self.push(", ");
                    self.typed_value(*count, Some(f));
                }
                self.align(*align);
                if let Type::Pointer { space: space @ 1.. } = self.module[instruction.ty] {
                    self.display(format_args!(", addrspace({space})"));
                }
            }
            InstructionKind::Load { pointer, align, volatile, atomic } => {
                self.push(if atomic.is_some() { "load atomic " } else { "load " });
                self.push(if *volatile { "volatile " } else { "" });
                self.ty(instruction.ty);
                self.push(",");
                self.operands_after(f, &[*pointer]);
                self.atomic(*atomic);
                self.align(*align);
            }
            InstructionKind::Store { pointer, value, align, volatile, atomic } => {
                self.push(if atomic.is_some() { "store atomic" } else { "store" });
                self.push(if *volatile { " volatile" } else { "" });
                self.operands_after(f, &[*value, *pointer]);
                self.atomic(*atomic);
                self.align(*align);
            }
            InstructionKind::CompareExchange {
                pointer,
                expected,
                replacement,
                align,
                volatile,
                weak,
                success,
                failure,
            } => {
                self.push(if *weak { "cmpxchg weak" } else { "cmpxchg" });
                self.push(if *volatile { " volatile" } else { "" });
                self.operands_after(f, &[*pointer, *expected, *replacement]);
                self.atomic(Some(*success));
                self.display(format_args!(" {}", failure.name()));
                self.align(*align);
            }
            InstructionKind::ReadModifyWrite { op, pointer, value, align, volatile, atomic } => {
                self.push(if *volatile { "atomicrmw volatile " } else { "atomicrmw " });
                self.push(op.name());
                self.operands_after(f, &[*pointer, *value]);
                self.atomic(Some(*atomic));
                self.align(*align);
            }
            InstructionKind::Fence(atomic) => {
                self.push("fence");
                self.atomic(Some(*atomic));
            }
            _ => {}
        }
    }

    fn atomic(&mut self, atomic: Option<Atomic>) {
        if let Some(Atomic { ordering, scope }) = atomic {
            let scope = self.module.sync_scope(scope);
            if !scope.is_empty() {
                self.display(format_args!(" syncscope(\"{scope}\")"));
            }
            self.display(format_args!(" {}", ordering.name()));
        }
    }

    fn align(&mut self, align: Option<Align>) {
        if let Some(align) = align {
            self.display(format_args!(", align {}", align.bytes()));
        }
    }

    fn is_one(&self, value: Value) -> bool {
        matches!(value, Value::Constant(id) if self.module[id].kind == ConstantKind::Integer(1))
    }

    /// Whether a type is the integers of a width.
    fn is_integer_of(&self, ty: Option<TypeId>, width: u32) -> bool {
        ty.is_some_and(|ty| self.module[ty] == Type::Integer(width))
    }
}

//! How long the variables of inner blocks live.
//!
//! Clang marks where the lifetime of a variable begins and ends. For most that makes no difference: they are
//! used by name only. A variable whose address is stored in another one is allocated where its block begins
//! and freed where that ends, in each iteration of a loop anew, so that a later use of the address is
//! detected.

use bitcode::{Call, Function, InstructionKind, Value};
use ir::StatementKind;
use rustc_hash::FxHashSet;

use crate::body::Body;
use crate::promote::lifetime_of;
use crate::value::InstructionResult;

/// The variables, by `alloca`, that have a beginning and whose address is kept.
pub(crate) fn scoped(source: &bitcode::Module, function: &Function) -> FxHashSet<u32> {
    let mut beginning = FxHashSet::default();
    let mut kept = FxHashSet::default();
    let mut keep = |value: Value| kept.extend(variable(function, value));
    for instruction in &function.instructions {
        match &instruction.kind {
            InstructionKind::Call(call) => {
                if let Some((true, Value::Instruction(id))) = lifetime_of(source, call) {
                    beginning.insert(id.0);
                }
            }
            InstructionKind::Store { value, .. } => keep(*value),
            InstructionKind::Phi { incoming, .. } => {
                incoming.iter().for_each(|(value, _)| keep(*value));
            }
            InstructionKind::Select { yes, no, .. } => {
                keep(*yes);
                keep(*no);
            }
            _ => {}
        }
    }
    let entry = function.blocks.first().map_or(0..0, |block| block.instructions.clone());
    beginning.retain(|index| entry.contains(index) && kept.contains(index));
    beginning
}

/// The `alloca` that a pointer leads into by constant steps or none.
fn variable(function: &Function, mut pointer: Value) -> Option<u32> {
    // Chains of address computations are short.
    for _ in 0..16 {
        let Value::Instruction(id) = pointer else { return None };
        match &function.instructions[id.index()].kind {
            InstructionKind::Alloca { .. } => return Some(id.0),
            InstructionKind::GetElementPtr { base, .. } => pointer = *base,
            _ => return None,
        }
    }
    None
}

impl Body<'_, '_> {
    /// The life of a variable begins or ends.
    pub(crate) fn lifetime(&mut self, call: &Call) {
        let Some((begins, Value::Instruction(id))) = lifetime_of(self.source, call) else { return };
        if begins {
            self.is_set(id, false);
        }
        let InstructionResult::Variable(local) = self.slots[id.index()] else { return };
        if !self.scoped.contains(&id.0) {
            return;
        }
        let InstructionKind::Alloca { allocated, count, .. } =
            &self.function.instructions[id.index()].kind
        else {
            return;
        };
        if begins {
            let count = self.source.integer(*count).unwrap_or(1);
            let size = self.source.size_of(*allocated).wrapping_mul(count as u64);
            self.settle(local);
            self.allocate(local, size);
            self.clear_gaps(id.0, *allocated);
        } else {
            let pointer = self.read(local);
            self.emit(StatementKind::Free(pointer));
            self.forget_objects();
        }
    }
}

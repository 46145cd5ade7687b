//! The operands of an instruction, visited without copying it.

use bitcode::{Clause, InstructionKind, Value};

/// Calls `visit` on every operand. The values that reach a phi are visited like any other.
pub(crate) fn for_each_operand(kind: &InstructionKind, mut visit: impl FnMut(Value)) {
    match kind {
        InstructionKind::Unary { operand, .. }
        | InstructionKind::Cast { operand, .. }
        | InstructionKind::ExtractValue { aggregate: operand, .. }
        | InstructionKind::Freeze(operand)
        | InstructionKind::VaArg { list: operand }
        | InstructionKind::Alloca { count: operand, .. }
        | InstructionKind::Load { pointer: operand, .. }
        | InstructionKind::Resume(operand)
        | InstructionKind::CleanupReturn { pad: operand, .. }
        | InstructionKind::CatchReturn { pad: operand, .. }
        | InstructionKind::CatchSwitch { parent: operand, .. }
        | InstructionKind::ConditionalBranch { condition: operand, .. }
        | InstructionKind::Switch { condition: operand, .. }
        | InstructionKind::IndirectBranch { address: operand, .. } => visit(*operand),
        InstructionKind::Binary { left: a, right: b, .. }
        | InstructionKind::InsertValue { aggregate: a, element: b, .. }
        | InstructionKind::ExtractElement { vector: a, index: b }
        | InstructionKind::IntegerCompare { left: a, right: b, .. }
        | InstructionKind::FloatCompare { left: a, right: b, .. }
        | InstructionKind::Store { pointer: a, value: b, .. }
        | InstructionKind::ReadModifyWrite { pointer: a, value: b, .. } => {
            visit(*a);
            visit(*b);
        }
        InstructionKind::InsertElement { vector: a, element: b, index: c }
        | InstructionKind::ShuffleVector { left: a, right: b, mask: c }
        | InstructionKind::Select { condition: a, yes: b, no: c, .. }
        | InstructionKind::CompareExchange { pointer: a, expected: b, replacement: c, .. } => {
            visit(*a);
            visit(*b);
            visit(*c);
        }
        InstructionKind::GetElementPtr { base, indices, .. } => {
            visit(*base);
            indices.iter().copied().for_each(visit);
        }
        InstructionKind::Phi { incoming, .. } => {
            incoming.iter().for_each(|(value, _)| visit(*value));
        }
        InstructionKind::Call(call) => {
            visit(call.callee);
            call.arguments.iter().copied().for_each(&mut visit);
            for bundle in &call.bundles {
                bundle.operands.iter().copied().for_each(&mut visit);
            }
        }
        InstructionKind::LandingPad { clauses, .. } => {
            for Clause::Catch(value) | Clause::Filter(value) in clauses {
                visit(*value);
            }
        }
        InstructionKind::CatchPad { parent, arguments }
        | InstructionKind::CleanupPad { parent, arguments } => {
            visit(*parent);
            arguments.iter().copied().for_each(visit);
        }
        InstructionKind::Return(value) => value.iter().copied().for_each(visit),
        InstructionKind::Fence(_) | InstructionKind::Branch(_) | InstructionKind::Unreachable => {}
    }
}

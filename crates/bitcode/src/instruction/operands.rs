//! Walking over the operands and successors of an instruction.

use super::{CallKind, Clause, InstructionKind};
use crate::id::BlockId;
use crate::value::Value;

impl InstructionKind {
    /// Call `visit` on every operand, in no particular order.
    pub(crate) fn for_each_operand(&mut self, mut visit: impl FnMut(&mut Value)) {
        match self {
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
            | InstructionKind::IndirectBranch { address: operand, .. } => visit(operand),
            InstructionKind::Binary { left: a, right: b, .. }
            | InstructionKind::InsertValue { aggregate: a, element: b, .. }
            | InstructionKind::ExtractElement { vector: a, index: b }
            | InstructionKind::IntegerCompare { left: a, right: b, .. }
            | InstructionKind::FloatCompare { left: a, right: b, .. }
            | InstructionKind::Store { pointer: a, value: b, .. }
            | InstructionKind::ReadModifyWrite { pointer: a, value: b, .. } => {
                visit(a);
                visit(b);
            }
            InstructionKind::InsertElement { vector: a, element: b, index: c }
            | InstructionKind::ShuffleVector { left: a, right: b, mask: c }
            | InstructionKind::Select { condition: a, yes: b, no: c, .. }
            | InstructionKind::CompareExchange {
                pointer: a, expected: b, replacement: c, ..
            } => {
                visit(a);
                visit(b);
                visit(c);
            }
            InstructionKind::GetElementPtr { base, indices, .. } => {
                visit(base);
                indices.iter_mut().for_each(visit);
            }
            InstructionKind::Phi { incoming, .. } => {
                incoming.iter_mut().for_each(|(value, _)| visit(value));
            }
            InstructionKind::Call(call) => {
                visit(&mut call.callee);
                call.arguments.iter_mut().for_each(&mut visit);
                for bundle in &mut call.bundles {
                    bundle.operands.iter_mut().for_each(&mut visit);
                }
            }
            InstructionKind::LandingPad { clauses, .. } => {
                for Clause::Catch(value) | Clause::Filter(value) in clauses {
                    visit(value);
                }
            }
            InstructionKind::CatchPad { parent, arguments }
            | InstructionKind::CleanupPad { parent, arguments } => {
                visit(parent);
                arguments.iter_mut().for_each(visit);
            }
            InstructionKind::Return(value) => value.iter_mut().for_each(visit),
            InstructionKind::Switch { condition, cases, .. } => {
                visit(condition);
                cases.iter_mut().for_each(|(value, _)| visit(value));
            }
            InstructionKind::Fence(_)
            | InstructionKind::Branch(_)
            | InstructionKind::Unreachable => {}
        }
    }

    /// The operands, in no particular order.
    pub fn operands(&self) -> Vec<Value> {
        let mut operands = Vec::new();
        self.clone().for_each_operand(|value| operands.push(*value));
        operands
    }

    /// Whether this ends a basic block.
    pub fn is_terminator(&self) -> bool {
        match self {
            InstructionKind::Return(_)
            | InstructionKind::Branch(_)
            | InstructionKind::ConditionalBranch { .. }
            | InstructionKind::Switch { .. }
            | InstructionKind::IndirectBranch { .. }
            | InstructionKind::Resume(_)
            | InstructionKind::CleanupReturn { .. }
            | InstructionKind::CatchReturn { .. }
            | InstructionKind::CatchSwitch { .. }
            | InstructionKind::Unreachable => true,
            InstructionKind::Call(call) => match call.kind {
                CallKind::Call { .. } => false,
                CallKind::Invoke { .. } | CallKind::Branch { .. } => true,
            },
            InstructionKind::Unary { .. }
            | InstructionKind::Binary { .. }
            | InstructionKind::Cast { .. }
            | InstructionKind::GetElementPtr { .. }
            | InstructionKind::ExtractValue { .. }
            | InstructionKind::InsertValue { .. }
            | InstructionKind::ExtractElement { .. }
            | InstructionKind::InsertElement { .. }
            | InstructionKind::ShuffleVector { .. }
            | InstructionKind::IntegerCompare { .. }
            | InstructionKind::FloatCompare { .. }
            | InstructionKind::Select { .. }
            | InstructionKind::Phi { .. }
            | InstructionKind::Freeze(_)
            | InstructionKind::VaArg { .. }
            | InstructionKind::Alloca { .. }
            | InstructionKind::Load { .. }
            | InstructionKind::Store { .. }
            | InstructionKind::CompareExchange { .. }
            | InstructionKind::ReadModifyWrite { .. }
            | InstructionKind::Fence(_)
            | InstructionKind::LandingPad { .. }
            | InstructionKind::CatchPad { .. }
            | InstructionKind::CleanupPad { .. } => false,
        }
    }

    /// The successor blocks; repeated if several edges lead to one.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            InstructionKind::Branch(target) | InstructionKind::CatchReturn { target, .. } => {
                vec![*target]
            }
            InstructionKind::ConditionalBranch { yes, no, .. } => vec![*yes, *no],
            InstructionKind::Switch { default, cases, .. } => {
                std::iter::once(*default).chain(cases.iter().map(|&(_, block)| block)).collect()
            }
            InstructionKind::IndirectBranch { targets, .. } => targets.to_vec(),
            InstructionKind::CleanupReturn { unwind, .. } => unwind.iter().copied().collect(),
            InstructionKind::CatchSwitch { handlers, unwind, .. } => {
                handlers.iter().chain(unwind).copied().collect()
            }
            InstructionKind::Call(call) => match &call.kind {
                CallKind::Call { .. } => Vec::new(),
                CallKind::Invoke { normal, unwind } => vec![*normal, *unwind],
                CallKind::Branch { fallthrough, targets } => {
                    std::iter::once(*fallthrough).chain(targets.iter().copied()).collect()
                }
            },
            InstructionKind::Return(_)
            | InstructionKind::Resume(_)
            | InstructionKind::Unreachable
            | InstructionKind::Unary { .. }
            | InstructionKind::Binary { .. }
            | InstructionKind::Cast { .. }
            | InstructionKind::GetElementPtr { .. }
            | InstructionKind::ExtractValue { .. }
            | InstructionKind::InsertValue { .. }
            | InstructionKind::ExtractElement { .. }
            | InstructionKind::InsertElement { .. }
            | InstructionKind::ShuffleVector { .. }
            | InstructionKind::IntegerCompare { .. }
            | InstructionKind::FloatCompare { .. }
            | InstructionKind::Select { .. }
            | InstructionKind::Phi { .. }
            | InstructionKind::Freeze(_)
            | InstructionKind::VaArg { .. }
            | InstructionKind::Alloca { .. }
            | InstructionKind::Load { .. }
            | InstructionKind::Store { .. }
            | InstructionKind::CompareExchange { .. }
            | InstructionKind::ReadModifyWrite { .. }
            | InstructionKind::Fence(_)
            | InstructionKind::LandingPad { .. }
            | InstructionKind::CatchPad { .. }
            | InstructionKind::CleanupPad { .. } => Vec::new(),
        }
    }
}

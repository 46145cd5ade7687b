//! Instructions as text.

use super::Printer;
use crate::function::Function;
use crate::id::{BlockId, InstructionId};
use crate::instruction::{Clause, Instruction, InstructionKind};
use crate::operation::FastMath;
use crate::types::Type;
use crate::value::Value;

impl Printer<'_> {
    pub(super) fn instruction(
        &mut self,
        id: InstructionId,
        instruction: &Instruction,
        f: &Function,
    ) {
        self.push("  ");
        if let Some(name) = &instruction.name {
            self.push("%");
            self.name(name);
            self.push(" = ");
        } else if self.module[instruction.ty] != Type::Void {
            let number = self.numbering.instruction(id);
            self.display(format_args!("%{number} = "));
        }
        self.kind(instruction, f);
        if let Some(location) = &instruction.location {
            self.display(format_args!(", !dbg {}:{}", location.line, location.column));
            if let Some(scope) = location.scope {
                self.display(format_args!(" scope !{scope}"));
            }
            if let Some(call) = location.inlined_at {
                self.display(format_args!(" inlined !{call}"));
            }
        }
        for (kind, node) in f.attachments(id) {
            let name = self.module.metadata_kind(kind);
            self.display(format_args!(", !{name} "));
            self.metadata_operand(Some(node), None);
        }
        self.push("\n");
    }

    fn kind(&mut self, instruction: &Instruction, f: &Function) {
        match &instruction.kind {
            InstructionKind::Unary { op, operand, fast_math } => {
                self.push(op.name());
                self.fast_math(*fast_math);
                self.operands_after(f, &[*operand]);
            }
            InstructionKind::Binary { op, left, right, flags, fast_math } => {
                self.push(op.name());
                self.overflow_flags(*flags);
                self.fast_math(*fast_math);
                self.push(" ");
                self.typed_value(*left, Some(f));
                self.push(", ");
                self.value(*right, Some(f));
            }
            InstructionKind::Cast { op, operand, flags, fast_math } => {
                self.push(op.name());
                self.fast_math(*fast_math);
                self.overflow_flags(*flags);
                self.operands_after(f, &[*operand]);
                self.push(" to ");
                self.ty(instruction.ty);
            }
            InstructionKind::GetElementPtr { source, base, indices, flags } => {
                self.push("getelementptr");
                self.pointer_flags(*flags);
                self.push(" ");
                self.ty(*source);
                self.push(", ");
                self.typed_value(*base, Some(f));
                for &index in indices {
                    self.push(", ");
                    self.typed_value(index, Some(f));
                }
            }
            InstructionKind::ExtractValue { aggregate, indices } => {
                self.push("extractvalue");
                self.operands_after(f, &[*aggregate]);
                self.path(indices);
            }
            InstructionKind::InsertValue { aggregate, element, indices } => {
                self.push("insertvalue");
                self.operands_after(f, &[*aggregate, *element]);
                self.path(indices);
            }
            InstructionKind::ExtractElement { vector, index } => {
                self.push("extractelement");
                self.operands_after(f, &[*vector, *index]);
            }
            InstructionKind::InsertElement { vector, element, index } => {
                self.push("insertelement");
                self.operands_after(f, &[*vector, *element, *index]);
            }
            InstructionKind::ShuffleVector { left, right, mask } => {
                self.push("shufflevector");
                self.operands_after(f, &[*left, *right, *mask]);
            }
            InstructionKind::IntegerCompare { predicate, left, right } => {
                self.display(format_args!("icmp {} ", predicate.name()));
                self.typed_value(*left, Some(f));
                self.push(", ");
                self.value(*right, Some(f));
            }
            InstructionKind::FloatCompare { predicate, left, right, fast_math } => {
                self.push("fcmp");
                self.fast_math(*fast_math);
                self.display(format_args!(" {} ", predicate.name()));
                self.typed_value(*left, Some(f));
                self.push(", ");
                self.value(*right, Some(f));
            }
            InstructionKind::Select { condition, yes, no, fast_math } => {
                self.push("select");
                self.fast_math(*fast_math);
                self.operands_after(f, &[*condition, *yes, *no]);
            }
            InstructionKind::Phi { incoming, fast_math } => {
                self.push("phi");
                self.fast_math(*fast_math);
                self.push(" ");
                self.ty(instruction.ty);
                self.push(" ");
                self.list(incoming, |p, &(value, block)| {
                    p.push("[ ");
                    p.value(value, Some(f));
                    p.push(", ");
                    p.label(block, Some(f));
                    p.push(" ]");
                });
            }
            InstructionKind::Freeze(operand) => {
                self.push("freeze");
                self.operands_after(f, &[*operand]);
            }
            InstructionKind::VaArg { list } => {
                self.push("va_arg");
                self.operands_after(f, &[*list]);
                self.push(", ");
                self.ty(instruction.ty);
            }
            InstructionKind::Alloca { .. }
            | InstructionKind::Load { .. }
            | InstructionKind::Store { .. }
            | InstructionKind::CompareExchange { .. }
            | InstructionKind::ReadModifyWrite { .. }
            | InstructionKind::Fence(_) => self.memory(instruction, f),
            InstructionKind::Call(call) => self.call(call, f),
            InstructionKind::LandingPad { cleanup, clauses } => {
                self.push("landingpad ");
                self.ty(instruction.ty);
                self.push(if *cleanup { "\n          cleanup" } else { "" });
                for clause in clauses {
                    let (word, value) = match clause {
                        Clause::Catch(value) => ("catch ", value),
                        Clause::Filter(value) => ("filter ", value),
                    };
                    self.push("\n          ");
                    self.push(word);
                    self.typed_value(*value, Some(f));
                }
            }
            InstructionKind::CatchPad { parent, arguments } => {
                self.pad("catchpad", *parent, arguments, f);
            }
            InstructionKind::CleanupPad { parent, arguments } => {
                self.pad("cleanuppad", *parent, arguments, f);
            }
            InstructionKind::Return(None) => self.push("ret void"),
            InstructionKind::Return(Some(value)) => {
                self.push("ret");
                self.operands_after(f, &[*value]);
            }
            InstructionKind::Branch(target) => {
                self.push("br ");
                self.labelled(*target, f);
            }
            InstructionKind::ConditionalBranch { condition, yes, no } => {
                self.push("br");
                self.operands_after(f, &[*condition]);
                for &target in [yes, no] {
                    self.push(", ");
                    self.labelled(target, f);
                }
            }
            InstructionKind::Switch { condition, default, cases } => {
                self.push("switch");
                self.operands_after(f, &[*condition]);
                self.push(", ");
                self.labelled(*default, f);
                self.push(" [");
                for &(value, block) in cases {
                    self.push("\n    ");
                    self.typed_value(value, Some(f));
                    self.push(", ");
                    self.labelled(block, f);
                }
                self.push("\n  ]");
            }
            InstructionKind::IndirectBranch { address, targets } => {
                self.push("indirectbr");
                self.operands_after(f, &[*address]);
                self.push(", ");
                self.label_list(targets, f);
            }
            InstructionKind::Resume(value) => {
                self.push("resume");
                self.operands_after(f, &[*value]);
            }
            InstructionKind::CleanupReturn { pad, unwind } => {
                self.push("cleanupret from ");
                self.value(*pad, Some(f));
                self.unwind(*unwind, f);
            }
            InstructionKind::CatchReturn { pad, target } => {
                self.push("catchret from ");
                self.value(*pad, Some(f));
                self.push(" to ");
                self.labelled(*target, f);
            }
            InstructionKind::CatchSwitch { parent, handlers, unwind } => {
                self.push("catchswitch within ");
                self.value(*parent, Some(f));
                self.push(" ");
                self.label_list(handlers, f);
                self.unwind(*unwind, f);
            }
            InstructionKind::Unreachable => self.push("unreachable"),
        }
    }

    /// A space, then operands with their types.
    pub(super) fn operands_after(&mut self, f: &Function, operands: &[Value]) {
        self.push(" ");
        self.list(operands, |p, &value| p.typed_value(value, Some(f)));
    }

    pub(super) fn labelled(&mut self, block: BlockId, f: &Function) {
        self.push("label ");
        self.label(block, Some(f));
    }

    pub(super) fn label_list(&mut self, blocks: &[BlockId], f: &Function) {
        self.push("[");
        self.list(blocks, |p, &block| p.labelled(block, f));
        self.push("]");
    }

    fn path(&mut self, indices: &[u32]) {
        for index in indices {
            self.display(format_args!(", {index}"));
        }
    }

    pub(super) fn fast_math(&mut self, flags: FastMath) {
        for name in flags.names() {
            self.push(" ");
            self.push(name);
        }
    }
}

//! Inline assembly. Its results are unknown, but its constraints limit what it may change: its outputs, its
//! memory operands, and, with a memory clobber, all of memory.
//!
//! An empty text only moves values (a compiler barrier, a value hidden from the optimiser). Some instructions
//! are known to access their operands only, although a memory clobber keeps accesses in order. With a segment
//! register the address is not that of the operand's object.

use bitcode::{AttributeKind, Call, InlineAsmId, TypeId, Value};
use ir::{ExprId, HavocReason, Op, StatementKind, Type};

use crate::body::Body;

/// The operand of a constraint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operand {
    /// Part of the result.
    Output,
    /// An argument; the number of the output that it starts as, if it is tied to one.
    Input(Option<usize>),
    /// An argument that is the address of memory, and whether it is written.
    Memory { written: bool },
    /// A label to jump to.
    Label,
    /// All of memory may change.
    AllMemory,
    /// A register or flag that is lost.
    Other,
}

impl Body<'_, '_> {
    pub(crate) fn assembly(&mut self, id: InlineAsmId, call: &Call) {
        let asm = &self.source[id];
        let operands: Vec<Operand> = asm.constraints.split(',').map(parse).collect();
        let text = instructions(&asm.text);
        let clobbers = operands.contains(&Operand::AllMemory);
        if clobbers && !text.is_empty() && !touches_operands_only(&text) {
            let first = text.split([' ', ';', '\t', '\n']).next().unwrap_or("");
            return self.give_up(&format!("inline assembly: {first}"), true);
        }
        if !text.is_empty() && !text.contains("%gs:") && !text.contains("%fs:") {
            self.change_memory(&operands, call, clobbers);
        }
        self.set_outputs(&operands, call, text.is_empty());
    }

    /// Changes the memory operands: those that are written, or all if the text may write any.
    fn change_memory(&mut self, operands: &[Operand], call: &Call, all: bool) {
        let mut arguments = 0..;
        for operand in operands {
            let written = match operand {
                Operand::Input(_) => {
                    arguments.next();
                    continue;
                }
                Operand::Memory { written } => *written || all,
                Operand::Output | Operand::Label | Operand::AllMemory | Operand::Other => continue,
            };
            let Some(number) = arguments.next() else { return };
            let Some((pointer, ty)) = self.memory_operand(call, number) else { continue };
            let at = self.pointer(pointer);
            self.may_access(pointer, at, self.source.layout(ty).store_size());
            if written {
                self.change(at, ty);
            }
        }
    }

    /// A memory operand and the type of what it leads to.
    fn memory_operand(&self, call: &Call, number: u32) -> Option<(Value, TypeId)> {
        let pointer = *call.arguments.get(number as usize)?;
        let group = self.source[call.attributes?].parameter(self.source, number)?;
        let ty = self.type_of(pointer)?;
        let is_pointer = matches!(self.source[ty], bitcode::Type::Pointer { .. });
        is_pointer.then_some(())?;
        Some((pointer, group.type_of(AttributeKind::ElementType)?))
    }

    /// Writes an unknown value of a type.
    fn change(&mut self, at: ExprId, ty: TypeId) {
        let value_type = self.context.ty(ty);
        let value = self.unknown("changed", value_type, HavocReason::Environment);
        if self.context.is_opaque(ty) || self.stored(at, value, ty, false).is_none() {
            self.unsupported("inline assembly on a large object", true);
        }
    }

    /// The outputs: unknown, but for those that an empty text leaves as they were.
    fn set_outputs(&mut self, operands: &[Operand], call: &Call, unchanged: bool) {
        let ty = self.function.instructions[self.at as usize].ty;
        if matches!(self.source[ty], bitcode::Type::Void) {
            return;
        }
        let ty = self.context.ty(ty);
        let outputs = operands.iter().filter(|operand| **operand == Operand::Output).count();
        if !unchanged {
            let local = self.own_variable();
            let place = self.place(local);
            let reason = HavocReason::Environment;
            return self.emit(StatementKind::Havoc { place, condition: None, reason });
        }
        let value = match (&ty, outputs) {
            (_, 1) => self.output(operands, call, 0, &ty),
            (Type::Record(record), _) => {
                let record = *record;
                let fields = self.lanes(&ty).unwrap_or_default();
                let parts: Vec<ExprId> = (0..)
                    .zip(&fields)
                    .map(|(output, field)| self.output(operands, call, output, field))
                    .collect();
                if parts.is_empty() {
                    return self.give_up("inline assembly on a large value", false);
                }
                self.op(Op::Record(record), &parts, ty.clone())
            }
            _ => return self.give_up("inline assembly on a large value", false),
        };
        self.set(value);
    }

    /// An output of an empty text: the input that is tied to it, or anything.
    fn output(&mut self, operands: &[Operand], call: &Call, output: usize, ty: &Type) -> ExprId {
        let mut arguments = call.arguments.iter();
        for operand in operands {
            match operand {
                Operand::Input(tied) => {
                    let argument = arguments.next();
                    if let Some(value) = argument.filter(|_| *tied == Some(output)) {
                        let value = self.value(*value);
                        if self.exprs.ty(value) == ty {
                            return value;
                        }
                    }
                }
                Operand::Memory { .. } => {
                    arguments.next();
                }
                Operand::Output | Operand::Label | Operand::AllMemory | Operand::Other => {}
            }
        }
        self.unknown("output", ty.clone(), HavocReason::Environment)
    }
}

fn parse(constraint: &str) -> Operand {
    match constraint {
        "~{memory}" => Operand::AllMemory,
        _ if constraint.starts_with('~') => Operand::Other,
        _ if constraint.starts_with('!') => Operand::Label,
        _ => match constraint.strip_prefix('=') {
            Some(rest) if rest.trim_start_matches('&').starts_with('*') => {
                Operand::Memory { written: true }
            }
            Some(_) => Operand::Output,
            None if constraint.starts_with('*') => Operand::Memory { written: false },
            None => Operand::Input(constraint.parse().ok()),
        },
    }
}

/// The text without what is for other sections of the object file, labels and comments.
fn instructions(text: &str) -> String {
    let mut depth = 0;
    let mut kept = Vec::new();
    for line in text.split('\n') {
        let line = line.trim();
        if line.starts_with(".pushsection") {
            depth += 1;
        } else if line.starts_with(".popsection") {
            depth = 0i32.max(depth - 1);
        } else if depth == 0 {
            let line = line.split(['#']).next().unwrap_or("").trim();
            let is_label = line.ends_with(':') && !line.contains(' ');
            if !(line.is_empty() || is_label || line.starts_with("/*") || line.starts_with('.')) {
                kept.push(line);
            }
        }
    }
    kept.join("\n")
}

/// Whether the instructions are known to change nothing but their operands.
fn touches_operands_only(text: &str) -> bool {
    const KNOWN: [&str; 24] = [
        "lock", "xchg", "xadd", "cmpxchg", "bt", "inc", "dec", "add", "sub", "or", "and", "xor",
        "mov", "mfence", "lfence", "sfence", "sti", "cli", "rep; nop", "rep;nop", "pause", "nop",
        "pushf", "popf",
    ];
    text.split('\n').all(|line| {
        let line = line.trim_start();
        let first = line.trim_start_matches("lock;").trim_start_matches("lock").trim_start();
        let target = if first.is_empty() { line } else { first };
        KNOWN.iter().any(|known| target.starts_with(known))
    })
}

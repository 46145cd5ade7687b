//! Bytes that belong to no field of a variable, but are read nevertheless: clang passes a small structure in
//! registers by reading it as words, padding included, and changes a bit-field by reading its word. On the
//! machine such bytes are arbitrary; here they are zero. In an allocated structure with bit-fields they are
//! unknown, so their words are checked byte by byte.

use bitcode::{InstructionId, InstructionKind, MetadataId, TypeId, Value};
use ir::{ExprId, Local, Memory, Mode, Op, Type};

use crate::body::Body;
use crate::context::Context;
use crate::debug_types::member;
use crate::promote::AllocaKind;
use crate::value::InstructionResult;

/// The largest structure that is passed in registers.
const IN_REGISTERS: u64 = 16;

impl Context<'_> {
    /// Marks the bytes of a type that a field of the source holds.
    fn mark(&self, ty: TypeId, at: u64, members: &[u64], held: &mut [bool; IN_REGISTERS as usize]) {
        match &self.source[ty] {
            bitcode::Type::Struct(body) => {
                // Which member of a union holds its bytes is not known.
                if body.name.as_deref().is_some_and(|name| name.starts_with("union.")) {
                    return;
                }
                for (position, field) in body.fields.iter().enumerate() {
                    let at = at + self.field_offset(body, position);
                    let byte = bitcode::Type::Integer(8);
                    let is_bytes = match &self.source[*field] {
                        bitcode::Type::Array { element, .. } => self.source[*element] == byte,
                        other => *other == byte,
                    };
                    // Bytes that the source has no name for are padding; fields that hold nothing
                    // may be many.
                    if self.source.size_of(*field) > 0 && (!is_bytes || members.contains(&at)) {
                        self.mark(*field, at, members, held);
                    }
                }
            }
            bitcode::Type::Array { count, element } => {
                let size = self.source.size_of(*element);
                for position in 0..(*count).min(IN_REGISTERS) {
                    if size > 0 {
                        self.mark(*element, at + position * size, members, held);
                    }
                }
            }
            _ => {
                let end = (at + self.source.layout(ty).store_size()).min(IN_REGISTERS);
                held[at.min(end) as usize..end as usize].fill(true);
            }
        }
    }
}

impl Body<'_, '_> {
    /// Sets the padding of small structures, and variables that hold bit-fields, to zero.
    pub(crate) fn clear_padding(&mut self) {
        let function = self.function;
        for (index, instruction) in (0u32..).zip(&function.instructions) {
            match &instruction.kind {
                InstructionKind::Alloca { allocated, .. }
                    if self.homes[index as usize] == AllocaKind::Memory
                        && !self.scoped.contains(&index) =>
                {
                    self.clear_gaps(index, *allocated);
                }
                InstructionKind::Load { pointer: Value::Instruction(id), .. }
                    if self.changes_bit_field(index) =>
                {
                    self.clear_bit_field(id.0);
                }
                _ => {}
            }
        }
    }

    /// Whether an instruction reads the word of a bit-field in order to write it back.
    pub(crate) fn changes_bit_field(&self, index: u32) -> bool {
        let following = &self.function.instructions[index as usize..];
        let [load, rest @ ..] = following else { return false };
        let InstructionKind::Load { pointer: from, .. } = &load.kind else { return false };
        let is_word = load.name.as_deref().is_some_and(|name| name.starts_with("bf.load"));
        // The value is cut, shifted and put in between.
        is_word
            && rest.iter().take(5).any(|instruction| {
                matches!(&instruction.kind, InstructionKind::Store { pointer, .. } if pointer == from)
            })
    }

    /// The word at a pointer, of which some bytes may never have been written.
    pub(crate) fn peeked(&mut self, at: ExprId, width: u32) -> ExprId {
        let mut word = None;
        for offset in 0..width / 8 {
            let at = self.move_by(at, i64::from(offset));
            let memory = self.memory();
            let byte = self.op(Op::Memory(Memory::Peek), &[memory, at], Type::Bv(8));
            word = Some(match word {
                None => byte,
                Some(low) => self.op(Op::BvConcat, &[byte, low], Type::Bv(8 * (offset + 1))),
            });
        }
        word.unwrap_or_else(|| self.word(width, 0))
    }

    /// Sets the padding of a variable to zero, if it is a small structure.
    pub(crate) fn clear_gaps(&mut self, index: u32, ty: TypeId) {
        let is_small = self.source.size_of(ty) <= IN_REGISTERS;
        if !is_small || !matches!(self.source[ty], bitcode::Type::Struct(_)) {
            return;
        }
        let mut held = [false; IN_REGISTERS as usize];
        // A variable that the source has no name for holds what was put there on purpose.
        let variable = self.variables.get(&Value::Instruction(InstructionId(index)));
        if let Some(variable) = variable.and_then(|id| self.source.metadata.local_variable(*id)) {
            let members = self.members(variable.ty);
            self.context.mark(ty, 0, &members, &mut held);
        }
        let size = self.source.size_of(ty) as usize;
        let mut at = 0;
        while at < size {
            let gap = held[at..size].iter().take_while(|held| !**held).count();
            if gap > 0 {
                self.clear(index, at as i64, gap as u64);
            }
            at += gap.max(1);
        }
    }

    /// Where a small structure of the source has members.
    fn members(&self, ty: Option<MetadataId>) -> Vec<u64> {
        let has_member = |offset: &u64| {
            ty.is_some_and(|ty| member(&self.source.metadata, ty, *offset).is_some())
        };
        (0..IN_REGISTERS).filter(has_member).collect()
    }

    fn clear_bit_field(&mut self, index: u32) {
        let InstructionResult::Variable(local) = self.slots[index as usize] else { return };
        let Local { ty, mode, .. } = self.locals[local.0 as usize].clone();
        // A parameter has a value.
        if matches!(self.homes[index as usize], AllocaKind::Variable(_))
            && mode != Mode::Parameter
            && self.cleared.insert(index)
        {
            let zero = self.default_of(&ty);
            self.assign(local, zero);
        }
    }

    /// Sets bytes of an object that exists from the start to zero.
    fn clear(&mut self, index: u32, offset: i64, bytes: u64) {
        let is_in_entry =
            self.function.blocks.first().is_some_and(|block| block.instructions.contains(&index));
        let InstructionResult::Variable(local) = self.slots[index as usize] else { return };
        if !is_in_entry {
            return;
        }
        let pointer = self.read(local);
        let at = self.move_by(pointer, offset);
        let (memory, zero) = (self.memory(), self.word(8, 0));
        let size = self.word(ir::ADDRESS_BITS, bytes);
        let filled = self.op(Op::Memory(Memory::Fill), &[memory, at, zero, size], Type::Bytes);
        self.set_memory(filled);
    }
}

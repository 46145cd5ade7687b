//! Where values are used: it decides which of them are written down as variables.
//!
//! A value that is only used in the block that computes it stays an expression; one that other
//! blocks use goes to a variable of its own. A value that reaches a phi is used at the end of the
//! block it comes from.

use bitcode::{Function, InstructionKind, Value};

use crate::operands::for_each_operand;

/// The uses of the results of a function's instructions.
pub(crate) struct Uses {
    /// How often each is used.
    pub(crate) count: Vec<u32>,
    /// Whether each is used in another block.
    pub(crate) crosses: Vec<bool>,
    /// The last instruction of its own block that uses each.
    pub(crate) last: Vec<u32>,
    /// How often each is an address that is written to.
    pub(crate) stores: Vec<u32>,
    /// How often each parameter is used.
    pub(crate) parameters: Vec<u32>,
}

impl Uses {
    pub(crate) fn of(function: &Function) -> Uses {
        let instructions = function.instructions.len();
        let mut blocks = vec![0; instructions];
        for (number, block) in (0u32..).zip(&function.blocks) {
            for index in block.instructions.clone() {
                blocks[index as usize] = number;
            }
        }
        let mut uses = Uses {
            count: vec![0; instructions],
            crosses: vec![false; instructions],
            last: vec![0; instructions],
            stores: vec![0; instructions],
            parameters: vec![0; function.parameters.len()],
        };
        for (index, instruction) in (0u32..).zip(&function.instructions) {
            let block = blocks[index as usize];
            if let InstructionKind::Store { pointer: Value::Instruction(id), .. } =
                &instruction.kind
            {
                uses.stores[id.index()] += 1;
            }
            if let InstructionKind::Phi { incoming, .. } = &instruction.kind {
                for (value, from) in incoming {
                    let end = function.blocks[from.index()].instructions.end;
                    uses.note(&blocks, *value, from.0, end);
                }
            } else {
                for_each_operand(&instruction.kind, |value| {
                    uses.note(&blocks, value, block, index);
                });
            }
        }
        uses
    }

    fn note(&mut self, blocks: &[u32], value: Value, block: u32, at: u32) {
        match value {
            Value::Instruction(id) => {
                let id = id.index();
                self.count[id] += 1;
                if blocks[id] == block {
                    self.last[id] = self.last[id].max(at);
                } else {
                    self.crosses[id] = true;
                }
            }
            Value::Argument(number) => self.parameters[number as usize] += 1,
            Value::Constant(_)
            | Value::Global(_)
            | Value::Function(_)
            | Value::Alias(_)
            | Value::Ifunc(_)
            | Value::InlineAsm(_)
            | Value::Block(_)
            | Value::Metadata(_) => {}
        }
    }
}

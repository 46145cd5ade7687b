//! The function being read, and the values its instructions refer to.
//!
//! Operands are stored as distances back from the next value number. One that points forward, to
//! an instruction not yet read, is noted and resolved when the function is complete.

use super::{Decoder, Fields};
use crate::error::Error;
use crate::function::{Block, DebugLocation, DebugRecord, DebugRecordKind};
use crate::id::{BlockId, FunctionId, InstructionId, MetadataId, MetadataKindId, TypeId};
use crate::instruction::{Bundle, Instruction, InstructionKind};
use crate::metadata::node::DebugNode;
use crate::types::Type;
use crate::value::Value;

/// Set in the id of an instruction that has been referred to but not read: the rest of the id is
/// then its value number.
const FORWARD: u32 = 1 << 31;

/// The function being read.
pub(super) struct Body {
    pub id: FunctionId,
    pub instructions: Vec<Instruction>,
    pub blocks: Vec<Block>,
    pub block_count: u32,
    /// Instructions with operands still to be resolved, and whether the current one is such.
    pub forward: Vec<usize>,
    pub refers_forward: bool,
    /// For the call that follows.
    pub bundles: Vec<Bundle>,
    pub location: Option<DebugLocation>,
    pub debug_records: Vec<(InstructionId, DebugRecord)>,
    pub attachments: Vec<(InstructionId, MetadataKindId, MetadataId)>,
}

impl Decoder<'_> {
    /// An operand stored as its distance back from the next value number.
    #[inline]
    pub(super) fn operand(&self, body: &mut Body, fields: &mut Fields<'_>) -> Result<Value, Error> {
        let distance = fields.next()?;
        self.numbered(body, fields, self.relative(distance))
    }

    /// An operand and its type, which is stored only if the operand is still to come.
    #[inline]
    pub(super) fn typed_operand(
        &self,
        body: &mut Body,
        fields: &mut Fields<'_>,
    ) -> Result<(Value, TypeId), Error> {
        let number = self.relative(fields.next()?);
        let value = self.numbered(body, fields, number)?;
        let ty = match self.value_types.get(number as usize) {
            Some(&ty) => ty,
            None => {
                let number = fields.next()?;
                self.ty(fields, number)?
            }
        };
        Ok((value, ty))
    }

    /// The number that lies `distance` before the next; the file counts in 32 bits.
    pub(super) fn relative(&self, distance: u64) -> u32 {
        (self.values.len() as u32).wrapping_sub(distance as u32)
    }

    /// The value with that number, or a note to look it up when the function is complete.
    pub(super) fn numbered(
        &self,
        body: &mut Body,
        fields: &Fields<'_>,
        number: u32,
    ) -> Result<Value, Error> {
        match self.values.get(number as usize) {
            Some(&value) => Ok(value),
            None if number < FORWARD => {
                body.refers_forward = true;
                Ok(Value::Instruction(InstructionId(FORWARD | number)))
            }
            None => Err(fields.malformed("a reference to a value that does not exist")),
        }
    }

    /// A block of the function.
    pub(super) fn block(
        &self,
        body: &Body,
        fields: &Fields<'_>,
        number: u64,
    ) -> Result<BlockId, Error> {
        if number < u64::from(body.block_count) {
            Ok(BlockId(number as u32))
        } else {
            Err(fields.malformed("a reference to a block that does not exist"))
        }
    }

    pub(super) fn resolve_forward(&mut self, body: &mut Body, byte: usize) -> Result<(), Error> {
        let mut dangling = false;
        let mut resolve = |value: &mut Value| {
            if let Value::Instruction(InstructionId(id)) = *value
                && id >= FORWARD
            {
                match self.values.get((id & !FORWARD) as usize) {
                    Some(&known) => *value = known,
                    None => dangling = true,
                }
            }
        };
        for &index in &body.forward {
            body.instructions[index].kind.for_each_operand(&mut resolve);
        }
        for &index in &self.forward_nodes {
            if let DebugNode::Value(value) = &mut self.module.metadata.nodes[index] {
                resolve(value);
            }
        }
        for (_, record) in &mut body.debug_records {
            if let DebugRecordKind::SimpleValue { value, .. } = &mut record.kind {
                resolve(value);
            }
        }
        if dangling {
            return Err(Error::Malformed {
                byte,
                what: "a reference to a value that does not exist",
            });
        }
        Ok(())
    }

    /// A value in a metadata node, by its number.
    pub(super) fn value_or_forward(
        &mut self,
        fields: &Fields<'_>,
        number: u64,
        node: usize,
    ) -> Result<Value, Error> {
        match usize::try_from(number).ok().and_then(|number| self.values.get(number)) {
            Some(&value) => Ok(value),
            None if number < u64::from(FORWARD) && self.metadata_shared != usize::MAX => {
                self.forward_nodes.push(node);
                Ok(Value::Instruction(InstructionId(FORWARD | number as u32)))
            }
            None => Err(fields.malformed("a reference to a value that does not exist")),
        }
    }

    pub(super) fn add_instruction(
        &mut self,
        body: &mut Body,
        kind: InstructionKind,
        ty: TypeId,
        fields: &Fields<'_>,
    ) -> Result<(), Error> {
        let index = body.instructions.len();
        if body.blocks.len() >= body.block_count as usize || index >= FORWARD as usize {
            return Err(fields.malformed("an instruction outside all blocks"));
        }
        let id = InstructionId(index as u32);
        if std::mem::take(&mut body.refers_forward) {
            body.forward.push(index);
        }
        let ends_block = kind.is_terminator();
        body.instructions.push(Instruction { kind, ty, name: None, location: None });
        if ends_block {
            let start = body.blocks.last().map_or(0, |block| block.instructions.end);
            body.blocks.push(Block { name: None, instructions: start..id.0 + 1 });
        }
        if self.module[ty] != Type::Void {
            self.values.push(Value::Instruction(id));
            self.value_types.push(ty);
        }
        Ok(())
    }
}

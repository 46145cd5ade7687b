//! The body of a function: its blocks, and the tables that go with them.

use llvm_bitcode::schema::blocks::{BlockId as BlockKind, FunctionCode as Code, ValueSymtabCode};

use super::body::Body;
use super::{Decoder, Fields};
use crate::bitstream::{Block as Stream, Entry, Record};
use crate::container::text;
use crate::error::Error;
use crate::function::{DebugLocation, DebugRecord, DebugRecordKind};
use crate::id::{InstructionId, TypeId};
use crate::instruction::InstructionKind;
use crate::value::Value;

impl<'a> Decoder<'a> {
    pub(super) fn read_function(
        &mut self,
        mut block: Stream<'a>,
        record: &mut Record<'a>,
    ) -> Result<(), Error> {
        let Some(id) = self.bodies.pop_front() else {
            return Err(Error::Malformed { byte: block.byte(), what: "a body without a function" });
        };
        let module_values = self.values.len();
        if self.metadata_shared == usize::MAX {
            self.metadata_shared = self.module.metadata.nodes.len();
        }
        self.metadata_local = self.module.metadata.nodes.len();
        self.forward_nodes.clear();
        for (number, parameter) in (0..).zip(&self.module.functions[id.index()].parameters) {
            self.values.push(Value::Argument(number));
            self.value_types.push(parameter.ty);
        }
        let mut body = Body {
            id,
            instructions: Vec::new(),
            blocks: Vec::new(),
            block_count: 0,
            forward: Vec::new(),
            refers_forward: false,
            bundles: Vec::new(),
            location: None,
            debug_records: Vec::new(),
            attachments: Vec::new(),
        };
        loop {
            match self.next(&mut block, record)? {
                Entry::Block(inner) => self.read_function_block(&mut body, inner, record)?,
                Entry::Record => {
                    let left = block.remaining_bits();
                    self.read_function_record(&mut body, record, left)?;
                }
                Entry::End => break,
            }
        }
        if body.blocks.len() != body.block_count as usize {
            return Err(Error::Malformed {
                byte: block.byte(),
                what: "a function that ends within a block",
            });
        }
        self.resolve_forward(&mut body, block.byte())?;
        self.values.truncate(module_values);
        self.value_types.truncate(module_values);
        let function = &mut self.module.functions[id.index()];
        body.debug_records.sort_by_key(|entry| entry.0);
        body.attachments.sort_by_key(|entry| entry.0);
        function.instructions = body.instructions;
        function.blocks = body.blocks;
        function.debug_records = body.debug_records;
        function.attachments = body.attachments;
        Ok(())
    }

    fn read_function_block(
        &mut self,
        body: &mut Body,
        block: Stream<'a>,
        record: &mut Record<'a>,
    ) -> Result<(), Error> {
        match u8::try_from(block.id).ok().and_then(|id| BlockKind::try_from(id).ok()) {
            Some(BlockKind::Constants) => self.read_constants(block, record),
            Some(BlockKind::Metadata) => self.read_metadata(block, record),
            Some(BlockKind::ValueSymtab) => self.read_symbols(body, block, record),
            Some(BlockKind::MetadataAttachment) => self.read_attachments(body, block, record),
            _ => Ok(()),
        }
    }

    fn read_function_record(
        &mut self,
        body: &mut Body,
        record: &Record<'_>,
        left: usize,
    ) -> Result<(), Error> {
        let mut fields = Fields::new(record);
        let Some(code) = u8::try_from(record.code).ok().and_then(|code| Code::try_from(code).ok())
        else {
            return Err(fields.unsupported("function", record.code));
        };
        match code {
            Code::DeclareBlocks => {
                let count = fields.next()?;
                // Each block ends in a record of at least one byte.
                if count == 0 || count > left as u64 / 8 + 1 || body.block_count != 0 {
                    return Err(fields.malformed("an impossible number of blocks"));
                }
                body.block_count = count as u32;
                Ok(())
            }
            Code::DebugLoc => {
                body.location = Some(DebugLocation {
                    line: fields.u32()?,
                    column: fields.u32()?,
                    scope: self.node_or_null(fields.next()?),
                    inlined_at: self.node_or_null(fields.next()?),
                    implicit: fields.or_zero() != 0,
                });
                locate(body, &fields)
            }
            Code::DebugLocAgain => locate(body, &fields),
            Code::DebugRecordValue
            | Code::DebugRecordDeclare
            | Code::DebugRecordAssign
            | Code::DebugRecordValueSimple
            | Code::DebugRecordLabel => self.read_debug_record(body, code, &mut fields),
            Code::OperandBundle => {
                let bundle = self.read_bundle(body, &mut fields)?;
                body.bundles.push(bundle);
                Ok(())
            }
            // Says which functions must be read first when reading lazily.
            Code::BlockaddrUsers => Ok(()),
            _ => {
                let Some((kind, ty)) = self.read_instruction(body, code, &mut fields)? else {
                    return Err(fields.unsupported("function", record.code));
                };
                self.add_instruction(body, kind, ty, &fields)
            }
        }
    }

    fn read_instruction(
        &mut self,
        body: &mut Body,
        code: Code,
        fields: &mut Fields<'_>,
    ) -> Result<Option<(InstructionKind, TypeId)>, Error> {
        if let Some(read) = self.read_scalar(body, code, fields)? {
            return Ok(Some(read));
        }
        if let Some(read) = self.read_memory(body, code, fields)? {
            return Ok(Some(read));
        }
        if let Some(read) = self.read_call(body, code, fields)? {
            return Ok(Some(read));
        }
        Ok(self.read_control(body, code, fields)?.map(|kind| (kind, self.void)))
    }

    fn read_debug_record(
        &mut self,
        body: &mut Body,
        code: Code,
        fields: &mut Fields<'_>,
    ) -> Result<(), Error> {
        let Some(last) = body.instructions.len().checked_sub(1) else {
            return Err(fields.malformed("a debug record before all instructions"));
        };
        let location = Some(self.node(fields)?);
        let variable = self.node(fields)?;
        let kind = if code == Code::DebugRecordLabel {
            DebugRecordKind::Label
        } else {
            let expression = self.node(fields)?;
            match code {
                Code::DebugRecordDeclare => {
                    DebugRecordKind::Declare { address: self.node(fields)?, expression }
                }
                Code::DebugRecordValueSimple => {
                    let (value, _) = self.typed_operand(body, fields)?;
                    body.refers_forward = false;
                    DebugRecordKind::SimpleValue { value, expression }
                }
                Code::DebugRecordAssign => DebugRecordKind::Assign {
                    value: self.node(fields)?,
                    expression,
                    id: self.node(fields)?,
                    address_expression: self.node(fields)?,
                    address: self.node(fields)?,
                },
                _ => DebugRecordKind::Value { value: self.node(fields)?, expression },
            }
        };
        // The record follows the instruction in the file but precedes it in the program.
        body.debug_records
            .push((InstructionId(last as u32), DebugRecord { kind, variable, location }));
        Ok(())
    }

    fn read_symbols(
        &mut self,
        body: &mut Body,
        mut block: Stream<'a>,
        record: &mut Record<'a>,
    ) -> Result<(), Error> {
        while self.next_record(&mut block, record)? {
            let mut fields = Fields::new(record);
            if record.code == ValueSymtabCode::Entry as u32 {
                let number = fields.next()?;
                let name = Some(text(fields.rest()).into());
                match self.value(&fields, number)? {
                    Value::Argument(index) => {
                        self.module.functions[body.id.index()].parameters[index as usize].name =
                            name;
                    }
                    Value::Instruction(id) => body.instructions[id.index()].name = name,
                    _ => {}
                }
            } else if record.code == ValueSymtabCode::BbEntry as u32 {
                let number = fields.next()?;
                let block =
                    usize::try_from(number).ok().and_then(|number| body.blocks.get_mut(number));
                let block =
                    block.ok_or(fields.malformed("a name for a block that does not exist"))?;
                block.name = Some(text(fields.rest()).into());
            }
        }
        Ok(())
    }

    fn read_attachments(
        &mut self,
        body: &mut Body,
        mut block: Stream<'a>,
        record: &mut Record<'a>,
    ) -> Result<(), Error> {
        while self.next_record(&mut block, record)? {
            let mut fields = Fields::new(record);
            if fields.len().is_multiple_of(2) {
                // An even number of operands: attached to the function itself.
                let attached = self.attached(&mut fields)?;
                self.module.functions[body.id.index()].metadata.extend(attached);
                continue;
            }
            let number = fields.next()?;
            if number >= body.instructions.len() as u64 {
                return Err(
                    fields.malformed("metadata attached to an instruction that does not exist")
                );
            }
            let id = InstructionId(number as u32);
            let attached = self.attached(&mut fields)?;
            body.attachments.extend(attached.into_iter().map(|(kind, node)| (id, kind, node)));
        }
        Ok(())
    }
}

/// Give the last instruction the current location.
fn locate(body: &mut Body, fields: &Fields<'_>) -> Result<(), Error> {
    match (body.instructions.last_mut(), body.location) {
        (Some(instruction), Some(location)) => {
            instruction.location = Some(location);
            Ok(())
        }
        _ => Err(fields.malformed("a location for no instruction")),
    }
}

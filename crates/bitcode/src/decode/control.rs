//! Instructions that end a block, other than calls.

use llvm_bitcode::schema::blocks::FunctionCode as Code;

use super::body::Body;
use super::{Decoder, Fields};
use crate::error::Error;
use crate::instruction::InstructionKind;

impl Decoder<'_> {
    /// Read the instruction if it is of this file's kind. None of them has a result.
    pub(super) fn read_control(
        &mut self,
        body: &mut Body,
        code: Code,
        fields: &mut Fields<'_>,
    ) -> Result<Option<InstructionKind>, Error> {
        Ok(Some(match code {
            Code::Ret => {
                let value = if fields.is_empty() {
                    None
                } else {
                    Some(self.typed_operand(body, fields)?.0)
                };
                InstructionKind::Return(value)
            }
            Code::Br => {
                let number = fields.next()?;
                let yes = self.block(body, fields, number)?;
                match fields.optional() {
                    None => InstructionKind::Branch(yes),
                    Some(number) => {
                        let no = self.block(body, fields, number)?;
                        let condition = self.operand(body, fields)?;
                        InstructionKind::ConditionalBranch { condition, yes, no }
                    }
                }
            }
            Code::Switch => self.read_switch(body, fields)?,
            Code::IndirectBr => {
                let _type = fields.next()?;
                let address = self.operand(body, fields)?;
                let targets = fields.rest().iter().map(|&number| self.block(body, fields, number));
                InstructionKind::IndirectBranch {
                    address,
                    targets: targets.collect::<Result<_, Error>>()?,
                }
            }
            Code::Unreachable => InstructionKind::Unreachable,
            Code::Resume => InstructionKind::Resume(self.typed_operand(body, fields)?.0),
            Code::CleanupRet => {
                let pad = self.operand(body, fields)?;
                let unwind =
                    fields.optional().map(|number| self.block(body, fields, number)).transpose()?;
                InstructionKind::CleanupReturn { pad, unwind }
            }
            Code::CatchRet => {
                let pad = self.operand(body, fields)?;
                let number = fields.next()?;
                InstructionKind::CatchReturn { pad, target: self.block(body, fields, number)? }
            }
            _ => return Ok(None),
        }))
    }

    fn read_switch(
        &mut self,
        body: &mut Body,
        fields: &mut Fields<'_>,
    ) -> Result<InstructionKind, Error> {
        let _type = fields.next()?;
        let condition = self.operand(body, fields)?;
        let number = fields.next()?;
        let default = self.block(body, fields, number)?;
        let mut cases = Vec::with_capacity(fields.len() / 2);
        while !fields.is_empty() {
            // Case values are stored by their number: they are constants and come before.
            let (value, block) = (fields.next()?, fields.next()?);
            cases.push((self.value(fields, value)?, self.block(body, fields, block)?));
        }
        Ok(InstructionKind::Switch { condition, default, cases: cases.into() })
    }
}

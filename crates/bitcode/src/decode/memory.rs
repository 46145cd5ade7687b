//! Instructions that allocate, read or write memory.

use llvm_bitcode::schema::blocks::FunctionCode as Code;

use super::body::Body;
use super::{Decoder, Fields, operations};
use crate::error::Error;
use crate::id::TypeId;
use crate::instruction::{Atomic, InstructionKind};
use crate::operation::Align;
use crate::types::{StructType, Type};

impl Decoder<'_> {
    /// Read the instruction if it is of this file's kind.
    pub(super) fn read_memory(
        &mut self,
        body: &mut Body,
        code: Code,
        fields: &mut Fields<'_>,
    ) -> Result<Option<(InstructionKind, TypeId)>, Error> {
        Ok(Some(match code {
            Code::Alloca => self.read_alloca(body, fields)?,
            Code::Load | Code::LoadAtomic => {
                let (pointer, _) = self.typed_operand(body, fields)?;
                let number = fields.next()?;
                let ty = self.ty(fields, number)?;
                let align = Align::decode(fields.next()?);
                let volatile = fields.bool()?;
                let atomic = if code == Code::LoadAtomic { read_atomic(fields)? } else { None };
                (InstructionKind::Load { pointer, align, volatile, atomic }, ty)
            }
            Code::Store | Code::StoreAtomic => {
                let (pointer, _) = self.typed_operand(body, fields)?;
                let (value, _) = self.typed_operand(body, fields)?;
                let align = Align::decode(fields.next()?);
                let volatile = fields.bool()?;
                let atomic = if code == Code::StoreAtomic { read_atomic(fields)? } else { None };
                (InstructionKind::Store { pointer, value, align, volatile, atomic }, self.void)
            }
            Code::AtomicCmpXchg => self.read_compare_exchange(body, fields)?,
            Code::AtomicRmw => {
                let (pointer, _) = self.typed_operand(body, fields)?;
                let (value, ty) = self.typed_operand(body, fields)?;
                let Some(op) = operations::read_modify_write(fields.next()?) else {
                    return Ok(None);
                };
                let volatile = fields.bool()?;
                let atomic = required(read_atomic(fields)?, fields)?;
                let align = Align::decode(fields.or_zero());
                (
                    InstructionKind::ReadModifyWrite {
                        op,
                        pointer,
                        value,
                        align,
                        volatile,
                        atomic,
                    },
                    ty,
                )
            }
            Code::Fence => {
                let atomic = required(read_atomic(fields)?, fields)?;
                (InstructionKind::Fence(atomic), self.void)
            }
            Code::VaArg => {
                let _list_type = fields.next()?;
                let list = self.operand(body, fields)?;
                let number = fields.next()?;
                (InstructionKind::VaArg { list }, self.ty(fields, number)?)
            }
            _ => return Ok(None),
        }))
    }

    fn read_alloca(
        &mut self,
        body: &mut Body,
        fields: &mut Fields<'_>,
    ) -> Result<(InstructionKind, TypeId), Error> {
        let number = fields.next()?;
        let allocated = self.ty(fields, number)?;
        let _count_type = fields.next()?;
        // The one operand that is stored by its number.
        let number = fields.u32()?;
        let count = self.numbered(body, fields, number)?;
        let packed = fields.next()?;
        if packed & 1 << 6 == 0 {
            return Err(fields.malformed("an allocation without an explicit type"));
        }
        let align = Align::decode(packed & 0x1f | (packed >> 8 & 7) << 5);
        let space =
            fields.optional().map_or(self.module.data_layout.alloca_space, |space| space as u32);
        let kind = InstructionKind::Alloca {
            allocated,
            count,
            align,
            in_alloca: packed & 1 << 5 != 0,
            swift_error: packed & 1 << 7 != 0,
        };
        Ok((kind, self.pointer(space)))
    }

    fn read_compare_exchange(
        &mut self,
        body: &mut Body,
        fields: &mut Fields<'_>,
    ) -> Result<(InstructionKind, TypeId), Error> {
        let (pointer, _) = self.typed_operand(body, fields)?;
        let (expected, ty) = self.typed_operand(body, fields)?;
        let replacement = self.operand(body, fields)?;
        let volatile = fields.bool()?;
        let success = required(read_atomic(fields)?, fields)?;
        let failure = operations::ordering(fields.next()?)
            .ok_or(fields.malformed("an atomic operation without an ordering"))?;
        let weak = fields.bool()?;
        let align = Align::decode(fields.or_zero());
        let flag = self.intern(Type::Integer(1));
        let result = StructType { name: None, packed: false, fields: Box::new([ty, flag]) };
        let kind = InstructionKind::CompareExchange {
            pointer,
            expected,
            replacement,
            align,
            volatile,
            weak,
            success,
            failure,
        };
        Ok((kind, self.intern(Type::Struct(result))))
    }
}

fn read_atomic(fields: &mut Fields<'_>) -> Result<Option<Atomic>, Error> {
    let ordering = operations::ordering(fields.next()?);
    let scope = fields.u32()?;
    Ok(ordering.map(|ordering| Atomic { ordering, scope }))
}

fn required(atomic: Option<Atomic>, fields: &Fields<'_>) -> Result<Atomic, Error> {
    atomic.ok_or(fields.malformed("an atomic operation without an ordering"))
}

//! Constants and constant expressions.
//!
//! A constant may use others that follow it, so operands are first noted by number and replaced
//! when the block is complete.
// Some records that the schema calls deprecated are what clang 15 to 18 write.
#![allow(deprecated)]

use llvm_bitcode::schema::blocks::ConstantsCodes as Code;

use super::fields::signed;
use super::operations;
use super::{Decoder, Fields};
use crate::bitstream::{Block, Record};
use crate::container::text;
use crate::error::Error;
use crate::id::{BlockId, ConstantId, InlineAsmId, TypeId};
use crate::types::Type;
use crate::value::{Constant, ConstantKind, InlineAsm, Value};

impl<'a> Decoder<'a> {
    pub(super) fn read_constants(
        &mut self,
        mut block: Block<'a>,
        record: &mut Record<'a>,
    ) -> Result<(), Error> {
        let first = self.module.constants.len();
        let mut ty = self.intern(Type::Integer(32));
        while self.next_record(&mut block, record)? {
            let mut fields = Fields::new(record);
            let Some(code) =
                u8::try_from(record.code).ok().and_then(|code| Code::try_from(code).ok())
            else {
                return Err(fields.unsupported("constants", record.code));
            };
            match code {
                Code::Settype => {
                    let number = fields.next()?;
                    ty = self.ty(&fields, number)?;
                    continue;
                }
                Code::InlineAsm | Code::InlineAsmOld3 | Code::InlineAsmOld2 => {
                    let id = InlineAsmId(self.module.inline_asms.len() as u32);
                    let asm = self.read_inline_asm(code == Code::InlineAsm, ty, &mut fields)?;
                    self.module.inline_asms.push(asm);
                    self.values.push(Value::InlineAsm(id));
                }
                _ => {
                    let id = ConstantId(self.module.constants.len() as u32);
                    let Some(kind) = self.read_constant(code, ty, &mut fields)? else {
                        return Err(fields.unsupported("constants", record.code));
                    };
                    self.module.constants.push(Constant { ty, kind });
                    self.values.push(Value::Constant(id));
                }
            }
            self.value_types.push(ty);
        }
        self.resolve_constants(first, block.byte())
    }

    /// Replace the numbers of operands by values, in the constants from `first` on.
    fn resolve_constants(&mut self, first: usize, byte: usize) -> Result<(), Error> {
        let mut dangling = false;
        for constant in &mut self.module.constants[first..] {
            constant.kind.for_each_operand(|operand| {
                if let Value::Constant(number) = *operand {
                    match self.values.get(number.index()) {
                        Some(
                            value @ (Value::Constant(_)
                            | Value::Global(_)
                            | Value::Function(_)
                            | Value::Alias(_)
                            | Value::Ifunc(_)),
                        ) => *operand = *value,
                        _ => dangling = true,
                    }
                }
            });
        }
        if dangling {
            return Err(Error::Malformed {
                byte,
                what: "a constant uses a value that is not constant",
            });
        }
        Ok(())
    }

    fn read_constant(
        &mut self,
        code: Code,
        ty: TypeId,
        fields: &mut Fields<'_>,
    ) -> Result<Option<ConstantKind>, Error> {
        Ok(Some(match code {
            Code::Null => ConstantKind::Null,
            Code::Undef => ConstantKind::Undef,
            Code::Poison => ConstantKind::Poison,
            Code::Integer => ConstantKind::Integer(signed(fields.next()?)),
            Code::WideInteger => ConstantKind::WideInteger(
                fields.rest().iter().map(|&word| signed(word) as u64).collect(),
            ),
            Code::Float => ConstantKind::Float(self.read_float(ty, fields)?),
            Code::Aggregate => {
                ConstantKind::Aggregate(fields.rest().iter().map(|&n| numbered(n)).collect())
            }
            Code::String => ConstantKind::String(fields.rest().iter().map(|&c| c as u8).collect()),
            Code::CString => {
                let characters = fields.rest().iter().map(|&c| c as u8);
                ConstantKind::String(characters.chain([0]).collect())
            }
            Code::Data => ConstantKind::Data(fields.rest().into()),
            Code::UnOp => {
                let Some(op) = operations::unary(fields.next()?) else { return Ok(None) };
                ConstantKind::Unary { op, operand: operand(fields)? }
            }
            Code::BinOp => {
                let Some(op) = operations::binary(fields.next()?, self.is_float(ty)) else {
                    return Ok(None);
                };
                let (left, right) = (operand(fields)?, operand(fields)?);
                let flags = operations::overflow_flags(op, fields.or_zero());
                ConstantKind::Binary { op, flags, left, right }
            }
            Code::Cast => {
                let Some(op) = operations::cast(fields.next()?) else { return Ok(None) };
                let _type = fields.next()?;
                ConstantKind::Cast { op, operand: operand(fields)? }
            }
            Code::GepOld
            | Code::InboundsGep
            | Code::GepWithInrangeIndexOld
            | Code::Gep
            | Code::GepWithInrange => return self.read_address(code, fields).map(Some),
            Code::Select => ConstantKind::Select {
                condition: operand(fields)?,
                yes: operand(fields)?,
                no: operand(fields)?,
            },
            Code::ExtractElt => ConstantKind::ExtractElement {
                vector: typed_operand(fields)?,
                index: typed_operand(fields)?,
            },
            Code::InsertElt => ConstantKind::InsertElement {
                vector: operand(fields)?,
                element: operand(fields)?,
                index: typed_operand(fields)?,
            },
            Code::ShuffleVec => ConstantKind::ShuffleVector {
                left: operand(fields)?,
                right: operand(fields)?,
                mask: operand(fields)?,
            },
            Code::ShufVecEx => ConstantKind::ShuffleVector {
                left: typed_operand(fields)?,
                right: operand(fields)?,
                mask: operand(fields)?,
            },
            Code::Cmp => {
                let (left, right) = (typed_operand(fields)?, operand(fields)?);
                let predicate = fields.next()?;
                if let Some(predicate) = operations::float_predicate(predicate) {
                    ConstantKind::FloatCompare { predicate, left, right }
                } else if let Some(predicate) = operations::integer_predicate(predicate) {
                    ConstantKind::IntegerCompare { predicate, left, right }
                } else {
                    return Ok(None);
                }
            }
            Code::BlockAddress => {
                let (_type, number) = (fields.next()?, fields.next()?);
                let Value::Function(function) = self.value(fields, number)? else {
                    return Err(
                        fields.malformed("the address of a block of something not a function")
                    );
                };
                ConstantKind::BlockAddress { function, block: BlockId(fields.u32()?) }
            }
            Code::DsoLocalEquivalent => ConstantKind::DsoLocalEquivalent(typed_operand(fields)?),
            Code::NoCfiValue => ConstantKind::NoCfi(typed_operand(fields)?),
            Code::PtrAuth => ConstantKind::PtrAuth([
                operand(fields)?,
                operand(fields)?,
                operand(fields)?,
                operand(fields)?,
            ]),
            _ => return Ok(None),
        }))
    }

    fn read_float(&self, ty: TypeId, fields: &mut Fields<'_>) -> Result<u128, Error> {
        let first = u128::from(fields.next()?);
        Ok(match self.module[ty] {
            // The sixteen lowest bits are stored apart, after the others.
            Type::X86Fp80 => first << 16 | u128::from(fields.next()? & 0xffff),
            Type::Fp128 | Type::PpcFp128 => first | u128::from(fields.next()?) << 64,
            _ => first,
        })
    }

    fn read_address(&mut self, code: Code, fields: &mut Fields<'_>) -> Result<ConstantKind, Error> {
        let explicit = !matches!(code, Code::GepOld | Code::InboundsGep) || fields.len() % 2 == 1;
        if !explicit {
            return Err(fields.malformed("an address computation without an explicit type"));
        }
        let number = fields.next()?;
        let source = self.ty(fields, number)?;
        let flags = match code {
            Code::InboundsGep => 1,
            Code::GepWithInrangeIndexOld => fields.next()? & 1,
            Code::Gep => fields.next()?,
            Code::GepWithInrange => {
                let flags = fields.next()?;
                // The range the address stays in matters to C++ virtual tables only.
                let bits = fields.next()?;
                if bits > 64 {
                    let counts = fields.next()?;
                    fields.take((counts & 0xffff_ffff) + (counts >> 32))?;
                } else {
                    fields.take(2)?;
                }
                flags
            }
            _ => 0,
        };
        let base = typed_operand(fields)?;
        let mut indices = Vec::with_capacity(fields.len() / 2);
        while !fields.is_empty() {
            indices.push(typed_operand(fields)?);
        }
        let flags = operations::pointer_flags(flags);
        Ok(ConstantKind::GetElementPtr { source, flags, base, indices: indices.into() })
    }

    fn read_inline_asm(
        &self,
        has_type: bool,
        ty: TypeId,
        fields: &mut Fields<'_>,
    ) -> Result<InlineAsm, Error> {
        let signature = if has_type {
            let number = fields.next()?;
            Some(self.ty(fields, number)?)
        } else {
            None
        };
        let flags = fields.next()?;
        let size = fields.next()?;
        let body = text(fields.take(size)?).into();
        let size = fields.next()?;
        let constraints = text(fields.take(size)?).into();
        Ok(InlineAsm {
            ty,
            signature,
            text: body,
            constraints,
            side_effects: flags & 1 != 0,
            align_stack: flags & 2 != 0,
            intel: flags & 4 != 0,
            unwinds: flags & 8 != 0,
        })
    }
}

/// An operand by its number, which [`Decoder::resolve_constants`] replaces.
fn numbered(number: u64) -> Value {
    Value::Constant(ConstantId(u32::try_from(number).unwrap_or(u32::MAX)))
}

fn operand(fields: &mut Fields<'_>) -> Result<Value, Error> {
    fields.next().map(numbered)
}

/// An operand that its type precedes; the operand knows it anyway.
fn typed_operand(fields: &mut Fields<'_>) -> Result<Value, Error> {
    let _type = fields.next()?;
    operand(fields)
}

//! Instructions that compute on registers alone.

use llvm_bitcode::schema::blocks::FunctionCode as Code;

use super::body::Body;
use super::fields::signed;
use super::{Decoder, Fields, operations};
use crate::error::Error;
use crate::id::TypeId;
use crate::instruction::InstructionKind;
use crate::operation::FastMath;
use crate::types::Type;

type Read = Result<Option<(InstructionKind, TypeId)>, Error>;

impl Decoder<'_> {
    /// Read the instruction if it is of this file's kind.
    pub(super) fn read_scalar(
        &mut self,
        body: &mut Body,
        code: Code,
        fields: &mut Fields<'_>,
    ) -> Read {
        match code {
            Code::BinOp => {
                let (left, ty) = self.typed_operand(body, fields)?;
                let right = self.operand(body, fields)?;
                let float = self.is_float(ty);
                let Some(op) = operations::binary(fields.next()?, float) else { return Ok(None) };
                let bits = fields.or_zero();
                let flags = operations::overflow_flags(op, bits);
                let fast_math = FastMath(if float { bits as u8 } else { 0 });
                Ok(Some((InstructionKind::Binary { op, left, right, flags, fast_math }, ty)))
            }
            Code::UnOp => {
                let (operand, ty) = self.typed_operand(body, fields)?;
                let Some(op) = operations::unary(fields.next()?) else { return Ok(None) };
                let fast_math = FastMath(fields.or_zero() as u8);
                Ok(Some((InstructionKind::Unary { op, operand, fast_math }, ty)))
            }
            Code::Cast => {
                let (operand, _) = self.typed_operand(body, fields)?;
                let number = fields.next()?;
                let ty = self.ty(fields, number)?;
                let Some(op) = operations::cast(fields.next()?) else { return Ok(None) };
                let (flags, fast_math) = operations::cast_flags(op, fields.or_zero());
                Ok(Some((InstructionKind::Cast { op, operand, flags, fast_math }, ty)))
            }
            Code::Gep => self.read_address_computation(body, fields).map(Some),
            Code::Cmp2 => {
                let (left, ty) = self.typed_operand(body, fields)?;
                let right = self.operand(body, fields)?;
                let predicate = fields.next()?;
                let fast_math = FastMath(fields.or_zero() as u8);
                let kind = if let Some(predicate) = operations::float_predicate(predicate) {
                    InstructionKind::FloatCompare { predicate, left, right, fast_math }
                } else if let Some(predicate) = operations::integer_predicate(predicate) {
                    InstructionKind::IntegerCompare { predicate, left, right }
                } else {
                    return Ok(None);
                };
                Ok(Some((kind, self.shaped(Type::Integer(1), ty))))
            }
            Code::Vselect => {
                let (yes, ty) = self.typed_operand(body, fields)?;
                let no = self.operand(body, fields)?;
                let (condition, _) = self.typed_operand(body, fields)?;
                let fast_math = FastMath(fields.or_zero() as u8);
                Ok(Some((InstructionKind::Select { condition, yes, no, fast_math }, ty)))
            }
            Code::Phi => self.read_phi(body, fields).map(Some),
            Code::Freeze => {
                let (operand, ty) = self.typed_operand(body, fields)?;
                Ok(Some((InstructionKind::Freeze(operand), ty)))
            }
            Code::ExtractElt => {
                let (vector, ty) = self.typed_operand(body, fields)?;
                let (index, _) = self.typed_operand(body, fields)?;
                let Type::Vector { element, .. } = self.module[ty] else {
                    return Err(fields.malformed("an element of something not a vector"));
                };
                Ok(Some((InstructionKind::ExtractElement { vector, index }, element)))
            }
            Code::InsertElt => {
                let (vector, ty) = self.typed_operand(body, fields)?;
                let element = self.operand(body, fields)?;
                let (index, _) = self.typed_operand(body, fields)?;
                Ok(Some((InstructionKind::InsertElement { vector, element, index }, ty)))
            }
            Code::ShuffleVec => {
                let (left, left_ty) = self.typed_operand(body, fields)?;
                let right = self.operand(body, fields)?;
                let (mask, mask_ty) = self.typed_operand(body, fields)?;
                let (Type::Vector { element, .. }, Type::Vector { count, scalable, .. }) =
                    (&self.module[left_ty], &self.module[mask_ty])
                else {
                    return Err(fields.malformed("a shuffle of something not a vector"));
                };
                let ty = Type::Vector { count: *count, element: *element, scalable: *scalable };
                Ok(Some((InstructionKind::ShuffleVector { left, right, mask }, self.intern(ty))))
            }
            Code::ExtractVal => {
                let (aggregate, ty) = self.typed_operand(body, fields)?;
                let (indices, ty) = self.read_path(ty, fields)?;
                Ok(Some((InstructionKind::ExtractValue { aggregate, indices }, ty)))
            }
            Code::InsertVal => {
                let (aggregate, ty) = self.typed_operand(body, fields)?;
                let (element, _) = self.typed_operand(body, fields)?;
                let (indices, _) = self.read_path(ty, fields)?;
                Ok(Some((InstructionKind::InsertValue { aggregate, element, indices }, ty)))
            }
            _ => Ok(None),
        }
    }

    fn read_address_computation(
        &mut self,
        body: &mut Body,
        fields: &mut Fields<'_>,
    ) -> Result<(InstructionKind, TypeId), Error> {
        let flags = operations::pointer_flags(fields.next()?);
        let number = fields.next()?;
        let source = self.ty(fields, number)?;
        let (base, mut ty) = self.typed_operand(body, fields)?;
        let mut indices = Vec::with_capacity(fields.len());
        while !fields.is_empty() {
            let (index, index_ty) = self.typed_operand(body, fields)?;
            // One vector among the operands makes the result a vector of addresses.
            if let (Type::Pointer { space }, Type::Vector { .. }) =
                (&self.module[ty], &self.module[index_ty])
            {
                ty = self.shaped(Type::Pointer { space: *space }, index_ty);
            }
            indices.push(index);
        }
        Ok((InstructionKind::GetElementPtr { source, base, indices: indices.into(), flags }, ty))
    }

    fn read_phi(
        &mut self,
        body: &mut Body,
        fields: &mut Fields<'_>,
    ) -> Result<(InstructionKind, TypeId), Error> {
        let number = fields.next()?;
        let ty = self.ty(fields, number)?;
        let mut incoming = Vec::with_capacity(fields.len() / 2);
        while fields.len() >= 2 {
            // Loops make these point forward more often than not, so here distances are signed.
            let distance = signed(fields.next()?);
            let value = self.numbered(body, fields, self.relative(distance as u64))?;
            let number = fields.next()?;
            incoming.push((value, self.block(body, fields, number)?));
        }
        let fast_math = FastMath(fields.or_zero() as u8);
        Ok((InstructionKind::Phi { incoming: incoming.into(), fast_math }, ty))
    }

    /// Indices into nested structures and arrays, and the type they lead to.
    fn read_path(
        &self,
        mut ty: TypeId,
        fields: &mut Fields<'_>,
    ) -> Result<(Box<[u32]>, TypeId), Error> {
        let mut indices = Vec::with_capacity(fields.len());
        for &index in fields.rest() {
            let member = match &self.module[ty] {
                Type::Struct(body) => {
                    usize::try_from(index).ok().and_then(|index| body.fields.get(index)).copied()
                }
                Type::Array { element, .. } => Some(*element),
                _ => None,
            };
            ty = member.ok_or(fields.malformed("a path to a member that does not exist"))?;
            indices.push(index as u32);
        }
        Ok((indices.into(), ty))
    }
}

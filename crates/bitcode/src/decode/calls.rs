//! Calls, and where exceptions arrive.

use llvm_bitcode::schema::blocks::FunctionCode as Code;

use super::body::Body;
use super::{Decoder, Fields};
use crate::error::Error;
use crate::id::TypeId;
use crate::instruction::{Bundle, Call, CallKind, Clause, InstructionKind, TailCall};
use crate::operation::FastMath;
use crate::types::Type;
use crate::value::Value;

impl Decoder<'_> {
    /// Read the instruction if it is of this file's kind.
    pub(super) fn read_call(
        &mut self,
        body: &mut Body,
        code: Code,
        fields: &mut Fields<'_>,
    ) -> Result<Option<(InstructionKind, TypeId)>, Error> {
        Ok(Some(match code {
            Code::Call | Code::Invoke | Code::CallBr => self.read_any_call(body, code, fields)?,
            Code::LandingPad => {
                let number = fields.next()?;
                let ty = self.ty(fields, number)?;
                let cleanup = fields.bool()?;
                let count = fields.next()?;
                let mut clauses = Vec::new();
                for _ in 0..count {
                    let is_filter = fields.bool()?;
                    let (value, _) = self.typed_operand(body, fields)?;
                    clauses.push(if is_filter {
                        Clause::Filter(value)
                    } else {
                        Clause::Catch(value)
                    });
                }
                (InstructionKind::LandingPad { cleanup, clauses: clauses.into() }, ty)
            }
            Code::CatchPad | Code::CleanupPad => {
                let parent = self.operand(body, fields)?;
                let count = fields.next()?;
                let mut arguments = Vec::new();
                for _ in 0..count {
                    arguments.push(self.typed_operand(body, fields)?.0);
                }
                let arguments = arguments.into();
                let kind = if code == Code::CatchPad {
                    InstructionKind::CatchPad { parent, arguments }
                } else {
                    InstructionKind::CleanupPad { parent, arguments }
                };
                (kind, self.intern(Type::Token))
            }
            Code::CatchSwitch => {
                let parent = self.operand(body, fields)?;
                let count = fields.next()?;
                let handlers =
                    fields.take(count)?.iter().map(|&number| self.block(body, fields, number));
                let handlers = handlers.collect::<Result<_, Error>>()?;
                let unwind =
                    fields.optional().map(|number| self.block(body, fields, number)).transpose()?;
                (
                    InstructionKind::CatchSwitch { parent, handlers, unwind },
                    self.intern(Type::Token),
                )
            }
            _ => return Ok(None),
        }))
    }

    fn read_any_call(
        &mut self,
        body: &mut Body,
        code: Code,
        fields: &mut Fields<'_>,
    ) -> Result<(InstructionKind, TypeId), Error> {
        let number = fields.next()?;
        let attributes = self.attributes(fields, number)?;
        let packed = fields.next()?;
        let (explicit, convention, kind) = match code {
            Code::Invoke => {
                let (normal, unwind) = (fields.next()?, fields.next()?);
                let kind = CallKind::Invoke {
                    normal: self.block(body, fields, normal)?,
                    unwind: self.block(body, fields, unwind)?,
                };
                (packed >> 13 & 1 == 1, packed & 0x3ff, kind)
            }
            Code::CallBr => {
                let fallthrough = fields.next()?;
                let fallthrough = self.block(body, fields, fallthrough)?;
                let count = fields.next()?;
                let targets =
                    fields.take(count)?.iter().map(|&number| self.block(body, fields, number));
                let targets = targets.collect::<Result<_, Error>>()?;
                (
                    packed >> 15 & 1 == 1,
                    packed >> 1 & 0x3ff,
                    CallKind::Branch { fallthrough, targets },
                )
            }
            _ => {
                let tail = match (packed & 1, packed >> 14 & 1, packed >> 16 & 1) {
                    (_, _, 1) => TailCall::Never,
                    (_, 1, _) => TailCall::Must,
                    (1, _, _) => TailCall::Tail,
                    (_, _, _) => TailCall::None,
                };
                let fast_math =
                    FastMath(if packed >> 17 & 1 == 1 { fields.next()? as u8 } else { 0 });
                (packed >> 15 & 1 == 1, packed >> 1 & 0x3ff, CallKind::Call { tail, fast_math })
            }
        };
        if !explicit {
            return Err(fields.malformed("a call without an explicit type"));
        }
        let number = fields.next()?;
        let signature = self.ty(fields, number)?;
        let (callee, _) = self.typed_operand(body, fields)?;
        let Some(function) = self.module[signature].as_function() else {
            return Err(fields.malformed("a call whose type is not a function type"));
        };
        let result = function.result;
        if function.parameters.len() > fields.len() {
            return Err(fields.malformed("a call with too few arguments"));
        }
        let mut arguments = Vec::with_capacity(fields.len());
        for &parameter in &function.parameters {
            arguments.push(self.read_argument(body, parameter, fields)?);
        }
        while !fields.is_empty() {
            arguments.push(self.typed_operand(body, fields)?.0);
        }
        let call = Call {
            callee,
            signature,
            arguments: arguments.into(),
            attributes,
            convention: convention as u32,
            bundles: std::mem::take(&mut body.bundles).into(),
            kind,
        };
        Ok((InstructionKind::Call(Box::new(call)), result))
    }

    fn read_argument(
        &self,
        body: &mut Body,
        ty: TypeId,
        fields: &mut Fields<'_>,
    ) -> Result<Value, Error> {
        match self.module[ty] {
            Type::Label => {
                let number = fields.next()?;
                Ok(Value::Block(self.block(body, fields, number)?))
            }
            // Metadata has its own numbering, but the number is stored as a distance nevertheless.
            Type::Metadata => {
                let number = self.relative(fields.next()?);
                let node = self.node_numbered(u64::from(number));
                node.map(Value::Metadata)
                    .ok_or(fields.malformed("a reference to impossible metadata"))
            }
            _ => self.operand(body, fields),
        }
    }

    pub(super) fn read_bundle(
        &self,
        body: &mut Body,
        fields: &mut Fields<'_>,
    ) -> Result<Bundle, Error> {
        let tag = fields.u32()?;
        let mut operands = Vec::new();
        while !fields.is_empty() {
            operands.push(self.typed_operand(body, fields)?.0);
        }
        Ok(Bundle { tag, operands: operands.into() })
    }
}

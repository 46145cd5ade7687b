//! Constants as expressions.

use bitcode::{ConstantId, ConstantKind, Value};
use ir::{ExprId, HavocReason, Op, Type};
use num_bigint::BigInt;

use crate::body::Body;

impl Body<'_, '_> {
    pub(crate) fn constant_value(&mut self, id: ConstantId) -> ExprId {
        if let Some(expr) = self.folded.get(&id) {
            return *expr;
        }
        let constant = &self.source[id];
        let ty = self.context.ty(constant.ty);
        if let ConstantKind::Undef | ConstantKind::Poison = constant.kind {
            return match ty {
                // Aggregates are undefined before they are constructed.
                Type::Record(_) => self.default_of(&ty),
                _ => self.unknown("undefined", ty, HavocReason::Choice),
            };
        }
        let expr = match self.constant_expr(&constant.kind, &ty) {
            Some(expr) if *self.exprs.ty(expr) == ty => expr,
            _ => {
                self.unsupported(format!("a constant: {}", what(&constant.kind)), false);
                self.default_of(&ty)
            }
        };
        self.folded.insert(id, expr);
        expr
    }

    fn constant_expr(&mut self, kind: &ConstantKind, ty: &Type) -> Option<ExprId> {
        Some(match kind {
            ConstantKind::Null | ConstantKind::Undef | ConstantKind::Poison => self.default_of(ty),
            ConstantKind::Integer(number) => match ty {
                Type::Bool => self.bool(number & 1 == 1),
                Type::Bv(width) => self.word(*width, *number),
                _ => return None,
            },
            ConstantKind::WideInteger(words) => match ty {
                Type::Bv(width) => {
                    let digits = words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]);
                    let value =
                        BigInt::from_slice(num_bigint::Sign::Plus, &digits.collect::<Vec<_>>());
                    self.word(*width, value)
                }
                _ => return None,
            },
            ConstantKind::Float(bits) => match ty {
                Type::Bv(width) => self.word(*width, *bits),
                _ => return None,
            },
            ConstantKind::Aggregate(values) => {
                let lanes = self.lanes(ty)?;
                if lanes.len() != values.len() {
                    return None;
                }
                self.lanewise(ty, &lanes, |body, lane, element| {
                    Some(body.value_as(values[lane as usize], element))
                })?
            }
            ConstantKind::String(bytes) => {
                let lanes = self.lanes(ty)?;
                self.lanewise(ty, &lanes, |body, lane, element| {
                    let Type::Bv(width) = element else { return None };
                    Some(body.word(*width, *bytes.get(lane as usize)?))
                })?
            }
            ConstantKind::Data(elements) => {
                let lanes = self.lanes(ty)?;
                self.lanewise(ty, &lanes, |body, lane, element| {
                    let Type::Bv(width) = element else { return None };
                    Some(body.word(*width, *elements.get(lane as usize)?))
                })?
            }
            ConstantKind::Unary { operand, .. } => {
                let a = self.value_as(*operand, ty);
                self.negate_float(a, ty)
            }
            ConstantKind::Binary { op, left, right, .. } => {
                let (a, b) = (self.value_as(*left, ty), self.value_as(*right, ty));
                self.arithmetic(*op, a, b, ty)?
            }
            ConstantKind::Cast { op, operand } => {
                let a = self.value(*operand);
                self.converted(*op, a, ty)?
            }
            ConstantKind::GetElementPtr { source, base, indices, .. } => {
                let pointer = self.pointer(*base);
                self.moved(pointer, *source, indices)?
            }
            ConstantKind::Select { condition, yes, no } => {
                let c = self.value_as(*condition, &Type::Bool);
                let (a, b) = (self.value_as(*yes, ty), self.value_as(*no, ty));
                self.op(Op::Ite, &[c, a, b], ty.clone())
            }
            ConstantKind::IntegerCompare { predicate, left, right } => {
                let a = self.value(*left);
                let operand = self.exprs.ty(a).clone();
                let b = self.value_as(*right, &operand);
                self.compared(*predicate, a, b)?
            }
            ConstantKind::FloatCompare { predicate, left, right } => {
                let a = self.value(*left);
                let operand = self.exprs.ty(a).clone();
                let b = self.value_as(*right, &operand);
                let format = &self.source[self.type_of(*left)?];
                self.float_compared(*predicate, a, b, format)?
            }
            ConstantKind::DsoLocalEquivalent(operand) | ConstantKind::NoCfi(operand) => {
                self.pointer(*operand)
            }
            ConstantKind::BlockAddress { block, .. } => {
                // Each label has an address of its own, in no object: it is only ever jumped to.
                let number = BigInt::from(u64::from(block.0) + 1);
                self.label_address(number)
            }
            ConstantKind::ExtractElement { .. }
            | ConstantKind::InsertElement { .. }
            | ConstantKind::ShuffleVector { .. }
            | ConstantKind::PtrAuth(_) => return None,
        })
    }

    /// The address of a label.
    pub(crate) fn label_address(&mut self, number: BigInt) -> ExprId {
        let bytes = self.word(64, number);
        let null = self.null();
        self.op(Op::PtrAdd, &[null, bytes], Type::Ptr)
    }

    /// A constant as the source might write it.
    pub(crate) fn constant_text(&self, value: Value) -> Option<String> {
        self.source.integer(value).map(|number| number.to_string())
    }
}

fn what(kind: &ConstantKind) -> &'static str {
    match kind {
        ConstantKind::Null | ConstantKind::Undef | ConstantKind::Poison => "zero",
        ConstantKind::Integer(_) | ConstantKind::WideInteger(_) => "an integer",
        ConstantKind::Float(_) => "a number",
        ConstantKind::Aggregate(_) | ConstantKind::String(_) | ConstantKind::Data(_) => {
            "a large value"
        }
        ConstantKind::Unary { .. }
        | ConstantKind::Binary { .. }
        | ConstantKind::Cast { .. }
        | ConstantKind::GetElementPtr { .. }
        | ConstantKind::Select { .. }
        | ConstantKind::IntegerCompare { .. }
        | ConstantKind::FloatCompare { .. } => "a computation",
        ConstantKind::ExtractElement { .. }
        | ConstantKind::InsertElement { .. }
        | ConstantKind::ShuffleVector { .. } => "a vector",
        ConstantKind::BlockAddress { .. } => "the address of a label",
        ConstantKind::DsoLocalEquivalent(_) | ConstantKind::NoCfi(_) => "a function",
        ConstantKind::PtrAuth(_) => "a signed pointer",
    }
}

//! Constants.

use num_bigint::BigInt;

use super::expression::Builder;
use crate::expr::{Expr, ExprId};
use crate::op::Op;
use crate::types::Type;

impl Builder<'_, '_, '_> {
    /// A constant of this type, which may have operands. There are none of byte memory.
    pub(super) fn constant(&mut self, ty: &Type) -> ExprId {
        match ty {
            Type::Bool => {
                let value = self.generator.rng.bool();
                self.exprs.push(Expr::Bool(value), Type::Bool)
            }
            Type::Int => {
                let small = BigInt::from(self.generator.rng.i64(-5..=5));
                let is_large = self.generator.shape.strange && self.generator.rng.u8(..) < 20;
                let value = if is_large { small << 300 } else { small };
                self.exprs.push(Expr::Int(value), Type::Int)
            }
            Type::Bv(width) => {
                let largest = (BigInt::from(1) << *width) - 1;
                let value = match self.generator.rng.u8(..4) {
                    0 => largest,
                    1 => BigInt::from(0),
                    _ => BigInt::from(self.generator.rng.u64(..)) & largest,
                };
                self.exprs.push(Expr::Bv(*width, value), ty.clone())
            }
            Type::Sort(_) | Type::Ptr => self.exprs.push(Expr::Null(ty.clone()), ty.clone()),
            Type::Map(_, value) => {
                let value = self.constant(value);
                self.op(Op::ConstMap(ty.clone()), vec![value])
            }
            Type::Seq(element) => self.op(Op::SeqEmpty((**element).clone()), Vec::new()),
            Type::Record(id) => {
                let fields = self.generator.module.records[id.0 as usize].fields.clone();
                let operands = fields.iter().map(|(_, ty)| self.constant(ty)).collect();
                self.op(Op::Record(*id), operands)
            }
            Type::Variant(id) => {
                let types = self.generator.module.variants[id.0 as usize].constructors[0].1.clone();
                let operands = types.iter().map(|ty| self.constant(ty)).collect();
                self.op(Op::Construct(*id, 0), operands)
            }
            Type::Bytes => unreachable!("byte memory is only ever read from a variable"),
        }
    }
}

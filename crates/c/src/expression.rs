//! Making expressions.

use ir::{Expr, ExprId, LocalId, Op, RecordId, Type, Variable};
use num_bigint::BigInt;

use crate::body::Body;
use crate::context::MEMORY;

impl Body<'_, '_> {
    pub(crate) fn expr(&mut self, expr: Expr, ty: Type) -> ExprId {
        let weight = match &expr {
            Expr::Op(_, operands) | Expr::Apply(_, operands) => operands
                .iter()
                .fold(1u32, |sum, id| sum.saturating_add(self.weights[id.0 as usize])),
            _ => 1,
        };
        self.weights.push(weight);
        self.exprs.push(expr, ty)
    }

    /// An expression without operands, which is made once.
    pub(crate) fn constant(&mut self, expr: Expr, ty: Type) -> ExprId {
        if let Some(id) = self.constants.get(&expr) {
            return *id;
        }
        let id = self.expr(expr.clone(), ty);
        self.constants.insert(expr, id);
        id
    }

    pub(crate) fn op(&mut self, op: Op, operands: &[ExprId], ty: Type) -> ExprId {
        self.expr(Expr::Op(op, operands.to_vec()), ty)
    }

    /// An operator whose result is a truth value.
    pub(crate) fn test(&mut self, op: Op, operands: &[ExprId]) -> ExprId {
        self.op(op, operands, Type::Bool)
    }

    pub(crate) fn not(&mut self, a: ExprId) -> ExprId {
        self.test(Op::Not, &[a])
    }

    pub(crate) fn bool(&mut self, value: bool) -> ExprId {
        self.constant(Expr::Bool(value), Type::Bool)
    }

    pub(crate) fn word(&mut self, width: u32, value: impl Into<BigInt>) -> ExprId {
        // Words are written unsigned.
        let mut value: BigInt = value.into();
        if value.sign() == num_bigint::Sign::Minus || value.bits() > u64::from(width) {
            let modulus = BigInt::from(1) << width;
            value = ((value % &modulus) + &modulus) % modulus;
        }
        self.constant(Expr::Bv(width, value), Type::Bv(width))
    }

    /// The value of a word, if it is a constant.
    pub(crate) fn constant_word(&self, id: ExprId) -> Option<i64> {
        match self.exprs.get(id) {
            Expr::Bv(64, value) => {
                let low = value.iter_u64_digits().next().unwrap_or(0);
                Some(low as i64)
            }
            _ => None,
        }
    }

    pub(crate) fn null(&mut self) -> ExprId {
        self.constant(Expr::Null(Type::Ptr), Type::Ptr)
    }

    pub(crate) fn read(&mut self, local: LocalId) -> ExprId {
        let ty = self.locals[local.0 as usize].ty.clone();
        self.constant(Expr::Read(Variable::Local(local)), ty)
    }

    pub(crate) fn memory(&mut self) -> ExprId {
        self.constant(Expr::Read(Variable::Global(MEMORY)), Type::Bytes)
    }

    pub(crate) fn width_of(&self, id: ExprId) -> Option<u32> {
        match self.exprs.ty(id) {
            Type::Bv(width) => Some(*width),
            _ => None,
        }
    }

    /// Some value of a type, for where there is none.
    pub(crate) fn default_of(&mut self, ty: &Type) -> ExprId {
        match ty {
            Type::Bool => self.bool(false),
            Type::Bv(width) => self.word(*width, 0),
            Type::Record(id) => {
                let fields = self.fields(*id);
                let parts: Vec<ExprId> = fields.iter().map(|ty| self.default_of(ty)).collect();
                self.op(Op::Record(*id), &parts, ty.clone())
            }
            // No other types are made here.
            Type::Ptr
            | Type::Int
            | Type::Sort(_)
            | Type::Map(..)
            | Type::Seq(_)
            | Type::Variant(_)
            | Type::Bytes => self.null(),
        }
    }

    pub(crate) fn fields(&self, id: RecordId) -> Vec<Type> {
        self.context.module.records[id.0 as usize].fields.iter().map(|(_, ty)| ty.clone()).collect()
    }
}

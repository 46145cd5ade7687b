//! Expressions, stored in an arena: an operand is older than the expression that uses it.

use num_bigint::BigInt;

use crate::module::FunctionId;
use crate::op::Op;
use crate::statement::Variable;
use crate::types::Type;

/// An expression of an arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(pub u32);

/// The kinds of expressions. All are total and pure.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A truth value.
    Bool(bool),
    /// A bit-vector of this width.
    Bv(u32, BigInt),
    /// An integer.
    Int(BigInt),
    /// `null` of a sort or of `Ptr`.
    Null(Type),
    /// The value of a variable.
    Read(Variable),
    /// The value of a variable that an enclosing binder declares.
    Bound(Binder),
    /// An operator applied to operands.
    Op(Op, Vec<ExprId>),
    /// A declared function applied to arguments.
    Apply(FunctionId, Vec<ExprId>),
    /// The value of an expression in the state at the start of the procedure. Specifications only.
    Old(ExprId),
    /// A quantified formula. Specifications only.
    Quantified(Quantifier, Vec<Binder>, ExprId),
    /// The map whose value at the bound variables is the body; a comprehension if the body is Boolean.
    /// Specifications only.
    Lambda(Vec<Binder>, ExprId),
}

/// Which quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// For all values.
    All,
    /// For some value.
    Some,
}

/// A bound variable of an arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Binder(pub u32);

/// The expressions of one procedure or declaration.
///
/// Invariants: operands are older than their user; every expression has the type that the rules of
/// [`result_type`](crate::result_type) give it; a bound variable occurs only below its binder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exprs {
    nodes: Vec<(Expr, Type)>,
    binders: Vec<(String, Type)>,
}

impl Exprs {
    /// Adds an expression whose type the caller knows.
    pub fn push(&mut self, expr: Expr, ty: Type) -> ExprId {
        self.nodes.push((expr, ty));
        ExprId(self.nodes.len() as u32 - 1)
    }

    /// Replaces an expression, for a caller that knows more about it.
    pub(crate) fn replace(&mut self, id: ExprId, expr: Expr, ty: Type) {
        self.nodes[id.0 as usize] = (expr, ty);
    }

    /// Declares a bound variable.
    pub fn bind(&mut self, name: impl Into<String>, ty: Type) -> Binder {
        self.binders.push((name.into(), ty));
        Binder(self.binders.len() as u32 - 1)
    }

    /// The expression.
    pub fn get(&self, id: ExprId) -> &Expr {
        &self.nodes[id.0 as usize].0
    }

    /// The type of an expression.
    pub fn ty(&self, id: ExprId) -> &Type {
        &self.nodes[id.0 as usize].1
    }

    /// The types of all expressions.
    pub fn types(&self) -> impl Iterator<Item = &Type> {
        self.nodes.iter().map(|(_, ty)| ty)
    }

    /// The name and type of a bound variable.
    pub fn binder(&self, binder: Binder) -> (&str, &Type) {
        let (name, ty) = &self.binders[binder.0 as usize];
        (name, ty)
    }

    /// The greatest number of bits, the sign not counted, that an integer constant has.
    pub fn integer_bits(&self) -> u64 {
        let bits = |(expr, _): &(Expr, Type)| match expr {
            Expr::Int(value) => value.bits(),
            _ => 0,
        };
        self.nodes.iter().map(bits).max().unwrap_or(0)
    }

    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no expression.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of bound variables.
    pub fn binders(&self) -> usize {
        self.binders.len()
    }
}

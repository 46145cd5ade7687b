//! A frame: the arena and the variables that one procedure, function or axiom is lowered into.

use ir::{Binder, Expr, ExprId, Exprs, Local, LocalId, Mode, Op, Place, Type, Variable};
use rustc_hash::FxHashMap;

use crate::syntax::NodeId;
use crate::types::TypeId;

/// The meaning of a bound name.
#[derive(Clone, Copy)]
pub(super) enum Bound {
    Binder(Binder),
    /// A value that a `let` names.
    Value(ExprId),
}

/// How an expression will be used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// In a contract, a fact, an assertion or an axiom, which may say everything.
    Specification,
    /// In executable code; `old` reads the values saved at the start.
    Code,
}

#[derive(Default)]
pub(super) struct Frame {
    pub(super) exprs: Exprs,
    /// Whether an expression is one that only specifications may have.
    pub(super) specification: Vec<bool>,
    /// The instances of type parameters.
    pub(super) types: FxHashMap<u32, TypeId>,
    pub(super) bound: FxHashMap<(NodeId, u32), Bound>,
    pub(super) locals: Vec<Local>,
    /// The locals that hold globals as they were at the start.
    pub(super) saved: FxHashMap<usize, LocalId>,
    /// Why VIR cannot express the expression that is being lowered.
    pub(super) trouble: Option<String>,
    /// Why nothing in this frame can be used.
    pub(super) failure: Option<String>,
}

impl Frame {
    pub(super) fn push(&mut self, expr: Expr, ty: Type, specification: bool) -> ExprId {
        let id = self.exprs.push(expr, ty);
        self.specification.push(specification);
        id
    }

    pub(super) fn op(&mut self, op: Op, operands: Vec<ExprId>, ty: Type) -> ExprId {
        let specification = op.is_specification() || self.any_specification(&operands);
        self.push(Expr::Op(op, operands), ty, specification)
    }

    /// Applies an operator to two operands; the result is Boolean.
    pub(super) fn relation(&mut self, op: Op, a: ExprId, b: ExprId) -> ExprId {
        self.op(op, vec![a, b], Type::Bool)
    }

    pub(super) fn not(&mut self, operand: ExprId) -> ExprId {
        self.op(Op::Not, vec![operand], Type::Bool)
    }

    pub(super) fn bool(&mut self, value: bool) -> ExprId {
        self.push(Expr::Bool(value), Type::Bool, false)
    }

    pub(super) fn read(&mut self, local: LocalId) -> ExprId {
        let ty = self.locals[local.0 as usize].ty.clone();
        self.push(Expr::Read(Variable::Local(local)), ty, false)
    }

    pub(super) fn ty(&self, id: ExprId) -> Type {
        self.exprs.ty(id).clone()
    }

    pub(super) fn is_specification(&self, id: ExprId) -> bool {
        self.specification[id.0 as usize]
    }

    pub(super) fn any_specification(&self, operands: &[ExprId]) -> bool {
        operands.iter().any(|operand| self.is_specification(*operand))
    }

    /// The conjunction, or with `Or` the disjunction, of truth values.
    pub(super) fn all(&mut self, op: Op, operands: &[ExprId]) -> ExprId {
        match operands.split_first() {
            None => self.bool(op == Op::And),
            Some((first, rest)) => rest
                .iter()
                .fold(*first, |whole, operand| self.relation(op.clone(), whole, *operand)),
        }
    }

    pub(super) fn new_local(&mut self, name: String, ty: Type, mode: Mode) -> LocalId {
        self.locals.push(Local { name, ty, mode, display: None });
        LocalId(self.locals.len() as u32 - 1)
    }

    pub(super) fn trouble(&mut self, what: impl Into<String>) {
        self.trouble.get_or_insert_with(|| what.into());
    }

    pub(super) fn fail(&mut self, why: impl Into<String>) {
        self.failure.get_or_insert_with(|| why.into());
    }

    /// A whole variable as a place.
    pub(super) fn whole(variable: Variable) -> Place {
        Place { variable, path: Vec::new() }
    }
}

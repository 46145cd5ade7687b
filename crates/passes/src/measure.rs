//! Measures: integers that are not negative and get smaller, of loops and of recursive procedures.
//!
//! Where a measure is taken its value is kept in a ghost variable; where it is taken again it is
//! compared with that. So a loop or recursion whose checks hold ends (Floyd 1967).

use ir::{AssertKind, Expr, ExprId, LocalId, Op, Place, Procedure, StatementKind, Type, Variable};

/// The check that a measure was not negative and is smaller now than the value that was kept.
pub(crate) fn decreases(
    procedure: &mut Procedure,
    measure: ExprId,
    kept: LocalId,
    message: &str,
) -> StatementKind {
    let exprs = &mut procedure.exprs;
    let before = exprs.push(Expr::Read(Variable::Local(kept)), Type::Int);
    let zero = exprs.push(Expr::Int(0.into()), Type::Int);
    let bounded = exprs.push(Expr::Op(Op::IntLe, vec![zero, before]), Type::Bool);
    let smaller = exprs.push(Expr::Op(Op::IntLt, vec![measure, before]), Type::Bool);
    let condition = exprs.push(Expr::Op(Op::And, vec![bounded, smaller]), Type::Bool);
    StatementKind::Assert { condition, kind: AssertKind::Progress, message: message.to_owned() }
}

/// Keeps the value of a measure.
pub(crate) fn keep(measure: ExprId, kept: LocalId) -> StatementKind {
    let place = Place { variable: Variable::Local(kept), path: Vec::new() };
    StatementKind::Assign(vec![(place, measure)])
}

//! Which results of callees a procedure looks at.
//!
//! Whoever asks about what a callee returns, after one call, expects all that it may return, after every call. A
//! value flows through variables; what lies behind a pointer is another matter.

use ir::{
    Callee, Expr, ExprId, Module, Op, Place, PointId, Procedure, StatementKind, TerminatorKind,
    Type, Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::is_nowhere;

/// The calls of those that return pointers which the procedure looks at, after this call or another, each with
/// the variables that what it returns flows to.
pub(crate) fn pointing(procedure: &Procedure) -> FxHashMap<PointId, FxHashSet<Variable>> {
    let calls = returned(procedure).into_iter().map(|(point, callee, result)| {
        let holding = holding(procedure, result);
        (point, callee, holding)
    });
    let calls: Vec<_> = calls.collect();
    let looked_at = calls.iter().filter(|(_, _, holding)| is_looked_at(procedure, holding));
    let looked_at: Vec<&Callee> = looked_at.map(|(_, callee, _)| *callee).collect();
    let pointing = calls.into_iter().filter(|(_, callee, _)| looked_at.contains(callee));
    pointing.map(|(point, _, holding)| (point, holding)).collect()
}

/// Whether what is done at a point, or is handed to whom is called there, is what one of these variables holds.
pub(crate) fn is_used(procedure: &Procedure, at: PointId, holding: &FxHashSet<Variable>) -> bool {
    let statements = procedure.blocks.iter().flatten().flat_map(|block| &block.statements);
    statements.filter(|statement| statement.point == at).any(|statement| match &statement.kind {
        StatementKind::Assert { condition, .. } => reads(procedure, *condition, holding),
        StatementKind::Call { arguments, .. } => {
            arguments.iter().any(|argument| reads(procedure, *argument, holding))
        }
        _ => false,
    })
}

/// The calls of those that return pointers and have a body in the source.
pub(crate) fn giving(module: &Module, procedure: &Procedure) -> FxHashSet<PointId> {
    let is_written = |callee: &Callee| match callee {
        Callee::Procedure(id) => {
            let callee = module.procedure(*id);
            callee.blocks.is_some() && !is_nowhere(callee.span)
        }
        Callee::Choice(..) => true,
    };
    let calls = returned(procedure).into_iter();
    calls.filter(|(_, callee, _)| is_written(callee)).map(|(point, ..)| point).collect()
}

/// The calls that return a pointer: where, of whom, and the variable that gets it.
fn returned(procedure: &Procedure) -> Vec<(PointId, &Callee, Variable)> {
    let statements = procedure.blocks.iter().flatten().flat_map(|block| &block.statements);
    let is_pointer = |place: &Place| match place.variable {
        Variable::Local(id) => place.path.is_empty() && procedure.local(id).ty == Type::Ptr,
        Variable::Global(_) => false,
    };
    let calls = statements.filter_map(|statement| match &statement.kind {
        StatementKind::Call { results, callee, .. } => {
            let result = results.iter().find(|place| is_pointer(place))?;
            Some((statement.point, callee, result.variable))
        }
        _ => None,
    });
    calls.collect()
}

/// The variables that the value of one flows to.
fn holding(procedure: &Procedure, variable: Variable) -> FxHashSet<Variable> {
    let mut holding = FxHashSet::from_iter([variable]);
    loop {
        let known = holding.len();
        for statement in procedure.blocks.iter().flatten().flat_map(|block| &block.statements) {
            if let StatementKind::Assign(pairs) = &statement.kind {
                let flows = pairs.iter().filter(|(_, value)| reads(procedure, *value, &holding));
                let flows: Vec<Variable> = flows.map(|(place, _)| place.variable).collect();
                let locals = flows.into_iter().filter(|to| matches!(to, Variable::Local(_)));
                holding.extend(locals);
            }
        }
        if holding.len() == known {
            return holding;
        }
    }
}

/// Whether a branch asks about what one of these variables holds.
fn is_looked_at(procedure: &Procedure, holding: &FxHashSet<Variable>) -> bool {
    procedure.blocks.iter().flatten().any(|block| match &block.terminator.kind {
        TerminatorKind::Branch(condition, ..) => reads(procedure, *condition, holding),
        TerminatorKind::Goto(_) | TerminatorKind::Exit(_) => false,
    })
}

/// Whether an expression has what one of these variables holds.
fn reads(procedure: &Procedure, expr: ExprId, holding: &FxHashSet<Variable>) -> bool {
    let mut pending = vec![expr];
    while let Some(id) = pending.pop() {
        match procedure.exprs.get(id) {
            Expr::Read(read) if holding.contains(read) => return true,
            // What lies behind a pointer is another matter.
            Expr::Op(Op::Memory(_), _) => {}
            expr => pending.extend(expr.operands()),
        }
    }
    false
}

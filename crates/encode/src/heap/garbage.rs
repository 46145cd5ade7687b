//! Unreachable atoms: whether a procedure can detect that they exist.
//!
//! An execution reaches only atoms that its parameters and the state lead to, but a specification may mention all
//! atoms. If it mentions only members of sets that are reached from somewhere, or says that something has not
//! changed, then a heap without its garbage satisfies the same conditions, and the same executions fail from it.

use ir::{
    AssumeReason, Binder, Clause, Expr, ExprId, Exprs, HavocReason, Limit, Module, Op, Procedure,
    Quantifier, StatementKind, Type,
};
use rustc_hash::FxHashSet;

/// Whether a procedure and its contract do not depend on unreachable atoms. Unchecked assumptions are taken to hold
/// with and without them.
pub fn ignores_garbage(module: &Module, procedure: &Procedure) -> bool {
    let mut roots = Vec::new();
    let contract = &procedure.contract;
    let ensures = contract.ensures.iter().map(|ensures| &ensures.clause);
    let clauses = contract.requires.iter().chain(ensures);
    roots.extend(clauses.filter(|clause| !clause.free).map(|clause: &Clause| clause.condition));
    let is_free = is_free(procedure);
    for block in procedure.blocks.iter().flatten() {
        for statement in block.statements.iter().filter(|statement| !is_free(&statement.kind)) {
            statement.kind.for_each_expr(&mut |id| roots.push(*id));
        }
        block.terminator.kind.for_each_expr(&mut |id| roots.push(*id));
    }
    ignores(module, &procedure.exprs, roots)
        && module
            .axioms
            .iter()
            .chain(&module.invariants)
            .all(|axiom| ignores(module, &axiom.exprs, vec![axiom.condition]))
}

/// The statements of a procedure that only make unchecked assumptions: those of the contract of a callee, if all
/// callees are followed.
pub(super) fn is_free(procedure: &Procedure) -> impl Fn(&StatementKind) -> bool {
    let is_followed =
        !procedure.blocks.iter().flatten().any(|block| {
            block.statements.iter().any(|statement| is_unknown_callee(&statement.kind))
        });
    move |statement| {
        let is_assumed =
            matches!(statement, StatementKind::Assume { reason: AssumeReason::Contract, .. });
        is_assumed && is_followed
    }
}

fn is_unknown_callee(statement: &StatementKind) -> bool {
    match statement {
        StatementKind::Havoc { reason, .. } => {
            matches!(reason, HavocReason::UnknownCallee | HavocReason::External)
        }
        StatementKind::Call { .. } => true,
        StatementKind::Assign(_)
        | StatementKind::Assume { .. }
        | StatementKind::Assert { .. }
        | StatementKind::Allocate { .. }
        | StatementKind::Free(_)
        | StatementKind::Unsupported { .. } => false,
    }
}

/// Whether expressions ignore garbage.
fn ignores(module: &Module, exprs: &Exprs, roots: Vec<ExprId>) -> bool {
    let mut seen: FxHashSet<ExprId> = roots.iter().copied().collect();
    let mut open = roots;
    while let Some(id) = open.pop() {
        let expr = exprs.get(id);
        let is_fine = match expr {
            Expr::Quantified(quantifier, binders, body) => binders.iter().all(|&binder| {
                !ranges_over_sort(exprs, binder) || is_guarded(exprs, *quantifier, *body, binder)
            }),
            Expr::Lambda(binders, body) => binders.iter().all(|&binder| {
                !ranges_over_sort(exprs, binder)
                    || is_guarded(exprs, Quantifier::Some, *body, binder)
            }),
            Expr::Op(op, operands) => is_local(exprs, op, operands),
            // A constant is something that leads somewhere, as a variable is.
            Expr::Apply(function, arguments) => {
                arguments.is_empty() && module.function(*function).definition.is_none()
            }
            Expr::Bool(_)
            | Expr::Bv(..)
            | Expr::Int(_)
            | Expr::Null(_)
            | Expr::Read(_)
            | Expr::Bound(_)
            | Expr::Old(_) => true,
        };
        if !is_fine {
            return false;
        }
        open.extend(expr.operands().iter().filter(|operand| seen.insert(**operand)));
    }
    true
}

fn ranges_over_sort(exprs: &Exprs, binder: Binder) -> bool {
    match exprs.binder(binder).1 {
        Type::Bool | Type::Bv(_) | Type::Int => false,
        Type::Sort(_)
        | Type::Ptr
        | Type::Map(..)
        | Type::Seq(_)
        | Type::Record(_)
        | Type::Variant(_)
        | Type::Bytes => true,
    }
}

/// Whether only atoms matter that are in some set, or that were changed.
fn is_guarded(exprs: &Exprs, quantifier: Quantifier, body: ExprId, binder: Binder) -> bool {
    let guards = exprs.guards(quantifier, body);
    let is_member = |guard: &ExprId| matches!(exprs.limit(*guard, binder), Some((Limit::Member, set)) if is_reached(exprs, set));
    guards.iter().any(is_member) || quantifier == Quantifier::All && is_unchanged(exprs, body)
}

/// Whether a formula holds of whatever has not changed.
fn is_unchanged(exprs: &Exprs, body: ExprId) -> bool {
    match exprs.get(body) {
        Expr::Op(Op::Or, sides) => sides.iter().any(|side| is_unchanged(exprs, *side)),
        Expr::Op(Op::Implies, sides) => is_unchanged(exprs, sides[1]),
        Expr::Op(Op::Eq, sides) => *exprs.get(sides[1]) == Expr::Old(sides[0]),
        _ => false,
    }
}

/// Whether a set has only members that variables lead to: it is the image of single atoms.
fn is_reached(exprs: &Exprs, set: ExprId) -> bool {
    match exprs.get(set) {
        Expr::Old(set) => is_reached(exprs, *set),
        Expr::Op(Op::Singleton, _) => true,
        Expr::Op(Op::Join, operands) => is_reached(exprs, operands[0]),
        Expr::Op(Op::Difference, operands) => is_reached(exprs, operands[0]),
        Expr::Op(Op::Intersection | Op::Union, operands) => {
            operands.iter().all(|operand| is_reached(exprs, *operand))
        }
        _ => false,
    }
}

/// Whether an operator applied to relations that ignore garbage does so too. Relations themselves may
/// hold tuples of garbage, so they may only be followed forwards.
fn is_local(exprs: &Exprs, op: &Op, operands: &[ExprId]) -> bool {
    let arity = |id: &ExprId| exprs.ty(*id).as_set().map_or(0, <[Type]>::len);
    match op {
        Op::Transpose | Op::Product => false,
        Op::Join => arity(&operands[0]) != 2 || arity(&operands[1]) == 2,
        Op::Subset | Op::Cardinality | Op::Eq | Op::Select => {
            operands.iter().all(|operand| arity(operand) < 2)
        }
        _ => true,
    }
}

//! Contracts put into bodies: what is required is assumed at the start, what is ensured is asserted at
//! the exits.
//!
//! The invariants of the module are treated like clauses of the contract. In a postcondition a parameter has
//! the value that the caller passed, whatever the body assigned to it, so it is read under `old`. Free
//! postconditions are guarantees to callers, and do not appear here. An execution that ends in an intended
//! exit or a cut ensures nothing.

use ir::{
    AssertKind, AssumeReason, Binder, Block, Contract, Exit, ExitClause, Expr, ExprId, Exprs,
    LocalId, Mode, Module, Procedure, Statement, StatementKind, TerminatorKind, Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::product::start;

/// Puts the contract of a procedure, and the invariants of its module, into its body. The result has
/// no contract.
pub fn spell_out(module: &Module, procedure: &Procedure) -> Procedure {
    let mut spelled = Procedure { contract: Contract::default(), ..procedure.clone() };
    let Some(mut blocks) = spelled.blocks.take() else { return spelled };
    let exprs = &mut spelled.exprs;
    let invariants: Vec<(ExprId, ir::Span)> = module
        .invariants
        .iter()
        .map(|invariant| (append(exprs, &invariant.exprs, invariant.condition), invariant.span))
        .collect();
    let at_exit = by_entry(procedure, exprs);

    let (_, point) = start(&blocks[0]);
    let assume = |condition, span| {
        let kind = StatementKind::Assume { condition, reason: AssumeReason::Contract };
        Statement::synthetic(kind, span, point)
    };
    let required = procedure.contract.requires.iter().map(|clause| (clause.condition, clause.span));
    let assumed: Vec<Statement> =
        invariants.iter().copied().chain(required).map(|(c, span)| assume(c, span)).collect();
    blocks[0].statements.splice(0..0, assumed);

    for block in &mut blocks {
        let exceptional = match &block.terminator.kind {
            TerminatorKind::Exit(Exit::Normal) => false,
            TerminatorKind::Exit(Exit::Exceptional(_)) => true,
            TerminatorKind::Exit(Exit::Intended(_) | Exit::Cut(_))
            | TerminatorKind::Goto(_)
            | TerminatorKind::Branch(..) => continue,
        };
        let point = block.terminator.point;
        let ensured = procedure.contract.ensures.iter().zip(&at_exit);
        let ensured = ensured
            .filter(|(ensures, _)| ensures.exceptional == exceptional && !ensures.clause.free)
            .map(|(ensures, &condition)| postcondition(ensures, condition, point));
        let kept = invariants.iter().map(|&(condition, span)| {
            let message = String::new();
            let kind = StatementKind::Assert { condition, kind: AssertKind::Invariant, message };
            Statement::synthetic(kind, span, point)
        });
        block.statements.extend(ensured.chain(kept).collect::<Vec<_>>());
    }
    spelled.blocks = Some(blocks);
    spelled
}

fn postcondition(ensures: &ExitClause, condition: ExprId, point: ir::PointId) -> Statement {
    let message = ensures.clause.message.clone();
    let kind = StatementKind::Assert { condition, kind: ensures.kind(), message };
    Statement::synthetic(kind, ensures.clause.span, point)
}

/// The conditions of postconditions, in which parameters that the body assigns are what they were at
/// the entry.
fn by_entry(procedure: &Procedure, exprs: &mut Exprs) -> Vec<ExprId> {
    let ensures = &procedure.contract.ensures;
    let roots: Vec<ExprId> = ensures.iter().map(|ensures| ensures.clause.condition).collect();
    let assigned = assigned_parameters(procedure);
    if assigned.is_empty() {
        return roots;
    }
    let mut copies: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    let mut binders: FxHashMap<Binder, Binder> = FxHashMap::default();
    // Operands are older than their user, so they have been copied when it is its turn.
    for id in reachable(exprs, &roots) {
        let ty = exprs.ty(id).clone();
        let mut copy = exprs.get(id).clone();
        rebind(&mut copy, |binder| {
            *binders.entry(binder).or_insert_with(|| {
                let (name, ty) = exprs.binder(binder);
                let (name, ty) = (name.to_owned(), ty.clone());
                exprs.bind(name, ty)
            })
        });
        for operand in copy.operands_mut() {
            *operand = copies[operand];
        }
        let is_assigned = matches!(&copy, Expr::Read(Variable::Local(id)) if assigned.contains(id));
        let mut copied = exprs.push(copy, ty.clone());
        if is_assigned {
            copied = exprs.push(Expr::Old(copied), ty);
        }
        copies.insert(id, copied);
    }
    roots.iter().map(|root| copies[root]).collect()
}

fn assigned_parameters(procedure: &Procedure) -> FxHashSet<LocalId> {
    let blocks: &[Block] = procedure.blocks.as_deref().unwrap_or(&[]);
    let places = blocks.iter().flat_map(|block| &block.statements).flat_map(|s| s.kind.written());
    let locals = places.filter_map(|place| match place.variable {
        Variable::Local(id) => Some(id),
        Variable::Global(_) => None,
    });
    locals.filter(|&id| procedure.local(id).mode == Mode::Parameter).collect()
}

/// The expressions that these are made of, themselves included, operands first.
fn reachable(exprs: &Exprs, roots: &[ExprId]) -> Vec<ExprId> {
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    let mut pending = roots.to_vec();
    while let Some(id) = pending.pop() {
        if seen.insert(id) {
            pending.extend(exprs.get(id).operands());
        }
    }
    let mut all: Vec<ExprId> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

/// Appends all expressions of another arena; returns the copy of one of them.
fn append(exprs: &mut Exprs, other: &Exprs, root: ExprId) -> ExprId {
    let (nodes, binders) = (exprs.len() as u32, exprs.binders() as u32);
    for number in 0..other.binders() as u32 {
        let (name, ty) = other.binder(Binder(number));
        exprs.bind(name, ty.clone());
    }
    for id in (0..other.len() as u32).map(ExprId) {
        let mut copy = other.get(id).clone();
        rebind(&mut copy, |binder| Binder(binder.0 + binders));
        for operand in copy.operands_mut() {
            operand.0 += nodes;
        }
        exprs.push(copy, other.ty(id).clone());
    }
    ExprId(root.0 + nodes)
}

/// Changes the bound variables that an expression itself names.
fn rebind(expr: &mut Expr, mut to: impl FnMut(Binder) -> Binder) {
    match expr {
        Expr::Bound(binder) => *binder = to(*binder),
        Expr::Quantified(_, binders, _) | Expr::Lambda(binders, _) => {
            for binder in binders {
                *binder = to(*binder);
            }
        }
        Expr::Bool(_)
        | Expr::Bv(..)
        | Expr::Int(_)
        | Expr::Null(_)
        | Expr::Read(_)
        | Expr::Op(..)
        | Expr::Apply(..)
        | Expr::Old(_) => {}
    }
}

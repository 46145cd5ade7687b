//! Relaxation: a procedure in which only some statements still mean something.
//!
//! An assignment that is not kept gives its places any values, an assumption or assertion disappears, a
//! branch becomes nondeterministic, a precondition is dropped. The result has every execution of the original
//! and more. So what cannot happen in it is excluded by the kept statements alone; this separates the
//! statements that doom a program point from the rest (Hoenicke et al. 2009, §2).
//!
//! Allocations, releases and unsupported statements stay, as do assumptions by which a pass excludes
//! executions: a person cannot inspect and fix these.

use ir::{
    AssumeReason, Expr, HavocReason, LocalId, Mode, Origin, Place, PointId, Procedure, Statement,
    StatementKind, TerminatorKind, Type, Variable,
};

use crate::names::Names;

/// Something that can be kept or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Constraint {
    /// All statements of a source point.
    Point(PointId),
    /// A precondition, by position.
    Requires(u32),
}

/// Relaxes everything in a procedure that is not kept.
pub fn relax(procedure: &Procedure, keeps: impl Fn(Constraint) -> bool) -> Procedure {
    let mut relaxed = procedure.clone();
    let mut position = 0..;
    relaxed
        .contract
        .requires
        .retain(|_| position.next().is_some_and(|n| keeps(Constraint::Requires(n))));
    let Some(mut blocks) = relaxed.blocks.take() else { return relaxed };
    let mut either: Option<LocalId> = None;
    for block in &mut blocks {
        let statements = std::mem::take(&mut block.statements);
        for statement in statements {
            if keeps(Constraint::Point(statement.point)) {
                block.statements.push(statement);
            } else {
                weaken(&relaxed, statement, &mut block.statements);
            }
        }
        let (span, point) = (block.terminator.span, block.terminator.point);
        if let TerminatorKind::Branch(condition, ..) = &mut block.terminator.kind
            && !keeps(Constraint::Point(point))
        {
            let local = *either.get_or_insert_with(|| {
                let taken = relaxed.locals.iter().map(|local| local.name.as_str());
                let name = Names::new(taken).fresh("either");
                relaxed.new_local(name, Type::Bool, Mode::Local)
            });
            let variable = Variable::Local(local);
            let kind = any(Place { variable, path: Vec::new() });
            block.statements.push(Statement::synthetic(kind, span, point));
            *condition = relaxed.exprs.push(Expr::Read(variable), Type::Bool);
        }
    }
    relaxed.blocks = Some(blocks);
    relaxed
}

/// The relaxed form of a statement.
fn weaken(procedure: &Procedure, statement: Statement, into: &mut Vec<Statement>) {
    let Statement { span, point, .. } = statement;
    let kinds = match statement.kind {
        StatementKind::Assign(mut pairs) if pairs.len() == 1 => {
            pairs.drain(..).map(|(place, _)| any(place)).collect()
        }
        // The keys of one place may be changed by another.
        StatementKind::Assign(pairs) => {
            let whole = |place: Place| Place { variable: place.variable, path: Vec::new() };
            pairs.into_iter().map(|(place, _)| any(whole(place))).collect()
        }
        StatementKind::Havoc { place, reason, .. } => {
            vec![StatementKind::Havoc { place, condition: None, reason }]
        }
        kind @ StatementKind::Assume { condition, reason } => {
            let is_synthetic =
                statement.origin == Origin::Synthetic && reason == AssumeReason::Model;
            let is_never = *procedure.exprs.get(condition) == Expr::Bool(false);
            if is_synthetic && is_never { vec![kind] } else { Vec::new() }
        }
        StatementKind::Assert { .. } => Vec::new(),
        kind @ (StatementKind::Allocate { .. }
        | StatementKind::Free(_)
        | StatementKind::Call { .. }
        | StatementKind::Unsupported { .. }) => vec![kind],
    };
    into.extend(kinds.into_iter().map(|kind| Statement::synthetic(kind, span, point)));
}

fn any(place: Place) -> StatementKind {
    StatementKind::Havoc { place, condition: None, reason: HavocReason::Choice }
}

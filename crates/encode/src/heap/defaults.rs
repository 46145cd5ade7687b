//! Dead default values: assignments to a new atom that are overwritten before anything is read.
//!
//! Java fills the fields of a new object with zeros before its constructor does anything else. Such a zero is a
//! constant among numbers that may otherwise only be compared with each other, and would have to be distinguished
//! from all of them. Where the same cell is assigned again before the map is read, the first assignment may be
//! anything.

use ir::{
    BlockId, Expr, ExprId, Place, Procedure, Projection, StatementKind, TerminatorKind, Variable,
};
use rustc_hash::FxHashSet;

/// The assignments, by block and position, whose value is a constant and is never read.
pub(super) fn overwritten(procedure: &Procedure) -> FxHashSet<(usize, usize)> {
    let mut found = FxHashSet::default();
    for (block, body) in procedure.blocks.iter().flatten().enumerate() {
        for (position, statement) in body.statements.iter().enumerate() {
            if let Some((map, cell)) = default_of(procedure, &statement.kind)
                && is_overwritten(procedure, (block, position + 1), map, cell)
            {
                found.insert((block, position));
            }
        }
    }
    found
}

/// The map, and the variable that is the key, if a statement assigns a constant to one cell.
fn default_of(procedure: &Procedure, statement: &StatementKind) -> Option<(Variable, Variable)> {
    let StatementKind::Assign(pairs) = statement else { return None };
    let [(place, value)] = &pairs[..] else { return None };
    let is_constant = matches!(procedure.exprs.get(*value), Expr::Bv(..) | Expr::Int(_));
    cell(procedure, place).filter(|_| is_constant)
}

/// The map and the variable by which a place is a cell of it.
fn cell(procedure: &Procedure, place: &Place) -> Option<(Variable, Variable)> {
    let [Projection::Index(keys)] = &place.path[..] else { return None };
    let [key] = keys[..] else { return None };
    match procedure.exprs.get(key) {
        Expr::Read(variable) => Some((place.variable, *variable)),
        _ => None,
    }
}

/// Whether the cell is assigned before the map is read, on the only path from here.
fn is_overwritten(
    procedure: &Procedure,
    from: (usize, usize),
    map: Variable,
    key: Variable,
) -> bool {
    let blocks = procedure.blocks.as_deref().unwrap_or(&[]);
    // The variables that are the key.
    let mut names = FxHashSet::from_iter([key]);
    let (mut block, mut position) = from;
    for _ in 0..blocks.len() {
        let body = &blocks[block];
        for statement in &body.statements[position..] {
            let mut reads = false;
            statement.kind.for_each_expr(&mut |id| reads |= mentions(procedure, *id, map));
            if reads {
                return false;
            }
            if let StatementKind::Assign(pairs) = &statement.kind {
                let to_cell = |place: &Place| {
                    cell(procedure, place).is_some_and(|(to, by)| to == map && names.contains(&by))
                };
                if pairs.iter().any(|(place, _)| to_cell(place)) {
                    return true;
                }
                rename(procedure, pairs, &mut names);
            } else {
                statement.kind.written().iter().for_each(|place| {
                    names.remove(&place.variable);
                });
            }
        }
        match &body.terminator.kind {
            TerminatorKind::Goto(targets) => match targets[..] {
                [BlockId(next)] => (block, position) = (next as usize, 0),
                _ => return false,
            },
            TerminatorKind::Branch(..) | TerminatorKind::Exit(_) => return false,
        }
    }
    false
}

/// Follows copies of the key.
fn rename(procedure: &Procedure, pairs: &[(Place, ExprId)], names: &mut FxHashSet<Variable>) {
    for (place, value) in pairs.iter().filter(|(place, _)| place.path.is_empty()) {
        match procedure.exprs.get(*value) {
            Expr::Read(variable) if names.contains(variable) => names.insert(place.variable),
            _ => names.remove(&place.variable),
        };
    }
}

/// Whether an expression reads a variable, in the state at hand or another.
fn mentions(procedure: &Procedure, id: ExprId, variable: Variable) -> bool {
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        match procedure.exprs.get(id) {
            Expr::Read(read) if *read == variable => return true,
            expr => open.extend(expr.operands()),
        }
    }
    false
}

//! The sets that preconditions speak of.
//!
//! An invariant says something of every node that is reached from the root. Mostly these are all nodes there are, but
//! whoever does not know that finds out node by node. Here is which sets those are; who finds it out is not our
//! business.

use circuit::Gate;
use ir::{Expr, ExprId, Exprs, Limit, SortId, Type};

/// A set of individuals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The sort of the individuals.
    pub sort: SortId,
    /// Whether each is a member, from `null` on.
    pub members: Vec<Gate>,
}

/// The sets that variables bound in some conditions range over, if these sets are the same whatever is bound.
pub(crate) fn ranges_of(exprs: &Exprs, conditions: Vec<ExprId>) -> Vec<(SortId, ExprId)> {
    let mut ranges = Vec::new();
    let mut open = conditions;
    let mut seen = vec![false; exprs.len()];
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        let expr = exprs.get(id);
        open.extend(expr.operands());
        let Expr::Quantified(quantifier, binders, body) = expr else { continue };
        for guard in exprs.guards(*quantifier, *body) {
            for &binder in binders {
                let Some((Limit::Member, set)) = exprs.limit(guard, binder) else { continue };
                let Type::Sort(sort) = exprs.binder(binder).1 else { continue };
                if !ranges.contains(&(*sort, set)) && exprs.free_binders(set).is_empty() {
                    ranges.push((*sort, set));
                }
            }
        }
    }
    ranges.sort_unstable_by_key(|(sort, set)| (sort.0, set.0));
    ranges
}

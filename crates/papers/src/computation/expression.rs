//! Expressions and predicates of the program as sets and formulas at a node (Figure 7: E and P).

use java::subset::{Expr, Formula, Pred, Set};

use crate::computation::label::Labels;

/// `E[e] i`.
pub(crate) fn expression(expr: &Expr, labels: &Labels, node: usize) -> Set {
    match expr {
        Expr::Null => Set::Empty,
        Expr::Variable(name) => Set::Name(labels.at(name, node)),
        Expr::Field(object, field) => {
            expression(object, labels, node).join(Set::Name(labels.at(field, node)))
        }
    }
}

/// `P[p] i j`; no predicate looks at the node behind it.
pub(crate) fn predicate(pred: &Pred, labels: &Labels, node: usize) -> Formula {
    let set = |expr: &Expr| expression(expr, labels, node);
    match pred {
        Pred::Equal(a, b) => Formula::Equal(set(a), set(b)),
        Pred::Less(a, b) => Formula::Less(set(a), set(b)),
        Pred::Not(inner) => Formula::Not(Box::new(predicate(inner, labels, node))),
        Pred::And(a, b) => {
            Formula::And(Box::new(predicate(a, labels, node)), Box::new(predicate(b, labels, node)))
        }
    }
}

/// The conjunction of formulas.
pub(crate) fn all_of(formulas: impl IntoIterator<Item = Formula>) -> Formula {
    let both = |a, b| Formula::And(Box::new(a), Box::new(b));
    formulas.into_iter().reduce(both).unwrap_or(Formula::True)
}

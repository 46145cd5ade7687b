//! Null dereferences (§3.10): how the formula treats them.
//!
//! By itself it knows none: a field of the empty set is the empty set, and a store through it constrains
//! nothing but that the value is empty too, so that most such executions are lost. Recorded, they are
//! kept: the value is intersected with everything or nothing, and a component holds whose field was null
//! when it was dereferenced. The paper leaves out variables that are null; they are atoms here, which the
//! paper proposes. Excluded, the executions that Java ends with an exception are no models.

use java::subset::{Expr, Formula, Pred, Quantifier, Set};

use crate::computation::expression::{all_of, expression, predicate};
use crate::computation::graph::Action;
use crate::computation::label::Labels;

/// How null dereferences are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Nulls {
    /// As in Figures 7 and 8: not at all.
    #[default]
    Ignored,
    /// As in §3.10: such a store has no effect, and what was null is recorded.
    Recorded,
    /// No execution dereferences null.
    Excluded,
}

/// The component that records them.
pub(crate) const NULL_DEREFS: &str = "NullDerefs";

/// The domain of variables, which may be null when they are dereferenced.
pub(crate) const VARIABLES: &str = "Var";

/// The atom of a variable.
pub(crate) fn atom(variable: &str) -> String {
    format!("@{variable}")
}

/// An expression that is dereferenced, and the conditions of Java's `&&` under which it is.
pub(crate) struct Dereference<'a> {
    pub(crate) object: &'a Expr,
    pub(crate) under: Vec<&'a Pred>,
}

/// The dereferences of an action: of `v.f.g` both `v` and `v.f`.
pub(crate) fn dereferences(action: &Action) -> Vec<Dereference<'_>> {
    let mut found = Vec::new();
    match action {
        Action::Assign(_, value) | Action::Return(Some(value)) => {
            of_expr(value, &[], &mut found);
        }
        Action::Store(object, _, value) => {
            of_expr(object, &[], &mut found);
            of_expr(value, &[], &mut found);
            found.push(Dereference { object, under: Vec::new() });
        }
        Action::Test(pred) => of_pred(pred, &mut Vec::new(), &mut found),
        Action::Return(None) | Action::Skip => {}
    }
    found
}

fn of_expr<'a>(expr: &'a Expr, under: &[&'a Pred], found: &mut Vec<Dereference<'a>>) {
    if let Expr::Field(object, _) = expr {
        of_expr(object, under, found);
        found.push(Dereference { object, under: under.to_vec() });
    }
}

fn of_pred<'a>(pred: &'a Pred, under: &mut Vec<&'a Pred>, found: &mut Vec<Dereference<'a>>) {
    match pred {
        Pred::Equal(a, b) | Pred::Less(a, b) => {
            of_expr(a, under, found);
            of_expr(b, under, found);
        }
        Pred::Not(inner) => of_pred(inner, under, found),
        Pred::And(a, b) => {
            of_pred(a, under, found);
            under.push(a);
            of_pred(b, under, found);
            under.pop();
        }
    }
}

/// That nothing is dereferenced that is null, at a node.
pub(crate) fn none_null(action: &Action, labels: &Labels, node: usize) -> Vec<Formula> {
    let some = |dereference: Dereference<'_>| {
        let object = expression(dereference.object, labels, node);
        let some = Formula::Count(Quantifier::Some, object);
        match dereference.under.is_empty() {
            true => some,
            false => Formula::Implies(Box::new(under(&dereference, labels, node)), Box::new(some)),
        }
    };
    dereferences(action).into_iter().map(some).collect()
}

/// `NullDerefs[j] = NullDerefs[i] + …`, if anything is dereferenced.
pub(crate) fn record(action: &Action, labels: &Labels, from: usize, to: usize) -> Option<Formula> {
    let found = dereferences(action);
    if found.is_empty() {
        return None;
    }
    let mut sum = Set::Name(labels.at(NULL_DEREFS, from));
    for dereference in &found {
        let culprit = match dereference.object {
            // Java's compiler rejects a dereference of the literal `null`.
            Expr::Null => continue,
            Expr::Variable(name) => Set::Name(atom(name)),
            Expr::Field(object, _) => expression(object, labels, from),
        };
        let is_null = Formula::Equal(expression(dereference.object, labels, from), Set::Empty);
        let condition = match dereference.under.is_empty() {
            true => is_null,
            false => all_of([under(dereference, labels, from), is_null]),
        };
        let added = Set::Comprehension("o".into(), Some(Box::new(culprit)), Box::new(condition));
        sum = Set::Union(Box::new(sum), Box::new(added));
    }
    Some(Formula::Equal(Set::Name(labels.at(NULL_DEREFS, to)), sum))
}

fn under(dereference: &Dereference<'_>, labels: &Labels, node: usize) -> Formula {
    all_of(dereference.under.iter().map(|pred| predicate(pred, labels, node)))
}

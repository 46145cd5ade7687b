//! The notation of the paper, for programs, sets and formulas.

use java::subset::{Expr, Formula, Pred, Quantifier, Set};

use crate::computation::graph::Action;

pub(crate) fn action(action: &Action) -> String {
    match action {
        Action::Assign(name, value) => format!("{name} = {}", expr(value)),
        Action::Store(object, field, value) => {
            format!("{}.{field} = {}", expr(object), expr(value))
        }
        Action::Return(None) => "return".to_owned(),
        Action::Return(Some(value)) => format!("return {}", expr(value)),
        Action::Test(tested) => pred(tested),
        Action::Skip => "nothing".to_owned(),
    }
}

fn expr(of: &Expr) -> String {
    match of {
        Expr::Null => "null".to_owned(),
        Expr::Variable(name) => name.clone(),
        Expr::Field(object, field) => format!("{}.{field}", expr(object)),
    }
}

fn pred(of: &Pred) -> String {
    match of {
        Pred::Equal(a, b) => format!("{} == {}", expr(a), expr(b)),
        Pred::Less(a, b) => format!("{} < {}", expr(a), expr(b)),
        Pred::And(a, b) => format!("{} && {}", pred(a), pred(b)),
        Pred::Not(inner) => match &**inner {
            Pred::Equal(a, b) => format!("{} != {}", expr(a), expr(b)),
            Pred::Less(a, b) => format!("{} >= {}", expr(a), expr(b)),
            inner @ (Pred::And(..) | Pred::Not(_)) => format!("!({})", pred(inner)),
        },
    }
}

/// How tightly a formula binds; what binds no tighter stands in parentheses inside it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Quantified,
    Implies,
    Or,
    And,
    Not,
}

pub(crate) fn formula(of: &Formula) -> String {
    within(of, Precedence::Quantified)
}

/// A formula to whose right another stands, which an open quantifier would swallow.
fn left(of: &Formula, tight: Precedence) -> String {
    match of {
        Formula::And(a, b) if is_open(b) && tight <= Precedence::And => {
            format!("{} ∧ ({})", left(a, Precedence::And), formula(b))
        }
        _ if is_open(of) => format!("({})", formula(of)),
        _ => within(of, tight),
    }
}

/// Whether a formula ends with the body of a quantifier.
fn is_open(of: &Formula) -> bool {
    match of {
        Formula::Quantified(..) => true,
        Formula::And(_, b) | Formula::Or(_, b) | Formula::Implies(_, b) => is_open(b),
        Formula::True
        | Formula::Boolean(_)
        | Formula::In(..)
        | Formula::Equal(..)
        | Formula::Less(..)
        | Formula::Count(..)
        | Formula::Not(_) => false,
    }
}

/// The text of a formula that has to bind at least so tightly. A quantifier may end any formula.
fn within(of: &Formula, least: Precedence) -> String {
    let (tight, text) = match of {
        Formula::True => (Precedence::Not, "true".to_owned()),
        Formula::Boolean(name) => (Precedence::Not, name.clone()),
        Formula::In(a, b) => (Precedence::Not, format!("{} in {}", set(a), set(b))),
        Formula::Equal(a, b) => (Precedence::Not, format!("{} = {}", set(a), set(b))),
        Formula::Less(a, b) => (Precedence::Not, format!("{} < {}", set(a), set(b))),
        Formula::Count(quantifier, a) => {
            (Precedence::Not, format!("{} {}", word(*quantifier), set(a)))
        }
        Formula::Quantified(quantifier, name, over, body) => {
            let (quantifier, body) = (word(*quantifier), formula(body));
            let text = match over {
                Some(over) => format!("{quantifier} {name}: {} | {body}", set(over)),
                None => format!("{quantifier} {name} | {body}"),
            };
            let tight =
                if least <= Precedence::And { Precedence::Not } else { Precedence::Quantified };
            (tight, text)
        }
        Formula::Not(inner) => match &**inner {
            Formula::Equal(a, b) => (Precedence::Not, format!("{} != {}", set(a), set(b))),
            Formula::In(a, b) => (Precedence::Not, format!("{} not in {}", set(a), set(b))),
            Formula::Less(a, b) => (Precedence::Not, format!("¬ {} < {}", set(a), set(b))),
            inner @ (Formula::Quantified(..) | Formula::Count(..)) => {
                (Precedence::Not, format!("¬ ({})", formula(inner)))
            }
            inner => (Precedence::Not, format!("¬ {}", within(inner, Precedence::Not))),
        },
        Formula::And(a, b) => (
            Precedence::And,
            format!("{} ∧ {}", left(a, Precedence::And), within(b, Precedence::And)),
        ),
        Formula::Or(a, b) => {
            (Precedence::Or, format!("{} ∨ {}", left(a, Precedence::Or), within(b, Precedence::Or)))
        }
        Formula::Implies(a, b) => (
            Precedence::Implies,
            format!("{} ⇒ {}", left(a, Precedence::Or), within(b, Precedence::Implies)),
        ),
    };
    if tight < least { format!("({text})") } else { text }
}

fn word(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::All => "all",
        Quantifier::Some => "some",
        Quantifier::No => "no",
        Quantifier::One => "one",
        Quantifier::Sole => "sole",
    }
}

/// How tightly a set binds: sums, then `&`, then the rest.
fn set_within(of: &Set, least: u8) -> String {
    let (tight, text) = match of {
        Set::Empty => (3, "{}".to_owned()),
        Set::Name(name) => (3, name.clone()),
        Set::Union(a, b) => (0, format!("{} + {}", set_within(a, 0), set_within(b, 1))),
        Set::Difference(a, b) => (0, format!("{} - {}", set_within(a, 0), set_within(b, 1))),
        Set::Intersection(a, b) => (1, format!("{} & {}", set_within(a, 1), set_within(b, 2))),
        Set::Join(a, b) => (2, format!("{}.{}", set_within(a, 2), set_within(b, 3))),
        Set::Transpose(a) => (3, format!("~{}", set_within(a, 3))),
        Set::Closure(a) => (3, format!("+{}", set_within(a, 3))),
        Set::ReflexiveClosure(a) => (3, format!("*{}", set_within(a, 3))),
        Set::Comprehension(name, over, body) => {
            let over = over.as_ref().map_or(String::new(), |over| format!(": {}", set(over)));
            (3, format!("{{{name}{over} | {}}}", formula(body)))
        }
    };
    if tight < least { format!("({text})") } else { text }
}

pub(crate) fn set(of: &Set) -> String {
    set_within(of, 0)
}

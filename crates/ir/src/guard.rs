//! Guards of quantifiers: what the form of a formula says of the values that its bound variables need.
//!
//! `(all i: int :: 0 <= i && i < n ==> …)` can be false, and `(some i: int :: 0 <= i && i < n && …)` can
//! be true, only within limits that the formula itself states. The interpreter and the evaluator both
//! look for such limits before they go through the values of a type that has many.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::expr::{Binder, Expr, ExprId, Exprs, Quantifier};
use crate::op::Op;

/// Which order a comparison is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// That of the integers.
    Integers,
    /// That of words as natural numbers.
    Unsigned,
    /// That of words in two's complement.
    Signed,
}

/// How a guard limits a bound variable by another expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The variable is equal to it.
    Equal,
    /// The variable is a member of it, a set.
    Member,
    /// The variable is less than it, or equal unless `strict`.
    Below {
        /// In this order.
        order: Order,
        /// Whether they differ.
        strict: bool,
    },
    /// The variable is greater than it, or equal unless `strict`.
    Above {
        /// In this order.
        order: Order,
        /// Whether they differ.
        strict: bool,
    },
}

impl Exprs {
    /// The conditions without which no case of a quantified formula decides it.
    pub fn guards(&self, quantifier: Quantifier, body: ExprId) -> Vec<ExprId> {
        let mut guards = Vec::new();
        match quantifier {
            Quantifier::Some => self.conjuncts(body, &mut guards),
            Quantifier::All => {
                let mut body = body;
                while let Expr::Op(Op::Implies, operands) = self.get(body) {
                    self.conjuncts(operands[0], &mut guards);
                    body = operands[1];
                }
            }
        }
        guards
    }

    /// Adds the conditions that hold whenever a formula does.
    pub fn conjuncts(&self, formula: ExprId, conditions: &mut Vec<ExprId>) {
        let mut open = vec![formula];
        let mut seen = FxHashSet::default();
        while let Some(id) = open.pop() {
            match self.get(id) {
                Expr::Op(Op::And, operands) => {
                    open.extend(operands.iter().rev().filter(|operand| seen.insert(**operand)));
                }
                _ => conditions.push(id),
            }
        }
    }

    /// How a condition limits a bound variable, and by what, if it has the form of a guard.
    pub fn limit(&self, condition: ExprId, binder: Binder) -> Option<(Limit, ExprId)> {
        let Expr::Op(op, operands) = self.get(condition) else { return None };
        let [a, b] = operands[..] else { return None };
        let is_binder = |id: ExprId| *self.get(id) == Expr::Bound(binder);
        if *op == Op::Select {
            return is_binder(b).then_some((Limit::Member, a));
        }
        let (other, first) = match (is_binder(a), is_binder(b)) {
            (true, false) => (b, true),
            (false, true) => (a, false),
            (true, true) | (false, false) => return None,
        };
        if *op == Op::Eq {
            return Some((Limit::Equal, other));
        }
        let (order, strict) = order(op)?;
        let limit = match first {
            true => Limit::Below { order, strict },
            false => Limit::Above { order, strict },
        };
        Some((limit, other))
    }

    /// Whether an expression mentions one of these bound variables.
    pub fn mentions(&self, id: ExprId, binders: &[Binder]) -> bool {
        let mut open = vec![id];
        let mut seen = FxHashSet::default();
        while let Some(id) = open.pop() {
            match self.get(id) {
                Expr::Bound(binder) if binders.contains(binder) => return true,
                expr => open.extend(expr.operands().iter().filter(|id| seen.insert(**id))),
            }
        }
        false
    }

    /// The bound variables that an expression mentions and does not bind itself, in order.
    pub fn free_binders(&self, id: ExprId) -> Vec<Binder> {
        let mut open = vec![id];
        let mut seen = FxHashSet::default();
        let (mut mentioned, mut bound) = (BTreeSet::new(), BTreeSet::new());
        while let Some(id) = open.pop() {
            let expr = self.get(id);
            match expr {
                Expr::Bound(binder) => drop(mentioned.insert(*binder)),
                Expr::Quantified(_, binders, _) | Expr::Lambda(binders, _) => bound.extend(binders),
                _ => {}
            }
            open.extend(expr.operands().iter().filter(|id| seen.insert(**id)));
        }
        mentioned.difference(&bound).copied().collect()
    }
}

/// The order of a comparison, and whether it is strict.
fn order(op: &Op) -> Option<(Order, bool)> {
    match op {
        Op::IntLt => Some((Order::Integers, true)),
        Op::IntLe => Some((Order::Integers, false)),
        Op::BvUlt => Some((Order::Unsigned, true)),
        Op::BvUle => Some((Order::Unsigned, false)),
        Op::BvSlt => Some((Order::Signed, true)),
        Op::BvSle => Some((Order::Signed, false)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::Type;
    use crate::expr::{Expr, Exprs, Quantifier};
    use crate::op::Op;

    #[test]
    fn what_an_expression_binds_itself_is_not_free_in_it() {
        let mut exprs = Exprs::default();
        let [a, b] = ["a", "b"].map(|name| exprs.bind(name, Type::Bool));
        let [read_a, read_b] = [a, b].map(|binder| exprs.push(Expr::Bound(binder), Type::Bool));
        let both = exprs.push(Expr::Op(Op::And, vec![read_a, read_b]), Type::Bool);
        let some = Expr::Quantified(Quantifier::Some, vec![b], both);
        let some = exprs.push(some, Type::Bool);
        let all = exprs.push(Expr::Quantified(Quantifier::All, vec![a], some), Type::Bool);
        assert_eq!(exprs.free_binders(both), [a, b]);
        assert_eq!(exprs.free_binders(some), [a]);
        assert_eq!(exprs.free_binders(all), []);
    }
}

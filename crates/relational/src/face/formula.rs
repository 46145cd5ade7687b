//! Handles of formulas.

use std::fmt;
use std::ops::{BitAnd, BitOr, Not};

use super::{Expr, Int, same_logic};
use crate::logic::{AnyNode, Connective, ExprNode, FormulaId, FormulaNode, IntNode, Logic};

/// A formula; its value is a truth value.
#[derive(Clone, Copy)]
pub struct Formula<'a> {
    pub(crate) logic: &'a Logic,
    pub(crate) id: FormulaId,
}

impl<'a> Formula<'a> {
    fn connect(self, connective: Connective, other: Formula<'a>) -> Formula<'a> {
        same_logic(self.logic, other.logic);
        self.logic.formula(FormulaNode::Connective(connective, self.id, other.id))
    }

    /// If this holds, so does the other.
    pub fn implies(self, other: Formula<'a>) -> Formula<'a> {
        self.connect(Connective::Implies, other)
    }

    /// This holds exactly where the other does.
    pub fn iff(self, other: Formula<'a>) -> Formula<'a> {
        self.connect(Connective::Iff, other)
    }

    /// `self => then else otherwise`, between formulas.
    pub fn if_else(self, then: Formula<'a>, otherwise: Formula<'a>) -> Formula<'a> {
        self.implies(then) & (!self).implies(otherwise)
    }

    /// The expression `then` where this holds, `otherwise` elsewhere.
    pub fn choose(self, then: Expr<'a>, otherwise: Expr<'a>) -> Expr<'a> {
        same_logic(self.logic, then.logic);
        same_logic(self.logic, otherwise.logic);
        self.logic.expr(ExprNode::Conditional(self.id, then.id, otherwise.id))
    }

    /// The integer `then` where this holds, `otherwise` elsewhere.
    pub fn choose_int(self, then: Int<'a>, otherwise: Int<'a>) -> Int<'a> {
        same_logic(self.logic, then.logic);
        same_logic(self.logic, otherwise.logic);
        self.logic.integer(IntNode::Conditional(self.id, then.id, otherwise.id))
    }
}

impl<'a> BitAnd for Formula<'a> {
    type Output = Formula<'a>;
    /// Conjunction.
    fn bitand(self, other: Formula<'a>) -> Formula<'a> {
        self.connect(Connective::And, other)
    }
}

impl<'a> BitOr for Formula<'a> {
    type Output = Formula<'a>;
    /// Disjunction.
    fn bitor(self, other: Formula<'a>) -> Formula<'a> {
        self.connect(Connective::Or, other)
    }
}

impl<'a> Not for Formula<'a> {
    type Output = Formula<'a>;
    /// Negation.
    fn not(self) -> Formula<'a> {
        self.logic.formula(FormulaNode::Not(self.id))
    }
}

impl PartialEq for Formula<'_> {
    /// Whether both handles are the same formula, written the same way.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.logic, other.logic) && self.id == other.id
    }
}

impl Eq for Formula<'_> {}

impl fmt::Display for Formula<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.logic.text(AnyNode::Formula(self.id)))
    }
}

impl fmt::Debug for Formula<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

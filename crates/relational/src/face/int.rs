//! Handles of integer expressions.

use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use super::{Expr, Formula, same_logic};
use crate::logic::{AnyNode, ExprNode, FormulaNode, IntComparison, IntId, IntNode, IntOp, Logic};

/// An integer expression. [`Integers`](crate::Integers) determines the width of integers and the treatment of
/// overflow when the problem is solved.
#[derive(Clone, Copy)]
pub struct Int<'a> {
    pub(crate) logic: &'a Logic,
    pub(crate) id: IntId,
}

impl<'a> Int<'a> {
    fn binary(self, op: IntOp, other: Int<'a>) -> Int<'a> {
        same_logic(self.logic, other.logic);
        self.logic.integer(IntNode::Binary(op, self.id, other.id))
    }

    fn compare(self, comparison: IntComparison, other: Int<'a>) -> Formula<'a> {
        same_logic(self.logic, other.logic);
        self.logic.formula(FormulaNode::CompareInt(comparison, self.id, other.id))
    }

    /// `self = other`.
    pub fn equals(self, other: Int<'a>) -> Formula<'a> {
        self.compare(IntComparison::Equal, other)
    }

    /// `self < other`.
    pub fn less(self, other: Int<'a>) -> Formula<'a> {
        self.compare(IntComparison::Less, other)
    }

    /// `self ≤ other`.
    pub fn at_most(self, other: Int<'a>) -> Formula<'a> {
        self.compare(IntComparison::AtMost, other)
    }

    /// `self > other`.
    pub fn greater(self, other: Int<'a>) -> Formula<'a> {
        other.less(self)
    }

    /// `self ≥ other`.
    pub fn at_least(self, other: Int<'a>) -> Formula<'a> {
        other.at_most(self)
    }

    /// The atom that the bounds gave this integer, as a set; the empty set if it has none.
    pub fn as_set(self) -> Expr<'a> {
        self.logic.expr(ExprNode::OfInt(self.id))
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $op:ident, $doc:literal) => {
        impl<'a> $trait for Int<'a> {
            type Output = Int<'a>;
            #[doc = $doc]
            fn $method(self, other: Int<'a>) -> Int<'a> {
                self.binary(IntOp::$op, other)
            }
        }
    };
}

operator!(Add, add, Add, "Sum.");
operator!(Sub, sub, Subtract, "Difference.");
operator!(Mul, mul, Multiply, "Product.");
operator!(Div, div, Divide, "Quotient, truncated towards zero; zero if the divisor is.");
operator!(Rem, rem, Remainder, "Remainder of the quotient; the dividend if the divisor is zero.");

impl<'a> Neg for Int<'a> {
    type Output = Int<'a>;
    /// Negation.
    fn neg(self) -> Int<'a> {
        self.logic.integer(IntNode::Negate(self.id))
    }
}

impl fmt::Display for Int<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.logic.text(AnyNode::Int(self.id)))
    }
}

impl fmt::Debug for Int<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

//! Handles of relational expressions.

use std::fmt;
use std::ops::{Add, BitAnd, Sub};

use super::{Formula, Int, same_logic};
use crate::logic::{
    AnyNode, BinaryOp, Comparison, ExprId, ExprNode, FormulaNode, IntNode, Logic, Multiplicity,
    TotalOrder, UnaryOp,
};

/// A relational expression; its value is a set of tuples of one arity.
#[derive(Clone, Copy)]
pub struct Expr<'a> {
    pub(crate) logic: &'a Logic,
    pub(crate) id: ExprId,
}

impl<'a> Expr<'a> {
    fn unary(self, op: UnaryOp) -> Expr<'a> {
        self.logic.expr(ExprNode::Unary(op, self.id))
    }

    fn binary(self, op: BinaryOp, other: Expr<'a>) -> Expr<'a> {
        same_logic(self.logic, other.logic);
        self.logic.expr(ExprNode::Binary(op, self.id, other.id))
    }

    fn compare(self, comparison: Comparison, other: Expr<'a>) -> Formula<'a> {
        same_logic(self.logic, other.logic);
        self.logic.formula(FormulaNode::Compare(comparison, self.id, other.id))
    }

    fn multiplicity(self, multiplicity: Multiplicity) -> Formula<'a> {
        self.logic.formula(FormulaNode::Multiplicity(multiplicity, self.id))
    }

    /// The number of columns; zero if the expression is ill-typed.
    pub fn arity(self) -> usize {
        self.logic.arena.borrow().exprs.facts(self.id.index()).arity
    }

    /// `self.other`: the last column of `self` matched against the first of `other`.
    pub fn join(self, other: Expr<'a>) -> Expr<'a> {
        self.binary(BinaryOp::Join, other)
    }

    /// `self -> other`: every concatenation of a tuple of each.
    pub fn product(self, other: Expr<'a>) -> Expr<'a> {
        self.binary(BinaryOp::Product, other)
    }

    /// `self ++ other`: `other`, and what of `self` starts with an atom that starts no tuple of
    /// `other`.
    pub fn override_with(self, other: Expr<'a>) -> Expr<'a> {
        self.binary(BinaryOp::Override, other)
    }

    /// `self <: relation`: the tuples of `relation` whose first atom is in `self`.
    pub fn restrict_domain(self, relation: Expr<'a>) -> Expr<'a> {
        self.binary(BinaryOp::RestrictDomain, relation)
    }

    /// `self :> range`: the tuples of `self` whose last atom is in `range`.
    pub fn restrict_range(self, range: Expr<'a>) -> Expr<'a> {
        self.binary(BinaryOp::RestrictRange, range)
    }

    /// `~self`: the pairs turned around.
    pub fn transpose(self) -> Expr<'a> {
        self.unary(UnaryOp::Transpose)
    }

    /// `^self`: the transitive closure.
    pub fn closure(self) -> Expr<'a> {
        self.unary(UnaryOp::Closure)
    }

    /// `*self`: the reflexive transitive closure.
    pub fn reflexive_closure(self) -> Expr<'a> {
        self.unary(UnaryOp::ReflexiveClosure)
    }

    /// The tuples rebuilt from the given columns, which may repeat or be left out.
    pub fn project(self, columns: &[usize]) -> Expr<'a> {
        self.logic.expr(ExprNode::Project(self.id, columns.into()))
    }

    /// `self in other`: every tuple of `self` is in `other`.
    pub fn is_in(self, other: Expr<'a>) -> Formula<'a> {
        self.compare(Comparison::In, other)
    }

    /// `self = other`: the same tuples.
    pub fn equals(self, other: Expr<'a>) -> Formula<'a> {
        self.compare(Comparison::Equal, other)
    }

    /// There is no tuple.
    pub fn no(self) -> Formula<'a> {
        self.multiplicity(Multiplicity::No)
    }

    /// There is a tuple.
    pub fn some(self) -> Formula<'a> {
        self.multiplicity(Multiplicity::Some)
    }

    /// There is exactly one tuple.
    pub fn one(self) -> Formula<'a> {
        self.multiplicity(Multiplicity::One)
    }

    /// There is at most one tuple.
    pub fn lone(self) -> Formula<'a> {
        self.multiplicity(Multiplicity::Lone)
    }

    /// `#self`: the number of tuples.
    pub fn count(self) -> Int<'a> {
        self.logic.integer(IntNode::Cardinality(self.id))
    }

    /// The sum of the integers whose atoms are in this set.
    pub fn sum(self) -> Int<'a> {
        self.logic.integer(IntNode::SumOf(self.id))
    }

    /// `let name = self | body`: the expression under a name. In Rust a plain `let` shares just
    /// as well; this form keeps the name in printed formulas.
    pub fn bind(self, name: &str, body: impl FnOnce(Expr<'a>) -> Formula<'a>) -> Formula<'a> {
        let variable = self.logic.fresh(name, self.arity());
        let body = body(self.logic.expr(ExprNode::Variable(variable)));
        same_logic(self.logic, body.logic);
        self.logic.formula(FormulaNode::Let(variable, self.id, body.id))
    }

    /// `let name = self | body`, where the body is an expression.
    pub fn bind_expr(self, name: &str, body: impl FnOnce(Expr<'a>) -> Expr<'a>) -> Expr<'a> {
        let variable = self.logic.fresh(name, self.arity());
        let body = body(self.logic.expr(ExprNode::Variable(variable)));
        same_logic(self.logic, body.logic);
        self.logic.expr(ExprNode::Let(variable, self.id, body.id))
    }

    /// This binary relation has no cycle.
    pub fn acyclic(self) -> Formula<'a> {
        (self.closure() & self.logic.iden()).no()
    }

    /// This binary relation is a function from all of `domain` into `range`.
    pub fn is_function(self, domain: Expr<'a>, range: Expr<'a>) -> Formula<'a> {
        self.is_in(domain.product(range)) & super::all([("x", domain)], |[x]| x.join(self).one())
    }

    /// This binary relation is a function from a part of `domain` into `range`.
    pub fn is_partial_function(self, domain: Expr<'a>, range: Expr<'a>) -> Formula<'a> {
        self.is_in(domain.product(range)) & super::all([("x", domain)], |[x]| x.join(self).lone())
    }

    /// This binary relation leads through the atoms of `ordered`, each once, from `first` to
    /// `last`. All four must be relations. When the atoms to be ordered are interchangeable the
    /// order is fixed to that of the universe, which costs nothing and breaks their symmetry.
    pub fn total_order(self, ordered: Expr<'a>, first: Expr<'a>, last: Expr<'a>) -> Formula<'a> {
        for part in [ordered, first, last] {
            same_logic(self.logic, part.logic);
        }
        let (next, ordered, first, last) = (self.id, ordered.id, first.id, last.id);
        self.logic.formula(FormulaNode::TotalOrder(TotalOrder { next, ordered, first, last }))
    }
}

impl<'a> Add for Expr<'a> {
    type Output = Expr<'a>;
    /// Union.
    fn add(self, other: Expr<'a>) -> Expr<'a> {
        self.binary(BinaryOp::Union, other)
    }
}

impl<'a> BitAnd for Expr<'a> {
    type Output = Expr<'a>;
    /// Intersection.
    fn bitand(self, other: Expr<'a>) -> Expr<'a> {
        self.binary(BinaryOp::Intersection, other)
    }
}

impl<'a> Sub for Expr<'a> {
    type Output = Expr<'a>;
    /// Difference.
    fn sub(self, other: Expr<'a>) -> Expr<'a> {
        self.binary(BinaryOp::Difference, other)
    }
}

impl fmt::Display for Expr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.logic.text(AnyNode::Expr(self.id)))
    }
}

impl fmt::Debug for Expr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

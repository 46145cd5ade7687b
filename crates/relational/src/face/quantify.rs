//! Quantifiers, comprehensions and sums: whatever binds variables.
//!
//! Each function takes the declarations, `[("x", a), ("y", b)]`, and a closure that receives the variables in
//! the same order. A variable ranges over the single tuples of its domain. A domain cannot mention a variable
//! of the same list; nest two quantifiers for that.

use super::{Expr, Formula, Int, same_logic};
use crate::logic::{Decl, ExprNode, FormulaNode, IntNode, Logic, Quantifier, VariableId};

/// A variable made ahead of the quantifier that binds it, for formulas built by a program.
#[derive(Clone, Copy)]
pub struct Variable<'a> {
    logic: &'a Logic,
    id: VariableId,
}

impl Logic {
    /// A fresh variable that ranges over tuples of the given arity.
    pub fn variable(&self, name: &str, arity: usize) -> Variable<'_> {
        Variable { logic: self, id: self.fresh(name, arity) }
    }
}

impl<'a> Variable<'a> {
    /// The variable as an expression.
    pub fn expr(self) -> Expr<'a> {
        self.logic.expr(ExprNode::Variable(self.id))
    }

    /// `all self: domain | body`.
    pub fn all(self, domain: Expr<'a>, body: Formula<'a>) -> Formula<'a> {
        self.quantified(Quantifier::All, domain, body)
    }

    /// `some self: domain | body`.
    pub fn some(self, domain: Expr<'a>, body: Formula<'a>) -> Formula<'a> {
        self.quantified(Quantifier::Some, domain, body)
    }

    /// `{self: domain | body}`.
    pub fn comprehension(self, domain: Expr<'a>, body: Formula<'a>) -> Expr<'a> {
        same_logic(self.logic, body.logic);
        self.logic.expr(ExprNode::Comprehension(self.decl(domain), body.id))
    }

    fn quantified(self, q: Quantifier, domain: Expr<'a>, body: Formula<'a>) -> Formula<'a> {
        same_logic(self.logic, body.logic);
        self.logic.formula(FormulaNode::Quantified(q, self.decl(domain), body.id))
    }

    fn decl(self, domain: Expr<'a>) -> Box<[Decl]> {
        same_logic(self.logic, domain.logic);
        Box::new([Decl { variable: self.id, domain: domain.id, distinct_from: Box::new([]) }])
    }
}

/// Declares the variables of a list; `disjoint` asks that their values differ pairwise.
fn declare<'a, const N: usize>(
    domains: [(&str, Expr<'a>); N],
    disjoint: bool,
) -> (Box<[Decl]>, [Expr<'a>; N]) {
    let mut decls: Vec<Decl> = Vec::with_capacity(N);
    let variables = domains.map(|(name, domain)| {
        let variable = domain.logic.fresh(name, domain.arity());
        let earlier = decls.iter().map(|decl| decl.variable).filter(|_| disjoint).collect();
        decls.push(Decl { variable, domain: domain.id, distinct_from: earlier });
        domain.logic.expr(ExprNode::Variable(variable))
    });
    for (_, domain) in domains {
        same_logic(domain.logic, domains[0].1.logic);
    }
    (decls.into(), variables)
}

fn quantified<'a, const N: usize>(
    quantifier: Quantifier,
    domains: [(&str, Expr<'a>); N],
    disjoint: bool,
    body: impl FnOnce([Expr<'a>; N]) -> Formula<'a>,
) -> Formula<'a> {
    let (decls, variables) = declare(domains, disjoint);
    let body = body(variables);
    body.logic.formula(FormulaNode::Quantified(quantifier, decls, body.id))
}

/// `all x: a, y: b | body`.
pub fn all<'a, const N: usize>(
    domains: [(&str, Expr<'a>); N],
    body: impl FnOnce([Expr<'a>; N]) -> Formula<'a>,
) -> Formula<'a> {
    quantified(Quantifier::All, domains, false, body)
}

/// `all disj x, y: a | body`: the variables take pairwise different values.
pub fn all_disjoint<'a, const N: usize>(
    domains: [(&str, Expr<'a>); N],
    body: impl FnOnce([Expr<'a>; N]) -> Formula<'a>,
) -> Formula<'a> {
    quantified(Quantifier::All, domains, true, body)
}

/// `some x: a, y: b | body`.
pub fn some<'a, const N: usize>(
    domains: [(&str, Expr<'a>); N],
    body: impl FnOnce([Expr<'a>; N]) -> Formula<'a>,
) -> Formula<'a> {
    quantified(Quantifier::Some, domains, false, body)
}

/// `some disj x, y: a | body`: the variables take pairwise different values.
pub fn some_disjoint<'a, const N: usize>(
    domains: [(&str, Expr<'a>); N],
    body: impl FnOnce([Expr<'a>; N]) -> Formula<'a>,
) -> Formula<'a> {
    quantified(Quantifier::Some, domains, true, body)
}

/// `no x: a, y: b | body`.
pub fn no<'a, const N: usize>(
    domains: [(&str, Expr<'a>); N],
    body: impl FnOnce([Expr<'a>; N]) -> Formula<'a>,
) -> Formula<'a> {
    quantified(Quantifier::No, domains, false, body)
}

/// `one x: a, y: b | body`: exactly one choice of all the variables together satisfies the body.
pub fn one<'a, const N: usize>(
    domains: [(&str, Expr<'a>); N],
    body: impl FnOnce([Expr<'a>; N]) -> Formula<'a>,
) -> Formula<'a> {
    quantified(Quantifier::One, domains, false, body)
}

/// `lone x: a, y: b | body`: at most one choice of all the variables satisfies the body.
pub fn lone<'a, const N: usize>(
    domains: [(&str, Expr<'a>); N],
    body: impl FnOnce([Expr<'a>; N]) -> Formula<'a>,
) -> Formula<'a> {
    quantified(Quantifier::Lone, domains, false, body)
}

/// `{x: a, y: b | body}`: the tuples of values that satisfy the body.
pub fn comprehension<'a, const N: usize>(
    domains: [(&str, Expr<'a>); N],
    body: impl FnOnce([Expr<'a>; N]) -> Formula<'a>,
) -> Expr<'a> {
    let (decls, variables) = declare(domains, false);
    let body = body(variables);
    body.logic.expr(ExprNode::Comprehension(decls, body.id))
}

/// `sum x: a, y: b | body`: the sum of the body over all choices of the variables.
pub fn sum<'a, const N: usize>(
    domains: [(&str, Expr<'a>); N],
    body: impl FnOnce([Expr<'a>; N]) -> Int<'a>,
) -> Int<'a> {
    let (decls, variables) = declare(domains, false);
    let body = body(variables);
    body.logic.integer(IntNode::Sum(decls, body.id))
}

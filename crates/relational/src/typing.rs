//! Arities: which expressions make sense.
//!
//! An expression denotes a set of tuples of one length, its arity. Each rule below is the condition under
//! which an operator has a meaning; its violation is a type error of the node.

use crate::error::Error;
use crate::logic::{
    AnyNode, Arena, BinaryOp, Decl, ExprId, ExprNode, FormulaNode, IntNode, TotalOrder, UnaryOp,
};
use crate::print;

/// Whether a node has a meaning by itself: nothing in it is ill-typed, and no variable is free.
pub(crate) fn check(arena: &Arena, node: AnyNode) -> Result<(), Error> {
    let facts = arena.facts(node);
    if let Some(fault) = &facts.fault {
        let text = print::text(arena, fault.node);
        return Err(Error::IllTyped { text, why: fault.why.clone() });
    }
    if let Some(variable) = facts.free.first() {
        let variable = arena.variables[variable.index()].name.clone();
        return Err(Error::FreeVariable { variable, text: print::text(arena, node) });
    }
    Ok(())
}

/// The arity of an expression, or why it has none.
pub(crate) fn of_expr(arena: &Arena, node: &ExprNode) -> Result<usize, String> {
    let arity = |expr: ExprId| arena.exprs.facts(expr.index()).arity;
    match *node {
        ExprNode::Relation(relation) => nonzero(arena.relations[relation.index()].arity),
        ExprNode::Variable(variable) => Ok(arena.variables[variable.index()].arity),
        ExprNode::Univ => Ok(1),
        ExprNode::Iden => Ok(2),
        ExprNode::Nothing(arity) => nonzero(arity),
        ExprNode::Unary(op, a) => match op {
            UnaryOp::Transpose | UnaryOp::Closure | UnaryOp::ReflexiveClosure => match arity(a) {
                2 => Ok(2),
                other => Err(format!("the operand must be binary, it has arity {other}")),
            },
        },
        ExprNode::Binary(op, a, b) => of_binary(op, arity(a), arity(b)),
        ExprNode::Project(a, ref columns) => match columns.iter().find(|&&c| c >= arity(a)) {
            Some(column) => Err(format!("column {column} of an expression of arity {}", arity(a))),
            None if columns.is_empty() => Err("a projection needs at least one column".into()),
            None => Ok(columns.len()),
        },
        ExprNode::Comprehension(ref decls, _) => {
            of_decls(arena, decls)?;
            nonzero(decls.iter().map(|decl| arity(decl.domain)).sum())
        }
        ExprNode::Conditional(_, a, b) => same(arity(a), arity(b)),
        ExprNode::Let(_, _, body) => Ok(arity(body)),
        ExprNode::OfInt(_) => Ok(1),
    }
}

/// Whether a formula is well formed; its arity is zero.
pub(crate) fn of_formula(arena: &Arena, node: &FormulaNode) -> Result<usize, String> {
    let arity = |expr: ExprId| arena.exprs.facts(expr.index()).arity;
    match *node {
        FormulaNode::Constant(_)
        | FormulaNode::Multiplicity(..)
        | FormulaNode::Not(_)
        | FormulaNode::Connective(..)
        | FormulaNode::Let(..)
        | FormulaNode::CompareInt(..) => Ok(0),
        FormulaNode::Compare(_, a, b) => same(arity(a), arity(b)).map(|_| 0),
        FormulaNode::Quantified(_, ref decls, _) => of_decls(arena, decls),
        FormulaNode::TotalOrder(TotalOrder { next, ordered, first, last }) => {
            let parts = [next, ordered, first, last];
            if parts.iter().any(|&part| arena.as_relation(part).is_none()) {
                return Err("a total order is stated of relations, not of expressions".into());
            }
            if parts.map(arity) != [2, 1, 1, 1] {
                return Err("a total order needs a binary relation and three sets".into());
            }
            Ok(0)
        }
    }
}

/// Whether an integer expression is well formed; its arity is zero.
pub(crate) fn of_int(arena: &Arena, node: &IntNode) -> Result<usize, String> {
    match *node {
        IntNode::Constant(_)
        | IntNode::Cardinality(_)
        | IntNode::Negate(_)
        | IntNode::Binary(..)
        | IntNode::Conditional(..) => Ok(0),
        IntNode::SumOf(set) => match arena.exprs.facts(set.index()).arity {
            1 => Ok(0),
            other => Err(format!("only the atoms of a set can be summed, this has arity {other}")),
        },
        IntNode::Sum(ref decls, _) => of_decls(arena, decls),
    }
}

fn of_binary(op: BinaryOp, a: usize, b: usize) -> Result<usize, String> {
    match op {
        BinaryOp::Union | BinaryOp::Intersection | BinaryOp::Difference => same(a, b),
        BinaryOp::Product => Ok(a + b),
        BinaryOp::Join if a + b > 2 => Ok(a + b - 2),
        BinaryOp::Join => Err("the join of two sets has no columns left".into()),
        BinaryOp::Override if a < 2 => Err("only relations of arity 2 or more override".into()),
        BinaryOp::Override => same(a, b),
        BinaryOp::RestrictDomain if a == 1 => Ok(b),
        BinaryOp::RestrictRange if b == 1 => Ok(a),
        BinaryOp::RestrictDomain | BinaryOp::RestrictRange => {
            let found = if op == BinaryOp::RestrictDomain { a } else { b };
            Err(format!("the restricting operand must be a set, it has arity {found}"))
        }
    }
}

fn of_decls(arena: &Arena, decls: &[Decl]) -> Result<usize, String> {
    for decl in decls {
        let variable = &arena.variables[decl.variable.index()];
        let domain = arena.exprs.facts(decl.domain.index()).arity;
        if variable.arity != domain {
            let name = &variable.name;
            let arity = variable.arity;
            return Err(format!("`{name}` has arity {arity} but its domain has arity {domain}"));
        }
    }
    Ok(0)
}

fn same(a: usize, b: usize) -> Result<usize, String> {
    if a == b { Ok(a) } else { Err(format!("the operands have arities {a} and {b}")) }
}

fn nonzero(arity: usize) -> Result<usize, String> {
    if arity == 0 { Err("an expression has at least one column".into()) } else { Ok(arity) }
}

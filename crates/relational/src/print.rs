//! Formulas as a person would write them, in the notation of Alloy.
//!
//! Text is for messages, so what is nested very deep is elided instead of printed.

use crate::limits::PRINTED_DEPTH;
use crate::logic::{
    AnyNode, Arena, BinaryOp, Comparison, Connective, Decl, ExprId, ExprNode, FormulaId,
    FormulaNode, IntComparison, IntId, IntNode, IntOp, Multiplicity, Quantifier, UnaryOp,
};

/// How tightly an operator binds; operands that bind no tighter are put in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Quantified,
    Connective,
    Comparison,
    Sum,
    Product,
    Join,
    Atom,
}

/// The text of a node.
pub(crate) fn text(arena: &Arena, node: AnyNode) -> String {
    let printer = Printer { arena };
    match node {
        AnyNode::Expr(id) => printer.expr(id, Binding::Quantified, PRINTED_DEPTH),
        AnyNode::Formula(id) => printer.formula(id, Binding::Quantified, PRINTED_DEPTH),
        AnyNode::Int(id) => printer.int(id, Binding::Quantified, PRINTED_DEPTH),
    }
}

struct Printer<'a> {
    arena: &'a Arena,
}

impl Printer<'_> {
    /// `min` is how tightly the place where the text goes wants it to bind.
    fn expr(&self, id: ExprId, min: Binding, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else { return "…".into() };
        let (binding, text) = match *self.arena.exprs.node(id.index()) {
            ExprNode::Relation(r) => (Binding::Atom, self.arena.relations[r.index()].name.clone()),
            ExprNode::Variable(v) => (Binding::Atom, self.arena.variables[v.index()].name.clone()),
            ExprNode::Univ => (Binding::Atom, "univ".into()),
            ExprNode::Iden => (Binding::Atom, "iden".into()),
            ExprNode::Nothing(arity) => (Binding::Atom, vec!["none"; arity.max(1)].join("->")),
            ExprNode::Unary(op, a) => {
                let sign = match op {
                    UnaryOp::Transpose => '~',
                    UnaryOp::Closure => '^',
                    UnaryOp::ReflexiveClosure => '*',
                };
                (Binding::Atom, format!("{sign}{}", self.expr(a, Binding::Atom, depth)))
            }
            ExprNode::Binary(op, a, b) => {
                let (sign, binding) = match op {
                    BinaryOp::Union => (" + ", Binding::Sum),
                    BinaryOp::Difference => (" - ", Binding::Sum),
                    BinaryOp::Override => (" ++ ", Binding::Sum),
                    BinaryOp::Intersection => (" & ", Binding::Product),
                    BinaryOp::Product => (" -> ", Binding::Product),
                    BinaryOp::RestrictDomain => (" <: ", Binding::Product),
                    BinaryOp::RestrictRange => (" :> ", Binding::Product),
                    BinaryOp::Join => (".", Binding::Join),
                };
                let left = self.expr(a, binding, depth);
                (binding, format!("{left}{sign}{}", self.expr(b, tighter(binding), depth)))
            }
            ExprNode::Project(a, ref columns) => {
                let columns: Vec<String> = columns.iter().map(usize::to_string).collect();
                let a = self.expr(a, Binding::Atom, depth);
                (Binding::Atom, format!("{a}[{}]", columns.join(", ")))
            }
            ExprNode::Comprehension(ref decls, body) => {
                let body = self.formula(body, Binding::Quantified, depth);
                (Binding::Atom, format!("{{{} | {body}}}", self.decls(decls, depth)))
            }
            ExprNode::Conditional(f, a, b) => {
                let f = self.formula(f, Binding::Comparison, depth);
                let a = self.expr(a, Binding::Sum, depth);
                let b = self.expr(b, Binding::Sum, depth);
                (Binding::Quantified, format!("{f} => {a} else {b}"))
            }
            ExprNode::Let(v, a, b) => {
                let b = self.expr(b, Binding::Quantified, depth);
                (Binding::Quantified, self.bound(v.index(), a, b, depth))
            }
            ExprNode::OfInt(i) => {
                (Binding::Atom, format!("int[{}]", self.int(i, Binding::Quantified, depth)))
            }
        };
        parenthesise(text, binding < min)
    }

    fn formula(&self, id: FormulaId, min: Binding, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else { return "…".into() };
        let (binding, text) = match *self.arena.formulas.node(id.index()) {
            FormulaNode::Constant(value) => (Binding::Atom, value.to_string()),
            FormulaNode::Compare(comparison, a, b) => {
                let sign = match comparison {
                    Comparison::In => "in",
                    Comparison::Equal => "=",
                };
                let (a, b) = (self.expr(a, Binding::Sum, depth), self.expr(b, Binding::Sum, depth));
                (Binding::Comparison, format!("{a} {sign} {b}"))
            }
            FormulaNode::Multiplicity(multiplicity, a) => {
                let word = match multiplicity {
                    Multiplicity::No => "no",
                    Multiplicity::Some => "some",
                    Multiplicity::One => "one",
                    Multiplicity::Lone => "lone",
                };
                (Binding::Comparison, format!("{word} {}", self.expr(a, Binding::Sum, depth)))
            }
            FormulaNode::Quantified(quantifier, ref decls, body) => {
                let word = match quantifier {
                    Quantifier::All => "all",
                    Quantifier::Some => "some",
                    Quantifier::No => "no",
                    Quantifier::One => "one",
                    Quantifier::Lone => "lone",
                };
                let body = self.formula(body, Binding::Quantified, depth);
                (Binding::Quantified, format!("{word} {} | {body}", self.decls(decls, depth)))
            }
            FormulaNode::Not(f) => {
                (Binding::Atom, format!("!{}", self.formula(f, Binding::Atom, depth)))
            }
            FormulaNode::Connective(connective, f, g) => {
                let sign = match connective {
                    Connective::And => "and",
                    Connective::Or => "or",
                    Connective::Implies => "implies",
                    Connective::Iff => "iff",
                };
                let chains = matches!(connective, Connective::And | Connective::Or)
                    && matches!(self.arena.formulas.node(f.index()),
                        FormulaNode::Connective(inner, ..) if *inner == connective);
                let left = if chains { Binding::Connective } else { Binding::Comparison };
                let f = self.formula(f, left, depth);
                let g = self.formula(g, Binding::Comparison, depth);
                (Binding::Connective, format!("{f} {sign} {g}"))
            }
            FormulaNode::Let(v, a, f) => {
                let f = self.formula(f, Binding::Quantified, depth);
                (Binding::Quantified, self.bound(v.index(), a, f, depth))
            }
            FormulaNode::CompareInt(comparison, a, b) => {
                let sign = match comparison {
                    IntComparison::Equal => "=",
                    IntComparison::Less => "<",
                    IntComparison::AtMost => "<=",
                };
                let (a, b) = (self.int(a, Binding::Sum, depth), self.int(b, Binding::Sum, depth));
                (Binding::Comparison, format!("{a} {sign} {b}"))
            }
            FormulaNode::TotalOrder(order) => {
                let parts = [order.next, order.ordered, order.first, order.last]
                    .map(|part| self.expr(part, Binding::Quantified, depth));
                (Binding::Atom, format!("total_order[{}]", parts.join(", ")))
            }
        };
        parenthesise(text, binding < min)
    }

    fn int(&self, id: IntId, min: Binding, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else { return "…".into() };
        let (binding, text) = match *self.arena.ints.node(id.index()) {
            IntNode::Constant(value) => (Binding::Atom, value.to_string()),
            IntNode::Cardinality(a) => {
                (Binding::Atom, format!("#{}", self.expr(a, Binding::Atom, depth)))
            }
            IntNode::SumOf(a) => {
                (Binding::Atom, format!("sum[{}]", self.expr(a, Binding::Quantified, depth)))
            }
            IntNode::Sum(ref decls, body) => {
                let body = self.int(body, Binding::Quantified, depth);
                (Binding::Quantified, format!("sum {} | {body}", self.decls(decls, depth)))
            }
            IntNode::Negate(a) => {
                (Binding::Atom, format!("-{}", self.int(a, Binding::Atom, depth)))
            }
            IntNode::Binary(op, a, b) => {
                let (sign, binding) = match op {
                    IntOp::Add => ('+', Binding::Sum),
                    IntOp::Subtract => ('-', Binding::Sum),
                    IntOp::Multiply => ('×', Binding::Product),
                    IntOp::Divide => ('/', Binding::Product),
                    IntOp::Remainder => ('%', Binding::Product),
                };
                let left = self.int(a, binding, depth);
                (binding, format!("{left} {sign} {}", self.int(b, tighter(binding), depth)))
            }
            IntNode::Conditional(f, a, b) => {
                let f = self.formula(f, Binding::Comparison, depth);
                let (a, b) = (self.int(a, Binding::Sum, depth), self.int(b, Binding::Sum, depth));
                (Binding::Quantified, format!("{f} => {a} else {b}"))
            }
        };
        parenthesise(text, binding < min)
    }

    fn decls(&self, decls: &[Decl], depth: usize) -> String {
        let texts: Vec<String> = decls
            .iter()
            .map(|decl| {
                let name = &self.arena.variables[decl.variable.index()].name;
                let disjoint = if decl.distinct_from.is_empty() { "" } else { "disj " };
                format!("{disjoint}{name}: {}", self.expr(decl.domain, Binding::Sum, depth))
            })
            .collect();
        texts.join(", ")
    }

    fn bound(&self, variable: usize, value: ExprId, body: String, depth: usize) -> String {
        let name = &self.arena.variables[variable].name;
        format!("let {name} = {} | {body}", self.expr(value, Binding::Sum, depth))
    }
}

/// The next tighter binding: what the right operand of a left-associative operator needs.
fn tighter(binding: Binding) -> Binding {
    match binding {
        Binding::Quantified => Binding::Connective,
        Binding::Connective => Binding::Comparison,
        Binding::Comparison => Binding::Sum,
        Binding::Sum => Binding::Product,
        Binding::Product => Binding::Join,
        Binding::Join | Binding::Atom => Binding::Atom,
    }
}

fn parenthesise(text: String, yes: bool) -> String {
    if yes { format!("({text})") } else { text }
}

//! The library's face: copyable handles whose operators and methods read like the logic.
//!
//! | logic | here |
//! | --- | --- |
//! | `a + b`, `a & b`, `a - b` | `a + b`, `a & b`, `a - b` |
//! | `a.b`, `a -> b` | `a.join(b)`, `a.product(b)` |
//! | `~a`, `^a`, `*a` | `a.transpose()`, `a.closure()`, `a.reflexive_closure()` |
//! | `a in b`, `a = b` | `a.is_in(b)`, `a.equals(b)` |
//! | `no a`, `some a`, `one a`, `lone a` | `a.no()`, `a.some()`, `a.one()`, `a.lone()` |
//! | `all x: a \| f` | `all([("x", a)], \|[x]\| f)` |
//! | `{x: a \| f}` | `comprehension([("x", a)], \|[x]\| f)` |
//! | `f and g`, `f or g`, `not f` | `f & g`, `f \| g`, `!f` |
//! | `#a` | `a.count()` |

mod expr;
mod formula;
mod int;
mod quantify;

pub use expr::Expr;
pub use formula::Formula;
pub use int::Int;
pub use quantify::{
    Variable, all, all_disjoint, comprehension, lone, no, one, some, some_disjoint, sum,
};

use crate::logic::{
    AnyNode, ExprNode, FormulaNode, IntNode, Logic, RelationId, RelationInfo, VariableId,
};

impl Logic {
    /// Declares a relation. Two relations may share a name; they stay different relations.
    pub fn relation(&self, name: &str, arity: usize) -> Expr<'_> {
        let mut arena = self.arena.borrow_mut();
        arena.relations.push(RelationInfo { name: name.to_owned(), arity });
        let id = RelationId(arena.relations.len() as u32 - 1);
        drop(arena);
        self.expr(ExprNode::Relation(id))
    }

    /// The set of all atoms.
    pub fn univ(&self) -> Expr<'_> {
        self.expr(ExprNode::Univ)
    }

    /// The relation of each atom to itself.
    pub fn iden(&self) -> Expr<'_> {
        self.expr(ExprNode::Iden)
    }

    /// The empty relation of the given arity.
    pub fn none(&self, arity: usize) -> Expr<'_> {
        self.expr(ExprNode::Nothing(arity))
    }

    /// The formula that always holds.
    pub fn truth(&self) -> Formula<'_> {
        self.formula(FormulaNode::Constant(true))
    }

    /// The formula that never holds.
    pub fn falsity(&self) -> Formula<'_> {
        self.formula(FormulaNode::Constant(false))
    }

    /// An integer constant.
    pub fn int(&self, value: i64) -> Int<'_> {
        self.integer(IntNode::Constant(value))
    }

    /// The conjunction of any number of formulas.
    pub fn and<'a>(&'a self, formulas: impl IntoIterator<Item = Formula<'a>>) -> Formula<'a> {
        formulas.into_iter().reduce(|f, g| f & g).unwrap_or_else(|| self.truth())
    }

    /// The disjunction of any number of formulas.
    pub fn or<'a>(&'a self, formulas: impl IntoIterator<Item = Formula<'a>>) -> Formula<'a> {
        formulas.into_iter().reduce(|f, g| f | g).unwrap_or_else(|| self.falsity())
    }

    pub(crate) fn expr(&self, node: ExprNode) -> Expr<'_> {
        Expr { logic: self, id: self.arena.borrow_mut().expr(node) }
    }

    pub(crate) fn formula(&self, node: FormulaNode) -> Formula<'_> {
        Formula { logic: self, id: self.arena.borrow_mut().formula(node) }
    }

    pub(crate) fn integer(&self, node: IntNode) -> Int<'_> {
        Int { logic: self, id: self.arena.borrow_mut().int(node) }
    }

    fn fresh(&self, name: &str, arity: usize) -> VariableId {
        self.arena.borrow_mut().variable(name, arity)
    }

    /// The text of a node, for messages.
    pub(crate) fn text(&self, node: AnyNode) -> String {
        crate::print::text(&self.arena.borrow(), node)
    }
}

/// Refuses to mix handles of two logics: indices of one mean nothing in the other.
///
/// # Panics
/// If the handles belong to different logics, which no value of any input can bring about.
fn same_logic(a: &Logic, b: &Logic) {
    assert!(std::ptr::eq(a, b), "expressions of two different `Logic`s cannot be combined");
}

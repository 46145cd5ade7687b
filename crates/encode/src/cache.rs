//! A cache of subexpressions under quantifiers.
//!
//! The body of a quantifier is evaluated once for each value of its bound variables, and many of its subexpressions
//! mention only some of them: "all leaves of a tree have the same black height", over pairs of nodes, has many that
//! mention one node. Expensive subexpressions are cached by the values of the bound variables that they mention, for
//! as long as the state is the same.

use std::rc::Rc;

use ir::{Binder, Expr, ExprId, Exprs};
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::expr::Reader;
use crate::sym::Sym;

/// Values of expressions in one state, by whether they are about the state at entry and what is bound.
pub(crate) type Cached = FxHashMap<(ExprId, bool, Vec<Sym>), Sym>;

/// The bound variables that expressions mention and do not bind, by whose expressions they are.
pub(crate) type Mentioned = FxHashMap<(usize, ExprId), Rc<[Binder]>>;

impl<'m> Context<'m> {
    /// The value of an expression, cached if it was evaluated before. An expression that leaves the scope does so
    /// under the condition of its evaluation and is not cached; nor is any expression while claims depend on where
    /// they are made.
    pub(crate) fn cached(
        &mut self,
        reader: &mut Reader<'_, 'm>,
        id: ExprId,
        evaluate: impl FnOnce(&mut Self, &mut Reader<'_, 'm>) -> Sym,
    ) -> Sym {
        let is_kept = !reader.binders.is_empty() && self.under() && !self.claims.expected;
        if !is_kept || !is_expensive(reader.exprs.get(id)) {
            return evaluate(self, reader);
        }
        let mentioned = self.mentioned_in(reader.exprs, id);
        let bound = mentioned.iter().map(|binder| reader.binders[binder].clone()).collect();
        let is_old = std::ptr::eq(reader.state, reader.entry);
        let key = (id, is_old, bound);
        if let Some(known) = reader.cached.get(&key) {
            return known.clone();
        }
        let before = self.escapes.len();
        let value = evaluate(self, reader);
        if self.escapes.len() == before {
            reader.cached.insert(key, value.clone());
        }
        value
    }

    /// The bound variables that an expression mentions and does not bind.
    pub(crate) fn mentioned_in(&mut self, exprs: &Exprs, id: ExprId) -> Rc<[Binder]> {
        let key = (std::ptr::from_ref(exprs) as usize, id);
        let known = self.mentioned.entry(key);
        Rc::clone(known.or_insert_with(|| exprs.free_binders(id).into()))
    }
}

/// Whether an expression takes long enough to be kept.
fn is_expensive(expr: &Expr) -> bool {
    match expr {
        Expr::Quantified(..) | Expr::Lambda(..) | Expr::Apply(..) => true,
        Expr::Op(op, _) => op.is_specification(),
        Expr::Bool(_)
        | Expr::Bv(..)
        | Expr::Int(_)
        | Expr::Null(_)
        | Expr::Read(_)
        | Expr::Bound(_)
        | Expr::Old(_) => false,
    }
}

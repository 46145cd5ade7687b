//! Expressions that are used more than once, and get a name so that a text is not longer than the
//! graph it describes.

use ir::{Binder, Expr, ExprId, Exprs};

use crate::limits::REPEATED_EXPRESSION;

/// Which expressions of an arena have names.
pub(crate) struct Shared {
    names: Vec<Option<u32>>,
    named: Vec<ExprId>,
    /// The bound variables that an expression mentions and does not bind.
    free: Vec<Vec<Binder>>,
}

impl Shared {
    /// Names what these expressions share.
    pub(crate) fn new(exprs: &Exprs, roots: impl IntoIterator<Item = ExprId>) -> Shared {
        let mut uses = vec![0_u32; exprs.len()];
        for root in roots {
            uses[root.0 as usize] += 1;
        }
        // Operands are older than their users.
        for index in (0..exprs.len()).rev() {
            if uses[index] > 0 {
                for operand in exprs.get(ExprId(index as u32)).operands() {
                    uses[operand.0 as usize] += 1;
                }
            }
        }
        let mut shared = Shared {
            names: vec![None; exprs.len()],
            named: Vec::new(),
            free: vec![Vec::new(); exprs.len()],
        };
        let mut sizes = vec![1_u32; exprs.len()];
        for index in 0..exprs.len() {
            if uses[index] == 0 {
                continue;
            }
            let id = ExprId(index as u32);
            let expr = exprs.get(id);
            shared.free[index] = shared.free_in(expr);
            let parts = expr.operands().iter().map(|operand| sizes[operand.0 as usize]);
            sizes[index] = parts.fold(1, u32::saturating_add);
            if uses[index] > 1 && sizes[index] > REPEATED_EXPRESSION {
                sizes[index] = 1;
                shared.named.push(id);
                shared.names[index] = Some(shared.named.len() as u32);
            }
        }
        shared
    }

    fn free_in(&self, expr: &Expr) -> Vec<Binder> {
        if let Expr::Bound(binder) = expr {
            return vec![*binder];
        }
        let operands = expr.operands().iter();
        let mut free: Vec<Binder> =
            operands.flat_map(|operand| &self.free[operand.0 as usize]).copied().collect();
        free.sort_unstable();
        free.dedup();
        free.retain(|binder| !expr.binders().contains(binder));
        free
    }

    /// The number of an expression that has a name.
    pub(crate) fn name(&self, id: ExprId) -> Option<u32> {
        self.names[id.0 as usize]
    }

    /// The bound variables that an expression mentions and does not bind.
    pub(crate) fn free(&self, id: ExprId) -> &[Binder] {
        &self.free[id.0 as usize]
    }

    /// The expressions that have names, each after those that it is made of.
    pub(crate) fn named(&self) -> &[ExprId] {
        &self.named
    }
}

//! Axioms. One that VIR cannot express is left out, and its functions are recorded.

use ir::{Expr, ExprId, Exprs, FunctionId};

use super::Lowering;
use super::frame::{Frame, Use};

impl Lowering<'_, '_, '_> {
    pub(super) fn axioms(&mut self) {
        let program = self.program;
        for axiom in &program.axioms {
            let mut frame = Frame::default();
            let condition = self.expression(&mut frame, axiom.condition, Use::Specification);
            match frame.failure.take().or(frame.trouble.take()) {
                // A formula over types that are not used has no instances.
                None if *frame.exprs.get(condition) == Expr::Bool(true) => {}
                None => self.add_axiom(frame.exprs, condition, axiom.at.span()),
                Some(trouble) => {
                    self.note(axiom.at, &trouble);
                    for function in applied(&frame.exprs) {
                        let what = || format!("an axiom with {trouble}");
                        self.tainted.entry(function).or_insert_with(what);
                    }
                }
            }
        }
    }
}

/// The functions that expressions apply.
pub(super) fn applied(exprs: &Exprs) -> impl Iterator<Item = FunctionId> + '_ {
    (0..exprs.len() as u32).filter_map(|id| match exprs.get(ExprId(id)) {
        Expr::Apply(function, _) => Some(*function),
        Expr::Bool(_)
        | Expr::Bv(..)
        | Expr::Int(_)
        | Expr::Null(_)
        | Expr::Read(_)
        | Expr::Bound(_)
        | Expr::Op(..)
        | Expr::Old(_)
        | Expr::Quantified(..)
        | Expr::Lambda(..) => None,
    })
}

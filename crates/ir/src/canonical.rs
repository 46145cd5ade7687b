//! The canonical form of a module: expressions in the order of the text, none without a use.
//!
//! Passes add expressions behind the others and leave unused ones behind. Two modules that are
//! written alike have the same canonical form; it is what reading a printed module gives.

use crate::expr::{Binder, Expr, ExprId, Exprs};
use crate::module::Module;

/// The same module, which must be valid, with its expressions renumbered: operands first, in the
/// order of the text, each where it is first used. An expression without operands is not shared.
/// Bound variables are in the order in which the text declares them.
pub fn canonical(module: &Module) -> Module {
    let mut module = module.clone();
    for function in &mut module.functions {
        if let Some((exprs, root)) = &mut function.definition {
            let mut renumbering = Renumbering::new(exprs);
            for parameter in 0..function.parameters.len() as u32 {
                renumbering.bind(Binder(parameter));
            }
            let new_root = renumbering.copy(*root);
            let renumbered = renumbering.target;
            (*exprs, *root) = (renumbered, new_root);
        }
    }
    for axiom in module.axioms.iter_mut().chain(&mut module.invariants) {
        let mut renumbering = Renumbering::new(&axiom.exprs);
        let condition = renumbering.copy(axiom.condition);
        let renumbered = renumbering.target;
        (axiom.exprs, axiom.condition) = (renumbered, condition);
    }
    for procedure in &mut module.procedures {
        let exprs = std::mem::take(&mut procedure.exprs);
        let mut renumbering = Renumbering::new(&exprs);
        procedure.for_each_expr_mut(&mut |id| *id = renumbering.copy(*id));
        procedure.exprs = renumbering.target;
        procedure.places.clear();
        procedure.forms.clear();
    }
    module.forms.clear();
    module.described.clear();
    module
}

struct Renumbering<'e> {
    source: &'e Exprs,
    target: Exprs,
    copies: Vec<Option<ExprId>>,
    binders: Vec<Option<Binder>>,
}

impl<'e> Renumbering<'e> {
    fn new(source: &'e Exprs) -> Self {
        Renumbering {
            source,
            target: Exprs::default(),
            copies: vec![None; source.len()],
            binders: vec![None; source.binders()],
        }
    }

    fn bind(&mut self, binder: Binder) {
        let (name, ty) = self.source.binder(binder);
        self.binders[binder.0 as usize] = Some(self.target.bind(name, ty.clone()));
    }

    fn copy(&mut self, root: ExprId) -> ExprId {
        // What was copied is on `done`, in the order of the operands that wait for it.
        let mut work = vec![(root, false)];
        let mut done: Vec<ExprId> = Vec::new();
        while let Some((id, operands_done)) = work.pop() {
            let expr = self.source.get(id);
            if let Some(copy) = self.copies[id.0 as usize] {
                done.push(copy);
            } else if operands_done {
                let copy = self.push(id, done.split_off(done.len() - expr.operands().len()));
                done.push(copy);
            } else {
                for binder in expr.binders() {
                    self.bind(*binder);
                }
                work.push((id, true));
                work.extend(expr.operands().iter().rev().map(|operand| (*operand, false)));
            }
        }
        done[0]
    }

    fn push(&mut self, id: ExprId, operands: Vec<ExprId>) -> ExprId {
        let mut expr = self.source.get(id).clone();
        expr.operands_mut().copy_from_slice(&operands);
        match &mut expr {
            Expr::Bound(binder) => *binder = self.renamed(*binder),
            Expr::Quantified(_, binders, _) | Expr::Lambda(binders, _) => {
                for binder in binders {
                    *binder = self.renamed(*binder);
                }
            }
            Expr::Bool(_)
            | Expr::Bv(..)
            | Expr::Int(_)
            | Expr::Null(_)
            | Expr::Read(_)
            | Expr::Op(..)
            | Expr::Apply(..)
            | Expr::Old(_) => {}
        }
        let copy = self.target.push(expr, self.source.ty(id).clone());
        if !operands.is_empty() {
            self.copies[id.0 as usize] = Some(copy);
        }
        copy
    }

    fn renamed(&self, binder: Binder) -> Binder {
        self.binders[binder.0 as usize].expect("a bound variable occurs only below its binder")
    }
}

//! Models of functions that take further arguments than they name.
//!
//! A model knows the named arguments only. What a call passes besides them are parameters behind these, and
//! all other variables of the model move up.

use ir::{Expr, ExprId, Exprs, Local, LocalId, Mode, Procedure, StatementKind, Variable};

/// Where the further parameters of a procedure stand.
#[derive(Clone, Copy)]
pub(super) struct VariadicParameters {
    named: u32,
    count: u32,
}

impl VariadicParameters {
    /// The parameters that a declared procedure has besides those of its model.
    pub(super) fn of(declared: &Procedure, model: &Procedure) -> VariadicParameters {
        let named = model.locals_with(Mode::Parameter).count() as u32;
        let all = declared.locals_with(Mode::Parameter).count() as u32;
        VariadicParameters { named, count: all.saturating_sub(named) }
    }

    /// A variable of the model in the procedure that has its body.
    pub(super) fn moved(self, variable: Variable) -> Variable {
        match variable {
            Variable::Local(LocalId(id)) if id >= self.named => {
                Variable::Local(LocalId(id + self.count))
            }
            Variable::Local(_) | Variable::Global(_) => variable,
        }
    }

    /// Lets the places of a statement be those of the procedure that has the model's body.
    pub(super) fn move_places(self, kind: &mut StatementKind) {
        for place in kind.written_mut() {
            place.variable = self.moved(place.variable);
        }
    }

    /// The variables of a model with the further parameters of a declared procedure among them.
    pub(super) fn locals(self, declared: &Procedure, model: &Procedure) -> Vec<Local> {
        let named = self.named as usize;
        let mut locals = model.locals.clone();
        let further = declared.locals.iter().skip(named).take(self.count as usize).cloned();
        locals.splice(named..named, further);
        locals
    }

    /// The variadic arguments, to be passed on.
    pub(super) fn arguments(self, declared: &Procedure, exprs: &mut Exprs) -> Vec<ExprId> {
        let positions = self.named..self.named + self.count;
        positions
            .map(|position| {
                let ty = declared.local(LocalId(position)).ty.clone();
                exprs.push(Expr::Read(Variable::Local(LocalId(position))), ty)
            })
            .collect()
    }
}

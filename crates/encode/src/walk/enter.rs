//! The initial state: any values within the scope for which the preconditions hold.

use ir::Variable;

use super::Walk;
use crate::expr::Reader;
use crate::memory::Object;
use crate::sym::Sym;

impl Walk<'_> {
    /// Sets up the initial state: anything within the scope for which the preconditions hold.
    pub(super) fn enter(&mut self) {
        let module = self.cx.module;
        self.here.guard = self.guards.always();
        self.entry.objects = vec![Object::absent(); self.cx.objects as usize];
        if self.cx.scope.heaps.canonical {
            let (values, initial) = self.cx.canonical_state(self.procedure);
            values.into_iter().for_each(|(variable, value)| self.entry.set(variable, value));
            self.initial = initial;
        } else {
            self.any_state();
        }
        for id in &module.unevaluated {
            let value = self.entry.get(Variable::Global(*id));
            self.external.extend(value.into_iter().flat_map(Sym::word));
        }
        self.here.state = self.entry.clone();
        self.cx.entered = true;
        self.leave_scope();
        for axiom in module.axioms.iter().chain(&module.invariants) {
            let condition = self.value(&axiom.exprs, axiom.condition).gate();
            self.narrow(condition);
        }
        let is_admitted = self.cx.scope.heaps.is_admitted;
        for clause in self.procedure.contract.requires.iter().filter(|_| !is_admitted) {
            let condition = self.eval(clause.condition).gate();
            self.narrow(condition);
        }
        if self.cx.scope.heaps.links && !is_admitted {
            let mut reader = Reader::new(&self.procedure.exprs, &self.here.state, &self.entry);
            let follows = self.cx.follows_of_links(&mut reader, self.procedure);
            self.narrow(follows);
        }
        self.begins = self.here.guard;
        let arrival = (self.here.guard, self.here.state.clone());
        self.arrivals[0].push(arrival);
    }

    /// Lets globals and parameters be anything.
    fn any_state(&mut self) {
        let module = self.cx.module;
        let mut globals = Vec::with_capacity(module.globals.len());
        for (number, global) in module.globals.iter().enumerate() {
            let value = self.cx.fresh(&global.ty);
            let id = ir::GlobalId(number as u32);
            globals.push((global.ty.clone(), value.clone()));
            self.entry.set(Variable::Global(id), value);
        }
        let mut variables = Vec::new();
        for id in self.procedure.locals_with(ir::Mode::Parameter) {
            let ty = &self.procedure.local(id).ty;
            self.cx.may_alias = self.cx.aliasing.has_variable(Variable::Local(id));
            let value = self.cx.fresh(ty);
            variables.push((ty.clone(), value.clone()));
            self.entry.set(Variable::Local(id), value);
        }
        variables.append(&mut globals);
        self.cx.break_symmetry(&variables);
    }
}

//! The state of an execution: a value for each variable that has been set.

use circuit::Array;
use ir::{Module, Procedure, Variable};

use crate::memory::Object;
use crate::sym::Sym;

/// The values of the module's variables and of one procedure's.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct State {
    globals: Vec<Option<Sym>>,
    locals: Vec<Option<Sym>>,
    /// The known facts about the execution's own objects of memory, in order.
    pub(crate) objects: Vec<Object>,
    /// The objects of the environment that have been freed, if any may have been.
    pub(crate) freed: Option<Array>,
}

impl State {
    pub(crate) fn new(module: &Module, procedure: &Procedure) -> State {
        State {
            globals: vec![None; module.globals.len()],
            locals: vec![None; procedure.locals.len()],
            objects: Vec::new(),
            freed: None,
        }
    }

    pub(crate) fn get(&self, variable: Variable) -> Option<&Sym> {
        match variable {
            Variable::Global(id) => self.globals[id.0 as usize].as_ref(),
            Variable::Local(id) => self.locals[id.0 as usize].as_ref(),
        }
    }

    pub(crate) fn set(&mut self, variable: Variable, value: Sym) {
        match variable {
            Variable::Global(id) => self.globals[id.0 as usize] = Some(value),
            Variable::Local(id) => self.locals[id.0 as usize] = Some(value),
        }
    }

    /// The slots of two states side by side, to be merged.
    pub(crate) fn zip<'s>(
        &'s mut self,
        other: &'s State,
    ) -> impl Iterator<Item = (&'s mut Option<Sym>, &'s Option<Sym>)> {
        let globals = self.globals.iter_mut().zip(&other.globals);
        globals.chain(self.locals.iter_mut().zip(&other.locals))
    }
}

//! What is looked at of an initial heap: what somebody speaks of.
//!
//! What a global holds that neither a procedure nor an axiom reads makes no difference to any run, so one value
//! of it is as good as all. And a constant that is nowhere defined leads to an atom as a variable does.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ir::{Expr, ExprId, FunctionId, GlobalId, Module, Procedure, Variable};

use super::Heaps;

/// The parts of a module whose initial values somebody asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mentioned {
    /// The constants that are nowhere defined. The addresses of static objects are known.
    pub constants: BTreeSet<FunctionId>,
    /// The globals.
    pub globals: BTreeSet<GlobalId>,
}

impl Mentioned {
    /// What a procedure or an axiom speaks of.
    pub fn by(module: &Module, procedure: &Procedure) -> Mentioned {
        let axioms = module.axioms.iter().chain(&module.invariants).map(|axiom| &axiom.exprs);
        let definitions =
            module.functions.iter().filter_map(|function| function.definition.as_ref());
        let all = axioms.chain(definitions.map(|(exprs, _)| exprs)).chain([&procedure.exprs]);
        let mut mentioned = Mentioned::default();
        for exprs in all {
            for id in (0..exprs.len() as u32).map(ExprId) {
                match exprs.get(id) {
                    Expr::Apply(function, _) if is_open(module, *function) => {
                        mentioned.constants.insert(*function);
                    }
                    Expr::Read(Variable::Global(global)) => {
                        mentioned.globals.insert(*global);
                    }
                    _ => {}
                }
            }
        }
        mentioned
    }

    /// Everything in a module.
    fn everything(module: &Module) -> Mentioned {
        let constants = (0..module.functions.len() as u32).map(FunctionId);
        let constants = constants.filter(|constant| is_open(module, *constant));
        let globals = (0..module.globals.len() as u32).map(GlobalId);
        Mentioned { constants: constants.collect(), globals: globals.collect() }
    }
}

impl Heaps {
    /// What makes a difference between heaps.
    pub(crate) fn mentioned(&self, module: &Module) -> Cow<'_, Mentioned> {
        match &self.mentioned {
            Some(mentioned) => Cow::Borrowed(mentioned),
            None => Cow::Owned(Mentioned::everything(module)),
        }
    }
}

/// Whether a function is a constant of which nothing is known.
fn is_open(module: &Module, id: FunctionId) -> bool {
    let function = module.function(id);
    let is_constant = function.parameters.is_empty() && function.definition.is_none();
    is_constant && module.object_at(id).is_none()
}

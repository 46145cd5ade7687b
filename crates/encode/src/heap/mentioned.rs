//! The parts of an initial heap that are mentioned.
//!
//! A global that neither a procedure nor an axiom reads does not affect any execution, so one value of it
//! represents all. A constant without a definition leads to an atom, as a variable does.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ir::{Expr, ExprId, FunctionId, GlobalId, Module, Procedure, Variable};

use super::Heaps;

/// The parts of a module whose initial values are read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mentioned {
    /// The constants that are nowhere defined. The addresses of static objects are known.
    pub constants: BTreeSet<FunctionId>,
    /// The globals.
    pub globals: BTreeSet<GlobalId>,
}

impl Mentioned {
    /// The parts that a procedure or an axiom mentions.
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
    /// The parts by which heaps are distinguished.
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

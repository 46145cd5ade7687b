//! Initial heaps: which of them are looked at, and in which of many equal forms.
//!
//! A field of a bounded heap is a map from atoms, and a heap is the values of all such maps at
//! the start. Three things make there be fewer of them without a failure being lost, each by itself:
//! heaps that differ only in how atoms are numbered count once, and atoms that nothing
//! leads to are not there (`numbering.rs`, `garbage.rs`; Galeotti et al., ISSTA 2010, §3.1), nor is what nobody
//! reads (`mentioned.rs`); numbers that
//! are only compared are as few as can be told apart (`order.rs`, `defaults.rs`); and a field holds only what some heap
//! that meets the preconditions has there (`feasible.rs`; §3.2 of the same). What the solver would find out of heaps in the
//! most laborious way is told to it (`links.rs`).

mod defaults;
mod feasible;
mod garbage;
mod late;
mod links;
mod mentioned;
mod numbering;
mod order;

pub(crate) use numbering::Initial;

pub use feasible::{Content, Feasible, Held, Part};
pub use garbage::ignores_garbage;
pub use links::leads_back;
pub use mentioned::Mentioned;
pub use order::{Compared, compared};

use std::sync::Arc;

use ir::{Mode, Module, Procedure, SortId, Type};

use crate::scope::Scope;
use crate::sym::parts;

/// How the initial heap is looked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heaps {
    /// Whether atoms that nothing leads to are left out, as may be done where
    /// [garbage is ignored](ignores_garbage). What a contract assumes without being asked to
    /// (`free requires`) must hold of atoms whose maps have the default values of their types.
    pub canonical: bool,
    /// What makes a difference between heaps; all there is, if that is not given.
    pub mentioned: Option<Arc<Mentioned>>,
    /// The numbers that are only [compared], which are taken from a range in which there is room for
    /// all of them.
    pub compared: Arc<Vec<Compared>>,
    /// Whether what follows from preconditions by which [links lead back](leads_back) is told to the solver.
    pub links: bool,
    /// If heaps with at most so many atoms of each sort have been looked at before, only the others
    /// count.
    pub beyond: Option<u32>,
    /// What the maps may hold, if that is known.
    pub feasible: Option<Arc<Feasible>>,
    /// Whether every state that this leaves is known to meet the preconditions.
    pub is_admitted: bool,
}

/// The same scope without atoms that a procedure could not meet in its initial state: where
/// no map leads to a sort, there are no more of it than the procedure is handed.
pub(crate) fn tightened(module: &Module, procedure: &Procedure, scope: &Scope) -> Scope {
    let mut scope = scope.clone();
    scope.heaps.canonical &= scope.is_under();
    if !scope.heaps.canonical {
        scope.heaps.beyond = None;
        scope.heaps.feasible = None;
        return scope;
    }
    let parameters = procedure.locals_with(Mode::Parameter).map(|id| &procedure.local(id).ty);
    let mentioned = scope.heaps.mentioned(module);
    let constants = mentioned.constants.iter().map(|constant| &module.function(*constant).result);
    let globals = mentioned.globals.iter().map(|global| &module.global(*global).ty);
    let state: Vec<&Type> = parameters.chain(constants).chain(globals).collect();
    for (number, name) in module.sorts.iter().enumerate() {
        let sort = SortId(number as u32);
        let (handed, others): (Vec<&Type>, Vec<&Type>) =
            state.iter().partition(|ty| ***ty == Type::Sort(sort));
        let is_led_to = others.iter().any(|ty| holds(module, ty, sort));
        let handed = handed.len() as u32;
        if !is_led_to && handed < scope.atoms_of(name) {
            scope.named.retain(|(known, _)| known != name);
            scope.named.push((name.clone(), handed));
        }
    }
    scope
}

/// How many atoms of each sort there can be in the initial state of a procedure, `null` not counted.
pub fn atoms(module: &Module, procedure: &Procedure, scope: &Scope) -> Vec<u32> {
    let scope = tightened(module, procedure, scope);
    module.sorts.iter().map(|name| scope.atoms_of(name)).collect()
}

/// Whether a value of a type, the keys of maps aside, can hold an atom.
pub(crate) fn holds_any(module: &Module, ty: &Type) -> bool {
    (0..module.sorts.len() as u32).any(|sort| holds(module, ty, SortId(sort)))
}

/// Whether a value of a type, the keys of maps aside, can hold an atom of a sort.
fn holds(module: &Module, ty: &Type, sort: SortId) -> bool {
    match ty {
        Type::Sort(other) => *other == sort,
        Type::Map(_, part) | Type::Seq(part) => holds(module, part, sort),
        Type::Record(_) | Type::Variant(_) => {
            parts(module, ty).iter().any(|part| holds(module, part, sort))
        }
        Type::Bool | Type::Bv(_) | Type::Int | Type::Ptr | Type::Bytes => false,
    }
}

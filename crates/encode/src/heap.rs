//! Initial heaps: a canonical representative of each isomorphism class.
//!
//! A field of a bounded heap is a map from atoms, and a heap is the values of all such maps at the start. Three
//! independent techniques reduce the number of heaps without losing a failure. Heaps that differ only in the
//! numbering of atoms count once, and unreachable atoms (`numbering.rs`, `garbage.rs`; Galeotti et al., ISSTA 2010,
//! §3.1) and unread globals (`mentioned.rs`) are left out. Numbers that are only compared range over as few values
//! as can be distinguished (`order.rs`, `defaults.rs`). A field contains only edges that occur in some heap that
//! satisfies the preconditions (`feasible.rs`; §3.2 of the same). Lemmas state facts about heaps that the solver
//! would take long to derive (`links.rs`).

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
    /// Whether unreachable atoms are left out, which is possible where [garbage is ignored](ignores_garbage).
    /// Unchecked assumptions of a contract (`free requires`) must hold for atoms whose maps have the default values
    /// of their types.
    pub canonical: bool,
    /// The parts by which heaps are distinguished; all parts, if there is no list.
    pub mentioned: Option<Arc<Mentioned>>,
    /// The numbers that are only [compared], which are taken from a range in which there is room for
    /// all of them.
    pub compared: Arc<Vec<Compared>>,
    /// Whether lemmas about [links that lead back](leads_back) are added.
    pub links: bool,
    /// If heaps with at most this number of atoms of each sort have been checked before, only the others count.
    pub beyond: Option<u32>,
    /// The possible contents of the maps, if they are known.
    pub feasible: Option<Arc<Feasible>>,
    /// Whether every state that this leaves is known to meet the preconditions.
    pub is_admitted: bool,
}

/// The same scope without atoms that a procedure cannot reach in its initial state: where no map leads to a sort,
/// there are no more atoms of it than parameters.
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
        let (parameters, others): (Vec<&Type>, Vec<&Type>) =
            state.iter().partition(|ty| ***ty == Type::Sort(sort));
        let is_led_to = others.iter().any(|ty| holds(module, ty, sort));
        let parameters = parameters.len() as u32;
        if !is_led_to && parameters < scope.atoms_of(name) {
            scope.named.retain(|(known, _)| known != name);
            scope.named.push((name.clone(), parameters));
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

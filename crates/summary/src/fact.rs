//! Facts: what a procedure certainly does, and when, for the rules that are not about states.
//!
//! What may happen is no charge. A fact says that something happens in every run that begins so: a pointer is
//! followed, an object is freed, null is returned. The rules about memory see a callee that they do not follow
//! by its facts alone ([`crate::stub()`]).

use property::Index;
use serde::{Deserialize, Serialize};

use crate::path::{Path, Root};
use crate::summary::{Logic, Shared};

/// What a function certainly does that is declared and not analysed.
pub fn declared_facts(index: &Index, function: &str) -> Vec<Fact> {
    let frees = index.declared(function).into_iter().flat_map(|declared| &declared.frees);
    let fact = |argument: &u32| Fact {
        effect: Effect::Frees(Path::root(Root::Parameter(*argument))),
        when: Logic::Constant(true),
        basis: Basis::EveryRun,
    };
    frees.map(fact).collect()
}

/// Something that certainly happens.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fact {
    /// What.
    pub effect: Effect,
    /// In which runs: a condition on what there is at entry.
    pub when: Logic,
    /// Of which runs that is known.
    pub basis: Basis,
}

/// What happens.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Effect {
    /// The pointer is followed, so it must not be null, and what it points to must live.
    Needs(Path),
    /// What the pointer points to is freed.
    Frees(Path),
    /// It does not return, on purpose.
    Stops,
    /// The result is null.
    ReturnsNull,
    /// The result is a pointer that is not null.
    ReturnsObject,
    /// The result is this.
    Returns(Shared),
    /// A place of so many bytes holds this at exit.
    Leaves(Path, u32, Shared),
}

/// Of which runs a fact is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Basis {
    /// Of every run, however often loops go round and whichever pointers are the same: it may serve a proof
    /// that there is no run of some kind (over).
    EveryRun,
    /// Of runs in which pointers lead to objects of their own, and callees do what they do where loops go round a few
    /// times: it may serve to find a run (under).
    Described,
}

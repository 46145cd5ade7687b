//! Facts: effects of a procedure that the must-analysis has inferred, and when they happen.
//!
//! A fact holds in every execution that satisfies its condition at entry: a pointer is dereferenced, an object is
//! freed, null is returned. The rules about memory see a callee that is not inlined by its facts alone ([`crate::build_stub()`]).

use property::Index;
use serde::{Deserialize, Serialize};

use crate::path::{Path, Root};
use crate::summary::{Logic, Shared};

/// The facts of a function that a property declares.
pub fn declared_facts(index: &Index, function: &str) -> Vec<Fact> {
    let frees = index.declared(function).into_iter().flat_map(|declared| &declared.frees);
    let fact = |argument: &u32| Fact {
        effect: Effect::Frees(Path::root(Root::Parameter(*argument))),
        when: Logic::Constant(true),
        basis: Basis::Proved,
    };
    frees.map(fact).collect()
}

/// An effect that must happen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fact {
    /// The effect.
    pub effect: Effect,
    /// A condition on the state at entry.
    pub when: Logic,
    /// In which executions it has been shown.
    pub basis: Basis,
}

/// An effect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Effect {
    /// The pointer is dereferenced: it must not be null, and its object must be alive.
    Dereferences(Path),
    /// The target of the pointer is freed.
    Frees(Path),
    /// It does not return, on purpose.
    NeverReturns,
    /// The result is null.
    ReturnsNull,
    /// The result is a pointer that is not null.
    ReturnsObject,
    /// The result is this value.
    Returns(Shared),
    /// A place of this size in bytes has this value at exit.
    Writes(Path, u32, Shared),
}

/// In which executions a fact has been shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Basis {
    /// It holds in every execution, for any number of iterations and any aliasing. It may be used in the
    /// over-approximation.
    Proved,
    /// It holds if pointers do not alias and callees behave as they do in a few iterations of their loops. It may be
    /// used in the under-approximation only.
    Assumed,
}

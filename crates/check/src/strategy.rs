//! How initial heaps are looked for: what may be done to look at fewer of them.
//!
//! Each of these can be left out, and then the same is found, only later. What is done is chosen by what a
//! procedure and its contract say: where they could tell objects that nothing leads to, none of it is.

use std::sync::Arc;

use encode::{
    Arrays, Direction, Heaps, Mentioned, Scope, arrays, compared, ignores_garbage, leads_back,
};
use ir::{Module, Procedure};

use crate::options::CheckOptions;

/// What is done to look at fewer initial heaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Strategy {
    /// Heaps that differ only in how objects are numbered count once. The others rest on this.
    pub symmetry: bool,
    /// Numbers that are only compared are few.
    pub order: bool,
    /// What follows from links that lead back is told to the solver.
    pub links: bool,
    /// Where there are few shapes of heaps, each is looked at by itself.
    pub shapes: bool,
    /// Where there are many, it is found out beforehand what fields can hold at all.
    pub bounds: bool,
    /// Whether bounds are found out of small heaps too, of which all is known sooner than their bounds.
    pub of_small_heaps: bool,
}

impl Strategy {
    /// Everything that makes heaps fewer.
    pub const ALL: Strategy = Strategy {
        symmetry: true,
        order: true,
        links: true,
        shapes: true,
        bounds: true,
        of_small_heaps: false,
    };

    /// The techniques that have names, by which they can be asked for.
    pub const NAMES: [&str; 5] = ["symmetry", "order", "links", "shapes", "bounds"];

    /// Exactly these techniques, and on heaps of any size. The others rest on symmetry, which comes with them.
    pub fn named(names: &[&str]) -> Strategy {
        let has = |name| names.contains(&name);
        Strategy {
            symmetry: !names.is_empty(),
            order: has("order"),
            links: has("links"),
            shapes: has("shapes"),
            bounds: has("bounds"),
            of_small_heaps: has("bounds"),
        }
    }

    /// The scope in which runs of a prepared procedure are looked for.
    pub fn scope(self, module: &Module, procedure: &Procedure, options: &CheckOptions) -> Scope {
        let mut scope = options.scope(Direction::Under);
        if !self.symmetry || !ignores_garbage(module, procedure) {
            return scope;
        }
        match arrays(module, procedure) {
            Arrays::None => {}
            Arrays::Rows => scope.columns = Some(options.bounds.sequence),
            Arrays::Others => return scope,
        }
        let numbers = if self.order { compared(module, procedure) } else { Vec::new() };
        scope.heaps = Heaps {
            canonical: true,
            mentioned: Some(Arc::new(Mentioned::by(module, procedure))),
            compared: Arc::new(numbers),
            links: self.links && leads_back(procedure),
            beyond: options.state.exhausted,
            feasible: None,
            is_admitted: false,
        };
        scope
    }
}

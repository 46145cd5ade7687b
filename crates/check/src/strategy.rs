//! The techniques that reduce the initial heaps.
//!
//! Each can be disabled; the findings are the same, only later. A technique is used only where the procedure and its contract
//! admit it: none is if they can distinguish unreachable objects.

use std::sync::Arc;

use encode::{
    Arrays, Direction, Heaps, Mentioned, Scope, arrays, compared, ignores_garbage, leads_back,
};
use ir::{Module, Procedure};

use crate::options::CheckOptions;

/// The techniques that reduce the initial heaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Strategy {
    /// Isomorphic heaps count once (symmetry breaking). The others depend on this.
    pub symmetry: bool,
    /// Numbers that are only compared have few values.
    pub order: bool,
    /// Lemmas about inverse links, such as `next` and `prev`, are added to the formula.
    pub links: bool,
    /// Where heaps have few shapes, each shape is checked separately.
    pub shapes: bool,
    /// Where they have many, tight bounds on fields are computed first.
    pub bounds: bool,
    /// Whether tight bounds are computed for small heaps too, which are checked sooner than their bounds are known.
    pub of_small_heaps: bool,
}

impl Strategy {
    /// All techniques.
    pub const ALL: Strategy = Strategy {
        symmetry: true,
        order: true,
        links: true,
        shapes: true,
        bounds: true,
        of_small_heaps: false,
    };

    /// The names by which techniques are requested.
    pub const NAMES: [&str; 5] = ["symmetry", "order", "links", "shapes", "bounds"];

    /// Exactly these techniques, on heaps of any size. All include symmetry, on which they depend.
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

    /// The scope of the under-approximation of a prepared procedure.
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

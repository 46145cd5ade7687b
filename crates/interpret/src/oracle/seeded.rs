//! An oracle whose decisions are random, but the same for the same seed.

use std::sync::Arc;

use ir::{Module, SortId, Type};

use crate::run::Site;
use crate::value::Value;

use super::{CallResult, Oracle, Scope, UnknownCall, ValueRequest};

/// An oracle whose decisions are random, but the same for the same seed. Allocations fail one time in eight;
/// unknown functions exit normally.
#[derive(Clone, Debug)]
pub struct Seeded {
    random: fastrand::Rng,
    scope: Scope,
}

impl Seeded {
    /// An oracle with a seed and values of a scope.
    pub fn new(seed: u64, scope: Scope) -> Seeded {
        Seeded { random: fastrand::Rng::with_seed(seed), scope }
    }

    fn pick(&mut self, module: &Module, ty: &Type) -> Option<Value> {
        let random = &mut self.random;
        self.scope.pick(module, ty, &mut |options| (options > 0).then(|| random.u64(..options)))
    }
}

impl Oracle for Seeded {
    fn value(&mut self, request: &ValueRequest<'_>) -> Option<Value> {
        self.pick(request.module, request.ty)
    }

    fn choose(&mut self, _: Site, targets: usize) -> Option<usize> {
        Some(self.random.usize(..targets))
    }

    fn atom(&mut self, _: Site, sort: SortId, is_fresh: &dyn Fn(u64) -> bool) -> Option<u64> {
        let atoms = self.scope.atoms(sort);
        let fresh: Vec<u64> = atoms.iter().copied().filter(|id| is_fresh(*id)).collect();
        self.random.choice(fresh)
    }

    fn fails(&mut self, _: Site, _: u64) -> Option<bool> {
        Some(self.random.u8(..8) == 0)
    }

    fn call(&mut self, call: &UnknownCall<'_>) -> Option<CallResult> {
        let mut decision = CallResult::default();
        if call.has_modifies {
            for (index, ty) in call.places.iter().enumerate() {
                decision.writes.push((index, self.pick(call.module, ty)?));
            }
        }
        for ty in call.results {
            decision.results.push(self.pick(call.module, ty)?);
        }
        Some(decision)
    }

    fn atoms(&self, sort: SortId) -> Option<Arc<Vec<u64>>> {
        Some(self.scope.atoms(sort))
    }
}

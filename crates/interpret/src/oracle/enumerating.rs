//! An oracle that makes all decisions in turn, for exhaustive enumeration of executions.
//!
//! The decisions of one execution are a path in a tree; the next execution follows the same path up to the
//! last decision with an alternative, and takes that one. No request is made that the execution does not
//! need: an input, an entry of a map or a value of a function is decided when it is first read. So two
//! executions that differ only in values that they never read are one, and the visited executions represent
//! all.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use ir::{Module, ProcedureId, SortId, Type};

use crate::run::{Execution, Inputs, Options, Site, run};
use crate::value::Value;

use super::{CallResult, Oracle, Scope, UnknownCall, ValueRequest};

/// An oracle that makes all decisions in turn.
///
/// An unknown function writes what its contract lets it write, and nothing if the contract has no `modifies`;
/// it exits exceptionally only if that is expected. It neither allocates nor frees objects of memory. Every
/// fresh atom of the scope is tried for an allocation.
#[derive(Clone, Debug)]
pub struct Enumerating {
    scope: Scope,
    not_followed: BTreeSet<ProcedureId>,
    path: Path,
}

/// The path of the current execution in the tree.
#[derive(Clone, Debug, Default)]
struct Path {
    /// The decision on each request by number, and the number of alternatives.
    decisions: Vec<(u64, u64)>,
    /// The number of requests so far.
    asked: usize,
}

impl Enumerating {
    /// An oracle that chooses from a scope.
    pub fn new(scope: Scope) -> Enumerating {
        Enumerating { scope, not_followed: BTreeSet::new(), path: Path::default() }
    }

    /// The same, but the bodies of these procedures are not executed.
    #[must_use]
    pub fn not_following(mut self, procedures: impl IntoIterator<Item = ProcedureId>) -> Self {
        self.not_followed.extend(procedures);
        self
    }

    /// Prepares the next execution; false if there is none.
    pub fn advance(&mut self) -> bool {
        let Path { decisions, asked } = &mut self.path;
        decisions.truncate(*asked);
        *asked = 0;
        while let Some((decision, count)) = decisions.last_mut() {
            *decision += 1;
            if *decision < *count {
                return true;
            }
            decisions.pop();
        }
        false
    }

    fn choice(&mut self, count: u64) -> Option<u64> {
        self.path.choice(count)
    }

    fn pick(&mut self, module: &Module, ty: &Type) -> Option<Value> {
        let Enumerating { scope, path, .. } = self;
        scope.pick(module, ty, &mut |count| path.choice(count))
    }
}

impl Path {
    /// The number of the alternative for the next request.
    fn choice(&mut self, count: u64) -> Option<u64> {
        if count == 0 {
            return None;
        }
        if self.asked == self.decisions.len() {
            self.decisions.push((0, count));
        }
        let (decision, expected) = self.decisions[self.asked];
        debug_assert_eq!(count, expected, "the same decisions lead to the same questions");
        self.asked += 1;
        Some(decision)
    }
}

impl Oracle for Enumerating {
    fn value(&mut self, request: &ValueRequest<'_>) -> Option<Value> {
        self.pick(request.module, request.ty)
    }

    fn choose(&mut self, _: Site, targets: usize) -> Option<usize> {
        self.choice(targets as u64).map(|target| target as usize)
    }

    fn atom(&mut self, _: Site, sort: SortId, is_fresh: &dyn Fn(u64) -> bool) -> Option<u64> {
        let atoms = self.scope.atoms(sort);
        let fresh: Vec<u64> = atoms.iter().copied().filter(|id| is_fresh(*id)).collect();
        let index = self.choice(fresh.len() as u64)?;
        Some(fresh[index as usize])
    }

    fn fails(&mut self, _: Site, _: u64) -> Option<bool> {
        self.choice(2).map(|index| index == 1)
    }

    fn call(&mut self, call: &UnknownCall<'_>) -> Option<CallResult> {
        let mut decision = CallResult::default();
        if call.has_modifies {
            for (index, ty) in call.places.iter().enumerate() {
                decision.writes.push((index, self.pick(call.module, ty)?));
            }
        }
        if call.may_throw && self.choice(2)? == 1 {
            let value = match call.exception {
                Some(ty) => Some(self.pick(call.module, ty)?),
                None => None,
            };
            decision.throws = Some(value);
            return Some(decision);
        }
        for ty in call.results {
            decision.results.push(self.pick(call.module, ty)?);
        }
        Some(decision)
    }

    fn atoms(&self, sort: SortId) -> Option<Arc<Vec<u64>>> {
        Some(self.scope.atoms(sort))
    }

    fn executes_body(&self, _: Site, _: usize, callee: ProcedureId) -> bool {
        !self.not_followed.contains(&callee)
    }
}

/// Visits every execution of a procedure from the given inputs, with missing inputs from the oracle's scope,
/// until the visitor breaks off. Returns the number of visited executions.
///
/// [Infeasible](crate::Outcome::is_infeasible) executions are visited too.
pub fn enumerate(
    module: &Module,
    procedure: ProcedureId,
    inputs: &Inputs,
    oracle: &mut Enumerating,
    options: &Options,
    mut visit: impl FnMut(&Execution, &Enumerating) -> ControlFlow<()>,
) -> u64 {
    let mut count = 0;
    loop {
        let run = run(module, procedure, inputs, oracle, options);
        count += 1;
        if visit(&run, oracle).is_break() || !oracle.advance() {
            return count;
        }
    }
}

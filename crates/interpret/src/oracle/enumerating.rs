//! An oracle that takes all answers in turn, for exhaustive enumeration of runs.
//!
//! The answers of one run are a path in a tree; the next run follows the same path up to the last
//! question that has another answer, and takes that one. Nothing is asked that the run does not
//! need: an input, an entry of a map or a value of a function is chosen when it is first read. So
//! two runs that differ only in what they never read are one, and the runs that are visited stand
//! for all.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use ir::{Module, ProcedureId, SortId, Type};

use crate::run::{Execution, Inputs, Options, Site, run};
use crate::value::Value;

use super::{CallResult, Oracle, Scope, UnknownCall, ValueRequest};

/// An oracle that takes all answers in turn.
///
/// A callee that is not followed writes what its contract lets it write, and nothing if the contract
/// has no `modifies`; it exits exceptionally only if that is expected. It neither makes nor frees
/// objects of memory. Every fresh atom of the scope is tried for an allocation.
#[derive(Clone, Debug)]
pub struct Enumerating {
    scope: Scope,
    not_followed: BTreeSet<ProcedureId>,
    path: Path,
}

/// The way of the current run through the tree.
#[derive(Clone, Debug, Default)]
struct Path {
    /// The answer to each question by number, and how many there are.
    decisions: Vec<(u64, u64)>,
    /// The number of questions asked so far.
    asked: usize,
}

impl Enumerating {
    /// An oracle that chooses from a scope.
    pub fn new(scope: Scope) -> Enumerating {
        Enumerating { scope, not_followed: BTreeSet::new(), path: Path::default() }
    }

    /// The same, but these procedures are not followed though they have a body.
    #[must_use]
    pub fn not_following(mut self, procedures: impl IntoIterator<Item = ProcedureId>) -> Self {
        self.not_followed.extend(procedures);
        self
    }

    /// Prepares the next run; false if there is none.
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
    /// The number of the answer to a question that has this many.
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

    fn choose(&mut self, _: Site, ways: usize) -> Option<usize> {
        self.choice(ways as u64).map(|way| way as usize)
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

/// Visits every run of a procedure from the given inputs, what they leave out chosen from the
/// oracle's scope, until the visitor breaks off. Gives the number of runs visited.
///
/// Runs that are [infeasible](crate::Outcome::is_infeasible) are visited too.
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

//! An oracle that replays a list of decisions, and one that records such a list.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use ir::{FunctionId, Module, ProcedureId, SortId};

use crate::run::Site;
use crate::value::{MapValue, Rest, Value};

use super::{CallResult, OpenValue, Oracle, UnknownCall, ValueRequest};

/// The decision on one request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The value of an input that was left out.
    Input(Value),
    /// The value of an unknown map at some keys.
    Entry(Value),
    /// The value of a function at some arguments.
    Function(Value),
    /// The value of a place that is havocked.
    Havoc(Value),
    /// The target of a nondeterministic `goto`.
    Goto(usize),
    /// Which atom was allocated.
    Atom(u64),
    /// Whether an allocation failed.
    Fails(bool),
    /// The effects and results of an unknown function.
    Call(CallResult),
}

/// An oracle that replays a list of decisions in order. It makes no decision on a request of another kind
/// than the next decision; so a list without decisions for inputs leaves missing inputs undefined.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recorded {
    /// The decisions that are left.
    pub decisions: VecDeque<Decision>,
    /// The functions without definition, as maps from arguments to values; they come before the
    /// list.
    pub functions: BTreeMap<FunctionId, Arc<MapValue>>,
    /// The atoms of each sort, ascending; a sort that is left out has no known ones.
    pub atoms: BTreeMap<SortId, Arc<Vec<u64>>>,
    /// The procedures whose bodies are not executed.
    pub not_followed: BTreeSet<ProcedureId>,
}

impl Recorded {
    /// An oracle with these decisions.
    pub fn new(decisions: impl IntoIterator<Item = Decision>) -> Recorded {
        Recorded { decisions: decisions.into_iter().collect(), ..Recorded::default() }
    }

    /// The next decision if it is of the right kind.
    fn next<T>(&mut self, kind: impl Fn(&Decision) -> Option<T>) -> Option<T> {
        let decision = kind(self.decisions.front()?)?;
        self.decisions.pop_front();
        Some(decision)
    }
}

impl Oracle for Recorded {
    fn value(&mut self, request: &ValueRequest<'_>) -> Option<Value> {
        if let OpenValue::Function(function, arguments) = request.open
            && let Some(map) = self.functions.get(&function)
        {
            return match (map.entries().get(arguments), map.rest()) {
                (Some(value), _) | (None, Rest::Is(value)) => Some(value.clone()),
                (None, Rest::Unknown(_)) => None,
            };
        }
        self.next(|decision| match (decision, request.open) {
            (Decision::Input(value), OpenValue::Input(_))
            | (Decision::Entry(value), OpenValue::Entry(..))
            | (Decision::Function(value), OpenValue::Function(..))
            | (Decision::Havoc(value), OpenValue::Havoc(..)) => Some(value.clone()),
            _ => None,
        })
    }

    fn choose(&mut self, _: Site, _: usize) -> Option<usize> {
        self.next(|decision| match decision {
            Decision::Goto(target) => Some(*target),
            _ => None,
        })
    }

    fn atom(&mut self, _: Site, _: SortId, _: &dyn Fn(u64) -> bool) -> Option<u64> {
        self.next(|decision| match decision {
            Decision::Atom(id) => Some(*id),
            _ => None,
        })
    }

    fn fails(&mut self, _: Site, _: u64) -> Option<bool> {
        self.next(|decision| match decision {
            Decision::Fails(fails) => Some(*fails),
            _ => None,
        })
    }

    fn call(&mut self, _: &UnknownCall<'_>) -> Option<CallResult> {
        self.next(|decision| match decision {
            Decision::Call(decision) => Some(decision.clone()),
            _ => None,
        })
    }

    fn atoms(&self, sort: SortId) -> Option<Arc<Vec<u64>>> {
        self.atoms.get(&sort).cloned()
    }

    fn table(&self, _: &Module, function: FunctionId) -> Option<Arc<MapValue>> {
        self.functions.get(&function).cloned()
    }

    fn executes_body(&self, _: Site, _: usize, callee: ProcedureId) -> bool {
        !self.not_followed.contains(&callee)
    }
}

/// An oracle that forwards the decisions of another and records them, so that [`Recorded`] can replay its
/// executions.
#[derive(Debug)]
pub struct Recording<'o, O: ?Sized> {
    /// The oracle that decides.
    pub oracle: &'o mut O,
    /// The decisions so far.
    pub decisions: Vec<Decision>,
}

impl<'o, O: Oracle + ?Sized> Recording<'o, O> {
    /// Records the decisions of an oracle.
    pub fn new(oracle: &'o mut O) -> Self {
        Recording { oracle, decisions: Vec::new() }
    }

    fn note<T: Clone>(&mut self, decision: Option<T>, kind: impl Fn(T) -> Decision) -> Option<T> {
        self.decisions.extend(decision.clone().map(kind));
        decision
    }
}

impl<O: Oracle + ?Sized> Oracle for Recording<'_, O> {
    fn value(&mut self, request: &ValueRequest<'_>) -> Option<Value> {
        let decision = self.oracle.value(request);
        self.note(decision, |value| match request.open {
            OpenValue::Input(_) => Decision::Input(value),
            OpenValue::Entry(..) => Decision::Entry(value),
            OpenValue::Function(..) => Decision::Function(value),
            OpenValue::Havoc(..) => Decision::Havoc(value),
        })
    }

    fn choose(&mut self, site: Site, targets: usize) -> Option<usize> {
        let decision = self.oracle.choose(site, targets);
        self.note(decision, Decision::Goto)
    }

    fn atom(&mut self, site: Site, sort: SortId, is_fresh: &dyn Fn(u64) -> bool) -> Option<u64> {
        let decision = self.oracle.atom(site, sort, is_fresh);
        self.note(decision, Decision::Atom)
    }

    fn fails(&mut self, site: Site, size: u64) -> Option<bool> {
        let decision = self.oracle.fails(site, size);
        self.note(decision, Decision::Fails)
    }

    fn call(&mut self, call: &UnknownCall<'_>) -> Option<CallResult> {
        let decision = self.oracle.call(call);
        self.note(decision, Decision::Call)
    }

    fn atoms(&self, sort: SortId) -> Option<Arc<Vec<u64>>> {
        self.oracle.atoms(sort)
    }

    fn stub(&mut self, depth: usize, callee: ProcedureId) -> Option<ProcedureId> {
        self.oracle.stub(depth, callee)
    }

    fn executes_body(&self, site: Site, depth: usize, callee: ProcedureId) -> bool {
        self.oracle.executes_body(site, depth, callee)
    }
}

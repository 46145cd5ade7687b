//! Decisions by site: an oracle's decision at each statement and visit.
//!
//! A list of decisions determines an execution only if the execution makes the same requests. Decisions by
//! site remain valid when callees are executed that were unknown before: their requests disappear, and the
//! others keep their decisions.

use std::collections::BTreeMap;
use std::sync::Arc;

use ir::{FunctionId, Module, ProcedureId, SortId};

use super::{CallResult, OpenValue, Oracle, UnknownCall, ValueRequest};
use crate::run::Site;
use crate::value::{MapValue, Value};

/// A decision at a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SiteDecision {
    /// The value of a havocked place.
    Havoc(Value),
    /// Whether an allocation fails.
    Fails(bool),
    /// The number of the object that an allocation makes.
    Object(u64),
    /// The effects and results of an unknown function.
    Call(CallResult),
}

/// Decisions by kind of request, site, and number of earlier visits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SiteDecisions {
    decisions: BTreeMap<(DecisionKind, Site, u32), SiteDecision>,
}

/// The kinds of decisions that are recorded by site.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DecisionKind {
    /// For a value.
    Havoc,
    /// Whether an allocation fails.
    Fails,
    /// Which object it makes.
    Object,
    /// A call of an unknown function.
    Call,
}

impl SiteDecisions {
    /// The decision at a site in a visit, counted from zero.
    pub fn get(&self, kind: DecisionKind, site: Site, time: u32) -> Option<&SiteDecision> {
        self.decisions.get(&(kind, site, time))
    }
}

/// An oracle that forwards the decisions of another and records them by site.
pub struct Keyed<'o> {
    oracle: &'o mut dyn Oracle,
    /// The decisions so far.
    pub decisions: SiteDecisions,
    times: BTreeMap<(DecisionKind, Site), u32>,
}

impl<'o> Keyed<'o> {
    /// Records the decisions of an oracle.
    pub fn new(oracle: &'o mut dyn Oracle) -> Keyed<'o> {
        Keyed { oracle, decisions: SiteDecisions::default(), times: BTreeMap::new() }
    }

    fn note(&mut self, kind: DecisionKind, site: Site, said: Option<SiteDecision>) {
        let time = self.times.entry((kind, site)).or_insert(0);
        let number = std::mem::replace(time, *time + 1);
        if let Some(said) = said {
            self.decisions.decisions.insert((kind, site, number), said);
        }
    }
}

impl Oracle for Keyed<'_> {
    fn value(&mut self, request: &ValueRequest<'_>) -> Option<Value> {
        let decision = self.oracle.value(request);
        if let OpenValue::Havoc(..) = request.open {
            self.note(DecisionKind::Havoc, request.site, decision.clone().map(SiteDecision::Havoc));
        }
        decision
    }

    fn choose(&mut self, site: Site, targets: usize) -> Option<usize> {
        self.oracle.choose(site, targets)
    }

    fn atom(&mut self, site: Site, sort: SortId, is_fresh: &dyn Fn(u64) -> bool) -> Option<u64> {
        self.oracle.atom(site, sort, is_fresh)
    }

    fn fails(&mut self, site: Site, size: u64) -> Option<bool> {
        let decision = self.oracle.fails(site, size);
        self.note(DecisionKind::Fails, site, decision.map(SiteDecision::Fails));
        decision
    }

    fn object(&mut self, site: Site) -> Option<u64> {
        let decision = self.oracle.object(site);
        self.note(DecisionKind::Object, site, decision.map(SiteDecision::Object));
        decision
    }

    fn call(&mut self, call: &UnknownCall<'_>) -> Option<CallResult> {
        let decision = self.oracle.call(call);
        self.note(DecisionKind::Call, call.site, decision.clone().map(SiteDecision::Call));
        decision
    }

    fn atoms(&self, sort: SortId) -> Option<Arc<Vec<u64>>> {
        self.oracle.atoms(sort)
    }

    fn table(&self, module: &Module, function: FunctionId) -> Option<Arc<MapValue>> {
        self.oracle.table(module, function)
    }

    fn stub(&mut self, depth: usize, callee: ProcedureId) -> Option<ProcedureId> {
        self.oracle.stub(depth, callee)
    }

    fn executes_body(&self, site: Site, depth: usize, callee: ProcedureId) -> bool {
        self.oracle.executes_body(site, depth, callee)
    }
}

//! The record of an execution that shows a claim: all that the execution was given, so that it can be made to
//! happen elsewhere, on a machine.
//!
//! A record ends with the operation that the claim is about; what the execution did afterwards is left out.

use std::collections::BTreeSet;

use interpret::{Bytes, NewObject, Value};
use ir::{PointId, ProcedureId};

use crate::observe::{Observed, Sight};
use crate::witness::TrackedObject;

/// The inputs and decisions of an execution.
#[derive(Clone, Debug)]
pub struct Record {
    /// The states of objects at entry, by property, as far as the execution has settled them.
    pub states: Vec<(String, TrackedObject, u32)>,
    /// The effects of callees whose bodies were not run, in order.
    pub answers: Vec<Answered>,
    /// Whether each of the allocations that could fail did, in order.
    pub fails: Vec<bool>,
    /// The procedures whose bodies were run, besides the entry procedure.
    pub entered: BTreeSet<ProcedureId>,
    /// Whether it depends on values that neither memory nor a callee has.
    pub is_chosen: bool,
    /// The property whose operation met an object in a state that it does not allow, by position.
    pub property: usize,
}

/// The effects of a callee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered {
    /// The callee, in the linked program.
    pub callee: ProcedureId,
    /// The arguments.
    pub arguments: Vec<Value>,
    /// The result, if any.
    pub result: Option<Value>,
    /// The memory that it wrote.
    pub writes: Bytes,
    /// The objects that it made.
    pub allocates: Vec<NewObject>,
}

/// The notes of the oracle for a record.
#[derive(Default)]
pub(crate) struct Notes {
    /// The rule and the call with which the record ends.
    pub(crate) until: Option<(String, PointId)>,
    /// Whether it has ended.
    is_over: bool,
    pub(crate) answers: Vec<Answered>,
    pub(crate) fails: Vec<bool>,
    pub(crate) entered: BTreeSet<ProcedureId>,
    pub(crate) is_chosen: bool,
}

impl Notes {
    /// Notes for a record that ends when a call at a point breaks a rule.
    pub(crate) fn until(rule: &str, point: PointId) -> Notes {
        Notes { until: Some((rule.to_owned(), point)), ..Notes::default() }
    }

    pub(crate) fn answered(&mut self, answer: Answered) {
        if !self.is_over {
            self.answers.push(answer);
        }
    }

    pub(crate) fn entered(&mut self, callee: ProcedureId) {
        if !self.is_over {
            self.entered.insert(callee);
        }
    }

    pub(crate) fn failed(&mut self, fails: bool) {
        if !self.is_over {
            self.fails.push(fails);
        }
    }

    pub(crate) fn chosen(&mut self) {
        self.is_chosen |= !self.is_over;
    }

    /// Ends the record if the last that was seen is what the claim is about.
    pub(crate) fn saw(&mut self, seen: &[Observed]) {
        if let (Some(last), Some((rule, at))) = (seen.last(), &self.until) {
            self.is_over |= is_error(last, rule, *at);
        }
    }
}

/// Whether a call at a point breaks a rule.
pub(crate) fn is_error(seen: &Observed, rule: &str, at: PointId) -> bool {
    match &seen.sight {
        Sight::Error { rule: broken, .. } => broken == rule && seen.point == at,
        Sight::Branch(_) | Sight::Moved { .. } | Sight::Allocated { .. } => false,
    }
}

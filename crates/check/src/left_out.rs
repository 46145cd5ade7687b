//! Missing clauses: a contract lacks a clause of its source, which could not be parsed or is not modelled
//! ([`ir::LeftOut`]). No finding depends on the absence.
//!
//! - If an assumption of the procedure is missing, an execution may start in a state that the clause excludes. Nothing is
//!   asked, and the procedure is unknown.
//! - If a promise or frame of the procedure is missing, an obligation is missing. Other findings stay; without them the
//!   procedure is unknown.
//! - If a promise or frame of a callee without a body is missing, its results are those of an unknown function
//!   (`passes::contract`): a finding has to hold for all of them. Otherwise the procedure is unknown.
//! - If an assumption of a callee is missing, it is unknown whether its callers satisfy it.

use std::collections::BTreeSet;

use ir::{ClauseRole, MissingClause, Module, ProcedureId};
use report::{Procedure, Reason, ReasonClass, Verdict};

use crate::examine::Program;

impl Program<'_> {
    /// The verdict on a procedure whose initial states are unknown.
    pub(crate) fn unknown_start(&self, procedure: ProcedureId) -> Option<Verdict> {
        let contract = &self.module.procedure(procedure).contract;
        contract.lacks(&[ClauseRole::Assumption]).map(|missing| self.unknown(missing))
    }

    /// A procedure after the search: if nothing was found, a missing clause may be the reason.
    #[must_use]
    pub fn completed(&self, id: ProcedureId, examined: Procedure) -> Procedure {
        let verdict = match examined.verdict {
            Verdict::NoneWithinBounds => self.unknown_promise(id, examined.cut.is_some()),
            Verdict::Findings | Verdict::Unknown(_) | Verdict::Skipped(_) => None,
        };
        Procedure { verdict: verdict.unwrap_or(examined.verdict.clone()), ..examined }
    }

    fn unknown_promise(&self, procedure: ProcedureId, is_cut: bool) -> Option<Verdict> {
        let own = &self.module.procedure(procedure).contract;
        let own = own.lacks(&[ClauseRole::Promise, ClauseRole::Frame]);
        let callees = called(self.module, procedure);
        let mut callees = callees.into_iter().map(|callee| self.module.procedure(callee));
        let missing = own.or_else(|| {
            callees.find_map(|callee| match (&callee.blocks, is_cut) {
                (None, true) => callee.contract.missing_clauses.first(),
                (Some(_), _) | (None, false) => callee.contract.lacks(&[ClauseRole::Assumption]),
            })
        });
        missing.map(|missing| self.unknown(missing))
    }

    fn unknown(&self, missing: &MissingClause) -> Verdict {
        let place = self.place(missing.span);
        let line = place.start.line;
        let why = format!("{}, {}:{line}", missing.what, place.path);
        Verdict::Unknown(Reason::new(ReasonClass::ClauseLeftOut).because(why))
    }
}

/// The procedures that a procedure may call, directly or not, in order.
fn called(module: &Module, procedure: ProcedureId) -> BTreeSet<ProcedureId> {
    let mut called = BTreeSet::new();
    let mut open = vec![procedure];
    while let Some(next) = open.pop() {
        open.extend(module.procedure(next).callees().filter(|callee| called.insert(*callee)));
    }
    called
}

//! Clauses that are missing: a contract lacks something that its source has, because it could not be read or is not
//! modelled ([`ir::LeftOut`]). Nothing that rests on the absence is reported.
//!
//! - If an assumption of the procedure is missing, a run that is found may start in a state that the clause
//!   excludes. Nothing is asked, and the procedure is unknown.
//! - If a promise or frame of the procedure is missing, something that it owes is not looked at. Other findings stay;
//!   without them the procedure is unknown.
//! - If a promise or frame of a callee without a body is missing, its answers are those of external code
//!   (`passes::contract`): a finding has to hold whatever they are. Where it does not, the procedure is unknown.
//! - If an assumption of a callee is missing, whether its callers meet it is not known.

use std::collections::BTreeSet;

use ir::{Callee, ClauseRole, MissingClause, Module, ProcedureId, StatementKind};
use report::{Procedure, Reason, ReasonClass, Verdict};

use crate::examine::Program;

impl Program<'_> {
    /// The verdict on a procedure of which it is not known in which states it starts.
    pub(crate) fn unknown_start(&self, procedure: ProcedureId) -> Option<Verdict> {
        let contract = &self.module.procedure(procedure).contract;
        contract.lacks(&[ClauseRole::Assumption]).map(|missing| self.unknown(missing))
    }

    /// What is known of a procedure after all bounds were looked at: if nothing was found, that may be for want of a
    /// clause.
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

/// The procedures that a procedure may come to call, in order.
fn called(module: &Module, procedure: ProcedureId) -> BTreeSet<ProcedureId> {
    let mut called = BTreeSet::new();
    let mut open = vec![procedure];
    while let Some(next) = open.pop() {
        let blocks = module.procedure(next).blocks.iter().flatten();
        for statement in blocks.flat_map(|block| &block.statements) {
            let StatementKind::Call { callee, .. } = &statement.kind else { continue };
            let callees = match callee {
                Callee::Procedure(id) => vec![*id],
                Callee::Choice(_, table) => table.iter().map(|(_, id)| *id).collect(),
            };
            open.extend(callees.into_iter().filter(|callee| called.insert(*callee)));
        }
    }
    called
}

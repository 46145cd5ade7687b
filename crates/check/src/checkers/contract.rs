//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::case::Case;
use crate::rule::{Rule, checker};

checker! {
    /// A contract is broken.
    ///
    /// There is a run in which something that a contract says does not hold: a precondition of a
    /// procedure that is called, a postcondition or invariant at exit, a loop invariant on entry or
    /// after an iteration, a measure that does not decrease, an assignment to what may not be
    /// assigned, an exception that is not allowed. The detail of the finding says which.
    ///
    /// Every input that the precondition admits counts, null and aliased ones too. If it admits none, that
    /// is the one finding.
Contract = "contract", default true
}

impl Checker for Contract {
    fn rule(&self) -> Rule {
        Contract::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        &[
            AssertKind::Precondition,
            AssertKind::Postcondition,
            AssertKind::Invariant,
            AssertKind::LoopInvariant,
            AssertKind::Progress,
            AssertKind::Assignable,
            AssertKind::Exception,
        ]
    }

    fn check(&self, case: &mut Case<'_>) {
        case.charge_contradiction(&self.rule());
        case.charge_failing(self);
    }
}

//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::case::Case;
use crate::rule::{Rule, checker};

checker! {
    /// A value is read that was never set.
    ///
    /// There is a run in which a variable is read before anything was written to it, or in which bytes of
    /// memory that were never written decide something: a comparison, a branch, an address, a divisor, what
    /// a function returns. Copying such bytes is no mistake. The sanitizers do not see such reads, so none
    /// is confirmed by execution. This rule is off unless asked for.
    Uninitialized = "uninitialized", default false
}

impl Checker for Uninitialized {
    fn rule(&self) -> Rule {
        Uninitialized::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        &[AssertKind::Uninitialized]
    }

    fn check(&self, case: &mut Case<'_>) {
        case.charge_failing(self);
    }
}

//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::case::Case;
use crate::rule::{Rule, checker};

checker! {
    /// A variable is read that was never set.
    ///
    /// There is a run in which a variable is read before anything was written to it. This rule is off unless
    /// asked for.
    Uninitialised = "uninitialised", default false
}

impl Checker for Uninitialised {
    fn rule(&self) -> Rule {
        Uninitialised::RULE
    }

    fn check(&self, case: &mut Case<'_>) {
        case.charge_failing(&self.rule(), |kind| kind == AssertKind::Uninitialised);
    }
}

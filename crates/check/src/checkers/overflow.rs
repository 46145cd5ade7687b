//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::case::Case;
use crate::rule::{Rule, checker};

checker! {
    /// Signed arithmetic overflows.
    ///
    /// There is a run in which the result of a signed operation does not fit its type, which C leaves undefined.
    /// Much code relies on wrapping all the same, so this rule is off unless asked for.
    Overflow = "overflow", default false
}

impl Checker for Overflow {
    fn rule(&self) -> Rule {
        Overflow::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        &[AssertKind::Overflow]
    }

    fn check(&self, case: &mut Case<'_>) {
        case.charge_failing(self);
    }
}

//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::case::Case;
use crate::rule::{Rule, checker};

checker! {
    /// A shift is by too many bits.
    ///
    /// There is a run in which a value is shifted by a negative number of bits, or by as many as it has or more,
    /// which C leaves undefined. This rule is off unless asked for.
    Shift = "shift", default false
}

impl Checker for Shift {
    fn rule(&self) -> Rule {
        Shift::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        &[AssertKind::Shift]
    }

    fn check(&self, case: &mut Case<'_>) {
        case.charge_failing(self);
    }
}

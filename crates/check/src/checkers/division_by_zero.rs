//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::case::Case;
use crate::rule::{Rule, checker};

checker! {
    /// A divisor can be zero.
    ///
    /// There is a run in which a division or remainder is computed with zero as the divisor. The
    /// report shows where the zero comes from.
DivisionByZero = "division-by-zero", default true
}

impl Checker for DivisionByZero {
    fn rule(&self) -> Rule {
        DivisionByZero::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        &[AssertKind::DivisionByZero]
    }

    fn check(&self, case: &mut Case<'_>) {
        case.charge_failing(self);
    }
}

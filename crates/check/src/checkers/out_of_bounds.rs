//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::case::Case;
use crate::rule::{Rule, checker};

checker! {
    /// An index lies outside its array or object.
    ///
    /// There is a run in which memory or an array is accessed before its start or behind its end. The
    /// report shows the index and the size.
OutOfBounds = "out-of-bounds", default true
}

impl Checker for OutOfBounds {
    fn rule(&self) -> Rule {
        OutOfBounds::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        &[AssertKind::OutOfBounds]
    }

    fn check(&self, case: &mut Case<'_>) {
        case.charge_failing(self);
    }
}

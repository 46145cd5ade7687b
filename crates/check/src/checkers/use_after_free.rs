//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::case::Case;
use crate::rule::{Rule, checker};

checker! {
    /// What has been freed is used.
    ///
    /// There is a run in which memory is read, written or passed on after it was freed, or after the function
    /// whose variable it was has returned. The report shows where it was freed.
    UseAfterFree = "use-after-free", default true
}

impl Checker for UseAfterFree {
    fn rule(&self) -> Rule {
        UseAfterFree::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        &[AssertKind::UseAfterFree]
    }

    fn check(&self, case: &mut Case<'_>) {
        case.charge_failing(self);
    }
}

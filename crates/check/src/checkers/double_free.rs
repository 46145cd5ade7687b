//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::case::Case;
use crate::rule::{Rule, checker};

checker! {
    /// What has been freed is freed again.
    ///
    /// There is a run in which the same memory is freed, or handed to `realloc`, twice. The report shows where
    /// it was freed first.
    DoubleFree = "double-free", default true
}

impl Checker for DoubleFree {
    fn rule(&self) -> Rule {
        DoubleFree::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        &[AssertKind::DoubleFree]
    }

    fn check(&self, case: &mut Case<'_>) {
        case.charge_failing(self);
    }
}

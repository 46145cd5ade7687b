//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::case::Case;
use crate::rule::{Rule, checker};

checker! {
    /// What is freed was not allocated.
    ///
    /// There is a run in which `free` or `realloc` is given a pointer that no allocation returned: to a variable,
    /// to a static object, or into the middle of a block.
    InvalidFree = "invalid-free", default true
}

impl Checker for InvalidFree {
    fn rule(&self) -> Rule {
        InvalidFree::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        &[AssertKind::InvalidFree]
    }

    fn check(&self, case: &mut Case<'_>) {
        case.charge_failing(self);
    }
}

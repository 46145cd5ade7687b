//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::case::Case;
use crate::rule::{Rule, checker};

checker! {
    /// A reference that is null is used.
    ///
    /// There is a run in which a field is read or written, an array is indexed or a method is called
    /// through a reference or pointer that is null. The report shows where the null comes from.
NullDereference = "null-dereference", default true
}

impl Checker for NullDereference {
    fn rule(&self) -> Rule {
        NullDereference::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        &[AssertKind::NullDereference]
    }

    fn check(&self, case: &mut Case<'_>) {
        case.charge_failing(self);
    }
}

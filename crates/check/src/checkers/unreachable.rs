//! See the manual of the rule, below.

use super::Checker;
use crate::case::Case;
use crate::rule::{Rule, checker};

checker! {
    /// Code is never reached.
    ///
    /// No run gets to this statement or takes this side of a branch. That is proved without any bound
    /// on loops. Much unreachable code is there on purpose, so this rule is off unless asked for.
    Unreachable = "unreachable", default false
}

impl Checker for Unreachable {
    fn rule(&self) -> Rule {
        Unreachable::RULE
    }

    fn asks_about_all_runs(&self) -> bool {
        true
    }

    fn check(&self, case: &mut Case<'_>) {
        case.charge_unreachable(&self.rule());
    }
}

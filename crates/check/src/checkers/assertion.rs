//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::case::Case;
use crate::rule::{Rule, checker};

checker! {
    /// An assertion can fail.
    ///
    /// The program states a condition with `assert`, and there is a run, from inputs that the
    /// contract admits, in which it does not hold. The report shows that run.
    ///
    /// An assertion that is literally false, as in the last branch of a `switch`, is meant to mark
    /// what cannot happen and is not reported as such; it is if a run gets there.
Assertion = "assertion", default true
}

impl Checker for Assertion {
    fn rule(&self) -> Rule {
        Assertion::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        &[AssertKind::Assertion]
    }

    fn check(&self, case: &mut Case<'_>) {
        case.charge_failing(self);
    }
}

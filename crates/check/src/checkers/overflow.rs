//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::context::CheckContext;
use crate::rule::{Rule, checker};

checker! {
    /// Signed arithmetic overflows.
    ///
    /// There is an execution in which the result of a signed operation does not fit its type, which C leaves undefined.
    /// Much code relies on wrapping all the same, so this rule is off by default.
    Overflow = "overflow" {
        title: "Signed overflow",
        default: false,
        level: Error,
        cwe: [190],
        bad: "int next(int n) { return n + 1; }",
        good: "int next(int n) { return n < INT_MAX ? n + 1 : n; }",
    }
}

impl Checker for Overflow {
    fn rule(&self) -> Rule {
        Overflow::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        const KINDS: &[AssertKind] = &[AssertKind::Overflow];
        KINDS
    }

    fn check(&self, context: &mut CheckContext<'_>) {
        context.report_failing(self);
    }
}

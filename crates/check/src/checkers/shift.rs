//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::context::CheckContext;
use crate::rule::{Rule, checker};

checker! {
    /// A value is shifted by a number of bits that is out of range.
    ///
    /// There is an execution in which a value is shifted by a negative number of bits, or by at least its width,
    /// which C leaves undefined. This rule is off by default.
    Shift = "shift" {
        title: "Shift out of range",
        default: false,
        level: Error,
        cwe: [1335],
        bad: "unsigned bit(int n) { return 1u << (n & 63); }",
        good: "unsigned bit(int n) { return 1u << (n & 31); }",
    }
}

impl Checker for Shift {
    fn rule(&self) -> Rule {
        Shift::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        const KINDS: &[AssertKind] = &[AssertKind::Shift];
        KINDS
    }

    fn check(&self, context: &mut CheckContext<'_>) {
        context.report_failing(self);
    }
}

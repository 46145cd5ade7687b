//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::context::CheckContext;
use crate::rule::{Rule, checker};

checker! {
    /// Memory or an array is accessed outside of its bounds.
    ///
    /// There is an execution in which memory or an array is accessed before its start or behind its end. The report
    /// shows the index and the size.
    OutOfBounds = "out-of-bounds" {
        title: "Out-of-bounds access",
        default: true,
        level: Error,
        cwe: [787, 125],
        bad: r#"int a[8];
for (int i = 0; i <= 8; i++)
    a[i] = 0;"#,
        good: r#"int a[8];
for (int i = 0; i < 8; i++)
    a[i] = 0;"#,
    }
}

impl Checker for OutOfBounds {
    fn rule(&self) -> Rule {
        OutOfBounds::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        const KINDS: &[AssertKind] = &[AssertKind::OutOfBounds];
        KINDS
    }

    fn check(&self, context: &mut CheckContext<'_>) {
        context.report_failing(self);
    }
}

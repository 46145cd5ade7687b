//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::context::CheckContext;
use crate::rule::{Rule, checker};

checker! {
    /// A divisor is zero.
    ///
    /// There is an execution in which a division or remainder is computed with zero as the divisor. The report shows
    /// where the zero comes from.
    DivisionByZero = "division-by-zero" {
        title: "Division by zero",
        default: true,
        level: Error,
        cwe: [369],
        bad: r#"int mean(int sum, int count)
{
    if (count == 0)
        log_empty();
    return sum / count;
}"#,
        good: r#"int mean(int sum, int count)
{
    if (count == 0)
        return 0;
    return sum / count;
}"#,
    }
}

impl Checker for DivisionByZero {
    fn rule(&self) -> Rule {
        DivisionByZero::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        const KINDS: &[AssertKind] = &[AssertKind::DivisionByZero];
        KINDS
    }

    fn check(&self, context: &mut CheckContext<'_>) {
        context.report_failing(self);
    }
}

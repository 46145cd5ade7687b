//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::context::CheckContext;
use crate::rule::{Rule, checker};

checker! {
    /// An uninitialized value is read.
    ///
    /// There is an execution in which a variable is read before it is written, or in which unwritten bytes of
    /// memory decide something: a comparison, a branch, an address, a divisor, a return value. Copying such bytes
    /// is not reported. The sanitizers do not see such reads, so `--replay` confirms none of them. This rule is off
    /// by default.
    Uninitialized = "uninitialized" {
        title: "Uninitialized read",
        default: false,
        level: Error,
        cwe: [457, 908],
        bad: r#"int sign;
if (x != 0)
    sign = x < 0 ? -1 : 1;
return sign;"#,
        good: r#"int sign = 0;
if (x != 0)
    sign = x < 0 ? -1 : 1;
return sign;"#,
    }
}

impl Checker for Uninitialized {
    fn rule(&self) -> Rule {
        Uninitialized::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        const KINDS: &[AssertKind] = &[AssertKind::Uninitialized];
        KINDS
    }

    fn check(&self, context: &mut CheckContext<'_>) {
        context.report_failing(self);
    }
}

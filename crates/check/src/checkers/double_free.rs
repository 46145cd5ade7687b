//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::context::CheckContext;
use crate::rule::{Rule, checker};

checker! {
    /// Memory is freed twice.
    ///
    /// There is an execution in which the same memory is freed, or passed to `realloc`, twice. The report shows where it
    /// was freed first.
    DoubleFree = "double-free" {
        title: "Double free",
        default: true,
        level: Error,
        cwe: [415],
        bad: r#"free(p);
if (error)
    free(p);"#,
        good: r#"free(p);
p = NULL;
if (error)
    free(p);"#,
    }
}

impl Checker for DoubleFree {
    fn rule(&self) -> Rule {
        DoubleFree::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        const KINDS: &[AssertKind] = &[AssertKind::DoubleFree];
        KINDS
    }

    fn check(&self, context: &mut CheckContext<'_>) {
        context.report_failing(self);
    }
}

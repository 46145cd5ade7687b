//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::context::CheckContext;
use crate::rule::{Rule, checker};

checker! {
    /// Memory is used after it was freed.
    ///
    /// There is an execution in which memory is read, written or passed on after it was freed, or after the
    /// function that owns the variable has returned. The report shows where it was freed.
    UseAfterFree = "use-after-free" {
        title: "Use after free",
        default: true,
        level: Error,
        cwe: [416],
        bad: r#"free(c->name);
log_name(c->name[0]);"#,
        good: r#"log_name(c->name[0]);
free(c->name);"#,
    }
}

impl Checker for UseAfterFree {
    fn rule(&self) -> Rule {
        UseAfterFree::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        const KINDS: &[AssertKind] = &[AssertKind::UseAfterFree];
        KINDS
    }

    fn check(&self, context: &mut CheckContext<'_>) {
        context.report_failing(self);
    }
}

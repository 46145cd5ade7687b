//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::context::CheckContext;
use crate::rule::{Rule, checker};

checker! {
    /// A pointer that does not point to the start of allocated memory is freed.
    ///
    /// There is an execution in which `free` or `realloc` is called with a pointer that no allocation returned: to a
    /// variable, to a static object, or into the middle of a block.
    InvalidFree = "invalid-free" {
        title: "Invalid free",
        default: true,
        level: Error,
        cwe: [590, 763],
        bad: r#"char *p = malloc(8);
p++;
free(p);"#,
        good: r#"char *p = malloc(8);
free(p);"#,
    }
}

impl Checker for InvalidFree {
    fn rule(&self) -> Rule {
        InvalidFree::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        const KINDS: &[AssertKind] = &[AssertKind::InvalidFree];
        KINDS
    }

    fn check(&self, context: &mut CheckContext<'_>) {
        context.report_failing(self);
    }
}

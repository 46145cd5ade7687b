//! See the manual of the rule, below.

use super::Checker;
use crate::context::CheckContext;
use crate::rule::{Rule, checker};

checker! {
    /// Code is never reached.
    ///
    /// No execution reaches this statement or takes this branch edge. Indict proves that without any bound on
    /// loops. Much unreachable code is intended, so this rule is off by default.
    Unreachable = "unreachable" {
        title: "Unreachable code",
        default: false,
        level: Warning,
        cwe: [561],
        bad: r#"if (n < 10 && n > 20)
    return -1;"#,
        good: r#"if (n < 10 || n > 20)
    return -1;"#,
    }
}

impl Checker for Unreachable {
    fn rule(&self) -> Rule {
        Unreachable::RULE
    }

    fn asks_about_all_runs(&self) -> bool {
        true
    }

    fn check(&self, context: &mut CheckContext<'_>) {
        context.report_unreachable(&self.rule());
    }
}

//! See the manual of the rule, below.
//!
//! Hoenicke, Leino, Podelski, Schäf and Wies, *It's Doomed; We Can Prove It*, FM 2009. The query concerns the
//! over-approximation, which contains every execution of the program: can an execution pass here and survive? Each
//! surviving execution clears every point that it passes, so few points need a query of their own. A point that
//! remains is reported only with a failing execution that the interpreter has confirmed.

use super::Checker;
use crate::context::CheckContext;
use crate::rule::{Rule, checker};

checker! {
    /// Every execution that takes a branch or reaches a statement fails.
    ///
    /// Whatever the intention was, the code cannot do it. The finding has the rule and the place of the failure,
    /// such as `null-dereference`, and says that every execution fails. The related places are the statements that
    /// contradict each other: without any of them, some execution might not fail. A loop that never ends has no
    /// other rule and is reported as `doomed`, unless nothing could leave it.
    ///
    /// Indict proves without any bound on loops that every execution fails, and shows one of them. Code that is
    /// never reached is not doomed but `unreachable`. An execution that ends on purpose, by `exit()` or `abort()`
    /// or in an assertion that is literally false, does not fail.
    ///
    /// `--rule doomed` alone selects the failures that happen in every execution, whatever their rule. If the rule
    /// of the failure is switched off (`--rule -RULE`, or `RULE = false`), the failure is not reported. Suppressing
    /// `doomed`, at the failure or at one of the related places, suppresses such findings.
    Doomed = "doomed" {
        title: "Fails in every execution",
        default: true,
        level: Error,
        cwe: [835, 691],
        bad: r#"if (list == NULL)
    count = list->length;"#,
        good: r#"if (list != NULL)
    count = list->length;"#,
    }
}

impl Checker for Doomed {
    fn rule(&self) -> Rule {
        Doomed::RULE
    }

    fn asks_about_all_runs(&self) -> bool {
        true
    }

    fn check(&self, context: &mut CheckContext<'_>) {
        context.report_doomed(&self.rule());
    }
}

//! See the manual of the rule, below.
//!
//! Hoenicke, Leino, Podelski, Schäf and Wies, *It's Doomed; We Can Prove It*, FM 2009. The question
//! is asked of the over-approximating evaluation, in which every run of the program is described:
//! can a run pass here and survive? Each run found that survives clears every point it passes, so
//! few points need a question of their own. What remains is charged only with a failing run that
//! the interpreter has confirmed.

use super::Checker;
use crate::context::CheckContext;
use crate::rule::{Rule, checker};

checker! {
    /// Every execution fails that takes a branch or gets to a statement.
    ///
    /// Whatever the intention was, the code cannot do it. The finding has the rule and the place of what fails, such
    /// as `null-dereference`, and says that every execution fails; the related places are the statements that
    /// contradict each other: leave any of them out, and some execution might not fail. A loop that never ends has no
    /// other rule and is reported as `doomed`, unless nothing could leave it.
    ///
    /// That every execution fails is proved without any bound on loops, and one that does is shown. Code that is never
    /// reached is not doomed but `unreachable`. An execution that ends on purpose, by `exit()` or `abort()` or in an
    /// assertion that is literally false, does not fail.
    ///
    /// `--rule doomed` alone asks for nothing but what fails in every execution, whatever the rule. If the rule of the
    /// failure is switched off (`--rule -RULE`, or `RULE = false`), it is not reported. Suppressing `doomed`, at the
    /// failure or at one of the related places, suppresses such findings.
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

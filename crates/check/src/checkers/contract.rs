//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::context::CheckContext;
use crate::rule::{Rule, checker};

checker! {
    /// A contract is broken.
    ///
    /// There is an execution that violates a clause of a contract: a precondition of a called procedure, a
    /// postcondition or invariant at exit, a loop invariant on entry or after an iteration, a termination measure,
    /// a frame condition, or the list of allowed exceptions. The detail of the finding says which.
    ///
    /// Every input that the precondition admits counts, including null and aliased references. If no input
    /// satisfies it, that is the only finding.
    Contract = "contract" {
        title: "Broken contract",
        default: true,
        level: Error,
        cwe: [684, 573],
        bad: r#"//@ ensures \result >= 0;
static int abs(int x) { return x; }"#,
        good: r#"//@ requires x > Integer.MIN_VALUE;
//@ ensures \result >= 0;
static int abs(int x) { return x < 0 ? -x : x; }"#,
    }
}

impl Checker for Contract {
    fn rule(&self) -> Rule {
        Contract::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        const KINDS: &[AssertKind] = &[
            AssertKind::Precondition,
            AssertKind::Postcondition,
            AssertKind::Invariant,
            AssertKind::LoopInvariant,
            AssertKind::Progress,
            AssertKind::Assignable,
            AssertKind::Exception,
        ];
        KINDS
    }

    fn check(&self, context: &mut CheckContext<'_>) {
        context.report_contradiction(&self.rule());
        context.report_failing(self);
    }
}

//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::context::CheckContext;
use crate::rule::{Rule, checker};

checker! {
    /// An assertion can fail.
    ///
    /// The program states a condition with `assert`, and there is an execution, from inputs that the contract
    /// admits, in which the condition is false. The report shows that execution.
    ///
    /// An assertion that is literally false, as in the last branch of a `switch`, marks code that must not be
    /// reached; it is reported only if an execution reaches it.
    Assertion = "assertion" {
        title: "Assertion failure",
        default: true,
        level: Error,
        cwe: [617],
        bad: r#"int half(int n)
{
    assert(n != 7);
    return n / 2;
}"#,
        good: r#"int half(int n)
{
    if (n == 7)
        return -1;
    assert(n != 7);
    return n / 2;
}"#,
    }
}

impl Checker for Assertion {
    fn rule(&self) -> Rule {
        Assertion::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        const KINDS: &[AssertKind] = &[AssertKind::Assertion];
        KINDS
    }

    fn check(&self, context: &mut CheckContext<'_>) {
        context.report_failing(self);
    }
}

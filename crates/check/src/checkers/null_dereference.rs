//! See the manual of the rule, below.

use ir::AssertKind;

use super::Checker;
use crate::context::CheckContext;
use crate::rule::{Rule, checker};

checker! {
    /// A null pointer is dereferenced.
    ///
    /// There is an execution in which a field is read or written, an array is indexed or a method is called through a
    /// reference or pointer that is null. The report shows where the null comes from.
    ///
    /// Without a contract, inputs and results of unknown functions are trusted until they are tested: `*p` alone is
    /// not reported for a parameter `p`. It is reported if a test or an assignment in the function says that `p`
    /// may be null.
    NullDereference = "null-dereference" {
        title: "Null dereference",
        default: true,
        level: Error,
        cwe: [476],
        bad: r#"struct item *it = find(list, key);
if (it == NULL)
    report(key);
return it->value;"#,
        good: r#"struct item *it = find(list, key);
if (it == NULL)
    return -1;
return it->value;"#,
    }
}

impl Checker for NullDereference {
    fn rule(&self) -> Rule {
        NullDereference::RULE
    }

    fn kinds(&self) -> &'static [AssertKind] {
        const KINDS: &[AssertKind] = &[AssertKind::NullDereference];
        KINDS
    }

    fn check(&self, context: &mut CheckContext<'_>) {
        context.report_failing(self);
    }
}

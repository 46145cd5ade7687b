//! See the manual text of the assumption, below.

use encode::{Condition, Evaluation};
use ir::AssertKind;

use super::Effect;
use crate::facts::ProcedureFacts;

assumption! {
    /// A chain of `else if` without a last `else` covers all cases.
    ///
    /// A function that tests twice expects one of the tests to be true. The assumption does not apply to reads of
    /// uninitialized variables: they are reported even if each written branch sets the variable.
    UNWRITTEN_BRANCH = "unwritten-branch" {
        principle: Tests,
        lifted_by: "the chain has an `else`, or there is a single `if`",
        sentence: "one of the conditions of the `else if` chain is assumed to be true",
        effects: [Effect::Excludes(unwritten)],
        silent: r#"int f(int mode, int *a, int *b)
{
    int *p = 0;
    if (mode == 0)
        p = a;
    else if (mode == 1)
        p = b;
    return *p;
}"#,
        reported: r#"int f(int mode, int *a)
{
    int *p = 0;
    if (mode == 0)
        p = a;
    return *p;
}"#,
    }
}

fn unwritten(_: &Evaluation, facts: &ProcedureFacts, kind: AssertKind) -> Vec<Condition> {
    match kind {
        AssertKind::Uninitialized => Vec::new(),
        _ => facts.unwritten.clone(),
    }
}

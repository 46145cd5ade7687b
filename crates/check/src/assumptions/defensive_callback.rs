//! See the manual text of the assumption, below.

use ir::{AssertKind, PointId};

use super::Effect;
use crate::path_class::Failing;

assumption! {
    /// A callback that tests its parameters does so out of caution.
    ///
    /// The type of a callback admits null, and its callers do not pass it. So a test of nothing but parameters is no evidence
    /// that a callee is passed null. A callback is a function that the program calls only through pointers.
    DEFENSIVE_CALLBACK = "defensive-callback" {
        principle: Exception,
        lifted_by: "the function itself dereferences the pointer, or is called by its name",
        sentence: "the test of the callback is assumed to be defensive",
        effects: [Effect::NoTest(is_defensive)],
        silent: r#"struct item {
    int value;
};

static int errors;

static int value_of(struct item *i)
{
    return i->value;
}

static int on_item(struct item *i)
{
    if (i == 0)
        errors++;
    return value_of(i);
}

int (*handler)(struct item *) = on_item;"#,
        reported: r#"struct item {
    int value;
};

static int errors;

static int on_item(struct item *i)
{
    if (i == 0)
        errors++;
    return i->value;
}

int (*handler)(struct item *) = on_item;"#,
    }
}

fn is_defensive(failing: &Failing<'_>, branch: PointId) -> bool {
    failing.kind == AssertKind::NullDereference
        && failing.is_in_callee
        && failing.facts.tests_callback_parameters(failing.evaluation, branch)
}

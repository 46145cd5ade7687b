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
        silent: r#"struct options {
    int flags;
};

static int has_flag(const struct options *o, int flag)
{
    return (o->flags & flag) != 0;
}

static int start(const struct options *o)
{
    int plain = o == 0 || !has_flag(o, 1);
    return plain + has_flag(o, 2);
}

static int (*const starts[])(const struct options *) = {start};

int f(const struct options *o, unsigned n)
{
    return starts[n & 1](o);
}"#,
        reported: r#"struct options {
    int flags;
};

static int has_flag(const struct options *o, int flag)
{
    return (o->flags & flag) != 0;
}

int start(const struct options *o)
{
    int plain = o == 0 || !has_flag(o, 1);
    return plain + has_flag(o, 2);
}"#,
    }
}

fn is_defensive(failing: &Failing<'_>, branch: PointId) -> bool {
    failing.kind == AssertKind::NullDereference
        && failing.is_in_callee
        && failing.facts.tests_callback_parameters(failing.evaluation, branch)
}

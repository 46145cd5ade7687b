//! See the manual text of the assumption, below.

use ir::{AssertKind, PointId};

use super::Effect;
use crate::path_class::Failing;

assumption! {
    /// An assertion after a loop states how the loop ends.
    ///
    /// The conditions by which a loop is left are not tests as far as an assertion after the loop is concerned.
    ASSERTION_AFTER_LOOP = "assertion-after-loop" {
        principle: Tests,
        lifted_by: "the value is used instead of asserted",
        sentence: "the loop is assumed to end as the assertion states",
        effects: [Effect::NoTest(ends_loop)],
        silent: r#"#include <assert.h>

struct node {
    int key;
    struct node *next;
};

int f(struct node *p, int key)
{
    while (p && p->key != key)
        p = p->next;
    assert(p);
    return key;
}"#,
        reported: r#"struct node {
    int key;
    struct node *next;
};

int f(struct node *p, int key)
{
    while (p && p->key != key)
        p = p->next;
    return p->key;
}"#,
    }
}

fn ends_loop(failing: &Failing<'_>, branch: PointId) -> bool {
    failing.kind == AssertKind::Assertion
        && failing.facts.flow.ends_loop_before(branch, failing.point)
}

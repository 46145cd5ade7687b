//! See the manual text of the assumption, below.

use ir::{AssertKind, PointId};

use super::Effect;
use crate::path_class::Failing;

assumption! {
    /// A comparison of two pointers is not a test for null.
    ///
    /// That one pointer equals another does not say that it is null. Comparisons with a literal null are tests.
    POINTER_EQUALITY = "pointer-equality" {
        principle: Tests,
        lifted_by: "the function compares the pointer with null",
        sentence: "the comparison of two pointers is assumed not to concern null",
        effects: [Effect::NoTest(compares_pointers)],
        silent: r#"struct node {
    int key;
    struct node *next;
};

int f(struct node *list, struct node *end)
{
    struct node *last = 0;
    for (struct node *n = list; n != end; n = n->next)
        last = n;
    return last->key;
}"#,
        reported: r#"struct node {
    int key;
    struct node *next;
};

int f(struct node *list)
{
    struct node *last = 0;
    for (struct node *n = list; n != 0; n = n->next)
        last = n;
    return last->key;
}"#,
    }
}

fn compares_pointers(failing: &Failing<'_>, branch: PointId) -> bool {
    failing.kind == AssertKind::NullDereference
        && !failing.is_doomed
        && failing.facts.flow.compares_pointers.contains(&branch)
}

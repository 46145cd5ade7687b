//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// The tests of a callee prevent failures in it.
    ///
    /// A callee with a body may test other values before it comes to an obligation. These tests are trusted to exclude the
    /// failure. It is reported if the callee comes to the obligation on every path.
    CALLEE_TESTS = "callee-tests" {
        principle: Bodies,
        lifted_by: "the callee comes to the obligation on every path",
        sentence: "the tests in the callee are assumed to prevent the failure",
        effects: [Effect::PathClass],
        silent: r#"struct list {
    int length;
    int *head;
};

static void touch(struct list *l)
{
    if (l->length != 0)
        *l->head = 1;
}

void f(struct list *l)
{
    l->head = 0;
    touch(l);
}"#,
        reported: r#"struct list {
    int length;
    int *head;
};

static void touch(struct list *l)
{
    *l->head = 1;
}

void f(struct list *l)
{
    l->head = 0;
    touch(l);
}"#,
    }
}

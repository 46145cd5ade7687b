//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// Pointers of the caller refer to distinct objects.
    ///
    /// Pointers whose addresses the function uses may alias: it compares them, or computes with them. A pointer that is
    /// compared with the address of a global object may be that address.
    DISTINCT_OBJECTS = "distinct-objects" {
        principle: Trust,
        lifted_by: "the function compares the two pointers",
        sentence: "the pointers are assumed to refer to distinct objects",
        along_with: ["untested-input"],
        effects: [Effect::Environment(|environment| environment.may_alias = true)],
        silent: r#"int f(int *p, int *q)
{
    *p = 1;
    *q = 0;
    return 100 / *p;
}"#,
        reported: r#"extern int same;

int f(int *p, int *q)
{
    if (p == q)
        same++;
    *p = 1;
    *q = 0;
    return 100 / *p;
}"#,
    }
}

//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// Objects of the caller are large enough for every access, in both directions.
    ///
    /// So `p[i]`, `p[-1]` and `container_of` are silent for a pointer from the caller. Without the assumption these objects have any
    /// size of at most 255 bytes, and pointers point to their starts.
    CALLER_OBJECT_SIZE = "caller-object-size" {
        principle: Trust,
        lifted_by: "the function knows the size of the object: a variable, a constant allocation",
        sentence: "the object of the caller is assumed to be large enough",
        effects: [Effect::Environment(|environment| environment.has_bounded_sizes = true)],
        silent: r#"int f(int *values)
{
    return values[1000];
}"#,
        reported: r#"static int values[8];

int f(void)
{
    int *p = values;
    return p[1000];
}"#,
    }
}

//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// An index is not negative.
    ///
    /// A function that compares an index with an upper bound does not expect it to be negative. A negative index is
    /// reported only if it is negative in every execution on some path.
    NON_NEGATIVE_INDEX = "non-negative-index" {
        principle: Boundaries,
        lifted_by: "every execution on the path has a negative index",
        sentence: "the index is assumed not to be negative",
        effects: [Effect::PathClass],
        silent: r#"int f(int *values, int i)
{
    if (i > 100)
        return 0;
    return values[i];
}"#,
        reported: r#"int f(int *values, int i)
{
    if (i >= 0)
        return 0;
    return values[i];
}"#,
    }
}

//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// A callee does not return null, unless the function tests a result of that callee.
    ///
    /// A callee with a body may return null on some path. The path counts if the function tests what this callee returns,
    /// after this call or another, and if the path does not depend on an unknown function alone.
    CALLEE_RESULT = "callee-result" {
        principle: Bodies,
        lifted_by: "the function tests a result of the callee",
        sentence: "the callee is assumed not to return null",
        effects: [Effect::PathClass],
        silent: r#"static int *entry(int *table, int key)
{
    if (key > 8)
        return 0;
    return table + key;
}

int f(int *table, int key)
{
    return *entry(table, key);
}"#,
        reported: r#"static int *entry(int *table, int key)
{
    if (key > 8)
        return 0;
    return table + key;
}

int f(int *table, int key)
{
    int *first = entry(table, 1);
    if (first == 0)
        return 0;
    return *first + *entry(table, key);
}"#,
    }
}

//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// A value that is only compared with another unknown value is valid if the other one is.
    ///
    /// `i < n` trusts `n`. The comparison bounds `i`, and it bounds a masked value too; how large `n` is remains unknown.
    RELATIVE_COMPARISON = "relative-comparison" {
        principle: Boundaries,
        lifted_by: "one of the two is compared with a constant",
        sentence: "the value with which it is compared is assumed to be valid",
        effects: [Effect::PathClass],
        silent: r#"static int table[8];

int f(unsigned i, unsigned n)
{
    if (i >= n)
        return 0;
    return table[i];
}"#,
        reported: r#"static int table[8];

int f(unsigned i, unsigned n)
{
    if (n > 9 || i >= n)
        return 0;
    return table[i];
}"#,
    }
}

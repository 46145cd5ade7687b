//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// Conditions inside macros and inlined callees are not tests of the function.
    ///
    /// A macro or a callee handles more cases than its users need.
    OWN_TEXT = "own-text" {
        principle: Tests,
        lifted_by: "the condition is in the text of the function itself",
        sentence: "the conditions in macros and callees are assumed not to say anything about the function",
        effects: [Effect::PathClass],
        silent: r#"struct text {
    int length;
    char first;
};

static int length_of(struct text *t)
{
    return t ? t->length : 0;
}

int f(struct text *t)
{
    int length = length_of(t);
    return length + t->first;
}"#,
        reported: r#"struct text {
    int length;
    char first;
};

int f(struct text *t)
{
    int length = t ? t->length : 0;
    return length + t->first;
}"#,
    }
}

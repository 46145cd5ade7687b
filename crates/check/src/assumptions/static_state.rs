//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// The value of a global variable is an invariant of its file.
    ///
    /// Other functions determine which values a global variable has when the function is called. If the function compares it,
    /// only the boundary is expected.
    STATIC_STATE = "static-state" {
        principle: Boundaries,
        lifted_by: "the value at the boundary fails",
        sentence: "the global variable is assumed to have a valid value",
        along_with: ["stored-value"],
        effects: [Effect::BoundaryOnly(|failing, _, value| failing.facts.statics.contains_all(value))],
        silent: r#"static int next;
static int state[312];

int f(void)
{
    if (next >= 312)
        next = 0;
    return state[next++];
}"#,
        reported: r#"static int next;
static int state[312];

int f(void)
{
    if (next > 312)
        next = 0;
    return state[next++];
}"#,
    }
}

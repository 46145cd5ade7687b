//! See the manual text of the assumption, below.

use encode::{BitVector, Side};
use ir::AssertKind;

use super::Effect;
use crate::path_class::Failing;

assumption! {
    /// A caller in the program knows which arguments it passes.
    ///
    /// If the program calls the function by its name, then as far as indices are concerned only the boundary is expected of a
    /// value that is computed from parameters and compared.
    KNOWN_CALLER = "known-caller" {
        principle: Boundaries,
        lifted_by: "the value at the boundary fails, or the program does not call the function",
        sentence: "the callers are assumed to pass valid indices",
        effects: [Effect::BoundaryOnly(is_passed)],
        silent: r#"static int table[8];

static int entry(int i)
{
    if (i > 7)
        return 0;
    return table[i];
}

int f(int *values)
{
    return entry(values[0]) + entry(values[1]);
}"#,
        reported: r#"static int table[8];

static int entry(int i)
{
    if (i > 8)
        return 0;
    return table[i];
}

int f(int *values)
{
    return entry(values[0]) + entry(values[1]);
}"#,
    }
}

fn is_passed(failing: &Failing<'_>, _: &Side, value: &BitVector) -> bool {
    failing.kind == AssertKind::OutOfBounds && failing.facts.is_passed(failing.evaluation, value)
}

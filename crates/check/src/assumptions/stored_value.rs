//! See the manual text of the assumption, below.

use encode::{BitVector, Side};
use ir::AssertKind;

use super::Effect;
use crate::path_class::Failing;

assumption! {
    /// An index that is stored in memory is valid.
    ///
    /// Other code keeps stored values valid. As far as indices are concerned, only the boundary is expected of a value of more
    /// than one byte that is loaded from memory of the caller and compared. Bytes are data.
    STORED_VALUE = "stored-value" {
        principle: Boundaries,
        lifted_by: "the value at the boundary fails, or the value is a parameter",
        sentence: "the stored index is assumed to be valid",
        effects: [Effect::BoundaryOnly(is_stored)],
        silent: r#"struct stack {
    int top;
    int items[16];
    int limit;
};

int f(struct stack *s)
{
    if (s->top > 15)
        return 0;
    return s->items[s->top];
}"#,
        reported: r#"struct stack {
    int top;
    int items[16];
    int limit;
};

int f(struct stack *s)
{
    if (s->top > 16)
        return 0;
    return s->items[s->top];
}"#,
    }
}

fn is_stored(failing: &Failing<'_>, _: &Side, value: &BitVector) -> bool {
    failing.kind == AssertKind::OutOfBounds && failing.facts.is_stored(value)
}

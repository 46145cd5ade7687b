//! See the manual text of the assumption, below.

use encode::{BitVector, Side};
use ir::AssertKind;

use super::Effect;
use crate::path_class::Failing;

assumption! {
    /// Other code determines which values above a constant exist.
    ///
    /// `token < 257` distinguishes tokens from characters and does not say how many tokens there are. As far as indices are
    /// concerned, only the boundary is expected of a value that is found to be at least a positive constant.
    LOWER_BOUND = "lower-bound" {
        principle: Boundaries,
        lifted_by: "the constant itself is too large, or every value above it",
        sentence: "the value is assumed not to be too large",
        effects: [Effect::BoundaryOnly(has_floor)],
        silent: r#"extern const char *names[10];

const char *f(int token)
{
    if (token < 257)
        return 0;
    return names[token - 257];
}"#,
        reported: r#"extern const char *names[10];

const char *f(int token)
{
    if (token < 257)
        return 0;
    return names[token - 247];
}"#,
    }
}

fn has_floor(failing: &Failing<'_>, side: &Side, _: &BitVector) -> bool {
    failing.kind == AssertKind::OutOfBounds && side.compared.has_floor
}

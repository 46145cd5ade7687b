//! See the manual text of the assumption, below.

use encode::Masked;
use ir::AssertKind;

use super::Effect;
use crate::path_class::Failing;

assumption! {
    /// The values that a mask or a remainder leaves are expected only where a value may be too large.
    ///
    /// Every value of `h & 15` is expected of an index or of a shift distance. That the result is zero is not expected of a divisor.
    EXPLICIT_RANGE = "explicit-range" {
        principle: Ranges,
        lifted_by: "the value is used as an index or as a shift distance",
        sentence: "the masked value is assumed to be valid",
        effects: [Effect::PartialRange(is_not_about_size)],
        silent: r#"int f(unsigned h)
{
    h = h * 31 + 7;
    return 100 / (h & 15);
}"#,
        reported: r#"static int table[10];

int f(unsigned h)
{
    h = h * 31 + 7;
    return table[h & 15];
}"#,
    }
}

fn is_not_about_size(failing: &Failing<'_>, _: &Masked) -> bool {
    !matches!(failing.kind, AssertKind::OutOfBounds | AssertKind::Shift)
}

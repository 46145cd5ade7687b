//! See the manual text of the assumption, below.

use encode::Masked;
use ir::AssertKind;

use super::Effect;
use crate::path_class::Failing;

assumption! {
    /// An index that is extracted from stored or passed data is a valid tag.
    ///
    /// A mask that takes some bits out of a value that the function does not compute itself yields a tag. Other code
    /// determines which tags exist.
    TAG = "tag" {
        principle: Ranges,
        lifted_by: "the function computes the masked value, from several values or by multiplication or division",
        sentence: "the tag is assumed to be valid",
        effects: [Effect::PartialRange(is_tag)],
        silent: r#"static int table[10];

int f(unsigned x)
{
    return table[x & 15];
}"#,
        reported: r#"static int table[10];

int f(unsigned x)
{
    return table[(x * 31) & 15];
}"#,
    }
}

fn is_tag(failing: &Failing<'_>, masked: &Masked) -> bool {
    failing.kind == AssertKind::OutOfBounds && masked.is_tag
}

//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// A number with the width of sizes is not larger than any object.
    ///
    /// An unsigned 64-bit value that is compared is less than 2³⁸. Larger sizes make sums wrap around, and no object has them.
    SIZE_RANGE = "size-range" {
        principle: Trust,
        lifted_by: "the number has fewer bits than a size",
        sentence: "the sizes are assumed to be those of objects, less than 2³⁸",
        effects: [Effect::Excludes(|evaluation, _, _| evaluation.unusual.sizes.clone())],
        silent: r#"#include <string.h>

static char buffer[64];

void f(size_t size)
{
    if (size + 2 > 64)
        return;
    memset(buffer, 0, size);
}"#,
        reported: r#"#include <string.h>

static char buffer[64];

void f(unsigned size)
{
    if (size + 2 > 64)
        return;
    memset(buffer, 0, size);
}"#,
    }
}

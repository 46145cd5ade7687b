//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// An end pointer does not precede its start pointer.
    ///
    /// A difference of two pointers that is compared with something other than zero is not negative.
    POINTER_ORDER = "pointer-order" {
        principle: Trust,
        lifted_by: "the function compares the difference with zero, or one pointer with the other",
        sentence: "the end is assumed not to precede the start",
        along_with: ["untested-input"],
        effects: [Effect::Excludes(|evaluation, _, _| evaluation.unusual.distances.clone())],
        silent: r#"#include <string.h>

struct span {
    char *start;
    char *end;
};

static char four[4];

void f(struct span *s)
{
    if (s->end - s->start > 4)
        return;
    memcpy(four, s->start, s->end - s->start);
}"#,
        reported: r#"#include <string.h>

struct span {
    char *start;
    char *end;
};

static char four[4];

void f(struct span *s)
{
    if (s->end - s->start != 5)
        return;
    memcpy(four, s->start, s->end - s->start);
}"#,
    }
}

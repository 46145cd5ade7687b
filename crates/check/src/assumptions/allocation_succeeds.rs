//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// Allocations succeed.
    ///
    /// A program may be right not to handle exhausted memory.
    ALLOCATION_SUCCEEDS = "allocation-succeeds" {
        principle: Trust,
        lifted_by: "the function tests the result of some allocation",
        sentence: "the allocation is assumed to succeed",
        effects: [Effect::PathClass],
        silent: r#"#include <stdlib.h>

int *f(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    return p;
}"#,
        reported: r#"#include <stdlib.h>

int *f(int **other)
{
    int *p = malloc(sizeof *p);
    *other = malloc(sizeof **other);
    if (*other == 0)
        return 0;
    *p = 1;
    return p;
}"#,
    }
}

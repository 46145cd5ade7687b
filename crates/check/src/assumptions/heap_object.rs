//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// Memory of the caller that the function frees is a heap block.
    HEAP_OBJECT = "heap-object" {
        principle: Trust,
        lifted_by: "the function itself takes the address of a variable",
        sentence: "the pointer is assumed to refer to a heap block",
        along_with: ["caller-object-size", "untested-input"],
        effects: [Effect::Environment(|environment| environment.has_other_storage = true)],
        silent: r#"#include <stdlib.h>

void f(char *p)
{
    free(p);
}"#,
        reported: r#"#include <stdlib.h>

void f(void)
{
    char buffer[8];
    free(buffer);
}"#,
    }
}

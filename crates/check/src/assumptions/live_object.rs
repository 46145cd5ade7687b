//! See the manual text of the assumption, below.

use encode::Witness;
use interpret::{Execution, Failure};

use super::Effect;
use crate::bodies::is_about_freed_memory;

assumption! {
    /// Pointers of the caller refer to objects that exist.
    ///
    /// No caller passes a pointer to a freed object, or a number that is no address.
    LIVE_OBJECT = "live-object" {
        principle: Trust,
        lifted_by: "the function itself frees the object",
        sentence: "the pointer is assumed to refer to an object that exists",
        along_with: ["untested-input"],
        effects: [Effect::ExcludesStart(refers_to_nothing)],
        silent: r#"extern int errors;

int f(unsigned long address)
{
    if (address == 4096)
        errors++;
    return *(int *)address;
}"#,
        reported: r#"#include <stdlib.h>

int f(int *p)
{
    free(p);
    return *p;
}"#,
    }
}

fn refers_to_nothing(witness: &Witness, run: &Execution, failure: &Failure) -> bool {
    let now = run.objects.now();
    is_about_freed_memory(failure.kind)
        && (failure.pointer.is_some_and(|at| run.objects.storage(at.object, now).is_none())
            || witness.objects.iter().any(|object| !object.live))
}

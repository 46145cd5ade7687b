//! See the manual text of the assumption, below.

use encode::Witness;
use interpret::{Execution, Failure};

use super::Effect;
use crate::bodies::{freed, is_about_freed_memory, references};

assumption! {
    /// The caller has one pointer to an object that the function frees.
    ///
    /// If the caller had another one, it would keep a pointer to freed memory in any case.
    UNIQUE_REFERENCE = "unique-reference" {
        principle: Trust,
        lifted_by: "the function copies the pointer itself",
        sentence: "the caller is assumed to have no other pointer to the object that is freed",
        effects: [Effect::ExcludesStart(is_shared)],
        silent: r#"#include <stdlib.h>

extern int same;

int f(int *p, int *q)
{
    if (p == q)
        same++;
    free(p);
    return *q;
}"#,
        reported: r#"#include <stdlib.h>

int f(int *p)
{
    int *q = p;
    free(p);
    return *q;
}"#,
    }
}

fn is_shared(witness: &Witness, run: &Execution, failure: &Failure) -> bool {
    is_about_freed_memory(failure.kind)
        && freed(witness, run).any(|object| references(witness, object) > 1)
}

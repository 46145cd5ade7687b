//! See the manual text of the assumption, below.

use encode::Witness;
use interpret::{Execution, Failure};
use ir::AssertKind;

use super::Effect;

assumption! {
    /// The base of an array is not null if an element of it is used.
    ///
    /// A null pointer to which a number is added is not dereferenced. A null pointer itself is, and so is a member of a
    /// structure at a null pointer.
    ARRAY_BASE = "array-base" {
        principle: Trust,
        lifted_by: "the null pointer itself is dereferenced",
        sentence: "the base is assumed not to be null",
        effects: [Effect::ExcludesStart(is_moved_null)],
        silent: r#"extern int errors;

int f(int *base, unsigned i)
{
    int *element = base + i;
    if (i == 0)
        return 0;
    if (base == 0)
        errors++;
    return *element;
}"#,
        reported: r#"extern int errors;

int f(int *base)
{
    int *element = base;
    if (base == 0)
        errors++;
    return *element;
}"#,
    }
}

fn is_moved_null(_: &Witness, _: &Execution, failure: &Failure) -> bool {
    failure.kind == AssertKind::NullDereference
        && failure.pointer.is_some_and(|pointer| pointer.object == 0 && pointer.offset != 0)
}

//! See the manual text of the assumption, below.

use ir::AssertKind;

use super::Effect;

assumption! {
    /// Inputs that the function does not test are valid.
    ///
    /// Parameters, memory of the caller, and results of unknown functions are such that the function does not fail, until the
    /// function tests them: a failure is reported if all executions fail that take the same sides of its tests. Without this
    /// assumption, one failing execution is enough, as for a function that is checked with `--entry`.
    UNTESTED_INPUT = "untested-input" {
        principle: Trust,
        lifted_by: "a test of the input, or a value that the function itself supplies",
        sentence: "the inputs are assumed to be valid, since the function does not test them",
        sentences: [
            (AssertKind::NullDereference, "the pointer is assumed not to be null, since the function does not test it"),
            (AssertKind::OutOfBounds, "the index and the size are assumed to fit, since the function does not test them"),
            (AssertKind::DivisionByZero, "the divisor is assumed not to be zero, since the function does not test it"),
            (AssertKind::UseAfterFree, "the memory is assumed not to be freed yet"),
            (AssertKind::DoubleFree, "the memory is assumed not to be freed yet"),
            (AssertKind::InvalidFree, "the pointer is assumed to point to the start of a heap block"),
            (AssertKind::Overflow, "the operands are assumed not to overflow, since the function does not test them"),
            (AssertKind::Shift, "the shift distance is assumed to be in range, since the function does not test it"),
            (AssertKind::Uninitialized, "the memory is assumed to be initialized"),
            (AssertKind::Assertion, "the asserted condition is assumed to be a precondition"),
        ],
        effects: [Effect::PathClass],
        silent: r#"int f(int *p)
{
    return *p;
}"#,
        reported: r#"extern int errors;

int f(int *p)
{
    if (p == 0)
        errors++;
    return *p;
}"#,
    }
}

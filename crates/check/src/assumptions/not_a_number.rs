//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// A floating-point input is not NaN.
    ///
    /// This holds for numbers from a caller, from memory and from operations that are not modelled. A NaN that the function
    /// itself computes, such as ∞ − ∞, counts.
    NOT_A_NUMBER = "not-a-number" {
        principle: Trust,
        lifted_by: "the function tests the number for NaN (`x != x`, `isnan(x)`)",
        sentence: "the floating-point inputs are assumed not to be NaN",
        effects: [Effect::ExcludesInputs(|evaluation| &evaluation.unusual.nan_inputs)],
        silent: r#"#include <assert.h>

double f(double x)
{
    if (x < 0)
        x = -x;
    assert(x >= 0);
    return x;
}"#,
        reported: r#"#include <assert.h>

extern int invalid;

double f(double x)
{
    if (x != x)
        invalid++;
    if (x < 0)
        x = -x;
    assert(x >= 0);
    return x;
}"#,
    }
}

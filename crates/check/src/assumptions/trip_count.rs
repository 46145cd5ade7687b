//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// The number of iterations of a loop is not a test.
    ///
    /// A loop over `n` elements does not say that `n` may be too large. A value that determines a number of iterations and is
    /// also compared by a test is expected only at the boundary of the test. That a loop is executed at all is no test either,
    /// if its body does not change what fails later.
    TRIP_COUNT = "trip-count" {
        principle: Tests,
        lifted_by: "the function also compares the value outside the condition of a loop",
        sentence: "the number of iterations is assumed to be valid",
        effects: [Effect::BoundaryOnly(|failing, _, value| failing.facts.trip_counts.contains_any(value)), Effect::PathClass],
        silent: r#"int f(int n)
{
    int a[8];
    int sum = 0;
    for (int i = 0; i < n; i++) {
        a[i] = i;
        sum += a[i];
    }
    return sum;
}"#,
        reported: r#"int f(int n)
{
    int a[8];
    int sum = 0;
    if (n > 9)
        return 0;
    for (int i = 0; i < n; i++) {
        a[i] = i;
        sum += a[i];
    }
    return sum;
}"#,
    }
}

//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// A floating-point number that is converted to an integer is in the range of the integer type.
    ///
    /// The result of any other conversion is undefined in C. Machines return different values.
    CONVERSION_RANGE = "conversion-range" {
        principle: Trust,
        lifted_by: "nothing; test the range before the conversion",
        sentence: "the number is assumed to be in range for the conversion",
        effects: [Effect::ExcludesInputs(|evaluation| &evaluation.unusual.conversions)],
        silent: r#"static int table[8];

int f(double x)
{
    int i;
    if (x < 3e9)
        return 0;
    i = (int)x;
    return table[i == 0 ? 0 : 8];
}"#,
        reported: r#"static int table[8];

int f(double x)
{
    int i;
    if (x < 3.0)
        return 0;
    i = (int)x;
    return table[i == 0 ? 0 : 8];
}"#,
    }
}

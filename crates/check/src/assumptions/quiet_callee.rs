//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// An unknown function writes only memory that is passed to it.
    ///
    /// A function without a body may write everything that it can reach: global variables, and objects whose addresses have
    /// escaped. A failure that needs such a write is not reported.
    QUIET_CALLEE = "quiet-callee" {
        principle: Trust,
        lifted_by: "the address of the memory is passed to the function",
        sentence: "unknown functions are assumed not to write memory that is not passed to them",
        effects: [Effect::Excludes(|evaluation, _, _| evaluation.unusual.writes.clone())],
        silent: r#"void log_it(void);
extern int *current;
extern int failures;

int f(int *first)
{
    current = first;
    if (first == 0)
        return 0;
    log_it();
    if (current == 0)
        failures++;
    return *current;
}"#,
        reported: r#"void log_it(int **place);
extern int failures;

int f(int *first)
{
    int *current = first;
    if (first == 0)
        return 0;
    log_it(&current);
    if (current == 0)
        failures++;
    return *current;
}"#,
    }
}

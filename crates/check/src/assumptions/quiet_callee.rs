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
extern unsigned level;
static int table[8];

int f(void)
{
    level = 0;
    log_it();
    if (level > 8)
        return 0;
    return table[level];
}"#,
        reported: r#"void log_it(unsigned *level);
static int table[8];

int f(void)
{
    unsigned level = 0;
    log_it(&level);
    if (level > 8)
        return 0;
    return table[level];
}"#,
    }
}

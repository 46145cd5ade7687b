//! Properties of the terminal.

use std::io::{IsTerminal, stdout};

/// The width of a report that no terminal bounds.
pub(crate) const WIDTH: usize = 100;

/// Whether what goes to standard output may have colour.
pub(crate) fn has_color() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb
}

/// How many columns standard output has.
pub(crate) fn width() -> usize {
    let columns = console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    columns.filter(|&columns| columns > 0 && stdout().is_terminal()).unwrap_or(WIDTH)
}

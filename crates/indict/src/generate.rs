//! `indict completions` and `indict man`: what is made from the arguments' own documentation.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Args;
use crate::output::print;
use crate::{Ending, Failure};

/// Writes completions for a shell.
pub(crate) fn completions(shell: Shell) -> Result<Ending, Failure> {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "indict", &mut bytes);
    print(&bytes).map(|()| Ending::Clean)
}

/// Writes the manual page of a command, or of the whole.
pub(crate) fn man(name: Option<&str>) -> Result<Ending, Failure> {
    let mut whole = Args::command();
    whole.build();
    let page = match name {
        None => whole,
        Some(name) => {
            let found = whole.find_subcommand(name).ok_or_else(|| {
                let shown = whole.get_subcommands().filter(|command| !command.is_hide_set());
                let known: Vec<&str> = shown.map(clap::Command::get_name).collect();
                Failure(format!("there is no command `{name}`; there are {}", known.join(", ")))
            })?;
            found.clone()
        }
    };
    let mut bytes = Vec::new();
    let source = concat!("indict ", env!("CARGO_PKG_VERSION"));
    let rendered = clap_mangen::Man::new(page).source(source).render(&mut bytes);
    rendered.map_err(|error| Failure(format!("the page could not be written: {error}")))?;
    print(&bytes).map(|()| Ending::Clean)
}

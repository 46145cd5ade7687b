//! The command line: arguments in, bytes and an exit code out.
//!
//! Commands are thin: `args.rs` says what can be asked for, each command has a file that turns it into
//! calls of [`driver`] and [`report`], and `output.rs` is where bytes leave. Only here are arguments,
//! the environment and the terminal looked at.
//!
//! Exit codes: 0 if nothing was found, 1 if something was, 2 if something went wrong.

mod args;
mod check;
mod dump;
mod explain;
mod generate;
mod manual;
mod output;
mod progress;
mod rules;
mod select;
mod terminal;
mod verbose;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// Nothing was found, and nothing went wrong.
    Clean,
    /// Something was found.
    Findings,
    /// Something went wrong, and nothing was found.
    Failure,
}

/// Why a command could not do what it was asked to: a sentence without its full stop.
struct Failure(String);

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Clean => Self::from(0),
            Ending::Findings => Self::from(1),
            Ending::Failure => Self::from(2),
        }
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    driver::record_panics();
    let ending = driver::contain(|| match &args.command {
        Command::Check(check) => check::check(check),
        Command::Explain { rule } => explain::explain(rule),
        Command::Rules => rules::rules(),
        Command::Completions { shell } => generate::completions(*shell),
        Command::Man { command } => generate::man(command.as_deref()),
    });
    let Failure(why) = match ending {
        Ok(Ok(ending)) => return ending.into(),
        Ok(Err(failure)) => failure,
        Err(panic) => Failure(format!("{panic}; this is a bug of Indict, please report it")),
    };
    output::complain(&why);
    Ending::Failure.into()
}

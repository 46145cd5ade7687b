//! The command line: arguments in, bytes and an exit code out.
//!
//! Commands are thin: `args.rs` defines the arguments, each command has a file that turns them into calls of
//! [`driver`] and [`report`], and `output.rs` writes the output. Only this crate reads arguments, the environment
//! and the terminal.
//!
//! Exit codes: 0 no findings, 1 findings, 2 failure.

mod args;
mod baseline;
mod cache;
mod capture;
mod check;
mod compile;
mod dump;
mod explain;
mod format;
mod formula;
mod generate;
mod heaps;
mod kbuild;
mod limits;
mod manual;
mod mutate;
mod output;
mod part;
mod progress;
mod replay;
mod rules;
mod run;
mod select;
mod summaries;
mod tables;
mod terminal;
mod verbose;
mod why;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

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
    /// As another program ended.
    Code(u8),
}

impl Ending {
    /// How a command ends that has this to report.
    fn of(report: &report::Report) -> Self {
        if !report.findings.is_empty() {
            Self::Findings
        } else if report.is_incomplete() {
            Self::Failure
        } else {
            Self::Clean
        }
    }
}

/// Why a command could not do what it was asked to: a sentence without its full stop.
struct Failure(String);

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Clean => Self::from(0),
            Ending::Findings => Self::from(1),
            Ending::Failure => Self::from(2),
            Ending::Code(code) => Self::from(code),
        }
    }
}

/// Prints help, or what is wrong with the arguments, and exits. Help is printed without the blanks that clap
/// leaves at the ends of lines.
fn refuse(error: &clap::Error) -> ! {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let help = error.render();
            let has_color = terminal::has_color() && !error.use_stderr();
            let help = if has_color { help.ansi().to_string() } else { help.to_string() };
            let lines = help.lines().flat_map(|line| [line.trim_end(), "\n"]);
            let text: String = lines.collect();
            let is_written = match error.use_stderr() {
                true => io::stderr().write_all(text.as_bytes()).is_ok(),
                false => io::stdout().write_all(text.as_bytes()).is_ok(),
            };
            std::process::exit(if is_written { error.exit_code() } else { 2 })
        }
        _ => error.exit(),
    }
}

fn main() -> ExitCode {
    if let Some(Failure(why)) = capture::stand_in(std::env::args_os()) {
        output::complain(&why);
        return Ending::Failure.into();
    }
    let args = Args::try_parse().unwrap_or_else(|error| refuse(&error));
    driver::record_panics();
    let ending = driver::contain(|| match &args.command {
        Command::Check(check) => check::check(check),
        Command::Baseline(args) => baseline::baseline(args),
        Command::Why(args) => why::why(args),
        Command::Capture(capture) => capture::capture(capture),
        Command::Kbuild(kbuild) => kbuild::kbuild(kbuild),
        Command::Run(program) => run::run(program),
        Command::Explain { rule, properties } => explain::explain(rule, properties),
        Command::Rules { properties } => rules::rules(properties),
        Command::Summaries(asked) => summaries::summaries(asked),
        Command::Bounds(asked) => heaps::bounds(asked),
        Command::Instances(asked) => heaps::instances(asked),
        Command::Mutate(asked) => mutate::mutate(asked),
        Command::Formula(formula) => formula::formula(formula),
        Command::Table(table) => tables::table(table),
        Command::Hypotheses(hypotheses) => tables::hypotheses(hypotheses),
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

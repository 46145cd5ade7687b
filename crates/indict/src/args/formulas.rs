//! The commands that show what procedures become: formulas, reasoning tables, error hypotheses.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args as Arguments, ValueEnum, ValueHint, value_parser};
use driver::range;

/// What `indict formula` is asked to do.
#[derive(Arguments, Debug)]
pub(crate) struct Formula {
    /// The file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// The procedure, as the file or reports name it
    #[arg(value_name = "PROC")]
    pub(crate) procedure: String,

    /// Write a script in SMT-LIB, with a question for each condition: unsat means doomed
    ///
    /// For truth values, words, integers, sorts, maps and functions. Other types are refused.
    #[arg(long)]
    pub(crate) smt: bool,

    /// Follow calls so many bodies deep, then go by the contract
    #[arg(
        long, value_name = "D", default_value_t = 3,
        value_parser = value_parser!(u32).range(range::INLINE)
    )]
    pub(crate) inline: u32,

    /// RESOLVE: the state whose hypothesis is shown, such as 5.2 [default: all]
    #[arg(long, value_name = "STATE")]
    pub(crate) state: Option<String>,

    /// RESOLVE: how many entries there are, up to 4; Java: how many objects of each class at most
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=20))]
    pub(crate) scope: u32,

    /// Java: how often loops are unrolled
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = value_parser!(u32).range(0..=20))]
    pub(crate) unroll: u32,

    /// Java: how null dereferences are treated
    #[arg(long, value_enum, default_value_t = Nulls::Ignored, value_name = "HOW")]
    pub(crate) nulls: Nulls,

    /// Java: show the conditions that decide what is doomed, as of other languages
    #[arg(long)]
    pub(crate) doomed: bool,

    /// RESOLVE: how long strings are at most
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(0..=4))]
    pub(crate) sequence: u32,

    #[command(flatten)]
    pub(crate) libraries: Libraries,

    /// Flags of the compiler, for a C file
    #[arg(last = true, value_name = "FLAGS")]
    pub(crate) flags: Vec<OsString>,
}

/// How the relational formula of a Java method treats null dereferences.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Nulls {
    /// As if they were none: the field of nothing is nothing
    Ignored,
    /// Such a store has no effect, and the question is whether anything null is dereferenced
    Recorded,
    /// Executions with one are left out
    Excluded,
}

/// What `indict table` is asked to do.
#[derive(Arguments, Debug)]
pub(crate) struct Table {
    /// The file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// The operation; all if there is none
    pub(crate) operation: Option<String>,

    /// How tables are written
    #[arg(long, value_enum, default_value_t = View::Text, value_name = "FORMAT")]
    pub(crate) format: View,

    #[command(flatten)]
    pub(crate) libraries: Libraries,
}

/// What `indict hypotheses` is asked to do.
#[derive(Arguments, Debug)]
pub(crate) struct Hypotheses {
    /// The file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// The operation; all if there is none
    pub(crate) operation: Option<String>,

    #[command(flatten)]
    pub(crate) libraries: Libraries,
}

/// Where files are looked for that others refer to.
#[derive(Arguments, Debug)]
pub(crate) struct Libraries {
    /// Look for modules that a RESOLVE file refers to in this directory too, and below it
    ///
    /// Before it comes what is beside the file, behind it the concepts that are bundled. May be given
    /// several times.
    #[arg(
        long = "library", value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "RESOLVE"
    )]
    pub(crate) directories: Vec<PathBuf>,
}

/// How tables are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum View {
    /// For the terminal
    Text,
    /// Markdown
    Markdown,
    /// HTML, to be put into a page
    Html,
}

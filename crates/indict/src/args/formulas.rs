//! The commands that print formulas, reasoning tables and error hypotheses.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args as Arguments, ValueEnum, ValueHint, value_parser};
use driver::range;

use crate::cache::CacheArguments;

/// The arguments of `indict formula`.
#[derive(Arguments, Debug)]
pub(crate) struct Formula {
    /// The file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// The procedure, by its name in the file or in reports
    #[arg(value_name = "PROC")]
    pub(crate) procedure: String,

    /// Write an SMT-LIB script with one query per condition; unsat means doomed
    ///
    /// Supported types: Booleans, bit vectors, integers, sorts, maps and functions.
    #[arg(long)]
    pub(crate) smt: bool,

    /// Inline calls at most D levels deep, then use contracts
    #[arg(
        long, value_name = "D", default_value_t = 3,
        value_parser = value_parser!(u32).range(range::INLINE)
    )]
    pub(crate) inline: u32,

    /// RESOLVE: print the hypothesis of this state, such as 5.2 [default: all]
    #[arg(long, value_name = "STATE")]
    pub(crate) state: Option<String>,

    /// RESOLVE: number of entries, at most 4; Java: objects per class
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=20))]
    pub(crate) scope: u32,

    /// Java: unroll each loop at most K times
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = value_parser!(u32).range(0..=20))]
    pub(crate) unroll: u32,

    /// Java: null dereferences are ignored, recorded or excluded
    ///
    /// `ignored`: a field of the empty set is empty. `recorded`: a store to null has no effect, and the query is
    /// whether null is dereferenced. `excluded`: executions that dereference null are excluded.
    #[arg(long, value_enum, hide_possible_values = true, default_value_t = Nulls::Ignored, value_name = "HOW")]
    pub(crate) nulls: Nulls,

    /// Java: print the doomed points, as for other languages
    #[arg(long)]
    pub(crate) doomed: bool,

    /// RESOLVE: maximum length of strings
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(0..=4))]
    pub(crate) sequence: u32,

    #[command(flatten)]
    pub(crate) libraries: Libraries,

    #[command(flatten)]
    pub(crate) cache: CacheArguments,

    /// Compiler flags for a C file
    #[arg(last = true, value_name = "FLAGS")]
    pub(crate) flags: Vec<OsString>,
}

/// How the relational formula of a Java method treats null dereferences.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Nulls {
    /// Null dereferences are ignored: a field of the empty set is empty
    Ignored,
    /// A store to null has no effect; the query is whether null is dereferenced
    Recorded,
    /// Executions that dereference null are excluded
    Excluded,
}

/// The arguments of `indict table`.
#[derive(Arguments, Debug)]
pub(crate) struct Table {
    /// The file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// The operation [default: all]
    pub(crate) operation: Option<String>,

    /// Output format
    #[arg(long, value_enum, default_value_t = View::Text, value_name = "FORMAT")]
    pub(crate) format: View,

    #[command(flatten)]
    pub(crate) libraries: Libraries,
}

/// The arguments of `indict hypotheses`.
#[derive(Arguments, Debug)]
pub(crate) struct Hypotheses {
    /// The file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// The operation [default: all]
    pub(crate) operation: Option<String>,

    #[command(flatten)]
    pub(crate) libraries: Libraries,
}

/// The directories of imported modules.
#[derive(Arguments, Debug)]
pub(crate) struct Libraries {
    /// Also search this directory for the modules that a file imports
    ///
    /// Subdirectories are searched too. Search order: the file's directory, these directories, the bundled
    /// concepts. Repeatable.
    #[arg(
        long = "library", value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "RESOLVE"
    )]
    pub(crate) directories: Vec<PathBuf>,
}

/// The format of tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum View {
    /// Plain text
    Text,
    /// Markdown
    Markdown,
    /// An HTML fragment
    Html,
}

//! The arguments that concern the compilation of C: those of several commands, and of `indict capture`, `indict
//! kbuild` and `indict run`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args as Arguments, ValueHint, value_parser};

use crate::cache::CacheArguments;

/// How C is compiled.
#[derive(Arguments, Clone, Debug)]
#[command(next_help_heading = "C")]
pub(crate) struct Compile {
    /// Compilation database: a compile_commands.json, or its directory
    ///
    /// Without PATHS all its files are checked; with PATHS only those that are named or below them.
    #[arg(long, short = 'p', value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) database: Option<PathBuf>,

    /// The clang to use [default: clang or clang-N on the PATH, 15 or newer]
    ///
    /// Compiler flags may be those of gcc: flags that clang does not support are dropped, with a note.
    #[arg(long, value_name = "PROGRAM", value_hint = ValueHint::CommandName)]
    pub(crate) clang: Option<PathBuf>,

    /// Directory with models of external functions, in C or VIR
    ///
    /// A model in C is a function of the same name, compiled with the flags after `--`. A model in VIR is a
    /// procedure with the parameters as the compiler passes them, over `var memory: bytes;`. These models
    /// take precedence over those of the C library. docs/c.md has examples.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) models: Vec<PathBuf>,

    /// Compiler flags for C files, after those of the compilation database
    #[arg(last = true, value_name = "FLAGS", help_heading = None)]
    pub(crate) flags: Vec<OsString>,
}

/// The arguments of `indict capture`.
#[derive(Arguments, Debug)]
pub(crate) struct Capture {
    /// Where to write the compilation database
    #[arg(
        long, short, value_name = "FILE", value_hint = ValueHint::FilePath,
        default_value = "compile_commands.json"
    )]
    pub(crate) output: PathBuf,

    /// The build command
    #[arg(last = true, required = true, value_name = "BUILD", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) build: Vec<OsString>,
}

/// The arguments of `indict kbuild`.
#[derive(Arguments, Debug)]
#[command(disable_version_flag = true)]
pub(crate) struct Kbuild {
    /// Exit with 1 on findings and 2 on failures, which stops the build
    #[arg(long)]
    pub(crate) strict: bool,

    /// The clang to use [default: clang or clang-N on the PATH, 15 or newer]
    #[arg(long, value_name = "PROGRAM", value_hint = ValueHint::CommandName)]
    pub(crate) clang: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) cache: CacheArguments,

    /// Compiler flags and one C file
    #[arg(
        required = true, trailing_var_arg = true, allow_hyphen_values = true,
        value_name = "FLAGS", value_hint = ValueHint::AnyPath
    )]
    pub(crate) arguments: Vec<OsString>,
}

/// The arguments of `indict run`.
#[derive(Arguments, Debug)]
pub(crate) struct Run {
    /// The C file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// An argument of the program; repeatable
    #[arg(long = "argument", short, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,

    /// Maximum number of interpreter steps
    #[arg(
        long, value_name = "N", default_value_t = 100_000_000,
        value_parser = value_parser!(u64).range(1..)
    )]
    pub(crate) steps: u64,

    /// The clang to use [default: clang or clang-N on the PATH, 15 or newer]
    #[arg(long, value_name = "PROGRAM", value_hint = ValueHint::CommandName)]
    pub(crate) clang: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) cache: CacheArguments,

    /// Compiler flags
    #[arg(last = true, value_name = "FLAGS")]
    pub(crate) flags: Vec<OsString>,
}

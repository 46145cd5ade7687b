//! The command line's arguments. Each flag's documentation is its doc comment: help, manual page and
//! completions are made from it.

mod bounds;
mod check;
mod compile;
mod formulas;
mod heaps;

use std::path::PathBuf;

use clap::{Args as Arguments, Parser, Subcommand, ValueHint};

pub(crate) use bounds::{Bounds, PerSort};
pub(crate) use check::{Check, jobs};
pub(crate) use compile::{Capture, Compile, Kbuild, Run};
pub(crate) use formulas::{Formula, Hypotheses, Libraries, Nulls, Table, View};
pub(crate) use heaps::{Charted, Drawn, Heaps, InstancesOf, Listed, Mutate};

use crate::baseline::Baseline;
use crate::cache::CacheArguments;

/// Finds bugs with a SAT solver and replays each one.
///
/// Indict encodes a program and its specification as a Boolean formula. A model of the formula is a
/// failing execution, which an interpreter replays before it is reported.
#[derive(Parser, Debug)]
#[command(name = "indict", version, propagate_version = true, max_term_width = 100, after_help = AFTER)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER: &str = "\
Exit codes: 0 no findings, 1 findings, 2 failure.

To begin: indict check examples/c/list.c";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Check programs and report bugs
    ///
    /// Each procedure is checked separately, for every input that its contract admits within the bounds. A
    /// finding shows a failing execution. A verdict without findings states its bounds; a verdict "unknown"
    /// states its reason.
    ///
    /// Flags override indict.toml, which overrides the defaults. A key of indict.toml has the name and the
    /// meaning of its flag.
    ///
    /// A comment on the line of a finding, or on the line before, suppresses it. The comment names the rule
    /// and gives a reason.
    ///
    /// C is compiled with clang 15 or newer, with the flags after `--` or those of a compilation database.
    #[command(after_help = EXITS, after_long_help = CHECK)]
    Check(Box<Check>),
    /// Check programs and report only new findings
    ///
    /// The first run writes its findings to a file and reports none. Later runs report findings that are not
    /// in the file; the exit code is 1 if there are any. A finding is identified by its rule, file, procedure
    /// and the text of its line, not by its line number. All options of `indict check` are accepted.
    #[command(after_long_help = "Example:\n  indict baseline src -- -Iinclude")]
    Baseline(Box<Baseline>),
    /// Explain why nothing is reported on a line
    ///
    /// Lists the obligations on the line, or in the whole file: dereferences, indices, divisions, assertions and
    /// so on. For each it says whether it is reported; proved, and within which bounds; unknown, and why; or
    /// which assumption keeps it silent. docs/assumptions.md lists the assumptions. The options of `indict
    /// check` that determine what is found are accepted. PATHS are further files of the same program.
    ///
    /// To find the assumption, the procedure is checked again without one assumption at a time. That can
    /// take a while for a whole file.
    #[command(after_long_help = "\
Examples:
  indict why src/list.c:42
  indict why src/list.c:42 src/main.c --format json -- -Iinclude")]
    Why(Box<Why>),
    /// Record a compilation database from a build
    ///
    /// Runs the build with wrappers of the C compilers first on its PATH. The wrappers record each call and
    /// then run the compiler. The result is a compile_commands.json for `indict check -p`; cmake and meson
    /// can write one themselves. Files that are up to date are not compiled and so not recorded: clean the
    /// build first. The exit code is that of the build.
    #[command(after_long_help = "Example:\n  make clean; indict capture -- make -j8")]
    Capture(Capture),
    /// Check Linux, or another Kbuild project, during its build
    ///
    /// Kbuild calls this command as its checker: with C=1 for the files that it compiles, with C=2 for all
    /// files. The arguments after the options are compiler flags and one C file. Findings are printed; the
    /// exit code is 0, so that the build continues. Settings come from indict.toml.
    #[command(after_long_help = "Example:\n  make C=1 CHECK=\"indict kbuild\"")]
    Kbuild(Kbuild),
    /// Interpret a C program and stop at undefined behaviour
    ///
    /// The program is one file with a main function. Of the C library it may use the modelled part: memory,
    /// strings, characters, sorting, output. Its output is printed when it ends.
    ///
    /// The exit code is that of the program; 1 at undefined behaviour, with its location; 2 if a construct is
    /// unsupported.
    #[command(after_long_help = "Example:\n  indict run count.c -a first -a second -- -DDEBUG")]
    Run(Run),
    /// Explain a rule: what it finds, what it misses, how to fix a finding
    Explain {
        /// The rule, such as null-dereference or contract/postcondition
        rule: String,

        /// Property file whose rules can be explained too; repeatable
        #[arg(long = "property", value_name = "FILE", value_hint = ValueHint::FilePath)]
        properties: Vec<PathBuf>,
    },
    /// List the rules
    Rules {
        /// Property file whose rules are listed too; repeatable
        #[arg(long = "property", value_name = "FILE", value_hint = ValueHint::FilePath)]
        properties: Vec<PathBuf>,
    },
    /// Print function summaries: effects on locks and memory
    ///
    /// Prints a summary for each function that changes the state of an object, such as a lock: its entry and
    /// exit conditions, and a table of transitions (entry condition, state before, exit condition, state
    /// after), as in Xie & Aiken 2007, Figure 8. For functions that are named it also prints the memory they
    /// write, free, let escape and return, their must-facts, their callers and their callees.
    #[command(after_long_help = "\
Examples:
  indict summaries driver.c probe
  indict summaries -p build 'spin_*' destroy")]
    Summaries(Summaries),
    /// Print the tight field bounds of a Java class
    ///
    /// Prints a matrix for each field: which object may refer to which, in heaps that satisfy the invariant
    /// and are numbered canonically. Unmarked pairs occur in no heap of the scope, so formulas omit them
    /// (Galeotti et al. 2010). The bounds are cached in ~/.cache/indict/heaps for `indict check`.
    #[command(after_long_help = "Example:\n  indict bounds Tree.java Tree --scope 7")]
    Bounds(Charted),
    /// Enumerate the heaps that satisfy the invariant of a Java class
    ///
    /// Prints each shape once, with example values, so that you can compare the invariant with your
    /// intention. Shapes differ in the references between objects and in Boolean fields. The interpreter
    /// confirms each heap.
    #[command(after_long_help = "\
Example:
  indict instances Tree.java Tree --scope 4 --format html -o trees.html")]
    Instances(InstancesOf),
    /// Measure the strength of a Java method's specification by mutation
    ///
    /// Applies mutation operators, one change at a time: another operator, a negation, a deleted statement,
    /// another variable or field. Each mutant is checked against the contract, in growing scopes. It is
    /// killed if there is a finding, equivalent within the bounds if there is none, and divergent if it only
    /// exceeds the loop bound. Surviving mutants are printed: either they are equivalent, or the contract is
    /// too weak.
    #[command(after_long_help = "Example:\n  indict mutate List.java List.remove --scope 4")]
    Mutate(Mutate),
    /// Print the formulas of a procedure
    ///
    /// RESOLVE: the error hypotheses of a procedure as Boolean formulas in a small scope, with readable
    /// variables.
    ///
    /// Java: the computation graph and the relational formula of a method, and a model of it. Methods in the
    /// subset of Jackson & Vaziri 2000 are translated as they describe: loops are unrolled, each variable and
    /// field has one relation per value on a path, and the models of the formula are the executions that
    /// violate the contract.
    ///
    /// Other languages, and Java with --doomed: the doomed points of a procedure (Hoenicke et al. 2009).
    /// Printed are the loop-free passive form, the weakest liberal preconditions of its blocks (F_Bdef), and
    /// for each point an error verification condition, which is valid if and only if every execution through
    /// the point fails. `indict check` asks the same queries of a circuit.
    Formula(Formula),
    /// Print the reasoning tables of RESOLVE procedures
    ///
    /// For each state of a procedure: its path condition, the assumed facts and the obligations, by the
    /// contracts of the called operations alone (Sitaraman et al. 2003).
    Table(Table),
    /// Print the error hypotheses of RESOLVE procedures
    ///
    /// There is one for each state with an obligation: the conjunction of the path condition, the facts
    /// assumed along the path and the negated obligation. `indict check` searches for values that satisfy
    /// one of them.
    Hypotheses(Hypotheses),
    /// Write shell completions to standard output
    #[command(after_long_help = "\
Example:
  indict completions bash > ~/.local/share/bash-completion/completions/indict")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write a manual page to standard output
    #[command(after_long_help = "Example:\n  indict man check | man -l -")]
    Man {
        /// The command [default: the page of indict itself]
        command: Option<String>,
    },
}

const EXITS: &str = "\
Exit codes: 0 no findings, 1 findings, 2 no findings, but a failure.";

const CHECK: &str = "\
Examples:
  indict check examples/c/list.c
  indict check src/a.c src/b.c -- -DDEBUG -Iinclude
  indict capture -- make && indict check -p compile_commands.json

To suppress a finding:
  // indict: allow(division-by-zero) because the caller has checked

Exit codes:
  0  no findings, and every file was checked
  1  findings
  2  no findings, but a failure: wrong usage, a file that is unreadable or has errors,
     or a bug of Indict. The report names each failure and covers everything else.";

/// The arguments of `indict summaries`.
#[derive(Arguments, Debug)]
pub(crate) struct Summaries {
    /// C files and directories; names of functions, in which * matches any text
    #[arg(value_name = "PATH|FUNCTION", required_unless_present = "database", value_hint = ValueHint::AnyPath)]
    pub(crate) given: Vec<PathBuf>,

    /// Only functions whose names contain this text, with callers and callees
    #[arg(long, short, value_name = "TEXT")]
    pub(crate) function: Option<String>,

    /// Also print functions that change no state
    #[arg(long)]
    pub(crate) all: bool,

    /// Also use the properties in this file; repeatable
    #[arg(long = "property", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) properties: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) cache: CacheArguments,

    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// The arguments of `indict why`.
#[derive(Arguments, Debug)]
pub(crate) struct Why {
    /// The file, and the number of a line [default: all lines]
    #[arg(value_name = "FILE[:LINE]", value_hint = ValueHint::FilePath)]
    pub(crate) target: String,

    #[command(flatten)]
    pub(crate) check: Check,
}

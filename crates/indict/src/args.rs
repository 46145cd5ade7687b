//! What can be asked for. Each flag's documentation is its doc comment: help, manual page and
//! completions are made from it.

mod bounds;
mod formulas;
mod heaps;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args as Arguments, Parser, Subcommand, ValueEnum, ValueHint, value_parser};
use driver::range;

pub(crate) use bounds::{Bounds, PerSort};
pub(crate) use formulas::{Formula, Hypotheses, Libraries, Nulls, Table, View};
pub(crate) use heaps::{Charted, Drawn, Heaps, InstancesOf, Listed, Mutate};

use crate::baseline::Baseline;
use crate::dump::Form;
use crate::keep::Keep;
use crate::part::Asked;
use crate::select::Choice;

/// Finds bugs, and proves each one by running it.
///
/// Indict turns a program, and what should hold of it, into a formula. A solution is an execution that
/// fails; it is run again, step by step, before it is reported.
#[derive(Parser, Debug)]
#[command(name = "indict", version, propagate_version = true, max_term_width = 100, after_help = AFTER)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER: &str = "\
Exit codes: 0 if nothing was found, 1 if something was, 2 if something went wrong.

To begin: indict check examples/vir";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Check programs and report what is wrong with them
    ///
    /// Each procedure is checked by itself: for every input that its contract admits, as far as the bounds
    /// reach. A finding comes with the run that shows it. Where nothing is found the verdict says within
    /// which bounds, and "unknown" with a reason where it could not be decided.
    ///
    /// Settings come from the flags, then from indict.toml, then from the defaults. A key of
    /// indict.toml has the name of the flag.
    ///
    /// To suppress a finding, write why, on its line or above:
    ///
    ///   // indict: allow(division-by-zero) because the caller has checked
    ///
    /// C is read by way of clang, 15 or newer, with the flags behind --, or as the project's own build
    /// compiles it:
    ///
    ///   indict check src/a.c src/b.c -- -DDEBUG -Iinclude
    ///   indict capture -- make && indict check -p compile_commands.json
    #[command(after_help = CHECK_EXITS, verbatim_doc_comment)]
    Check(Box<Check>),
    /// Check programs and report only what is new
    ///
    /// The first time, what is found is written down in a file, and none of it is reported. From then on what
    /// the file has is not reported again; the exit code is 1 if there is anything else. Findings are
    /// recognised by their rule, file, procedure and the text of their line, not by line numbers. Takes
    /// everything that `indict check` takes.
    ///
    ///   indict baseline src -- -Iinclude
    #[command(verbatim_doc_comment)]
    Baseline(Box<Baseline>),
    /// Watch a build of C and write down how it compiles its files
    ///
    /// The build runs as always, with compilers on its PATH that write down how they are called before they
    /// do their work. The result is a compile_commands.json for `indict check -p`, as cmake and meson make
    /// it by themselves. What is up to date is not compiled and not captured, so clean the build first:
    ///
    ///   make clean; indict capture -- make -j8
    ///
    /// The exit code is that of the build.
    #[command(verbatim_doc_comment)]
    Capture(Capture),
    /// Check the kernel, or what is built like it, as it is built
    ///
    /// For `make C=1 CHECK="indict kbuild"`, which checks the files that are compiled, or C=2, which checks
    /// all. Everything behind the options is taken as flags of the compiler and one C file. What is found is
    /// printed; the exit code is 0, so that the build goes on. Settings come from indict.toml.
    Kbuild(Kbuild),
    /// Run a C program in the interpreter, which stops where it does what C leaves undefined
    ///
    /// The program is one file, with a main, that needs of the C library only what is modelled: memory,
    /// strings, characters, sorting, output. What it writes is printed when it ends. The exit code is that of
    /// the program; 1 if it does what it must not, which is told with its place; 2 if it could not be
    /// followed.
    ///
    ///   indict run count.c -a first -a second -- -DDEBUG
    #[command(verbatim_doc_comment)]
    Run(Run),
    /// Explain a rule: what it finds, what it does not, what to do
    Explain {
        /// The rule, as reports name it, such as null-dereference or contract/postcondition
        rule: String,

        /// A file of properties, whose rules can be explained too; may be given several times
        #[arg(long = "property", value_name = "FILE", value_hint = ValueHint::FilePath)]
        properties: Vec<PathBuf>,
    },
    /// List the rules
    Rules {
        /// A file of properties, whose rules are listed too; may be given several times
        #[arg(long = "property", value_name = "FILE", value_hint = ValueHint::FilePath)]
        properties: Vec<PathBuf>,
    },
    /// Show what C functions do to locks and memory, as their callers know it
    ///
    /// For each function that moves an object with states, such as a lock: on which conditions it depends,
    /// and a table of the conditions at entry, the state before, the conditions at exit and the state after,
    /// as in Xie and Aiken, "Saturn" (2007), Figure 8. Of functions that are named also what is written, freed,
    /// kept and returned, what certainly happens, and who calls whom.
    ///
    ///   indict summaries driver.c probe
    ///   indict summaries -p build 'spin_*' destroy
    #[command(verbatim_doc_comment)]
    Summaries(Summaries),
    /// Show what the fields of a Java class can hold, by its invariant
    ///
    /// For each field a matrix: which object can lead to which, if objects are numbered in the order in
    /// which they are met. What is not marked is in no heap of this scope, and is left out of every
    /// formula. These are the tight bounds of Galeotti et al., "Analysis of Invariants for Efficient
    /// Bounded Verification" (2010). They are kept in ~/.cache/indict/heaps for `indict check`.
    ///
    ///   indict bounds Tree.java Tree --scope 7
    #[command(verbatim_doc_comment)]
    Bounds(Charted),
    /// Show the objects that meet the invariant of a Java class
    ///
    /// Each shape once, with examples of the numbers in it: look whether they are what you meant. Shapes
    /// differ in how objects with fields lead to each other and in truth values. Each is confirmed by the
    /// interpreter.
    ///
    ///   indict instances Tree.java Tree --scope 4 --format html -o trees.html
    #[command(verbatim_doc_comment)]
    Instances(InstancesOf),
    /// Measure how strong the specification of a Java method is
    ///
    /// Makes the classic mistakes in the method, one at a time: another operator, a negation, a statement left
    /// out, another variable or field. Each mutant is checked against the contract, from small heaps to
    /// larger ones: it is killed if something is found, equivalent within the bounds if not, divergent if it
    /// only runs longer than is followed. What survives is shown: either it does the same, or the contract
    /// does not say enough.
    ///
    ///   indict mutate List.java List.remove --scope 4
    #[command(verbatim_doc_comment)]
    Mutate(Mutate),
    /// Show the formulas that are asked about a procedure
    ///
    /// Of a RESOLVE procedure: its error hypotheses as Boolean formulas within a small scope, whose
    /// variables say what they mean. Of a Java method: its computation graph and relational formula, and
    /// a model. Of any other: which of its points are doomed.
    ///
    /// For researchers. Java methods in the subset of Jackson and Vaziri, "Finding Bugs with a Constraint
    /// Solver" (2000), are translated as they do: loops unrolled, a variable for each value of a variable or
    /// field on a path, and a formula whose models are the executions that break the contract.
    ///
    /// Elsewhere, and with `--doomed`, it is the machinery of Hoenicke et al., "It's Doomed; We Can Prove It" (2009), made
    /// visible: the procedure without loops and assignments, the weakest liberal preconditions of its
    /// blocks (F_Bdef), and for every point of the source an error verification condition, which is
    /// valid if and only if every run that passes the point fails. `indict check` asks the same of a
    /// circuit.
    Formula(Formula),
    /// Show the reasoning tables of RESOLVE procedures
    ///
    /// For each state of a procedure under which condition it is reached, what may be assumed there, and
    /// what has to be confirmed, by the contracts of what it calls alone. The tables are those of Sitaraman
    /// et al., "The Humane Bugfinder" (2003).
    Table(Table),
    /// Show the error hypotheses of RESOLVE procedures
    ///
    /// One for each state in which something has to be confirmed: the path condition, what is assumed on
    /// the way, and that what is to be confirmed does not hold. `indict check` looks for values that make
    /// one of them true.
    Hypotheses(Hypotheses),
    /// Write completions for a shell to standard output
    ///
    /// For bash, for instance:
    /// indict completions bash > ~/.local/share/bash-completion/completions/indict
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write a manual page to standard output
    ///
    /// To read it: indict man check | man -l -
    Man {
        /// The command that it is about; the whole if there is none
        command: Option<String>,
    },
}

/// What `indict check` is asked to do.
#[derive(Arguments, Debug)]
pub(crate) struct Check {
    /// Files to check, and directories to look for files in
    ///
    /// Known are files named .bpl, .c, .i, .java, .bc, .rb, .fa, .en, .co and .vir. Below directories hidden files, bitcode and what
    /// indict.toml excludes are left out, and links are not followed. With --database there need be none.
    #[arg(required_unless_present = "database", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) compile: Compile,

    #[command(flatten)]
    pub(crate) keep: Keep,

    /// Look for violations of the properties of this file too; may be given several times
    ///
    /// It declares states, and the functions that move objects between them; docs/properties.md is the guide.
    #[arg(long = "property", value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "C")]
    pub(crate) properties: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) libraries: Libraries,

    /// Tell all witnesses within the scope in which the first is found, up to a hundred
    #[arg(long, help_heading = "RESOLVE")]
    pub(crate) all: bool,

    /// How the report is written
    #[arg(long, value_enum, default_value_t = Format::Text, value_name = "FORMAT", help_heading = "Report")]
    pub(crate) format: Format,

    /// Write the report to a file, all at once when it is complete
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Report")]
    pub(crate) output: Option<PathBuf>,

    /// Do not use colour
    ///
    /// Without this flag there is colour on a terminal, unless NO_COLOR is set.
    #[arg(long, help_heading = "Report")]
    pub(crate) no_color: bool,

    /// Also list the verdict on each procedure, what is suppressed and why, and what took longest
    ///
    /// Where nothing is found, the list has the code and the contract clauses that no run within the bounds
    /// reached. Only reports in text have these lists; JSON has the verdicts anyway.
    #[arg(long, short, help_heading = "Report")]
    pub(crate) verbose: bool,

    /// Also list the procedures that took longest, and how fast the work went
    ///
    /// Only reports in text have this list, which --verbose has too.
    #[arg(long, help_heading = "Report")]
    pub(crate) timings: bool,

    #[command(flatten)]
    pub(crate) asked: Asked,

    /// Look for this rule only; +RULE: also, -RULE: not
    ///
    /// Given plain names, Indict looks for these rules only, whether they are on by default or not.
    /// Given only names with a sign, it starts from the rules that are on and adds or leaves out those
    /// named. `all` stands for all rules. May be given several times, and with commas. `indict rules`
    /// lists the rules.
    #[arg(
        long = "rule", value_name = "RULE", value_delimiter = ',', allow_hyphen_values = true,
        value_parser = Choice::parse, help_heading = "What to look for"
    )]
    pub(crate) rules: Vec<Choice>,

    #[command(flatten)]
    pub(crate) bounds: Bounds,

    #[command(flatten)]
    pub(crate) heaps: Heaps,

    /// How many threads to use [default: as many as there are processors]
    ///
    /// The report is the same whatever their number.
    #[arg(long, short, value_name = "N", value_parser = jobs, help_heading = "Running")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Take settings from this file [default: indict.toml here or in a directory above]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Running")]
    pub(crate) config: Option<PathBuf>,

    /// Look for the sources of classes in these folders too, besides that of the file's own package
    ///
    /// Their methods are followed where they are called, and not checked themselves.
    #[arg(long, value_name = "DIR", value_delimiter = ':', value_hint = ValueHint::DirPath, help_heading = "Java")]
    pub(crate) sourcepath: Vec<PathBuf>,

    /// Take the signatures of other classes from class files in these folders and archives
    ///
    /// What their methods do is not looked at: they may give anything, unless --specs says more.
    #[arg(long, value_name = "PATH", value_delimiter = ':', value_hint = ValueHint::AnyPath, help_heading = "Java")]
    pub(crate) classpath: Vec<PathBuf>,

    /// Take specifications of classes from files in these folders
    ///
    /// The class java.util.LinkedList is specified in DIR/java/util/LinkedList.jml or DIR/LinkedList.jml:
    /// declarations without bodies, with comments in JML before them.
    #[arg(long, value_name = "DIR", value_delimiter = ':', value_hint = ValueHint::DirPath, help_heading = "Java")]
    pub(crate) specs: Vec<PathBuf>,

    /// Whether references may be null where nothing is said
    ///
    /// By default they may in classes without JML, and may not in classes with JML.
    #[arg(long, value_name = "WHEN", value_enum, help_heading = "Java")]
    pub(crate) null: Option<Null>,

    /// Write a program for each finding in C and Java that shows it, into a directory
    ///
    /// Each is complete but for the source it is about. A program in C begins with the command that
    /// compiles it with sanitizers. Those in Java: javac -d out DIR/*.java Source.java, and then java -ea -cp
    /// out Replay1.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Replay")]
    pub(crate) emit_test: Option<PathBuf>,

    /// With --emit-test: write tests for JUnit 5, Replay1Test.java and so on
    ///
    /// A test fails as long as what is charged happens, and passes once it does not.
    #[arg(long, requires = "emit_test", help_heading = "Java")]
    pub(crate) junit: bool,

    /// Run each finding in C under sanitizers, in Java on the JVM, and say whether it is confirmed
    ///
    /// C takes clang, or else gcc, whichever has AddressSanitizer and UBSan; Java takes javac and java. A finding
    /// is confirmed, refuted (and then withdrawn), not observable, or could not be run. The code runs in an empty
    /// directory, under limits, and without network where the system permits that.
    #[arg(long, help_heading = "Replay")]
    pub(crate) replay: bool,

    /// Write what is made on the way into a directory: vir, aiger, dimacs or proof
    ///
    /// For researchers. `vir`: each file as lowered, in the text form of the intermediate representation,
    /// under its own path within DIR. The others make a directory PATH.d for each file. `aiger`: each
    /// procedure as a circuit, NAME.under.aag and NAME.over.aag, with an output for everything that can be
    /// asked. `dimacs`: the questions that were
    /// asked, as formulas NAME.under.1.cnf and so on. `proof`: for each of them that has no model, an LRAT
    /// proof of that, NAME.under.1.lrat. May be given several times.
    #[arg(
        long, value_names = ["FORM", "DIR"], num_args = 2, help_heading = "Running",
        value_hint = ValueHint::DirPath
    )]
    pub(crate) dump: Vec<String>,
}

const CHECK_EXITS: &str = "\
Exit codes:
  0  nothing was found, and everything that was named could be checked
  1  something was found
  2  nothing was found, but something went wrong: bad usage, a file that cannot be read
     or has errors, a bug of Indict. The report tells what, and has everything else.";

/// What `indict summaries` is asked to do.
#[derive(Arguments, Debug)]
pub(crate) struct Summaries {
    /// C files, and directories to look for files in; and functions, by their names, in which * stands for anything
    #[arg(value_name = "PATH|FUNCTION", required_unless_present = "database", value_hint = ValueHint::AnyPath)]
    pub(crate) given: Vec<PathBuf>,

    /// Only functions whose names contain this text, with their callers and callees
    #[arg(long, short, value_name = "TEXT")]
    pub(crate) function: Option<String>,

    /// Those functions too that move no object with states
    #[arg(long)]
    pub(crate) all: bool,

    /// Use the properties of this file too; may be given several times
    #[arg(long = "property", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) properties: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) keep: Keep,

    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// How C is compiled.
#[derive(Arguments, Debug)]
#[command(next_help_heading = "C")]
pub(crate) struct Compile {
    /// Take the flags of C files from a compile_commands.json, or the one in a directory
    ///
    /// Without PATHS all its files are checked; with them those that are named or below them.
    #[arg(long, short = 'p', value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) database: Option<PathBuf>,

    /// Compile C with this clang [default: clang or clang-N on the path, 15 or newer]
    ///
    /// The flags may be those of gcc: what clang does not know is dropped, and noted.
    #[arg(long, value_name = "PROGRAM", value_hint = ValueHint::CommandName)]
    pub(crate) clang: Option<PathBuf>,

    /// Take models of functions that are only declared from the C and VIR files in a directory
    ///
    /// In C each is a function of that name, compiled with the flags behind `--`; in VIR a procedure with its
    /// parameters as the compiler passes them, over `var memory: bytes;`. They come before those of the C
    /// library. docs/c.md has examples.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) models: Vec<PathBuf>,

    /// Do not use or keep bitcode and what is known of heaps in ~/.cache/indict
    ///
    /// Or in $XDG_CACHE_HOME/indict. All of it is found by content: to delete it does no harm.
    #[arg(long)]
    pub(crate) no_cache: bool,

    /// Flags of the compiler, for C files; with --database behind those that it has
    #[arg(last = true, value_name = "FLAGS", help_heading = None)]
    pub(crate) flags: Vec<OsString>,
}

/// What `indict capture` is asked to do.
#[derive(Arguments, Debug)]
pub(crate) struct Capture {
    /// Where the compile commands go
    #[arg(
        long, short, value_name = "FILE", value_hint = ValueHint::FilePath,
        default_value = "compile_commands.json"
    )]
    pub(crate) output: PathBuf,

    /// The command that builds
    #[arg(last = true, required = true, value_name = "BUILD", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) build: Vec<OsString>,
}

/// What `indict kbuild` is asked to do.
#[derive(Arguments, Debug)]
#[command(disable_version_flag = true)]
pub(crate) struct Kbuild {
    /// Exit with 1 if something is found and with 2 if something goes wrong, which stops the build
    #[arg(long)]
    pub(crate) strict: bool,

    /// Compile with this clang [default: clang or clang-N on the path, 15 or newer]
    #[arg(long, value_name = "PROGRAM", value_hint = ValueHint::CommandName)]
    pub(crate) clang: Option<PathBuf>,

    /// Do not use or keep bitcode in ~/.cache/indict
    #[arg(long)]
    pub(crate) no_cache: bool,

    /// Flags of the compiler, and one C file
    #[arg(
        required = true, trailing_var_arg = true, allow_hyphen_values = true,
        value_name = "FLAGS", value_hint = ValueHint::AnyPath
    )]
    pub(crate) arguments: Vec<OsString>,
}

/// What `indict run` is asked to do.
#[derive(Arguments, Debug)]
pub(crate) struct Run {
    /// The file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// An argument of the program; may be given several times
    #[arg(long = "argument", short, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,

    /// Stop after so many steps
    #[arg(
        long, value_name = "N", default_value_t = 100_000_000,
        value_parser = value_parser!(u64).range(1..)
    )]
    pub(crate) steps: u64,

    /// Compile with this clang [default: clang or clang-N on the path, 15 or newer]
    #[arg(long, value_name = "PROGRAM", value_hint = ValueHint::CommandName)]
    pub(crate) clang: Option<PathBuf>,

    /// Flags of the compiler
    #[arg(last = true, value_name = "FLAGS")]
    pub(crate) flags: Vec<OsString>,
}

/// Whether references may be null where nothing is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Null {
    /// They may
    Allowed,
    /// They may not
    Forbidden,
}

impl Null {
    pub(crate) fn meaning(self) -> driver::Nullness {
        match self {
            Null::Allowed => driver::Nullness::Nullable,
            Null::Forbidden => driver::Nullness::NonNull,
        }
    }
}

/// How a report is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs; docs/json.md describes it
    Json,
    /// SARIF 2.1.0, for code scanning services and editors
    Sarif,
    /// One line for each obligation of RESOLVE procedures, for spreadsheets
    Csv,
    /// A page for each finding, and for each RESOLVE file, into the directory named with --output or
    /// `pages`
    Html,
}

impl Check {
    /// The dumps that are asked for.
    pub(crate) fn dumps(&self) -> Result<Vec<(Form, PathBuf)>, String> {
        let pairs = self.dump.chunks_exact(2);
        pairs.map(|pair| Ok((Form::parse(&pair[0])?, PathBuf::from(&pair[1])))).collect()
    }

    /// Whether nothing is asked for but a report, which may be one that was made before.
    pub(crate) fn is_plain(&self) -> bool {
        let is_told = !self.verbose && !self.timings && self.dump.is_empty();
        is_told && !self.replay && self.emit_test.is_none()
    }

    /// What the flags set.
    pub(crate) fn settings(&self) -> driver::Settings {
        let bounds = &self.bounds;
        driver::Settings {
            unroll: bounds.unroll,
            inline: bounds.inline,
            scope: bounds.scope.iter().rev().find(|s| s.sort.is_none()).map(|s| s.count),
            scopes: bounds
                .scope
                .iter()
                .filter_map(|scope| Some((scope.sort.clone()?, scope.count)))
                .collect(),
            int_bits: bounds.int_bits,
            sequence: bounds.sequence,
            budget: bounds.budget,
            time_limit: bounds.time_limit,
            jobs: self.jobs,
            certify: bounds.certify.then_some(true),
        }
    }
}

pub(crate) fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse::<i64>().ok().filter(|number| range::JOBS.contains(number));
    let number = number.and_then(|number| usize::try_from(number).ok()).and_then(NonZeroUsize::new);
    number.ok_or_else(|| format!("a number from 1 to {} is expected", range::JOBS.end()))
}

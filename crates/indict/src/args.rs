//! The command line's arguments. Each flag's documentation is its doc comment: help, manual page and
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
use crate::cache::CacheArguments;
use crate::dump::Form;
use crate::format::Format;
use crate::part::Asked;
use crate::select::Choice;

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

/// The arguments of `indict check`.
#[derive(Arguments, Debug)]
pub(crate) struct Check {
    /// Files and directories to check [default: .]
    ///
    /// File types: .bpl, .c, .i, .java, .bc, .rb, .fa, .en, .co and .vir. In directories these are skipped:
    /// hidden files, bitcode, the files that indict.toml excludes, node_modules, and directories with a
    /// CACHEDIR.TAG, such as cargo's target. Links are not followed.
    ///
    /// Without PATHS and without -p, a compile_commands.json in . or build is used as if named with -p.
    /// Without one, all files of these types below . are checked.
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) compile: Compile,

    /// Also check the properties in this file; repeatable
    ///
    /// A property declares states and the functions that change the state of an object, such as a lock or
    /// a file. docs/properties.md is the guide.
    #[arg(long = "property", value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "C")]
    pub(crate) properties: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) libraries: Libraries,

    /// Print all witnesses of the smallest scope that has one, at most 100
    #[arg(long, help_heading = "RESOLVE")]
    pub(crate) all: bool,

    /// Format
    #[arg(long, value_enum, default_value_t = Format::Text, value_name = "FORMAT", help_heading = "Report")]
    pub(crate) format: Format,

    /// Write the report to a file
    ///
    /// The file is replaced in one step when the report is complete. With --format html this is a directory.
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Report")]
    pub(crate) output: Option<PathBuf>,

    /// Do not use colour
    ///
    /// By default the report is coloured on a terminal, unless NO_COLOR is set.
    #[arg(long, help_heading = "Report")]
    pub(crate) no_color: bool,

    /// Also list verdicts, suppressed findings and timings
    ///
    /// For procedures without findings the list names the code and the contract clauses that no execution
    /// within the bounds reaches. Only text reports have these lists; JSON reports always have the verdicts.
    #[arg(long, short, help_heading = "Report")]
    pub(crate) verbose: bool,

    /// Also list the slowest procedures and the throughput
    ///
    /// Only text reports have this list. --verbose includes it.
    #[arg(long, help_heading = "Report")]
    pub(crate) timings: bool,

    #[command(flatten)]
    pub(crate) asked: Asked,

    /// Check this rule only (RULE), in addition (+RULE), or not (-RULE)
    ///
    /// With plain names, only these rules are checked, whether they are on by default or not. With signed
    /// names only, the default rules are checked, plus or minus those named. `all` means all rules.
    /// Repeatable, or separated by commas. `indict rules` lists the rules.
    #[arg(
        long = "rule", value_name = "RULE", value_delimiter = ',', allow_hyphen_values = true,
        value_parser = Choice::parse, help_heading = "Rules"
    )]
    pub(crate) rules: Vec<Choice>,

    /// Switch a trusted assumption off (-NAME) or on (NAME); repeatable
    ///
    /// Indict assumes that the callers and callees of C functions behave well until the function itself tests
    /// them. Without an assumption more is reported. `-all` switches all of them off. docs/assumptions.md
    /// lists them; `indict why` says which one matters.
    #[arg(
        long, value_name = "NAME", value_delimiter = ',', allow_hyphen_values = true,
        value_parser = driver::assumption, help_heading = "C"
    )]
    pub(crate) assume: Vec<(String, bool)>,

    #[command(flatten)]
    pub(crate) bounds: Bounds,

    #[command(flatten)]
    pub(crate) heaps: Heaps,

    /// Number of threads [default: one per processor]
    ///
    /// The report does not depend on it.
    #[arg(long, short, value_name = "N", value_parser = jobs, help_heading = "Running")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Configuration file [default: the nearest indict.toml, here or above]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Running")]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) cache: CacheArguments,

    /// Also search these directories for the sources of classes
    ///
    /// The directory of the file's own package is always searched. Methods of these classes are inlined where
    /// they are called, and not checked themselves. Separate directories by colons.
    #[arg(long, value_name = "DIR", value_delimiter = ':', value_hint = ValueHint::DirPath, help_heading = "Java")]
    pub(crate) sourcepath: Vec<PathBuf>,

    /// Read the signatures of other classes from class files and archives
    ///
    /// Method bodies are not analysed: calls return any value unless --specs gives a contract. Separate paths
    /// by colons.
    #[arg(long, value_name = "PATH", value_delimiter = ':', value_hint = ValueHint::AnyPath, help_heading = "Java")]
    pub(crate) classpath: Vec<PathBuf>,

    /// Read specifications of classes from these directories
    ///
    /// DIR/java/util/LinkedList.jml or DIR/LinkedList.jml specifies the class java.util.LinkedList. It holds
    /// declarations without bodies, each with a JML comment before it. Separate directories by colons.
    #[arg(long, value_name = "DIR", value_delimiter = ':', value_hint = ValueHint::DirPath, help_heading = "Java")]
    pub(crate) specs: Vec<PathBuf>,

    /// Null in unannotated references
    ///
    /// By default they may be null in classes without JML, and may not be null in classes with JML.
    #[arg(long, value_name = "WHEN", value_enum, help_heading = "Java")]
    pub(crate) null: Option<Null>,

    /// Write a test program for each finding in C and Java
    ///
    /// Each program is complete except for the checked source. A C program begins with the command that
    /// compiles it with sanitizers. For Java: javac -d out DIR/*.java Source.java && java -ea -cp out Replay1
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Replay")]
    pub(crate) emit_test: Option<PathBuf>,

    /// With --emit-test: write JUnit 5 tests
    ///
    /// They are called Replay1Test.java and so on. The test fails while the bug exists and passes once it is
    /// fixed.
    #[arg(long, requires = "emit_test", help_heading = "Java")]
    pub(crate) junit: bool,

    /// Execute each finding: C under sanitizers, Java on the JVM
    ///
    /// C needs clang or gcc with AddressSanitizer and UBSan; Java needs javac and java. The report says for
    /// each finding whether it is confirmed, refuted (and then withdrawn), not observable, or could not be
    /// run. The code runs in an empty directory, with limits on resources, and without network access where
    /// the system permits that.
    #[arg(long, help_heading = "Replay")]
    pub(crate) replay: bool,

    /// Write intermediate results: vir, aiger, dimacs or proof
    ///
    /// `vir` writes each file in the text form of the intermediate representation, to its own path within
    /// DIR. The others write to a directory PATH.d per file. `aiger`: each procedure as a circuit,
    /// NAME.under.aag and NAME.over.aag, with one output per query. `dimacs`: the queries as formulas in CNF,
    /// NAME.under.1.cnf and so on. `proof`: an LRAT proof of each unsatisfiable query, NAME.under.1.lrat.
    /// Repeatable.
    #[arg(
        long, value_names = ["FORM", "DIR"], num_args = 2, help_heading = "Running",
        value_hint = ValueHint::DirPath
    )]
    pub(crate) dump: Vec<String>,
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

/// Whether unannotated references may be null.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Null {
    /// They may be null
    Allowed,
    /// They are not null
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

impl Check {
    /// The requested dumps.
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
            all: self.all.then_some(true),
            strategy: self.heaps.named(),
            null: self.null.map(Null::meaning),
            assume: self.assume.clone(),
        }
    }
}

pub(crate) fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse::<i64>().ok().filter(|number| range::JOBS.contains(number));
    let number = number.and_then(|number| usize::try_from(number).ok()).and_then(NonZeroUsize::new);
    number.ok_or_else(|| format!("a number from 1 to {} is expected", range::JOBS.end()))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Args;

    /// The flags of `check` that have no key in `indict.toml`, and why.
    const WITHOUT_KEY: [(&str, &str); 22] = [
        ("cache", "a checked project must not choose a file to write"),
        ("clang", "a checked project must not choose a program to execute"),
        ("config", "it names the file itself"),
        ("database", "it replaces the paths of one call"),
        ("dump", "it writes files for one call"),
        ("emit-test", "it writes files for one call"),
        ("entry", "it selects procedures for one call"),
        ("format", "the reader of one call's output chooses it"),
        ("junit", "it belongs to emit-test"),
        ("no-bounds", "`strategy` says it"),
        ("no-color", "the terminal decides, or NO_COLOR"),
        ("no-links", "`strategy` says it"),
        ("no-order", "`strategy` says it"),
        ("no-shapes", "`strategy` says it"),
        ("no-symmetry", "`strategy` says it"),
        ("only", "it selects procedures for one call"),
        ("output", "a checked project must not choose a file to write"),
        ("replay", "a checked project must not decide that its code is executed"),
        ("rule", "the table `rules` says it"),
        ("since", "it selects procedures for one call"),
        ("timings", "the reader of one call's output chooses it"),
        ("verbose", "the reader of one call's output chooses it"),
    ];

    #[test]
    fn each_flag_of_check_has_a_key_or_a_reason_why_not() {
        let command = Args::command();
        let check = command.find_subcommand("check").unwrap();
        let flags: Vec<&str> = check.get_arguments().filter_map(|arg| arg.get_long()).collect();
        assert!(flags.contains(&"unroll"), "{flags:?}");
        for flag in &flags {
            let has_key = driver::KEYS.contains(flag);
            let is_exception = WITHOUT_KEY.iter().any(|(name, _)| name == flag);
            assert!(has_key != is_exception, "--{flag} needs either a key or a reason");
        }
        for (name, reason) in WITHOUT_KEY {
            assert!(flags.contains(&name) && !reason.is_empty(), "there is no flag --{name}");
        }
        let without_flag = driver::KEYS.into_iter().filter(|key| !flags.contains(key));
        // `no-store` is the older name of `no-cache`.
        assert_eq!(without_flag.collect::<Vec<_>>(), ["exclude", "no-store", "rules"]);
    }
}

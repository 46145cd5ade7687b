//! The arguments of `indict check`, `indict baseline` and `indict why`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args as Arguments, ValueEnum, ValueHint};
use driver::range;

use super::{Bounds, Compile, Heaps, Libraries};
use crate::cache::CacheArguments;
use crate::dump::Form;
use crate::format::Format;
use crate::part::Asked;
use crate::select::Choice;

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

    /// The settings of the flags.
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

    use crate::args::Args;

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

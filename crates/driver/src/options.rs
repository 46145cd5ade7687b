//! Options, in order of precedence: the command line, `indict.toml`, the defaults.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use check::{CheckOptions, Strategy};
use report::{Note, Severity};

use crate::assumptions::switch;
use crate::gather::Exclude;
use crate::part::Selection;
use crate::rules::{Registry, Rules, collisions};

/// The options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The rules to look for.
    pub rules: Rules,
    /// Bounds, policy and limits of the check.
    pub check: CheckOptions,
    /// How many threads to use; as many as there are processors if it is not said.
    pub jobs: Option<NonZeroUsize>,
    /// The paths to leave out below directories.
    pub exclude: Exclude,
    /// Directories in which files are looked for that others refer to by name.
    pub libraries: Vec<PathBuf>,
    /// The absolute path of the working directory. Files that compilers name are shown as seen from there.
    pub working: PathBuf,
    /// Directories with models of functions that programs only declare.
    pub models: Vec<PathBuf>,
    /// The procedures to check.
    pub part: Selection,
    /// The sources of classes.
    pub classes: Classes,
    /// The properties for summaries, besides the bundled ones.
    pub properties: property::Properties,
    /// The cache of summaries, bounds, shapes and reports, if there is one.
    pub cache: Option<Arc<dyn store::Cache>>,
    /// Whether a cached report may be returned. It has no timings, and nothing to execute a finding with.
    pub reuse_reports: bool,
}

impl Options {
    /// Adds the properties of a file, and looks for what they report; if there are faults, which are returned, it adds
    /// what is left.
    pub fn add_properties(&mut self, text: &str) -> Vec<property::PropertyError> {
        let (properties, mut faults) = property::read_properties(text);
        faults.extend(collisions(&properties, &self.properties));
        self.properties.extend(properties);
        self.rules.add_defaults(&self.registry());
        faults
    }

    /// All rules, those of properties among them.
    pub fn registry(&self) -> Registry {
        Registry::new(&self.properties)
    }
}

impl Default for Options {
    fn default() -> Options {
        // Where heaps are enumerated, all techniques that reduce their number are used.
        Options {
            check: CheckOptions { strategy: Strategy::ALL, ..CheckOptions::default() },
            rules: Rules::default(),
            jobs: None,
            exclude: Exclude::default(),
            libraries: Vec::new(),
            working: PathBuf::new(),
            models: Vec::new(),
            part: Selection::default(),
            classes: Classes::default(),
            properties: property::Properties::default(),
            cache: None,
            reuse_reports: false,
        }
    }
}

/// The sources of the classes that files mention, besides their own package.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    /// Folders with their sources.
    pub sources: Vec<PathBuf>,
    /// Folders with class files, and archives of them, of which the signatures are read.
    pub class_files: Vec<PathBuf>,
    /// Folders with specifications of classes whose sources are not to be changed.
    pub specifications: Vec<PathBuf>,
    /// The nullness of references without annotation.
    pub nullness: java::Nullness,
}

/// Nothing more is known than what stands beside a file.
pub(crate) static NO_CLASSES: Classes = Classes {
    sources: Vec::new(),
    class_files: Vec::new(),
    specifications: Vec::new(),
    nullness: java::Nullness::AsSpecified,
};

/// The settings of one source, other than rules and exclusions. `None` leaves a setting to the others.
///
/// Each field has the name and meaning of a flag and of a key of `indict.toml`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Settings {
    /// How many iterations of each loop are followed.
    pub unroll: Option<u32>,
    /// How many calls deep bodies are followed.
    pub inline: Option<u32>,
    /// How many atoms each sort has.
    pub scope: Option<u32>,
    /// How many atoms some sorts have, by name.
    pub scopes: Vec<(String, u32)>,
    /// The width in bits of mathematical integers.
    pub int_bits: Option<u32>,
    /// The greatest length of a sequence.
    pub sequence: Option<u32>,
    /// How many conflicts one query may cost the solver.
    pub budget: Option<u64>,
    /// The time limit for a procedure.
    pub time_limit: Option<Duration>,
    /// How many threads to use.
    pub jobs: Option<NonZeroUsize>,
    /// Whether the proof of every refutation is checked.
    pub certify: Option<bool>,
    /// Whether all witnesses of the smallest scope that has one are reported, up to a limit.
    pub all: Option<bool>,
    /// The techniques that reduce the initial heaps.
    pub strategy: Option<Strategy>,
    /// Whether unannotated references may be null.
    pub null: Option<java::Nullness>,
    /// The assumptions that are switched on or off, by name, in order.
    pub assume: Vec<(String, bool)>,
}

/// The number of witnesses that are reported where all are asked for.
pub const WITNESSES: usize = 100;

impl Settings {
    /// Puts these settings over options, which keep what is left to them.
    pub fn apply(&self, options: &mut Options) {
        let check = &mut options.check;
        set(&mut check.bounds.unroll, self.unroll);
        set(&mut check.bounds.inline, self.inline);
        set(&mut check.bounds.scope, self.scope);
        check.bounds.scopes.retain(|(sort, _)| !self.scopes.iter().any(|(other, _)| sort == other));
        check.bounds.scopes.extend(self.scopes.iter().cloned());
        set(&mut check.bounds.int_width, self.int_bits);
        set(&mut check.bounds.sequence, self.sequence);
        set(&mut check.solver.conflicts, self.budget);
        set(&mut check.solver.certify, self.certify);
        set(&mut check.policy.others, self.all.map(|all| if all { WITNESSES } else { 0 }));
        set(&mut check.strategy, self.strategy);
        for (name, on) in &self.assume {
            switch(&mut check.policy.assumptions, name, *on);
        }
        set(&mut options.classes.nullness, self.null);
        check.solver.time = self.time_limit.or(check.solver.time);
        options.jobs = self.jobs.or(options.jobs);
    }
}

/// Reads a scope: `N` for all sorts, or `SORT=N` for one.
///
/// # Errors
/// If it is neither; the message says what is expected.
pub fn scope(text: &str) -> Result<(Option<String>, u32), String> {
    let (sort, number) = match text.split_once('=') {
        Some((sort, number)) => (Some(sort.trim().to_owned()), number),
        None => (None, text),
    };
    let count = number.trim().parse::<i64>().ok().filter(|n| range::SCOPE.contains(n));
    let count = count.and_then(|count| u32::try_from(count).ok());
    let (least, most) = (range::SCOPE.start(), range::SCOPE.end());
    let count =
        count.ok_or_else(|| format!("expected a number from {least} to {most}, or CLASS=N"))?;
    Ok((sort, count))
}

/// A warning where no object of any class may exist: little is checked then.
pub(crate) fn without_objects(options: &CheckOptions) -> Option<Note> {
    let mut named = options.bounds.scopes.iter().map(|(_, count)| *count);
    let message = "a scope of 0 lets no object exist: references are null, and methods of objects have no \
                   runs";
    (options.bounds.scope == 0 && named.all(|count| count == 0)).then(|| Note {
        severity: Severity::Warning,
        message: message.to_owned(),
        place: None,
    })
}

fn set<T: Copy>(value: &mut T, setting: Option<T>) {
    *value = setting.unwrap_or(*value);
}

/// The values that settings may have. Beyond them nothing would be found that is not found within, or
/// the machine would not last.
pub mod range {
    use std::ops::RangeInclusive;

    /// Of `unroll`.
    pub const UNROLL: RangeInclusive<i64> = 0..=1_000;
    /// Of `inline`.
    pub const INLINE: RangeInclusive<i64> = 0..=100;
    /// Of `scope`.
    pub const SCOPE: RangeInclusive<i64> = 0..=64;
    /// Of `int-bits`.
    pub const INT_BITS: RangeInclusive<i64> = 2..=64;
    /// Of `sequence`.
    pub const SEQUENCE: RangeInclusive<i64> = 0..=64;
    /// Of `budget`.
    pub const BUDGET: RangeInclusive<i64> = 1..=i64::MAX;
    /// Of `jobs`.
    pub const JOBS: RangeInclusive<i64> = 1..=1_024;
    /// Of `time-limit`, in seconds.
    pub const TIME_LIMIT: RangeInclusive<f64> = 0.001..=1e9;
}

//! `indict.toml`: what a project has decided about how it is checked.
//!
//! A key has the name of the flag it stands in for and the same meaning; `[rules]` switches rules on
//! and off; `exclude` lists what is left out below directories, `library` the directories in which modules of
//! RESOLVE are looked for, as seen from the file.
//!
//! ```toml
//! unroll = 6
//! time-limit = 30
//! exclude = ["generated", "third_party/**"]
//! library = ["concepts"]
//!
//! [rules]
//! unreachable = true
//! division-by-zero = false
//! ```
//!
//! Every fault of the file is told with its place, and what is right in it holds, unless it is not TOML.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::time::Duration;

use report::{LineIndex, Note, Place, Severity};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::files::{Files, Kind, shown};
use crate::gather::Exclude;
use crate::nearest::suggestion;
use crate::options::{Options, Settings, range};
use crate::rules::Registry;

/// What the file is called.
pub const NAME: &str = "indict.toml";

const KEYS: [&str; 12] = [
    "budget",
    "certify",
    "exclude",
    "inline",
    "int-bits",
    "jobs",
    "library",
    "rules",
    "scope",
    "sequence",
    "time-limit",
    "unroll",
];

/// A configuration file, read.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Its path, as places in reports have it.
    pub path: String,
    /// Its text.
    pub text: String,
    /// What it sets.
    pub settings: Settings,
    /// The rules that it switches on or off.
    pub rules: Vec<(String, bool)>,
    /// The patterns of what is left out.
    pub exclude: Vec<String>,
    /// The directories in which modules that files refer to are looked for.
    pub library: Vec<String>,
    /// What is wrong with it.
    pub notes: Vec<Note>,
}

/// Where the configuration is: in the working directory or the nearest directory above that has one.
/// The path is relative; `working` is the absolute path of the working directory.
pub fn find(files: &dyn Files, working: &Path) -> Option<PathBuf> {
    let mut path = PathBuf::from(NAME);
    for _ in working.ancestors() {
        if files.kind(&path).is_ok_and(|kind| kind == Kind::File) {
            return Some(path);
        }
        path = Path::new("..").join(path);
    }
    None
}

impl Config {
    /// Reads a text that may name these rules.
    pub fn parse(path: &Path, text: &str, registry: &Registry) -> Self {
        let mut reader = Reader {
            registry,
            index: LineIndex::new(text),
            config: Self {
                path: shown(path),
                text: text.to_owned(),
                settings: Settings::default(),
                rules: Vec::new(),
                exclude: Vec::new(),
                library: Vec::new(),
                notes: Vec::new(),
            },
        };
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            reader.fault(error.span().unwrap_or(0..0), error.message().trim_end_matches('.'));
        }
        // What a parser makes of a text with errors is a guess.
        if errors.is_empty() {
            reader.table(table.get_ref());
        }
        reader.config.notes.sort_by(|a, b| a.place.cmp(&b.place));
        reader.config
    }

    /// Puts the configuration over options. `working` is the absolute path of the working directory.
    pub fn apply(&self, working: &Path, options: &mut Options) {
        self.settings.apply(options);
        for (rule, on) in &self.rules {
            options.rules.switch(rule, *on);
        }
        let root = Path::new(&self.path).parent().unwrap_or(Path::new(""));
        // A pattern that is none was left out when the file was read.
        options.exclude = Exclude::new(&self.exclude, working, root).unwrap_or_default();
        options.libraries.extend(self.library.iter().map(|directory| root.join(directory)));
    }
}

struct Reader<'t> {
    registry: &'t Registry,
    index: LineIndex<'t>,
    config: Config,
}

impl Reader<'_> {
    fn fault(&mut self, at: Range<usize>, message: impl Into<String>) {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let (start, end) = (offset(at.start), offset(at.end));
        let place = Place::of_offsets(&*self.config.path, &self.index, start, end);
        let message = message.into();
        self.config.notes.push(Note { severity: Severity::Error, message, place: Some(place) });
    }

    fn table(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            match &**key.get_ref() {
                "unroll" => self.config.settings.unroll = self.integer(value, range::UNROLL),
                "inline" => self.config.settings.inline = self.integer(value, range::INLINE),
                "scope" => self.config.settings.scope = self.integer(value, range::SCOPE),
                "int-bits" => self.config.settings.int_bits = self.integer(value, range::INT_BITS),
                "sequence" => self.config.settings.sequence = self.integer(value, range::SEQUENCE),
                "budget" => self.config.settings.budget = self.integer(value, range::BUDGET),
                "jobs" => {
                    let jobs = self.integer(value, range::JOBS);
                    self.config.settings.jobs = jobs.and_then(NonZeroUsize::new);
                }
                "time-limit" => self.config.settings.time_limit = self.seconds(value),
                "certify" => self.config.settings.certify = self.truth(value),
                "exclude" => self.exclude(value),
                "library" => self.library(value),
                "rules" => self.rules(value),
                unknown => {
                    let message =
                        format!("there is no key `{unknown}`{}", suggestion(unknown, KEYS));
                    self.fault(key.span(), message);
                }
            }
        }
    }

    fn rules(&mut self, value: &Spanned<DeValue<'_>>) {
        let DeValue::Table(table) = value.get_ref() else {
            return self.fault(value.span(), "`rules` is a table of rules that are true or false");
        };
        for (key, value) in table {
            match self.registry.find(key.get_ref()) {
                Err(unknown) => self.fault(key.span(), unknown.to_string()),
                Ok(rule) => {
                    let id = rule.id.to_string();
                    let on = self.truth(value);
                    self.config.rules.extend(on.map(|on| (id, on)));
                }
            }
        }
    }

    fn exclude(&mut self, value: &Spanned<DeValue<'_>>) {
        let DeValue::Array(patterns) = value.get_ref() else {
            return self
                .fault(value.span(), "`exclude` is a list of patterns, as in [\"generated\"]");
        };
        for pattern in patterns {
            let DeValue::String(text) = pattern.get_ref() else {
                self.fault(pattern.span(), "a pattern is a text between quotes");
                continue;
            };
            let text = text.to_string();
            match Exclude::new(std::slice::from_ref(&text), Path::new("/"), Path::new("")) {
                Ok(_) => self.config.exclude.push(text),
                Err((_, why)) => {
                    self.fault(pattern.span(), format!("`{text}` is no pattern: {why}"));
                }
            }
        }
    }

    fn library(&mut self, value: &Spanned<DeValue<'_>>) {
        let DeValue::Array(directories) = value.get_ref() else {
            let message = "`library` is a list of directories, as in [\"concepts\"]";
            return self.fault(value.span(), message);
        };
        for directory in directories {
            match directory.get_ref() {
                DeValue::String(text) => self.config.library.push(text.to_string()),
                _ => self.fault(directory.span(), "a directory is a text between quotes"),
            }
        }
    }

    fn truth(&mut self, value: &Spanned<DeValue<'_>>) -> Option<bool> {
        match value.get_ref() {
            DeValue::Boolean(truth) => Some(*truth),
            _ => {
                self.fault(value.span(), "this has to be true or false");
                None
            }
        }
    }

    fn integer<T: TryFrom<i64>>(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        range: RangeInclusive<i64>,
    ) -> Option<T> {
        let number = match value.get_ref() {
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        let number = number.filter(|number| range.contains(number));
        let fits = number.and_then(|number| T::try_from(number).ok());
        if fits.is_none() {
            self.fault(value.span(), expected("a whole number", &range, i64::MAX));
        }
        fits
    }

    fn seconds(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Duration> {
        let seconds: Option<f64> = match value.get_ref() {
            DeValue::Integer(number) => number.as_str().parse().ok(),
            DeValue::Float(number) => number.as_str().parse().ok(),
            _ => None,
        };
        let seconds = seconds.filter(|seconds| range::TIME_LIMIT.contains(seconds));
        if seconds.is_none() {
            let message = expected("a number of seconds", &range::TIME_LIMIT, f64::MAX);
            self.fault(value.span(), message);
        }
        seconds.map(Duration::from_secs_f64)
    }
}

fn expected<T: Display + PartialOrd>(what: &str, range: &RangeInclusive<T>, most: T) -> String {
    if *range.end() >= most {
        format!("this has to be {what}, {} or more", range.start())
    } else {
        format!("this has to be {what} from {} to {}", range.start(), range.end())
    }
}

//! `indict.toml`: the settings of a project.
//!
//! A key has the name and the meaning of a flag of `indict check`. Two keys have no flag of their name:
//! `[rules]` switches rules on and off, and `exclude` lists patterns of files that are skipped below
//! directories. Paths are relative to the directory of the file. A key never names a program to execute or
//! a file to write: a project that is checked must not choose these.
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
//! Every fault is noted with its place. The correct keys hold nevertheless, unless the file is not TOML.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::time::Duration;

use check::Strategy;
use java::Nullness;
use report::{LineIndex, Note, Place, Severity};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::assumptions::assumption;
use crate::files::{Files, Kind, shown};
use crate::gather::Exclude;
use crate::nearest::suggestion;
use crate::options::{Options, Settings, range, scope};
use crate::rules::Registry;

/// The name of the file.
pub const NAME: &str = "indict.toml";

/// The keys.
pub const KEYS: [&str; 23] = [
    "all",
    "assume",
    "budget",
    "certify",
    "classpath",
    "exclude",
    "inline",
    "int-bits",
    "jobs",
    "library",
    "models",
    "no-cache",
    "no-store",
    "null",
    "property",
    "rules",
    "scope",
    "sequence",
    "sourcepath",
    "specs",
    "strategy",
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
    /// Its settings.
    pub settings: Settings,
    /// The rules that it switches on or off.
    pub rules: Vec<(String, bool)>,
    /// The patterns of what is left out.
    pub exclude: Vec<String>,
    /// The directories that are searched for imported modules.
    pub library: Vec<String>,
    /// The directories with models of external functions.
    pub models: Vec<String>,
    /// The files with properties.
    pub property: Vec<String>,
    /// The directories with sources of classes.
    pub sourcepath: Vec<String>,
    /// The directories and archives with class files.
    pub classpath: Vec<String>,
    /// The directories with specifications of classes.
    pub specs: Vec<String>,
    /// Whether the cache is disabled.
    pub no_cache: bool,
    /// Its errors.
    pub notes: Vec<Note>,
}

/// The path of the configuration: in the working directory or the nearest directory above that has one. The path is
/// relative; `working` is the absolute path of the working directory.
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
                models: Vec::new(),
                property: Vec::new(),
                sourcepath: Vec::new(),
                classpath: Vec::new(),
                specs: Vec::new(),
                no_cache: false,
                notes: Vec::new(),
            },
        };
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            reader.fault(error.span().unwrap_or(0..0), error.message().trim_end_matches('.'));
        }
        // The parsed value of a text with errors is a guess.
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
        // A pattern that is none was left out when the file was read.
        options.exclude = Exclude::new(&self.exclude, working, self.root()).unwrap_or_default();
        options.libraries.extend(self.rooted(&self.library));
        options.models.extend(self.rooted(&self.models));
        options.classes.sources.extend(self.rooted(&self.sourcepath));
        options.classes.class_files.extend(self.rooted(&self.classpath));
        options.classes.specifications.extend(self.rooted(&self.specs));
    }

    /// The files with properties, as seen from the working directory.
    pub fn properties(&self) -> Vec<PathBuf> {
        self.rooted(&self.property).collect()
    }

    /// The directory that paths are relative to.
    fn root(&self) -> &Path {
        Path::new(&self.path).parent().unwrap_or(Path::new(""))
    }

    fn rooted<'p>(&'p self, paths: &'p [String]) -> impl Iterator<Item = PathBuf> + 'p {
        paths.iter().map(|path| self.root().join(path))
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
                "scope" => self.scope(value),
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
                "library" => self.config.library = self.list(value, ("directories", "concepts")),
                "models" => self.config.models = self.list(value, ("directories", "models")),
                "property" => self.config.property = self.list(value, ("files", "locks.toml")),
                "sourcepath" => self.config.sourcepath = self.list(value, ("directories", "src")),
                "classpath" => self.config.classpath = self.list(value, ("paths", "lib.jar")),
                "specs" => self.config.specs = self.list(value, ("directories", "specs")),
                "all" => self.config.settings.all = self.truth(value),
                "assume" => self.assume(value),
                "null" => self.config.settings.null = self.nullness(value),
                "strategy" => self.config.settings.strategy = self.strategy(value),
                // `no-store` is its old name.
                "no-cache" | "no-store" => self.config.no_cache |= self.truth(value) == Some(true),
                "rules" => self.rules(value),
                unknown => {
                    let message = format!("unknown key `{unknown}`{}", suggestion(unknown, KEYS));
                    self.fault(key.span(), message);
                }
            }
        }
    }

    fn rules(&mut self, value: &Spanned<DeValue<'_>>) {
        let DeValue::Table(table) = value.get_ref() else {
            return self.fault(value.span(), "expected a table of rules that are true or false");
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
                .fault(value.span(), "expected a list of patterns, such as [\"generated\"]");
        };
        for pattern in patterns {
            let DeValue::String(text) = pattern.get_ref() else {
                self.fault(pattern.span(), "expected a string");
                continue;
            };
            let text = text.to_string();
            match Exclude::new(std::slice::from_ref(&text), Path::new("/"), Path::new("")) {
                Ok(_) => self.config.exclude.push(text),
                Err((_, why)) => {
                    self.fault(pattern.span(), format!("invalid pattern `{text}`: {why}"));
                }
            }
        }
    }

    /// A list of strings; `what` names them, with an example.
    fn list(&mut self, value: &Spanned<DeValue<'_>>, (what, example): (&str, &str)) -> Vec<String> {
        let DeValue::Array(members) = value.get_ref() else {
            self.fault(value.span(), format!("expected a list of {what}, such as [\"{example}\"]"));
            return Vec::new();
        };
        let mut texts = Vec::new();
        for member in members {
            match member.get_ref() {
                DeValue::String(text) => texts.push(text.to_string()),
                _ => self.fault(member.span(), "expected a string"),
            }
        }
        texts
    }

    /// A number, or the text of the flag, such as "3,Node=5".
    fn scope(&mut self, value: &Spanned<DeValue<'_>>) {
        let DeValue::String(text) = value.get_ref() else {
            self.config.settings.scope = self.integer(value, range::SCOPE);
            return;
        };
        for part in text.split(',') {
            match scope(part) {
                Ok((Some(sort), count)) => self.config.settings.scopes.push((sort, count)),
                Ok((None, count)) => self.config.settings.scope = Some(count),
                Err(why) => self.fault(value.span(), why),
            }
        }
    }

    fn assume(&mut self, value: &Spanned<DeValue<'_>>) {
        for name in self.list(value, ("assumptions", "-trip-count")) {
            match assumption(&name) {
                Ok(switched) => self.config.settings.assume.push(switched),
                Err(why) => self.fault(value.span(), why),
            }
        }
    }

    fn nullness(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Nullness> {
        match value.get_ref() {
            DeValue::String(text) if text == "allowed" => Some(Nullness::Nullable),
            DeValue::String(text) if text == "forbidden" => Some(Nullness::NonNull),
            _ => {
                self.fault(value.span(), "expected \"allowed\" or \"forbidden\"");
                None
            }
        }
    }

    /// A list of techniques; the empty list is `--strategy none`.
    fn strategy(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Strategy> {
        let names = self.list(value, ("techniques", "symmetry"));
        let unknown = names.iter().find(|name| !Strategy::NAMES.contains(&name.as_str()));
        if let Some(unknown) = unknown {
            let suggestion = suggestion(unknown, Strategy::NAMES);
            self.fault(value.span(), format!("unknown technique `{unknown}`{suggestion}"));
            return None;
        }
        Some(Strategy::named(&names.iter().map(String::as_str).collect::<Vec<_>>()))
    }

    fn truth(&mut self, value: &Spanned<DeValue<'_>>) -> Option<bool> {
        match value.get_ref() {
            DeValue::Boolean(truth) => Some(*truth),
            _ => {
                self.fault(value.span(), "expected true or false");
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
        format!("expected {what}, {} or more", range.start())
    } else {
        format!("expected {what} from {} to {}", range.start(), range.end())
    }
}

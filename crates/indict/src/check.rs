//! `indict check`: settings, run, report.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use driver::{Config, Disk, Files, Options, Outcome};
use report::{Note, Severity};
use store::{Cache, Sqlite};

use crate::args::{Check, Compile};
use crate::cache::notes;
use crate::compile::Clang;
use crate::dump::Dumps;
use crate::format::render;
use crate::output::Output;
use crate::progress::Progress;
use crate::replay::replay;
use crate::select::select;
use crate::summaries::read_properties;
use crate::tables::write_pages;
use crate::terminal;
use crate::{Ending, Failure};

/// Checks, and writes the report.
pub(crate) fn check(args: &Check) -> Result<Ending, Failure> {
    check_then(args, |_| Ok(()))
}

/// Checks, passes the findings to `then`, and writes the report.
pub(crate) fn check_then(
    args: &Check,
    see_to: impl FnOnce(&mut Outcome) -> Result<(), Failure>,
) -> Result<Ending, Failure> {
    let start = Instant::now();
    // Pages are written into a directory, everything else into a file.
    let file = args.output.as_deref().filter(|_| !args.format.is_directory());
    let output = Output::new(file)?;
    let dumps = Dumps::new(args.dumps().map_err(Failure)?);
    let Prepared { options, clang, cache, nearby, paths } = prepare(args)?;
    let paths: Vec<&Path> = paths.iter().map(|path| &**path).collect();
    let progress = Progress::new(&dumps);
    let mut outcome = driver::run(&paths, &Disk, &clang, &options, &progress);
    progress.finish();
    let found = nearby.iter().map(|path| found_database(path));
    outcome.report.notes.splice(0..0, found.chain(clang.notes()).chain(notes(cache.as_deref())));
    see_to(&mut outcome)?;
    replay(&mut outcome, args, &clang, &options.properties)?;
    outcome.report.summary.duration = Some(start.elapsed());

    match args.format.is_directory() {
        true => write_pages(&outcome, &options.libraries, args.output.as_deref())?,
        false => output.write(&render(&outcome, &options, args)?)?,
    }
    dumps.finish()?;
    Ok(Ending::of(&outcome.report))
}

/// The inputs of a run, from the arguments and the configuration.
pub(crate) struct Prepared {
    pub(crate) options: Options,
    pub(crate) clang: Clang,
    cache: Option<Arc<Sqlite>>,
    nearby: Option<PathBuf>,
    /// The files and directories to check.
    pub(crate) paths: Vec<PathBuf>,
}

/// Turns arguments and the configuration into options.
pub(crate) fn prepare(args: &Check) -> Result<Prepared, Failure> {
    let (config, mut options) = configured(args.config.as_deref(), &args.properties)?;
    args.settings().apply(&mut options);
    options.libraries.splice(0..0, args.libraries.directories.iter().cloned());
    let registry = options.registry();
    options.rules = select(&registry, options.rules, &args.rules)
        .map_err(|unknown| Failure(format!("{unknown}\n`indict rules` lists all rules")))?;
    let classes = &mut options.classes;
    classes.sources.splice(0..0, args.sourcepath.iter().cloned());
    classes.class_files.splice(0..0, args.classpath.iter().cloned());
    classes.specifications.splice(0..0, args.specs.iter().cloned());
    options.models.splice(0..0, args.compile.models.iter().cloned());
    options.part = args.asked.part()?;
    args.heaps.disable(&mut options.check.strategy);
    options.check.policy.vacuity = args.verbose || args.format.has_verdicts();
    let cache = args.cache.open(config.as_ref());
    options.cache = cache.clone().map(|cache| cache as Arc<dyn Cache>);
    options.reuse_reports = args.is_plain();
    let nearby = nearby_database(args);
    let database = args.compile.database.clone().or(nearby.clone());
    let models = options.models.clone();
    let compile = Compile { database, models, ..args.compile.clone() };
    let clang = Clang::new(&compile, options.cache.clone(), &args.paths)?;
    let listed = match (&args.paths[..], &compile.database) {
        ([], Some(_)) => clang.files(&options.working),
        ([], None) => vec![PathBuf::from(".")],
        _ => Vec::new(),
    };
    let paths = args.paths.iter().chain(&listed).cloned().collect();
    Ok(Prepared { options, clang, cache, nearby, paths })
}

/// The compilation database that is used if neither it nor any file is named, if there is one.
fn nearby_database(args: &Check) -> Option<PathBuf> {
    let is_asked = args.compile.database.is_none() && args.paths.is_empty();
    let candidates = ["compile_commands.json", "build/compile_commands.json"].map(PathBuf::from);
    candidates.into_iter().find(|path| is_asked && path.is_file())
}

fn found_database(path: &Path) -> Note {
    let message = format!(
        "checking the files of {}; to check all files below this directory: indict check .",
        path.display()
    );
    Note { severity: Severity::Note, message, place: None }
}

/// The configuration that was named, or else the nearest; and the defaults, with property files and the
/// configuration over them.
///
/// # Errors
/// If the configuration or a file that it names cannot be read or has faults.
pub(crate) fn configured(
    named: Option<&Path>,
    properties: &[PathBuf],
) -> Result<(Option<Config>, Options), Failure> {
    let working = std::env::current_dir()
        .map_err(|error| Failure(format!("the working directory cannot be found: {error}")))?;
    let mut options = Options { working, ..Options::default() };
    read_properties(properties, &mut options)?;
    let config = config(named, &mut options)?;
    if let Some(config) = &config {
        let working = options.working.clone();
        config.apply(&working, &mut options);
    }
    Ok((config, options))
}

fn config(named: Option<&Path>, options: &mut Options) -> Result<Option<Config>, Failure> {
    let found = named.map(Path::to_owned).or_else(|| driver::find(&Disk, &options.working));
    let Some(path) = found else { return Ok(None) };
    let bytes = Disk.read(&path, 1 << 20);
    let bytes =
        bytes.map_err(|error| Failure(format!("cannot read {}: {error}", path.display())))?;
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| Failure(format!("{} is not UTF-8", path.display())))?;
    // Property files that the configuration names declare rules that it may switch.
    let named = Config::parse(&path, &text, &options.registry()).properties();
    read_properties(&named, options)?;
    let config = Config::parse(&path, &text, &options.registry());
    if config.notes.is_empty() {
        return Ok(Some(config));
    }
    let faults = config.notes.iter().map(|note| match &note.place {
        Some(place) => format!("{place}: {}", note.message),
        None => format!("{}: {}", path.display(), note.message),
    });
    Err(Failure(faults.collect::<Vec<_>>().join("\nerror: ")))
}

/// A report in text, for standard output.
pub(crate) fn render_text(outcome: &Outcome) -> Result<Vec<u8>, Failure> {
    let options = report::text::Options {
        color: terminal::has_color(),
        width: terminal::width(),
        ..report::text::Options::default()
    };
    let mut bytes = Vec::new();
    report::text::render(&outcome.report, &outcome.sources, &options, &mut bytes)
        .map_err(failed)?;
    Ok(bytes)
}

pub(crate) fn failed(error: io::Error) -> Failure {
    Failure(format!("the report could not be written: {error}"))
}

//! `indict check`: settings, run, report.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use driver::{Config, Disk, Files, Options, Outcome};
use report::{Note, Severity};

use crate::args::{Check, Compile, Format, Null};
use crate::compile::{Clang, cache_directory};
use crate::dump::Dumps;
use crate::folder::Folder;
use crate::heaps::KEPT;
use crate::lesson::write_pages;
use crate::output::Output;
use crate::progress::Progress;
use crate::replay::replay;
use crate::select::select;
use crate::summaries::read_properties;
use crate::terminal;
use crate::{Ending, Failure, verbose};

/// How many witnesses are told at most where all are asked for.
const MOST: usize = 100;

/// Checks, and writes the report.
pub(crate) fn check(args: &Check) -> Result<Ending, Failure> {
    check_then(args, |_| Ok(()))
}

/// Checks, lets somebody see to what was found, and writes the report.
pub(crate) fn check_then(
    args: &Check,
    see_to: impl FnOnce(&mut Outcome) -> Result<(), Failure>,
) -> Result<Ending, Failure> {
    let start = Instant::now();
    // Pages are written into a directory, everything else into a file.
    let file = args.output.as_deref().filter(|_| args.format != Format::Html);
    let output = Output::new(file)?;
    let dumps = Dumps::new(args.dumps().map_err(Failure)?);
    let (config, mut options) = configured(args.config.as_deref())?;
    args.settings().apply(&mut options);
    options.libraries.splice(0..0, args.libraries.directories.iter().cloned());
    options.limits.others = if args.all { MOST } else { 0 };
    options.rules = select(options.rules, &args.rules);
    options.classes = driver::Classes {
        sources: args.sourcepath.clone(),
        class_files: args.classpath.clone(),
        specifications: args.specs.clone(),
        nullness: args.null.map_or(driver::Nullness::AsSpecified, Null::meaning),
    };
    options.models.clone_from(&args.compile.models);
    options.part = args.asked.part()?;
    read_properties(&args.properties, &mut options)?;
    options.limits.strategy = args.heaps.strategy();
    options.limits.vacuity = args.verbose || args.format == Format::Json;
    let cache = cache_directory().filter(|_| !args.compile.no_cache);
    let folder = cache.map(|cache| Folder::new(&cache.join(KEPT)));
    options.store = folder.clone().map(|folder| folder as _);
    let kept = args.keep.open();
    options.memory = kept.clone().map(|kept| kept as Arc<dyn driver::Recollection>);
    options.may_recall = args.is_plain();
    let nearby = nearby_database(args);
    let database = args.compile.database.clone().or(nearby.clone());
    let compile = Compile { database, ..args.compile.clone() };
    let clang = Clang::new(&compile, &args.paths)?;
    let listed = match (&args.paths[..], &compile.database) {
        ([], Some(_)) => clang.files(&options.working),
        ([], None) => vec![PathBuf::from(".")],
        _ => Vec::new(),
    };

    let paths: Vec<&Path> = args.paths.iter().chain(&listed).map(|path| &**path).collect();
    let progress = Progress::new(&dumps);
    let mut outcome = driver::run(&paths, &Disk, &clang, &options, &progress);
    progress.finish();
    let notes = config.as_ref().map(|config| config.notes.clone()).unwrap_or_default();
    let kept = kept.iter().flat_map(|kept| kept.notes());
    let kept = kept.chain(folder.iter().flat_map(|folder| folder.notes()));
    let found = nearby.iter().map(|path| found_database(path));
    let notes = notes.into_iter().chain(found).chain(clang.notes()).chain(kept);
    add_notes(&mut outcome, notes.collect(), config);
    see_to(&mut outcome)?;
    replay(&mut outcome, args, &clang, &options.properties)?;
    outcome.report.summary.duration = Some(start.elapsed());

    match args.format {
        Format::Html => write_pages(&outcome, &options.libraries, args.output.as_deref())?,
        Format::Text | Format::Json | Format::Sarif | Format::Csv => {
            output.write(&render(&outcome, &options.libraries, args)?)?;
        }
    }
    dumps.finish()?;
    Ok(Ending::of(&outcome.report))
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

/// The configuration that was named, or else the nearest; and the defaults with it over them.
pub(crate) fn configured(named: Option<&Path>) -> Result<(Option<Config>, Options), Failure> {
    let working = std::env::current_dir()
        .map_err(|error| Failure(format!("the working directory cannot be found: {error}")))?;
    let config = config(named, &working)?;
    let mut options = Options { working, ..Options::default() };
    if let Some(config) = &config {
        let working = options.working.clone();
        config.apply(&working, &mut options);
    }
    Ok((config, options))
}

fn config(named: Option<&Path>, working: &Path) -> Result<Option<Config>, Failure> {
    let found = named.map(Path::to_owned).or_else(|| driver::find(&Disk, working));
    let Some(path) = found else { return Ok(None) };
    let bytes = Disk.read(&path, 1 << 20);
    let bytes =
        bytes.map_err(|error| Failure(format!("cannot read {}: {error}", path.display())))?;
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| Failure(format!("{} is not UTF-8", path.display())))?;
    Ok(Some(Config::parse(&path, &text)))
}

/// What is wrong with the configuration, and what clang has to say, is part of the report.
pub(crate) fn add_notes(outcome: &mut Outcome, notes: Vec<Note>, config: Option<Config>) {
    outcome.report.notes.splice(0..0, notes);
    if let Some(config) = config {
        outcome.sources.insert(config.path, config.text);
    }
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

fn failed(error: io::Error) -> Failure {
    Failure(format!("the report could not be written: {error}"))
}

fn render(outcome: &Outcome, libraries: &[PathBuf], args: &Check) -> Result<Vec<u8>, Failure> {
    let Outcome { report, sources, .. } = outcome;
    let mut bytes = Vec::new();
    let rendered = match args.format {
        Format::Json => report::json::render(report, &driver::tool(), sources, &mut bytes),
        Format::Sarif => report::sarif::render(report, &driver::tool(), sources, &mut bytes),
        Format::Csv => {
            let text = report::lesson::csv(&driver::lessons(outcome, &Disk, libraries));
            bytes = text.into_bytes();
            Ok(())
        }
        Format::Text | Format::Html => {
            let is_to_file = args.output.is_some();
            let options = report::text::Options {
                color: !args.no_color && !is_to_file && terminal::has_color(),
                width: if is_to_file { terminal::WIDTH } else { terminal::width() },
                verdicts: args.verbose,
                ..report::text::Options::default()
            };
            let rendered = report::text::render(report, sources, &options, &mut bytes);
            if args.verbose || args.timings {
                // The last line stays the last.
                let end = bytes.len().saturating_sub(1);
                let last =
                    bytes[..end].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
                bytes.splice(last..last, verbose::lists(outcome, args.verbose).into_bytes());
            }
            rendered
        }
    };
    rendered.map_err(failed)?;
    Ok(bytes)
}

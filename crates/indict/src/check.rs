//! `indict check`: settings, run, report.

use std::path::Path;
use std::time::Instant;

use driver::{Config, Disk, Files, Options, Outcome};
use report::Note;

use crate::args::{Check, Format};
use crate::dump::Dumps;
use crate::output::Output;
use crate::progress::Progress;
use crate::select::select;
use crate::terminal;
use crate::{Ending, Failure, verbose};

/// Checks, and writes the report.
pub(crate) fn check(args: &Check) -> Result<Ending, Failure> {
    let start = Instant::now();
    let output = Output::new(args.output.as_deref())?;
    let dumps = Dumps::new(args.dumps().map_err(Failure)?);
    let working = std::env::current_dir()
        .map_err(|error| Failure(format!("the working directory cannot be found: {error}")))?;
    let config = config(args, &working)?;
    let (options, notes) = options(args, config.as_ref(), &working);

    let paths: Vec<&Path> = args.paths.iter().map(|path| &**path).collect();
    let progress = Progress::new(&dumps);
    let mut outcome = driver::run(&paths, &Disk, &options, &progress);
    progress.finish();
    add_notes(&mut outcome, notes, config);
    outcome.report.summary.duration = Some(start.elapsed());

    output.write(&render(&outcome, args)?)?;
    dumps.finish()?;
    Ok(if !outcome.report.findings.is_empty() {
        Ending::Findings
    } else if outcome.report.is_incomplete() {
        Ending::Failure
    } else {
        Ending::Clean
    })
}

/// The configuration that was named, or else the nearest.
fn config(args: &Check, working: &Path) -> Result<Option<Config>, Failure> {
    let Some(path) = args.config.clone().or_else(|| driver::find(&Disk, working)) else {
        return Ok(None);
    };
    let bytes = Disk.read(&path, 1 << 20);
    let bytes =
        bytes.map_err(|error| Failure(format!("cannot read {}: {error}", path.display())))?;
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| Failure(format!("{} is not UTF-8", path.display())))?;
    Ok(Some(Config::parse(&path, &text)))
}

/// The defaults, the configuration over them, the flags over both.
fn options(args: &Check, config: Option<&Config>, working: &Path) -> (Options, Vec<Note>) {
    let mut options = Options::default();
    if let Some(config) = config {
        config.apply(working, &mut options);
    }
    args.settings().apply(&mut options);
    options.rules = select(options.rules, &args.rules);
    (options, config.map(|config| config.notes.clone()).unwrap_or_default())
}

/// What is wrong with the configuration is part of the report.
fn add_notes(outcome: &mut Outcome, notes: Vec<Note>, config: Option<Config>) {
    outcome.report.notes.splice(0..0, notes);
    if let Some(config) = config {
        outcome.sources.insert(config.path, config.text);
    }
}

fn render(outcome: &Outcome, args: &Check) -> Result<Vec<u8>, Failure> {
    let Outcome { report, sources, .. } = outcome;
    let mut bytes = Vec::new();
    let rendered = match args.format {
        Format::Json => report::json::render(report, &driver::tool(), sources, &mut bytes),
        Format::Sarif => report::sarif::render(report, &driver::tool(), sources, &mut bytes),
        Format::Text => {
            let is_to_file = args.output.is_some();
            let options = report::text::Options {
                color: !args.no_color && !is_to_file && terminal::has_color(),
                width: if is_to_file { terminal::WIDTH } else { terminal::width() },
                verdicts: args.verbose,
                ..report::text::Options::default()
            };
            let rendered = report::text::render(report, sources, &options, &mut bytes);
            if args.verbose {
                // The last line stays the last.
                let end = bytes.len().saturating_sub(1);
                let last =
                    bytes[..end].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
                bytes.splice(last..last, verbose::lists(outcome).into_bytes());
            }
            rendered
        }
    };
    rendered.map_err(|error| Failure(format!("the report could not be written: {error}")))?;
    Ok(bytes)
}

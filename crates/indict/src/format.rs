//! The formats of a report, and which renderer writes each.

use clap::ValueEnum;
use driver::{Disk, Options, Outcome};
use report::Tool;

use crate::args::Check;
use crate::check::failed;
use crate::{Failure, terminal, verbose};

/// The format of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// Plain text with source excerpts
    Text,
    /// JSON; docs/json.md describes it
    Json,
    /// SARIF 2.1.0, for code scanning services and editors
    Sarif,
    /// Comma-separated values: one line per obligation of RESOLVE procedures
    Csv,
    /// A page per finding and per RESOLVE file, in the directory of --output [default: pages]
    Html,
}

impl Format {
    /// Whether a report is a directory of files.
    pub(crate) fn is_directory(self) -> bool {
        self == Format::Html
    }

    /// Whether a report has all that is known of each procedure.
    pub(crate) fn has_verdicts(self) -> bool {
        self == Format::Json
    }
}

/// The bytes of a report that is one file.
pub(crate) fn render(
    outcome: &Outcome,
    options: &Options,
    args: &Check,
) -> Result<Vec<u8>, Failure> {
    let Outcome { report, sources, .. } = outcome;
    let root = options.working.to_str().map(str::to_owned);
    let tool = Tool { root, ..options.registry().tool() };
    let mut bytes = Vec::new();
    let rendered = match args.format {
        Format::Json => report::json::render(report, &tool, sources, &mut bytes),
        Format::Sarif => report::sarif::render(report, &tool, sources, &mut bytes),
        Format::Csv => {
            let text =
                report::tables::csv(&driver::checked_tables(outcome, &Disk, &options.libraries));
            bytes = text.into_bytes();
            Ok(())
        }
        Format::Text | Format::Html => {
            let is_to_file = args.output.is_some();
            let options = report::text::Options {
                color: !args.no_color && !is_to_file && terminal::has_color(),
                width: if is_to_file { terminal::WIDTH } else { terminal::width() },
                verdicts: args.verbose,
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

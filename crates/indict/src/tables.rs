//! `indict table`, `indict hypotheses`, and the pages of `indict check --format html`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use driver::{Disk, Outcome, escape, table_html, table_markdown, table_text};

use crate::args::{Hypotheses, Libraries, Table, View};
use crate::check::configured;
use crate::output::print;
use crate::{Ending, Failure};

/// The default directory of pages.
const PAGES: &str = "pages";

/// The directories in which modules are looked for: those that are named, then those of the configuration.
pub(crate) fn shelves(named: &Libraries) -> Result<Vec<PathBuf>, Failure> {
    let (_, options) = configured(None, &[])?;
    Ok(named.directories.iter().cloned().chain(options.libraries).collect())
}

/// Shows reasoning tables.
pub(crate) fn table(asked: &Table) -> Result<Ending, Failure> {
    let (operation, libraries) = (asked.operation.as_deref(), shelves(&asked.libraries)?);
    let tables = driver::tables(&asked.file, operation, &Disk, &libraries)
        .map_err(|why| Failure(why.to_string()))?;
    let mut text = String::new();
    for table in &tables {
        let name = &table.name;
        text.push_str(&match asked.format {
            View::Text => format!("{name}\n{}\n", table_text(table)),
            View::Markdown => format!("## {name}\n\n{}\n", table_markdown(table)),
            View::Html => format!("<h2>{}</h2>\n{}", escape(name), table_html(table)),
        });
    }
    print(text.as_bytes())?;
    Ok(Ending::Clean)
}

/// Shows error hypotheses.
pub(crate) fn hypotheses(asked: &Hypotheses) -> Result<Ending, Failure> {
    let (operation, libraries) = (asked.operation.as_deref(), shelves(&asked.libraries)?);
    let tables = driver::tables(&asked.file, operation, &Disk, &libraries)
        .map_err(|why| Failure(why.to_string()))?;
    let mut text = String::new();
    for table in &tables {
        let all = driver::hypotheses(table);
        let count = match all.len() {
            1 => "1 error hypothesis".to_owned(),
            count => format!("{count} error hypotheses"),
        };
        let _ = writeln!(text, "{}: {count}\n", table.name);
        for hypothesis in all {
            let _ = writeln!(text, "{}", hypothesis.text());
        }
    }
    print(text.as_bytes())?;
    Ok(Ending::Clean)
}

/// Writes the pages of a run into a directory, and lists them.
pub(crate) fn write_pages(
    outcome: &Outcome,
    libraries: &[PathBuf],
    directory: Option<&Path>,
) -> Result<(), Failure> {
    let directory = directory.unwrap_or(Path::new(PAGES));
    let failed = |error: std::io::Error| {
        Failure(format!("cannot write to {}: {error}", directory.display()))
    };
    fs::create_dir_all(directory).map_err(failed)?;
    let mut listed = String::new();
    let tables = driver::checked_tables(outcome, &Disk, libraries);
    for page in report::pages::render(&tables, &outcome.report.findings, &outcome.sources) {
        let path = directory.join(&page.name);
        fs::write(&path, page.html).map_err(failed)?;
        listed.push_str(&format!("{}\n", path.display()));
    }
    print(listed.as_bytes())
}

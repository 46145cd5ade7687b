//! Reasoning tables, error hypotheses and readable formulas of a file.

use std::fmt;
use std::path::{Path, PathBuf};

use resolve::{BooleanHypothesis, Hypothesis, Table, TableReport};

use crate::compiler::NoCompiler;
use crate::contain::contain;
use crate::files::{Files, Kind, shown};
use crate::gather::unreadable;
use crate::language::{Lower, of_path};
use crate::nearest::suggestion;
use crate::options::NO_CLASSES;
use crate::search_path::SearchPath;
use crate::source::{World, read};

/// Why there are no tables: a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoTables(pub String);

impl fmt::Display for NoTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoTables {}

/// Reads a file that has tables.
pub(crate) fn open(
    path: &Path,
    files: &dyn Files,
    libraries: &[PathBuf],
) -> Result<TableReport, NoTables> {
    let kind = files.kind(path).map_err(|error| NoTables(unreadable(path, &error)))?;
    let name = shown(path);
    let lower = match of_path(path).map(|language| language.lower) {
        Some(Lower::Linked(lower)) if kind == Kind::File => lower,
        _ => {
            return Err(NoTables(format!(
                "`{name}` is no file of RESOLVE, which tables are made of"
            )));
        }
    };
    let text = read(path, files).map_err(|note| NoTables(note.message))?;
    if !resolve::is_resolve(&text) {
        return Err(NoTables(format!("`{name}` is not RESOLVE")));
    }
    let world = World {
        files,
        libraries,
        classes: &NO_CLASSES,
        models: &[],
        compiler: &NoCompiler,
        unset: false,
        working: Path::new(""),
    };
    let search_path = SearchPath::new(path, world);
    let lowered = contain(|| lower(&name, &text, &search_path));
    lowered.map_err(|panic| {
        NoTables(format!("{panic}; this is a bug of Indict, please report it with the file"))
    })
}

/// The requested tables, or the first error of the text.
fn chosen<'l>(
    report: &'l TableReport,
    path: &Path,
    operation: Option<&str>,
) -> Result<Vec<&'l Table>, NoTables> {
    let name = shown(path);
    let errors = report.diagnostics.iter().filter(|one| one.severity == ir::Severity::Error);
    if let Some(first) = errors.into_iter().next() {
        let text = report.texts.get(first.span.file.0 as usize);
        let (line, column) =
            text.map_or((1, 1), |text| ir::line_and_column(&text.text, first.span.start));
        let file = text.map_or(name.as_str(), |text| text.path.as_str());
        return Err(NoTables(format!("{file}:{line}:{column}: {first}")));
    }
    let Some(operation) = operation else {
        return match report.tables.is_empty() {
            true => Err(NoTables(format!("there is no procedure in `{name}`"))),
            false => Ok(report.tables.iter().collect()),
        };
    };
    let found: Vec<&Table> = report.tables.iter().filter(|table| table.name == operation).collect();
    if found.is_empty() {
        let meant = suggestion(operation, report.tables.iter().map(|table| table.name.as_str()));
        return Err(NoTables(format!("there is no procedure `{operation}` in `{name}`{meant}")));
    }
    Ok(found)
}

/// The reasoning tables of a file, or of one of its operations.
///
/// # Errors
/// If there are none, or if the file is faulty.
pub fn tables(
    path: &Path,
    operation: Option<&str>,
    files: &dyn Files,
    libraries: &[PathBuf],
) -> Result<Vec<Table>, NoTables> {
    let report = open(path, files, libraries)?;
    Ok(chosen(&report, path, operation)?.into_iter().cloned().collect())
}

/// The error hypotheses of an operation with their Boolean formulas within a scope: all of them, or that of one
/// state.
///
/// # Errors
/// If there are none, if the file is faulty, or if the formulas cannot express something.
pub fn readable(
    path: &Path,
    operation: &str,
    files: &dyn Files,
    libraries: &[PathBuf],
    scope: resolve::Scope,
    state: Option<&str>,
) -> Result<Vec<(Hypothesis, BooleanHypothesis)>, NoTables> {
    let mut all = Vec::new();
    for table in tables(path, Some(operation), files, libraries)? {
        for hypothesis in resolve::hypotheses(&table) {
            if state.is_some_and(|state| state != hypothesis.state.to_string()) {
                continue;
            }
            let formula = resolve::formula(&hypothesis, scope).map_err(NoTables)?;
            all.push((hypothesis, formula));
        }
    }
    match (all.is_empty(), state) {
        (false, _) => Ok(all),
        (true, Some(state)) => {
            Err(NoTables(format!("nothing has to be confirmed in state {state}")))
        }
        (true, None) => Err(NoTables(format!("nothing has to be confirmed in `{operation}`"))),
    }
}

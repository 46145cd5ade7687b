//! One line for each obligation of every procedure, for grading a folder of submissions: what is owed,
//! where, and whether it holds as far as was looked. Before them comes one for each error of a file.

use std::path::PathBuf;

use report::{Finding, Note, Procedure, Severity, Verdict};
use resolve::{Row, Table};

use crate::files::Files;
use crate::lesson::open;
use crate::run::Outcome;

/// The columns.
const HEAD: &str = "file,operation,state,obligation,condition,verdict,scope,witness\r\n";

/// An obligation of a table, and what became of it.
pub(crate) struct Mark<'m> {
    pub(crate) row: &'m Row,
    pub(crate) owed: &'m resolve::Obligation,
    pub(crate) verdict: String,
    pub(crate) finding: Option<&'m Finding>,
}

/// What became of the obligations of a table.
pub(crate) fn marks<'m>(table: &'m Table, path: &str, outcome: &'m Outcome) -> Vec<Mark<'m>> {
    let judged = procedure(table, path, outcome);
    let own = |finding: &&Finding| {
        finding.place.path == path && finding.function.as_deref() == Some(table.name.as_str())
    };
    let findings: Vec<&Finding> = outcome.report.findings.iter().filter(own).collect();
    let owed = table.rows.iter().flat_map(|row| row.confirm.iter().map(move |owed| (row, owed)));
    let messages: Vec<String> = owed.map(|(row, owed)| resolve::message(row, owed)).collect();
    // What is found that is owed nowhere is that no input satisfies the preconditions, so that nothing comes to pass at all.
    let vain = findings.iter().find(|finding| !messages.contains(&finding.message));
    let mut marks = Vec::new();
    for row in &table.rows {
        let mut has_failed = false;
        for owed in &row.confirm {
            let message = resolve::message(row, owed);
            let finding = findings.iter().copied().find(|finding| finding.message == message);
            let verdict = match (finding, judged.map(|one| &one.verdict)) {
                (Some(_), _) => "fails".to_owned(),
                (None, _) if vain.is_some() => {
                    vain.map(|finding| finding.message.clone()).unwrap_or_default()
                }
                // The conjuncts of a cell are looked at one after the other.
                (None, _) if has_failed => "behind a failure".to_owned(),
                (None, Some(Verdict::Findings | Verdict::NoneWithinBounds)) => "holds".to_owned(),
                (None, Some(other)) => other.to_string(),
                (None, None) => "not examined".to_owned(),
            };
            has_failed |= finding.is_some();
            marks.push(Mark { row, owed, verdict, finding });
        }
    }
    marks
}

/// The verdict on the procedure that a table is of.
pub(crate) fn procedure<'m>(
    table: &Table,
    path: &str,
    outcome: &'m Outcome,
) -> Option<&'m Procedure> {
    outcome.report.procedures.iter().find(|one| {
        one.name == table.name && one.place.as_ref().is_some_and(|place| place.path == path)
    })
}

/// The obligations of all files of a run that have tables, as comma-separated values.
pub fn csv(outcome: &Outcome, files: &dyn Files, libraries: &[PathBuf]) -> String {
    let mut out = HEAD.to_owned();
    for path in outcome.sources.keys() {
        let Ok(lesson) = open(path.as_ref(), files, libraries) else { continue };
        let is_error = |note: &&Note| note.severity == Severity::Error;
        for note in notes(path, outcome).filter(is_error) {
            let line = note.place.as_ref().map_or(0, |place| place.start.line);
            let verdict = format!("error in line {line}: {}", note.message);
            push([path, "", "", "", "", &verdict, "", ""], &mut out);
        }
        // Sources are also what was only referred to.
        let is_meant = outcome
            .report
            .procedures
            .iter()
            .any(|one| one.place.as_ref().is_some_and(|place| place.path == *path));
        for table in lesson.tables.iter().filter(|_| is_meant) {
            let bounds = procedure(table, path, outcome).map(|one| one.bounds.to_string());
            for mark in marks(table, path, outcome) {
                let cells = [
                    path,
                    &table.name,
                    &mark.row.state.to_string(),
                    &mark.owed.source,
                    &mark.owed.term.to_string(),
                    &mark.verdict,
                    bounds.as_deref().unwrap_or_default(),
                    &mark.finding.map(witness).unwrap_or_default(),
                ];
                push(cells, &mut out);
            }
        }
    }
    out
}

/// What there is to say about the text of a file.
pub(crate) fn notes<'o>(path: &str, outcome: &'o Outcome) -> impl Iterator<Item = &'o Note> {
    let is_here = move |note: &&Note| note.place.as_ref().is_some_and(|place| place.path == path);
    outcome.report.notes.iter().filter(is_here)
}

fn push(cells: [&str; 8], out: &mut String) {
    let quoted: Vec<String> = cells.iter().map(|cell| quote(cell)).collect();
    out.push_str(&format!("{}\r\n", quoted.join(",")));
}

/// The values of a witness, in the order of its states.
fn witness(finding: &Finding) -> String {
    let values = finding.trace.iter().take_while(|step| !step.kind.is_failure());
    let values = values.flat_map(|step| &step.values);
    let all: Vec<String> = values.map(|one| format!("{} = {}", one.name, one.value)).collect();
    all.join("; ")
}

fn quote(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

//! Results of the obligations of reasoning tables, as data that `report` renders.

use std::path::PathBuf;

use report::tables::{
    CheckedTables, ErrorHypothesis, ObligationStatus, TableObligation, TableOperation,
    TableVariable,
};
use report::{Finding, Note, Procedure, Verdict};
use resolve::Table;

use crate::files::Files;
use crate::run::Outcome;
use crate::tables::open;

/// The files of a run that have tables, including those that were only referred to.
pub fn checked_tables(
    outcome: &Outcome,
    files: &dyn Files,
    libraries: &[PathBuf],
) -> Vec<CheckedTables> {
    let mut checked = Vec::new();
    for path in outcome.sources.keys() {
        let Ok(read) = open(path.as_ref(), files, libraries) else { continue };
        let is_here = |place: &report::Place| place.path == *path;
        let mut procedures = outcome.report.procedures.iter();
        let is_of_this = |note: &&Note| note.place.as_ref().is_some_and(is_here);
        checked.push(CheckedTables {
            path: path.clone(),
            notes: outcome.report.notes.iter().filter(is_of_this).cloned().collect(),
            is_examined: procedures.any(|one| one.place.as_ref().is_some_and(is_here)),
            operations: read.tables.iter().map(|table| operation(table, path, outcome)).collect(),
        });
    }
    checked
}

fn operation(table: &Table, path: &str, outcome: &Outcome) -> TableOperation {
    let judged = procedure(table, path, outcome);
    let mut states: Vec<u32> = table.rows.iter().map(|row| row.state.number).collect();
    states.dedup();
    let variables = table.names().into_iter().map(|name| {
        let in_states = states.iter().map(|state| resolve::in_state(&name, *state)).collect();
        TableVariable { name, in_states }
    });
    let hypotheses = resolve::hypotheses(table).into_iter().map(|hypothesis| ErrorHypothesis {
        state: hypothesis.state.to_string(),
        text: hypothesis.text(),
        sources: hypothesis.sources,
    });
    TableOperation {
        name: table.name.clone(),
        verdict: judged.map(|one| (one.verdict.clone(), one.bounds.clone())),
        table: resolve::html(table),
        obligations: obligations(table, path, outcome, judged),
        hypotheses: hypotheses.collect(),
        variables: variables.collect(),
        states,
    }
}

/// The results of the obligations of a table.
fn obligations(
    table: &Table,
    path: &str,
    outcome: &Outcome,
    judged: Option<&Procedure>,
) -> Vec<TableObligation> {
    let own = |finding: &&Finding| {
        finding.place.path == path && finding.function.as_deref() == Some(table.name.as_str())
    };
    let findings: Vec<&Finding> = outcome.report.findings.iter().filter(own).collect();
    // A finding about no obligation says that no input satisfies the preconditions: then nothing is checked.
    let contradiction = findings.iter().find(|finding| finding.obligation.is_none());
    let mut obligations = Vec::new();
    for row in &table.rows {
        let mut has_failed = false;
        for owed in &row.confirm {
            let point = owed.point.map(|point| point.0);
            let is_about = |finding: &&&Finding| point.is_some() && finding.obligation == point;
            let finding = findings.iter().find(is_about).copied();
            let status = match (finding, contradiction, judged.map(|one| &one.verdict)) {
                (Some(finding), _, _) => ObligationStatus::Fails(Box::new(finding.clone())),
                (None, Some(contradiction), _) => {
                    ObligationStatus::Unknown(contradiction.message.clone())
                }
                // The conjuncts of a cell are checked one after the other.
                (None, None, _) if has_failed => {
                    ObligationStatus::Unknown("behind a failure".to_owned())
                }
                (None, None, Some(Verdict::Findings | Verdict::NoneWithinBounds)) => {
                    ObligationStatus::Holds
                }
                (None, None, Some(other)) => ObligationStatus::Unknown(other.to_string()),
                (None, None, None) => ObligationStatus::Unknown("not examined".to_owned()),
            };
            has_failed |= finding.is_some();
            obligations.push(TableObligation {
                state: row.state.to_string(),
                source: owed.source.clone(),
                condition: owed.term.to_string(),
                status,
            });
        }
    }
    obligations
}

/// The verdict on the procedure of a table.
fn procedure<'m>(table: &Table, path: &str, outcome: &'m Outcome) -> Option<&'m Procedure> {
    outcome.report.procedures.iter().find(|one| {
        one.name == table.name && one.place.as_ref().is_some_and(|place| place.path == path)
    })
}

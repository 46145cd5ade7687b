//! What became of the obligations of tables: the lessons of a run, as data that `report` draws.

use std::path::PathBuf;

use report::lesson::{Fate, Hypothesis, Lesson, Mark, Operation, Variable};
use report::{Finding, Note, Procedure, Verdict};
use resolve::Table;

use crate::files::Files;
use crate::lesson::open;
use crate::run::Outcome;

/// The files of a run that have tables, those among them that were only referred to.
pub fn lessons(outcome: &Outcome, files: &dyn Files, libraries: &[PathBuf]) -> Vec<Lesson> {
    let mut lessons = Vec::new();
    for path in outcome.sources.keys() {
        let Ok(lesson) = open(path.as_ref(), files, libraries) else { continue };
        let is_here = |place: &report::Place| place.path == *path;
        let mut procedures = outcome.report.procedures.iter();
        let is_of_this = |note: &&Note| note.place.as_ref().is_some_and(is_here);
        lessons.push(Lesson {
            path: path.clone(),
            notes: outcome.report.notes.iter().filter(is_of_this).cloned().collect(),
            is_examined: procedures.any(|one| one.place.as_ref().is_some_and(is_here)),
            operations: lesson.tables.iter().map(|table| operation(table, path, outcome)).collect(),
        });
    }
    lessons
}

fn operation(table: &Table, path: &str, outcome: &Outcome) -> Operation {
    let judged = procedure(table, path, outcome);
    let mut states: Vec<u32> = table.rows.iter().map(|row| row.state.number).collect();
    states.dedup();
    let variables = table.names().into_iter().map(|name| {
        let in_states = states.iter().map(|state| resolve::in_state(&name, *state)).collect();
        Variable { name, in_states }
    });
    let hypotheses = resolve::hypotheses(table).into_iter().map(|hypothesis| Hypothesis {
        state: hypothesis.state.to_string(),
        text: hypothesis.text(),
        sources: hypothesis.sources,
    });
    Operation {
        name: table.name.clone(),
        verdict: judged.map(|one| (one.verdict.clone(), one.bounds.clone())),
        table: resolve::html(table),
        marks: marks(table, path, outcome, judged),
        hypotheses: hypotheses.collect(),
        variables: variables.collect(),
        states,
    }
}

/// What became of the obligations of a table.
fn marks(table: &Table, path: &str, outcome: &Outcome, judged: Option<&Procedure>) -> Vec<Mark> {
    let own = |finding: &&Finding| {
        finding.place.path == path && finding.function.as_deref() == Some(table.name.as_str())
    };
    let findings: Vec<&Finding> = outcome.report.findings.iter().filter(own).collect();
    // A finding about no obligation says that no input satisfies the preconditions: then nothing is checked.
    let contradiction = findings.iter().find(|finding| finding.obligation.is_none());
    let mut marks = Vec::new();
    for row in &table.rows {
        let mut has_failed = false;
        for owed in &row.confirm {
            let point = owed.point.map(|point| point.0);
            let is_about = |finding: &&&Finding| point.is_some() && finding.obligation == point;
            let finding = findings.iter().find(is_about).copied();
            let fate = match (finding, contradiction, judged.map(|one| &one.verdict)) {
                (Some(finding), _, _) => Fate::Fails(Box::new(finding.clone())),
                (None, Some(contradiction), _) => Fate::Open(contradiction.message.clone()),
                // The conjuncts of a cell are looked at one after the other.
                (None, None, _) if has_failed => Fate::Open("behind a failure".to_owned()),
                (None, None, Some(Verdict::Findings | Verdict::NoneWithinBounds)) => Fate::Holds,
                (None, None, Some(other)) => Fate::Open(other.to_string()),
                (None, None, None) => Fate::Open("not examined".to_owned()),
            };
            has_failed |= finding.is_some();
            marks.push(Mark {
                state: row.state.to_string(),
                source: owed.source.clone(),
                condition: owed.term.to_string(),
                fate,
            });
        }
    }
    marks
}

/// The verdict on the procedure that a table is of.
fn procedure<'m>(table: &Table, path: &str, outcome: &'m Outcome) -> Option<&'m Procedure> {
    outcome.report.procedures.iter().find(|one| {
        one.name == table.name && one.place.as_ref().is_some_and(|place| place.path == path)
    })
}

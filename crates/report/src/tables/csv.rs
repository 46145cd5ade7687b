//! One line for each obligation of every procedure, for grading a folder of submissions: the condition, its state,
//! and whether it holds within the bounds. Before them comes one line for each error of a file.

use super::CheckedTables;
use crate::{Finding, Severity};

/// The columns.
const HEAD: &str = "file,operation,state,obligation,condition,verdict,scope,witness\r\n";

/// The obligations of all files, as comma-separated values.
pub fn csv(files: &[CheckedTables]) -> String {
    let mut out = HEAD.to_owned();
    for CheckedTables { path, notes, is_examined, operations } in files {
        for note in notes.iter().filter(|note| note.severity == Severity::Error) {
            let line = note.place.as_ref().map_or(0, |place| place.start.line);
            let verdict = format!("error in line {line}: {}", note.message);
            push([path, "", "", "", "", &verdict, "", ""], &mut out);
        }
        for operation in operations.iter().filter(|_| *is_examined) {
            let bounds = operation.verdict.as_ref().map(|(_, bounds)| bounds.to_string());
            for obligation in &operation.obligations {
                let cells = [
                    path,
                    &operation.name,
                    &obligation.state,
                    &obligation.source,
                    &obligation.condition,
                    obligation.verdict(),
                    bounds.as_deref().unwrap_or_default(),
                    &obligation.finding().map(witness).unwrap_or_default(),
                ];
                push(cells, &mut out);
            }
        }
    }
    out
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

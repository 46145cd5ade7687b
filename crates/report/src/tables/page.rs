//! A file as a page of HTML that needs nothing else: the tables, the error hypotheses, and witnesses with the states
//! side by side.

use std::fmt::Write;

use super::{CheckedTables, ObligationStatus, TableObligation, TableOperation, TableVariable};
use crate::page::escape;
use crate::{Finding, Severity, Verdict};

const STYLE: &str = "\
body { font: 16px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin-top: 1.5rem; }
table { border-collapse: collapse; width: 100%; } th, td { border: 1px solid #c8ccd1; padding: .3rem .55rem; text-align: left; vertical-align: top; }
th { background: #f3f4f6; } td { font-family: ui-monospace, monospace; font-size: .88rem; }
tr.statement td { background: #fafbfc; border-left: none; border-right: none; }
.holds { color: #14632e; } .fails { color: #a31515; font-weight: 600; } .open { color: #7a5600; }
pre { background: #f6f8fa; padding: .7rem; overflow-x: auto; font-size: .88rem; }
.witness td.changed { background: #fff4d6; } .summary { margin: .3rem 0 1rem; }
";

/// The page of a file.
pub fn page(file: &CheckedTables) -> String {
    let title = escape(&file.path);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    for note in &file.notes {
        let (class, word) = match note.severity {
            Severity::Error => ("fails", "Error"),
            Severity::Warning | Severity::Note => ("open", "Note"),
        };
        let line = note.place.as_ref().map_or(0, |place| place.start.line);
        let message = escape(&note.message);
        let _ = writeln!(
            out,
            "<p><span class=\"{class}\">{word}</span> in line {line}: {message}.</p>"
        );
    }
    for one in &file.operations {
        operation(one, &mut out);
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn operation(operation: &TableOperation, out: &mut String) {
    let _ = writeln!(out, "<h2>{}</h2>", escape(&operation.name));
    let obligations = &operation.obligations;
    if let Some((verdict, bounds)) = &operation.verdict {
        let (class, verdict) = match verdict {
            Verdict::Findings
                if obligations.iter().all(|obligation| obligation.finding().is_none()) =>
            {
                (
                    "fails",
                    obligations
                        .first()
                        .map_or(String::new(), |obligation| obligation.verdict().to_owned()),
                )
            }
            Verdict::Findings => ("fails", "An obligation fails".to_owned()),
            Verdict::NoneWithinBounds => ("holds", "No obligation fails".to_owned()),
            other @ (Verdict::Unknown(_) | Verdict::Skipped(_)) => ("open", other.to_string()),
        };
        let bounds = escape(&bounds.to_string());
        let _ = writeln!(
            out,
            "<p class=\"summary\"><span class=\"{class}\">{}</span> within {bounds}.</p>",
            escape(&verdict)
        );
    }
    out.push_str(&operation.table);
    if !obligations.is_empty() {
        out.push_str("<h3>Error hypotheses</h3>\n");
    }
    for hypothesis in &operation.hypotheses {
        let is_of_this = |obligation: &&TableObligation| {
            obligation.state == hypothesis.state
                && !matches!(obligation.status, ObligationStatus::Holds)
        };
        let (class, word) =
            match obligations.iter().find(is_of_this).map(|obligation| &obligation.status) {
                None | Some(ObligationStatus::Holds) => ("holds", "has no witness"),
                Some(ObligationStatus::Fails(_)) => ("fails", "has a witness"),
                Some(ObligationStatus::Unknown(why)) => ("open", why.as_str()),
            };
        let sources = escape(&hypothesis.sources.join(", "));
        let _ = writeln!(
            out,
            "<details><summary>State {}: {sources} — <span class=\"{class}\">{}</span></summary>",
            hypothesis.state,
            escape(word)
        );
        let _ = writeln!(out, "<pre>{}</pre></details>", escape(&hypothesis.text));
    }
    for finding in obligations.iter().filter_map(TableObligation::finding) {
        witness(operation, finding, out);
    }
}

/// A witness: variables in rows, states in columns, and what the sides of the failing condition come to.
fn witness(operation: &TableOperation, finding: &Finding, out: &mut String) {
    let _ = writeln!(out, "<h3 class=\"fails\">{}</h3>", escape(&finding.message));
    let run: Vec<_> = finding.trace.iter().take_while(|step| !step.kind.is_failure()).collect();
    let value = |name: &str| {
        let mut all = run.iter().flat_map(|step| &step.values);
        all.find(|one| one.name == name).map(|one| one.value.as_str())
    };
    let TableOperation { states, variables, .. } = operation;
    let has_values = |column: &usize| {
        variables.iter().any(|variable| value(&variable.in_states[*column]).is_some())
    };
    let columns: Vec<usize> = (0..states.len()).filter(has_values).collect();
    if !columns.is_empty() {
        side_by_side(operation, &columns, &value, out);
    }
    let in_states = |name: &String| {
        let mut shown = variables.iter().flat_map(|variable| in_columns(variable, &columns));
        shown.any(|other| other == name)
    };
    let binding = |one: &&crate::Binding| format!("{} = {}", escape(&one.name), escape(&one.value));
    let constants: Vec<String> = run
        .iter()
        .take(1)
        .flat_map(|step| &step.values)
        .filter(|one| !in_states(&one.name))
        .map(|one| binding(&one))
        .collect();
    if !constants.is_empty() {
        let _ = writeln!(out, "<p>With <code>{}</code>.</p>", constants.join("</code>, <code>"));
    }
    if let Some(last) = run.iter().skip(1).rev().find(|step| !step.values.is_empty()) {
        let sides: Vec<String> = last.values.iter().map(|one| binding(&one)).collect();
        let _ = writeln!(out, "<p>Here <code>{}</code>.</p>", sides.join("</code>, <code>"));
    }
    let behind = finding.trace.iter().skip_while(|step| !step.kind.is_failure()).skip(1);
    for step in behind {
        let values: Vec<String> = step.values.iter().map(|one| binding(&one)).collect();
        let _ = writeln!(out, "<p>{} {}</p>", escape(&step.text), values.join(", "));
    }
}

/// The names of a variable in some of the states.
fn in_columns<'v>(
    variable: &'v TableVariable,
    columns: &[usize],
) -> impl Iterator<Item = &'v String> {
    columns.iter().map(|column| &variable.in_states[*column])
}

/// Variables in rows, states in columns; what a step changes is marked.
fn side_by_side<'v>(
    operation: &TableOperation,
    columns: &[usize],
    value: &dyn Fn(&str) -> Option<&'v str>,
    out: &mut String,
) {
    let states = columns.iter().map(|column| operation.states[*column]);
    let heads: String = states.map(|state| format!("<th>State {state}</th>")).collect();
    let _ = writeln!(
        out,
        "<table class=\"witness\">\n<thead><tr><th></th>{heads}</tr></thead>\n<tbody>"
    );
    for variable in &operation.variables {
        let values: Vec<Option<&str>> =
            in_columns(variable, columns).map(|name| value(name)).collect();
        if values.iter().all(Option::is_none) {
            continue;
        }
        let mut before: Option<&str> = None;
        let mut cells = String::new();
        for value in values {
            let is_changed = value.is_some() && before.is_some() && value != before;
            let class = if is_changed { " class=\"changed\"" } else { "" };
            let _ = write!(cells, "<td{class}>{}</td>", escape(value.unwrap_or("")));
            before = value.or(before);
        }
        let _ = writeln!(out, "<tr><th>{}</th>{cells}</tr>", escape(&variable.name));
    }
    out.push_str("</tbody>\n</table>\n");
}

//! Pages of HTML that need nothing else. Lesson pages: one for each file of a run that has tables, with the
//! tables, the error hypotheses, and witnesses with the states side by side. Of other files there is a page
//! for each finding, which [`report::page`] draws.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use report::{Finding, Severity, Verdict};
use resolve::{Table, escape};

use crate::files::Files;
use crate::lesson::open;
use crate::marks::{marks, notes, procedure};
use crate::run::Outcome;

/// A page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// What its file is called.
    pub name: String,
    /// Its text.
    pub html: String,
}

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

/// The pages of a run: lessons, then findings in files that have no lesson.
pub fn pages(outcome: &Outcome, files: &dyn Files, libraries: &[PathBuf]) -> Vec<Page> {
    let (mut pages, taught) = lessons(outcome, files, libraries);
    for finding in &outcome.report.findings {
        if taught.contains(&finding.place.path) {
            continue;
        }
        let stem = Path::new(&finding.place.path).file_stem().and_then(|stem| stem.to_str());
        let subject = finding.function.as_deref().or(stem).unwrap_or("finding");
        let stem: String = format!("{subject}.{}", finding.rule)
            .chars()
            .map(|c| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' })
            .collect();
        let name = free(&stem, &pages);
        pages.push(Page { name, html: report::page::render(finding, &outcome.sources) });
    }
    pages
}

/// A name for a page that no other has.
fn free(stem: &str, pages: &[Page]) -> String {
    let taken = |name: &str| pages.iter().any(|page| page.name == name);
    let mut name = format!("{stem}.html");
    let mut number = 2;
    while taken(&name) {
        name = format!("{stem}-{number}.html");
        number += 1;
    }
    name
}

/// The lesson pages of a run, and the paths of the files that they are about.
fn lessons(
    outcome: &Outcome,
    files: &dyn Files,
    libraries: &[PathBuf],
) -> (Vec<Page>, Vec<String>) {
    let (mut pages, mut taught) = (Vec::new(), Vec::new());
    for path in outcome.sources.keys() {
        let is_meant = outcome
            .report
            .procedures
            .iter()
            .any(|one| one.place.as_ref().is_some_and(|place| place.path == *path));
        let Ok(lesson) = open(path.as_ref(), files, libraries) else { continue };
        let is_wrong = notes(path, outcome).any(|note| note.severity == Severity::Error);
        if !is_wrong && (!is_meant || lesson.tables.is_empty()) {
            continue;
        }
        let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or("lesson");
        let name = free(stem, &pages);
        let html = page(path, &lesson.tables, outcome);
        pages.push(Page { name, html });
        taught.push(path.clone());
    }
    (pages, taught)
}

fn page(path: &str, tables: &[Table], outcome: &Outcome) -> String {
    let title = escape(path);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    for note in notes(path, outcome) {
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
    for table in tables {
        operation(table, path, outcome, &mut out);
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn operation(table: &Table, path: &str, outcome: &Outcome, out: &mut String) {
    let _ = writeln!(out, "<h2>{}</h2>", escape(&table.name));
    let marks = marks(table, path, outcome);
    if let Some(judged) = procedure(table, path, outcome) {
        let (class, verdict) = match &judged.verdict {
            Verdict::Findings if marks.iter().all(|mark| mark.finding.is_none()) => {
                ("fails", marks.first().map_or(String::new(), |mark| mark.verdict.clone()))
            }
            Verdict::Findings => ("fails", "An obligation fails".to_owned()),
            Verdict::NoneWithinBounds => ("holds", "No obligation fails".to_owned()),
            other @ (Verdict::Unknown(_) | Verdict::Skipped(_)) => ("open", other.to_string()),
        };
        let bounds = escape(&judged.bounds.to_string());
        let _ = writeln!(
            out,
            "<p class=\"summary\"><span class=\"{class}\">{}</span> within {bounds}.</p>",
            escape(&verdict)
        );
    }
    out.push_str(&resolve::html(table));
    if !marks.is_empty() {
        out.push_str("<h3>Error hypotheses</h3>\n");
    }
    for hypothesis in resolve::hypotheses(table) {
        let of_this = || marks.iter().filter(|mark| mark.row.state == hypothesis.state);
        let (class, word) = match of_this().find(|mark| mark.verdict != "holds") {
            None => ("holds", "has no witness".to_owned()),
            Some(mark) if mark.finding.is_some() => ("fails", "has a witness".to_owned()),
            Some(mark) => ("open", mark.verdict.clone()),
        };
        let sources = escape(&hypothesis.sources.join(", "));
        let _ = writeln!(
            out,
            "<details><summary>State {}: {sources} — <span class=\"{class}\">{}</span></summary>",
            hypothesis.state,
            escape(&word)
        );
        let _ = writeln!(out, "<pre>{}</pre></details>", escape(&hypothesis.text()));
    }
    for finding in marks.iter().filter_map(|mark| mark.finding) {
        witness(table, finding, out);
    }
}

/// A witness: variables in rows, states in columns, and what the sides of the failing condition come to.
fn witness(table: &Table, finding: &Finding, out: &mut String) {
    let _ = writeln!(out, "<h3 class=\"fails\">{}</h3>", escape(&finding.message));
    let run: Vec<_> = finding.trace.iter().take_while(|step| !step.kind.is_failure()).collect();
    let value = |name: &str| {
        let mut all = run.iter().flat_map(|step| &step.values);
        all.find(|one| one.name == name).map(|one| one.value.as_str())
    };
    let mut states: Vec<u32> = table.rows.iter().map(|row| row.state.number).collect();
    states.dedup();
    let names = table.names();
    let shown =
        |state: &&u32| names.iter().any(|name| value(&resolve::in_state(name, **state)).is_some());
    let states: Vec<u32> = states.iter().filter(shown).copied().collect();
    if !states.is_empty() {
        side_by_side(&names, &states, &value, out);
    }
    let in_states: Vec<String> = names
        .iter()
        .flat_map(|name| states.iter().map(|state| resolve::in_state(name, *state)))
        .collect();
    let told = |one: &&report::Binding| format!("{} = {}", escape(&one.name), escape(&one.value));
    let constants: Vec<String> = run
        .iter()
        .take(1)
        .flat_map(|step| &step.values)
        .filter(|one| !in_states.contains(&one.name))
        .map(|one| told(&one))
        .collect();
    if !constants.is_empty() {
        let _ = writeln!(out, "<p>With <code>{}</code>.</p>", constants.join("</code>, <code>"));
    }
    if let Some(last) = run.iter().skip(1).rev().find(|step| !step.values.is_empty()) {
        let sides: Vec<String> = last.values.iter().map(|one| told(&one)).collect();
        let _ = writeln!(out, "<p>Here <code>{}</code>.</p>", sides.join("</code>, <code>"));
    }
    let behind = finding.trace.iter().skip_while(|step| !step.kind.is_failure()).skip(1);
    for step in behind {
        let values: Vec<String> = step
            .values
            .iter()
            .map(|one| format!("{} = {}", escape(&one.name), escape(&one.value)))
            .collect();
        let _ = writeln!(out, "<p>{} {}</p>", escape(&step.text), values.join(", "));
    }
}

/// Variables in rows, states in columns; what a step changes is marked.
fn side_by_side<'v>(
    names: &[String],
    states: &[u32],
    value: &dyn Fn(&str) -> Option<&'v str>,
    out: &mut String,
) {
    let heads: String = states.iter().map(|state| format!("<th>State {state}</th>")).collect();
    let _ = writeln!(
        out,
        "<table class=\"witness\">\n<thead><tr><th></th>{heads}</tr></thead>\n<tbody>"
    );
    for name in names {
        let values: Vec<Option<&str>> =
            states.iter().map(|state| value(&resolve::in_state(name, *state))).collect();
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
        let _ = writeln!(out, "<tr><th>{}</th>{cells}</tr>", escape(name));
    }
    out.push_str("</tbody>\n</table>\n");
}

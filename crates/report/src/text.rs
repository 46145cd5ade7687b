//! Text, for people, in the manner of rustc.
//!
//! A finding is its message, the source lines it is about, and the execution that shows it: a table of numbered
//! steps with source lines on the left and events, with the values that matter, on the right. The last line of a
//! report is the summary. Repetitions are left out: the path of a step in the finding's own file, the bounds of a
//! finding where the last line states them.

mod heap;
mod memory;
mod plain;
mod snippet;
mod trace;

use std::io::{self, Write};

use annotate_snippets::{Group, Level, Renderer};
use anstyle::{AnsiColor, Style};

use crate::sources::Library;
use crate::{
    Bounds, Confirmation, Execution, Finding, Heap, Note, Procedure, Report, Severity, Sources,
    Unreached, Verdict,
};
use plain::{cut, one_line, width};

/// How text is laid out. The command line knows the terminal; this crate does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether to write ANSI escape sequences for colours.
    pub color: bool,
    /// How many columns there are.
    pub width: usize,
    /// Whether to list the verdict on each procedure before the summary.
    pub verdicts: bool,
}

impl Default for Options {
    /// No colour, 100 columns, no list of verdicts.
    fn default() -> Self {
        Self { color: false, width: 100, verdicts: false }
    }
}

/// Writes a report as text: findings, notes, and one line that sums them up.
pub fn render(
    report: &Report,
    sources: &dyn Sources,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let library = Library::new(sources, report.places());
    let page = Page::new(options);
    for finding in &report.findings {
        page.finding(finding, &report.summary.bounds, &library, out)?;
        writeln!(out)?;
    }
    for note in &report.notes {
        page.note(note, &library, out)?;
        writeln!(out)?;
    }
    if options.verdicts && !report.procedures.is_empty() {
        page.verdicts(&report.procedures, &report.summary.bounds, out)?;
        writeln!(out)?;
    }
    let summary = one_line(&report.summary.to_string());
    let (count, rest) = summary.split_at(summary.find(';').unwrap_or(summary.len()));
    let color = if report.findings.is_empty() { AnsiColor::Green } else { AnsiColor::Red };
    writeln!(out, "{}{rest}", page.paint(color.on_default().bold(), count))
}

/// Writes heaps, each with what it is called.
pub fn gallery(heaps: &[Heap], options: &Options, out: &mut dyn Write) -> io::Result<()> {
    Page::new(options).gallery(heaps, out)
}

/// The options, brought into range, and the renderer of snippets that goes with them.
struct Page {
    color: bool,
    width: usize,
    renderer: Renderer,
}

impl Page {
    fn new(options: &Options) -> Self {
        let width = options.width.clamp(40, 1000);
        let renderer = if options.color { Renderer::styled() } else { Renderer::plain() };
        Self { color: options.color, width, renderer: renderer.hyperlink(false).term_width(width) }
    }

    fn paint(&self, style: Style, text: &str) -> String {
        if self.color && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.into() }
    }

    fn finding(
        &self,
        finding: &Finding,
        bounds: &Bounds,
        library: &Library<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let rule = match &finding.detail {
            Some(detail) => format!("{}/{detail}", finding.rule),
            None => finding.rule.to_string(),
        };
        let level = match finding.level {
            crate::Level::Error => Level::ERROR,
            crate::Level::Warning => Level::WARNING,
        };
        let title = level.primary_title(one_line(&finding.message)).id(one_line(&rule));
        let (name, mut evidence) = evidence(finding, bounds);
        let has_table = has_more_to_show(finding, library);
        evidence.push_str(if has_table { ":" } else { "" });
        let assumptions = finding
            .assumptions
            .iter()
            .map(|assumption| Level::NOTE.with_name("assumes").message(one_line(assumption)));
        let extent = finding.extent.remark();
        let extent = extent.map(|remark| Level::NOTE.with_name("extent").message(remark));
        let group = title
            .elements(snippet::elements(finding, library, self.width))
            .elements(extent)
            .elements(assumptions)
            .element(Level::NOTE.with_name(name).message(evidence));
        self.write_group(group, out)?;
        if has_table {
            self.trace(finding, &finding.trace, library, out)?;
        }
        if !finding.counterpart.is_empty() {
            let text = "looks the same to the caller, replayed by the interpreter:";
            writeln!(out, "   = {}: {text}", self.paint(Style::new().bold(), "other execution"))?;
            self.trace(finding, &finding.counterpart, library, out)?;
        }
        self.heaps(finding, out)
    }

    fn note(&self, note: &Note, library: &Library<'_>, out: &mut dyn Write) -> io::Result<()> {
        let level = match note.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title = level.primary_title(one_line(&note.message));
        let group = match &note.place {
            Some(place) => title.elements(snippet::primary(place, None, &[], library, self.width)),
            None => Group::with_title(title),
        };
        self.write_group(group, out)
    }

    fn write_group(&self, group: Group<'_>, out: &mut dyn Write) -> io::Result<()> {
        for line in self.renderer.render(&[group]).lines() {
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// One line for each procedure: place, name, verdict, bounds that are not those of the whole run, and the
    /// techniques.
    fn verdicts(
        &self,
        procedures: &[Procedure],
        bounds: &Bounds,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let place =
            |p: &Procedure| p.place.as_ref().map_or(String::new(), |p| one_line(&p.to_string()));
        let rows: Vec<[String; 2]> =
            procedures.iter().map(|p| [place(p), cut(&one_line(&p.name), 40)]).collect();
        let columns = [0, 1].map(|i| rows.iter().map(|row| width(&row[i])).max().unwrap_or(0));
        for (row, procedure) in rows.iter().zip(procedures) {
            for (cell, column) in row.iter().zip(columns).filter(|&(_, column)| column > 0) {
                write!(out, "{cell}{:1$}  ", "", column - width(cell))?;
            }
            write!(out, "{}", one_line(&procedure.verdict.to_string()))?;
            let is_cut_shown = match (&procedure.verdict, &procedure.cut) {
                (Verdict::NoneWithinBounds, Some(why)) => {
                    write!(out, ", some executions are cut off: {}", one_line(why))?;
                    if let Some(limit) = procedure.limit {
                        write!(out, " ({limit})")?;
                    }
                    true
                }
                (Verdict::Unknown(_), Some(_)) => true,
                (Verdict::NoneWithinBounds | Verdict::Findings | Verdict::Skipped(_), _)
                | (Verdict::Unknown(_), None) => false,
            };
            let own = procedure.bounds.besides(bounds);
            if !own.is_empty() {
                write!(out, "; {}", one_line(&own.to_string()))?;
            }
            if let Some(manner) = procedure.manner.as_ref().and_then(|m| m.text(is_cut_shown)) {
                write!(out, "; {}", one_line(&manner))?;
            }
            writeln!(out)?;
            for Unreached { kind, place, proved } in &procedure.unreached {
                let place = one_line(&place.to_string());
                let maybe = if *proved { "" } else { " as far as is known" };
                writeln!(out, "    {place}: {kind} within the bounds{maybe}")?;
            }
        }
        Ok(())
    }
}

/// Why the finding is to be believed, in one line and under a name.
fn evidence(finding: &Finding, bounds: &Bounds) -> (&'static str, String) {
    let (name, how) = match &finding.confirmation {
        Confirmation::ReplayedByInterpreter => ("run", "replayed by the interpreter"),
        Confirmation::ConfirmedByExecution(by) => ("run", by.as_str()),
        Confirmation::ProvedWithoutRun(what) => ("proof", what.as_str()),
    };
    let function = finding.function.iter().map(|name| format!("in `{name}`"));
    // The confirmation already says this.
    let execution = finding
        .execution
        .iter()
        .filter(|execution| !matches!(execution, Execution::Confirmed { .. }))
        .map(|execution| execution.to_string());
    let parts = function.chain([how.to_owned()]).chain(execution);
    let within = Some(finding.bounds.besides(bounds)).filter(|own| !own.is_empty());
    let parts: Vec<String> = parts.chain(within.map(|own| format!("within {own}"))).collect();
    (name, one_line(&parts.join(", ")))
}

/// The snippet already shows an execution of one step that fails right where the finding points.
fn has_more_to_show(finding: &Finding, library: &Library<'_>) -> bool {
    match finding.trace.as_slice() {
        [] => false,
        [step] => {
            let is_named = snippet::is_shown(&finding.place, library)
                && step.kind.is_failure()
                && step.place.as_ref() == Some(&finding.place);
            !is_named
        }
        [_, _, ..] => true,
    }
}

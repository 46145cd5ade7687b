//! JSON, for programs. `docs/json.md` in the repository describes the format.
//!
//! The keys stand in the order in which the types declare their fields, a missing value is `null`,
//! and a list is never left out, so that two reports can be compared line by line. A change that
//! would break a reader raises [`VERSION`].

use std::io::{self, Write};

use serde::Serialize;

use crate::sources::Library;
use crate::{Finding, Note, Procedure, Report, Sources, Summary, Tool, fingerprint};

/// The version of the format.
pub const VERSION: u32 = 1;

/// Writes a report as one JSON object, indented, with a line feed at the end.
pub fn render(
    report: &Report,
    tool: &Tool,
    sources: &dyn Sources,
    out: &mut dyn Write,
) -> io::Result<()> {
    let library = Library::new(sources, report.findings.iter().map(|finding| &finding.place));
    let fingerprints = fingerprint::identities_within(report, &library);
    let findings = report.findings.iter().zip(fingerprints);
    let document = Document {
        version: VERSION,
        tool: ToolName { name: &tool.name, version: &tool.version },
        findings: findings.map(|(finding, fingerprint)| Marked { finding, fingerprint }).collect(),
        procedures: &report.procedures,
        notes: &report.notes,
        summary: &report.summary,
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    tool: ToolName<'a>,
    findings: Vec<Marked<'a>>,
    procedures: &'a [Procedure],
    notes: &'a [Note],
    summary: &'a Summary,
}

#[derive(Serialize)]
struct ToolName<'a> {
    name: &'a str,
    version: &'a str,
}

#[derive(Serialize)]
struct Marked<'a> {
    #[serde(flatten)]
    finding: &'a Finding,
    fingerprint: String,
}

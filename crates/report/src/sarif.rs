//! SARIF 2.1.0, for code scanning services and editors.
//!
//! The standard is OASIS, *Static Analysis Results Interchange Format (SARIF) Version 2.1.0*; section
//! numbers below are its. `sarif/schema.rs` has the objects, `sarif/location.rs` places and URIs.
//!
//! A finding is a `result` of the level of its rule; its trace is a code flow (§3.36) with call depth as nesting
//! level and values as state; its bounds and confirmation are properties. A note on a file is a tool notification
//! (§3.58), and one of severity error makes the invocation unsuccessful, since part of the input was not analysed.
//! Verdicts do not appear beyond the counts in the run's properties: viewers would show each as an alert.

mod location;
mod schema;

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::sources::Library;
use crate::{Finding, Note, Report, Rule, Sources, Step, StepKind, Tool, fingerprint};
use location::Artifacts;
use schema::{
    CodeFlow, Configuration, Descriptor, DescriptorProperties, Driven, Driver, Invocation,
    Location, Log, LogicalLocation, Message, Notification, Outcome, OutcomeProperties, Run,
    RunProperties, ThreadFlow, ThreadFlowLocation, UriBase,
};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes a report as a SARIF log with one run, indented, with a line feed at the end.
pub fn render(
    report: &Report,
    tool: &Tool,
    sources: &dyn Sources,
    out: &mut dyn Write,
) -> io::Result<()> {
    let library = Library::new(sources, report.places());
    let artifacts = Artifacts::new(&library, tool.root.as_deref(), report.places());
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Driven { driver: driver(tool) },
            invocations: [Invocation {
                execution_successful: !report.is_incomplete(),
                tool_execution_notifications: notifications(&report.notes, &artifacts),
            }],
            original_uri_base_ids: bases(tool),
            artifacts: artifacts.list(),
            results: results(report, tool, &library, &artifacts),
            column_kind: "utf16CodeUnits",
            properties: RunProperties { summary: &report.summary },
        }],
    };
    serde_json::to_writer_pretty(&mut *out, &log)?;
    out.write_all(b"\n")
}

fn driver(tool: &Tool) -> Driver<'_> {
    Driver {
        name: &tool.name,
        version: &tool.version,
        information_uri: tool.uri.as_deref(),
        rules: tool.rules.iter().map(descriptor).collect(),
    }
}

/// The directory that relative URIs are relative to (§3.14.14). Where it is not known, the reader of the log
/// decides.
fn bases(tool: &Tool) -> BTreeMap<&'static str, UriBase> {
    let root = tool.root.as_deref().map(|root| format!("{}/", root.trim_end_matches('/')));
    let description = Message { text: "the directory of the analysis".to_owned(), markdown: None };
    let base = UriBase { uri: root.as_deref().map(location::uri), description };
    BTreeMap::from([(location::BASE, base)])
}

/// A rule (§3.49). Its manual is copied as it is: it takes no arguments, and services show it so.
fn descriptor(rule: &Rule) -> Descriptor<'_> {
    let plain = |text: &str| Message { text: text.to_owned(), markdown: None };
    let security_severity = rule.security_severity();
    let tags = ["correctness".to_owned()].into_iter();
    let tags = tags.chain(security_severity.map(|_| "security".to_owned()));
    let tags = tags.chain(rule.cwe.iter().map(|cwe| format!("external/cwe/cwe-{cwe:03}")));
    let manual = rule.manual();
    Descriptor {
        id: rule.id.as_str(),
        name: pascal_case(&rule.title),
        short_description: plain(&rule.title),
        full_description: plain(&rule.summary),
        help_uri: rule.cwe.first().map(|cwe| weakness_uri(*cwe)),
        help: Message { text: manual.clone(), markdown: Some(manual) },
        default_configuration: Configuration {
            enabled: rule.default_on,
            level: rule.level.as_str(),
        },
        properties: DescriptorProperties {
            precision: "very-high",
            security_severity,
            tags: tags.collect(),
        },
    }
}

/// The page that describes a weakness.
fn weakness_uri(cwe: u32) -> String {
    format!("https://cwe.mitre.org/data/definitions/{cwe}.html")
}

fn notifications(notes: &[Note], artifacts: &Artifacts<'_>) -> Vec<Notification> {
    let notification = |note: &Note| Notification {
        level: note.severity.as_str(),
        message: message(&note.message),
        locations: note.place.iter().map(|place| artifacts.locate(place)).collect(),
    };
    notes.iter().map(notification).collect()
}

fn results<'a>(
    report: &'a Report,
    tool: &'a Tool,
    library: &Library<'_>,
    artifacts: &Artifacts<'_>,
) -> Vec<Outcome<'a>> {
    let mut hashes = BTreeMap::new();
    let identities = fingerprint::identities_within(report, library);
    let result = |(finding, identity): (&'a Finding, String)| {
        let path = finding.place.path.as_str();
        let lines = hashes.entry(path).or_insert_with(|| {
            library.file(path).map(|file| fingerprint::line_hashes(file.text())).unwrap_or_default()
        });
        let line = (finding.place.start.line as usize).saturating_sub(1);
        let line_hash = lines.get(line).map(|hash| ("primaryLocationLineHash", hash.clone()));
        let rule_index = tool.rules.iter().position(|rule| rule.id == finding.rule);
        Outcome {
            rule_id: finding.rule.as_str(),
            rule_index,
            level: finding.level.as_str(),
            message: message(&finding.message),
            locations: [primary_location(finding, artifacts)],
            related_locations: related_locations(finding, artifacts),
            code_flows: code_flows(finding, artifacts),
            partial_fingerprints: line_hash.into_iter().chain([("indict/v1", identity)]).collect(),
            properties: OutcomeProperties {
                kind: finding.kind,
                detail: finding.detail.as_deref(),
                function: finding.function.as_deref(),
                confirmation: finding.confirmation.to_string(),
                extent: finding.extent,
                execution: finding.execution.as_ref(),
                bounds: &finding.bounds,
                assumptions: &finding.assumptions,
            },
        }
    };
    report.findings.iter().zip(identities).map(result).collect()
}

fn primary_location(finding: &Finding, artifacts: &Artifacts<'_>) -> Location {
    let function =
        |name: &String| LogicalLocation { fully_qualified_name: name.clone(), kind: "function" };
    let logical_locations = finding.function.iter().map(function).collect();
    Location { logical_locations, ..artifacts.locate(&finding.place) }
}

fn related_locations(finding: &Finding, artifacts: &Artifacts<'_>) -> Vec<Location> {
    let numbered = finding.related.iter().enumerate();
    let location = |(i, related): (usize, &crate::Related)| Location {
        id: Some(i + 1),
        message: Some(message(&related.message)),
        ..artifacts.locate(&related.place)
    };
    numbered.map(location).collect()
}

/// The execution as one code flow of one thread, and the one that it is compared with as another. Viewers walk from
/// location to location, so a step that has no place of its own is shown where the execution was just before.
fn code_flows(finding: &Finding, artifacts: &Artifacts<'_>) -> Vec<CodeFlow> {
    let executions = [&finding.trace, &finding.counterpart];
    let shown = executions.iter().filter(|steps| !steps.is_empty());
    shown.map(|steps| code_flow(finding, steps, artifacts)).collect()
}

fn code_flow(finding: &Finding, steps: &[Step], artifacts: &Artifacts<'_>) -> CodeFlow {
    let first = steps.iter().find_map(|step| step.place.as_ref());
    let mut here = first.unwrap_or(&finding.place);
    let mut locations = Vec::with_capacity(steps.len());
    for (i, step) in steps.iter().enumerate() {
        here = step.place.as_ref().unwrap_or(here);
        locations.push(ThreadFlowLocation {
            location: Location { message: Some(step_message(step)), ..artifacts.locate(here) },
            kinds: [kind(step.kind)],
            state: step
                .values
                .iter()
                .map(|binding| (binding.name.clone(), message(&binding.value)))
                .collect(),
            nesting_level: step.depth,
            execution_order: i + 1,
            importance: match step.kind {
                StepKind::Entry | StepKind::Branch | StepKind::Failure | StepKind::Endless => {
                    "essential"
                }
                StepKind::Statement | StepKind::Choice | StepKind::Call | StepKind::Return => {
                    "important"
                }
                StepKind::Elided => "unimportant",
            },
        });
    }
    CodeFlow { thread_flows: [ThreadFlow { locations }] }
}

/// The event of a step, with its values, since few viewers show the state.
fn step_message(step: &Step) -> Message {
    let text = step.to_string();
    message(if text.is_empty() { kind(step.kind) } else { &text })
}

fn kind(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Entry => "enter",
        StepKind::Statement => "statement",
        StepKind::Branch => "branch",
        StepKind::Choice => "choice",
        StepKind::Call => "call",
        StepKind::Return => "return",
        StepKind::Failure | StepKind::Endless => "failure",
        StepKind::Elided => "elided",
    }
}

/// A plain text message. Braces would be placeholders, so they are doubled (§3.11.5); `[a](b)` would
/// be a link, so in a text that has one the brackets are escaped (§3.11.6).
fn message(text: &str) -> Message {
    let mut text = text.replace('{', "{{").replace('}', "}}");
    if text.contains("](") {
        text = text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]");
    }
    Message { text, markdown: None }
}

/// `Null dereference` as `NullDereference`, which is how SARIF names rules.
fn pascal_case(name: &str) -> String {
    let capitalise = |word: &str| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    };
    name.split(|c: char| !c.is_alphanumeric()).map(capitalise).collect()
}

#[cfg(test)]
mod tests {
    use super::{message, pascal_case};

    #[test]
    fn messages_are_neither_placeholders_nor_links() {
        assert_eq!(message("`a[i]` is {1, 2}").text, "`a[i]` is {{1, 2}}");
        assert_eq!(message("`t[i](x)`").text, "`t\\[i\\](x)`");
    }

    #[test]
    fn rule_names_are_in_pascal_case() {
        assert_eq!(pascal_case("Use after free"), "UseAfterFree");
        assert_eq!(pascal_case("out-of-bounds"), "OutOfBounds");
    }
}

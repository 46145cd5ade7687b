//! `indict baseline`: known findings in a file, so that only new ones are reported.
//!
//! Findings are recognised by a fingerprint that survives edits elsewhere (`report::fingerprint`). The fingerprint
//! may change from version to version, so a baseline is valid for the version that wrote it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args as Arguments, ValueHint};
use driver::Outcome;
use report::{Note, Report, Severity};
use serde::{Deserialize, Serialize};

use crate::args::Check;
use crate::check::check_then;
use crate::{Ending, Failure};

/// The arguments of `indict baseline`.
#[derive(Arguments, Debug)]
pub(crate) struct Baseline {
    /// The file with the known findings
    #[arg(
        long, value_name = "FILE", value_hint = ValueHint::FilePath,
        default_value = "indict-baseline.json"
    )]
    pub(crate) file: PathBuf,

    /// Replace the known findings by the present ones
    #[arg(long)]
    pub(crate) update: bool,

    #[command(flatten)]
    pub(crate) check: Check,
}

/// Findings that are known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Known {
    /// The version that wrote them down.
    indict: String,
    findings: Vec<KnownFinding>,
}

/// A finding in the file: its fingerprint, and the rest for readers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct KnownFinding {
    fingerprint: String,
    rule: String,
    path: String,
    function: Option<String>,
    message: String,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Checks, and reports what is not in the baseline; or makes one.
pub(crate) fn baseline(args: &Baseline) -> Result<Ending, Failure> {
    let known = match args.update || !args.file.exists() {
        true => None,
        false => Some(read(&args.file)?),
    };
    check_then(&args.check, |outcome| match &known {
        Some(known) => {
            compare(outcome, known, &args.file);
            Ok(())
        }
        None => record(outcome, &args.file),
    })
}

fn read(path: &Path) -> Result<Known, Failure> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure(format!("cannot read the baseline {shown}: {error}")))?;
    // The version comes first: the rest may look different in another.
    let value: serde_json::Value = serde_json::from_str(&text).map_err(|error| {
        Failure(format!("{shown} is no baseline: {error}; write a new one with --update"))
    })?;
    match value.get("indict").and_then(|version| version.as_str()) {
        Some(VERSION) => {}
        Some(other) => {
            return Err(Failure(format!(
                "{shown} was written by Indict {other}, and this is {VERSION}; findings are not recognised \
                 across versions, so write a new one with --update"
            )));
        }
        None => {
            let why = "it does not say which version wrote it";
            return Err(Failure(format!(
                "{shown} is no baseline: {why}; write a new one with --update"
            )));
        }
    }
    serde_json::from_value(value).map_err(|error| {
        Failure(format!("{shown} is no baseline: {error}; write a new one with --update"))
    })
}

/// Writes down what was found; none of it is reported.
fn record(outcome: &mut Outcome, path: &Path) -> Result<(), Failure> {
    let fingerprints = report::fingerprint::identities(&outcome.report, &outcome.sources);
    let findings: Vec<KnownFinding> = outcome
        .report
        .findings
        .iter()
        .zip(fingerprints)
        .map(|(finding, fingerprint)| KnownFinding {
            fingerprint,
            rule: finding.rule.as_str().to_owned(),
            path: finding.place.path.clone(),
            function: finding.function.clone(),
            message: finding.message.clone(),
        })
        .collect();
    let count = findings.len();
    let known = Known { indict: VERSION.to_owned(), findings };
    let text = serde_json::to_string_pretty(&known)
        .map_err(|error| Failure(format!("the baseline cannot be written: {error}")))?;
    std::fs::write(path, text + "\n").map_err(|error| {
        Failure(format!("the baseline cannot be written to {}: {error}", path.display()))
    })?;
    let findings = if count == 1 { "1 finding" } else { &format!("{count} findings") };
    keep(outcome, |_| false);
    let message = format!("baseline of {findings} written to {}", path.display());
    outcome.report.notes.push(Note { severity: Severity::Note, message, place: None });
    Ok(())
}

/// Leaves what is new, and says how much is known and how much is gone.
fn compare(outcome: &mut Outcome, known: &Known, path: &Path) {
    let fingerprints = report::fingerprint::identities(&outcome.report, &outcome.sources);
    let old: BTreeSet<&str> =
        known.findings.iter().map(|finding| finding.fingerprint.as_str()).collect();
    let now: BTreeSet<&str> = fingerprints.iter().map(String::as_str).collect();
    let (again, gone) = (old.intersection(&now).count(), old.difference(&now).count());
    keep(outcome, |number| !old.contains(fingerprints[number].as_str()));
    let path = path.display();
    let message =
        format!("baseline {path}: {again} of {} findings still present, {gone} fixed", old.len());
    outcome.report.notes.push(Note { severity: Severity::Note, message, place: None });
}

/// Keeps the findings of some numbers.
fn keep(outcome: &mut Outcome, is_kept: impl Fn(usize) -> bool) {
    let report = &mut outcome.report;
    let findings = std::mem::take(&mut report.findings).into_iter().enumerate();
    let findings = findings.filter(|(number, _)| is_kept(*number)).map(|(_, finding)| finding);
    *report = Report::new(
        findings.collect(),
        std::mem::take(&mut report.procedures),
        std::mem::take(&mut report.notes),
        report.summary.bounds.clone(),
        None,
    );
}

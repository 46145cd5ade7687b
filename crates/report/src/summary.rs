//! The report as a whole: findings, verdicts, notes, and the numbers that sum them up.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Bounds, Execution, Finding, Place, Procedure, Reason, ReasonClass, Rule, Verdict};

/// The output of one run.
///
/// Invariants, which [`Report::new`] establishes: findings are sorted by path, line, column, rule and message;
/// procedures and notes by place and text, those without a place first; the summary counts the findings and
/// procedures of this report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The findings.
    pub findings: Vec<Finding>,
    /// The verdict on each procedure.
    pub procedures: Vec<Procedure>,
    /// The notes on files.
    pub notes: Vec<Note>,
    /// The numbers.
    pub summary: Summary,
}

impl Report {
    /// Sorts the parts and counts them. `bounds` are those of the run as a whole; a `duration` makes
    /// the bytes of a report differ from run to run, so tests and caches leave it out.
    pub fn new(
        mut findings: Vec<Finding>,
        mut procedures: Vec<Procedure>,
        mut notes: Vec<Note>,
        bounds: Bounds,
        duration: Option<Duration>,
    ) -> Self {
        findings.sort_by(|a, b| a.key().cmp(&b.key()));
        procedures.sort_by(|a, b| (&a.place, &a.name).cmp(&(&b.place, &b.name)));
        notes.sort_by(|a, b| (&a.place, &a.message).cmp(&(&b.place, &b.message)));
        let summary = Summary::of(&findings, &procedures, bounds, duration);
        Self { findings, procedures, notes, summary }
    }

    /// Withdraws the findings that execution has refuted. Each becomes a note, for it is a bug of ours, and its procedure
    /// is unknown if nothing else was found in it.
    pub fn withdraw_refuted(&mut self) {
        let is_refuted = |finding: &Finding| match &finding.execution {
            Some(Execution::Refuted { .. }) => true,
            Some(
                Execution::Confirmed { .. }
                | Execution::NotObservable { .. }
                | Execution::CouldNotRun { .. },
            )
            | None => false,
        };
        let (refuted, rest) = std::mem::take(&mut self.findings).into_iter().partition(is_refuted);
        self.findings = rest;
        let refuted: Vec<Finding> = refuted;
        for finding in &refuted {
            let Finding { rule, message, place, function, execution, .. } = finding;
            let how = execution.as_ref().map(Execution::to_string).unwrap_or_default();
            let message = format!("{rule}: {message}: {how}: please report this bug of Indict");
            let place = Some(place.clone());
            self.notes.push(Note { severity: Severity::Error, message, place });
            let is_of = |other: &Finding| other.function == *function;
            if self.findings.iter().any(is_of) {
                continue;
            }
            let is_its = |procedure: &&mut Procedure| {
                procedure.verdict == Verdict::Findings && Some(&procedure.name) == function.as_ref()
            };
            for procedure in self.procedures.iter_mut().filter(is_its) {
                procedure.verdict = Verdict::Unknown(Reason::new(ReasonClass::RefutedByExecution));
            }
        }
        let Summary { bounds, duration, .. } = self.summary.clone();
        self.summary = Summary::of(&self.findings, &self.procedures, bounds, duration);
    }

    /// Every place that findings and notes mention.
    pub(crate) fn places(&self) -> impl Iterator<Item = &Place> {
        let notes = self.notes.iter().filter_map(|note| note.place.as_ref());
        self.findings.iter().flat_map(Finding::places).chain(notes)
    }

    /// Whether a note of severity [`Severity::Error`] says that part of the input was not analysed.
    pub fn is_incomplete(&self) -> bool {
        self.notes.iter().any(|note| note.severity == Severity::Error)
    }
}

/// Something to say about a file: it could not be read, it has a syntax error, a suppression in it
/// is unused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Note {
    /// How bad it is.
    pub severity: Severity,
    /// One sentence, without a full stop.
    pub message: String,
    /// The place; a note on a whole run has none.
    pub place: Option<Place>,
}

/// How bad a note is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Part of the input was not analysed.
    Error,
    /// The input is probably not as the user intended.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// The word that text, JSON and SARIF all use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// The numbers of a report. Every procedure is counted once: as analysed, unknown or skipped.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// How many findings there are.
    pub findings: usize,
    /// How many procedures were decided, with findings or without.
    pub analysed: usize,
    /// The number of them that have no findings and executions that were cut.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cut: usize,
    /// How many were not decided, by class of reason.
    pub unknown: BTreeMap<String, usize>,
    /// The number of procedures that were not analysed, by class of reason.
    pub skipped: BTreeMap<String, usize>,
    /// The bounds of the run as a whole.
    pub bounds: Bounds,
    /// The duration of the run, in milliseconds where it is serialised.
    #[serde(rename = "milliseconds", with = "milliseconds")]
    pub duration: Option<Duration>,
}

impl Summary {
    fn of(
        findings: &[Finding],
        procedures: &[Procedure],
        bounds: Bounds,
        duration: Option<Duration>,
    ) -> Self {
        let mut summary = Self { findings: findings.len(), bounds, duration, ..Self::default() };
        let is_cut = |procedure: &&Procedure| {
            procedure.verdict == Verdict::NoneWithinBounds && procedure.cut.is_some()
        };
        summary.cut = procedures.iter().filter(is_cut).count();
        for procedure in procedures {
            match &procedure.verdict {
                Verdict::Findings | Verdict::NoneWithinBounds => summary.analysed += 1,
                Verdict::Unknown(reason) => count(&mut summary.unknown, reason),
                Verdict::Skipped(reason) => count(&mut summary.skipped, reason),
            }
        }
        summary
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

fn count(by_reason: &mut BTreeMap<String, usize>, reason: &Reason) {
    *by_reason.entry(reason.class.to_string()).or_default() += 1;
}

/// `2 findings; 11 procedures analysed, 3 unknown (2 budget, 1 unsupported), 0 skipped; unroll 3; 0.4 s`.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.findings {
            0 => f.write_str("no findings")?,
            1 => f.write_str("1 finding")?,
            n => write!(f, "{n} findings")?,
        }
        let plural = if self.analysed == 1 { "" } else { "s" };
        write!(f, "; {} procedure{plural} analysed", self.analysed)?;
        if self.cut > 0 {
            write!(f, " ({} with executions cut off)", self.cut)?;
        }
        for (what, by_reason) in [("unknown", &self.unknown), ("skipped", &self.skipped)] {
            write!(f, ", {} {what}", by_reason.values().sum::<usize>())?;
            let mut reasons: Vec<_> = by_reason.iter().collect();
            reasons.sort_by_key(|&(reason, n)| (usize::MAX - n, reason));
            match reasons.as_slice() {
                [] => {}
                [(reason, _)] => write!(f, " ({reason})")?,
                [first, rest @ ..] => {
                    write!(f, " ({} {}", first.1, first.0)?;
                    rest.iter().try_for_each(|(reason, n)| write!(f, ", {n} {reason}"))?;
                    f.write_str(")")?;
                }
            }
        }
        if !self.bounds.is_empty() {
            write!(f, "; {}", self.bounds)?;
        }
        match self.duration {
            None => Ok(()),
            Some(time) if time.as_secs() >= 10 => write!(f, "; {:.0} s", time.as_secs_f64()),
            Some(time) => write!(f, "; {:.2} s", time.as_secs_f64()),
        }
    }
}

/// The tool that made the report, and the rules it knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version, as in `0.1.0`.
    pub version: String,
    /// The absolute address of its home page.
    pub uri: Option<String>,
    /// The base directory of relative paths, if it is known: an absolute path with `/` between its parts.
    pub root: Option<String>,
    /// All its rules, in the order in which they should be listed.
    pub rules: Vec<Rule>,
}

mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        duration: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        duration.map(|d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX)).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::from_millis))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Report;
    use crate::{
        Bounds, Confirmation, Execution, FailureKind, Finding, LineIndex, Place, Procedure, Reason,
        ReasonClass, Refutation, Unobservable, Verdict,
    };

    #[test]
    fn what_execution_refutes_is_withdrawn_and_its_procedure_unknown() {
        let place = Place::of_offsets("a.c", &LineIndex::new("int f;"), 0, 3);
        let finding = |function: &str, execution| Finding {
            function: Some(function.to_owned()),
            execution,
            ..Finding::new(
                "shift",
                FailureKind::Shift,
                "a message",
                place.clone(),
                Confirmation::ReplayedByInterpreter,
            )
        };
        let reason = Refutation::NoFailure;
        let refuted = || Some(Execution::Refuted { reason, seen: None });
        let unseen = Execution::NotObservable { reason: Unobservable::Leak };
        let findings = vec![
            finding("f", refuted()),
            finding("g", refuted()),
            finding("g", Some(unseen)),
            finding("h", None),
        ];
        let verdict = || Verdict::Findings;
        let procedures =
            ["f", "g", "h"].map(|name| Procedure::new(name, verdict(), Bounds::new())).into();
        let mut report = Report::new(findings, procedures, vec![], Bounds::new(), None);
        report.withdraw_refuted();
        assert_eq!(
            report.summary.to_string(),
            "2 findings; 2 procedures analysed, 1 unknown (refuted by execution), 0 skipped"
        );
        assert_eq!(report.notes.len(), 2);
        assert!(report.is_incomplete());
        assert_eq!(
            report.notes[0].message,
            "shift: a message: refuted by execution (the execution does not fail): please report this bug of \
             Indict"
        );
    }

    #[test]
    fn the_summary_counts_each_procedure_once_and_reasons_by_frequency() {
        let unknown =
            |class: ReasonClass| Verdict::Unknown(Reason::new(class).because("somewhere"));
        let verdicts = [
            Verdict::NoneWithinBounds,
            Verdict::Findings,
            unknown(ReasonClass::Budget),
            unknown(ReasonClass::Unsupported),
            unknown(ReasonClass::Unsupported),
            Verdict::Skipped(Reason::new(ReasonClass::NoBody)),
        ];
        let procedures = verdicts.into_iter().map(|v| Procedure::new("f", v, Bounds::new()));
        let bounds = Bounds::new().with("unroll", 3);
        let time = Some(Duration::from_millis(415));
        let report = Report::new(vec![], procedures.collect(), vec![], bounds, time);
        assert_eq!(
            report.summary.to_string(),
            "no findings; 2 procedures analysed, 3 unknown (2 unsupported, 1 budget), \
             1 skipped (no body); unroll 3; 0.41 s"
        );
    }
}

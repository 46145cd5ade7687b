//! Why nothing is reported on a line: which obligations lie there, and for each whether it is reported, proved, unknown, or
//! kept silent by assumptions.
//!
//! The file is checked as usual, and the obligations of all evaluations are recorded. It is then checked without any
//! assumption: an obligation that does not fail even so is proved within the bounds. For one that fails, it is checked
//! without one assumption at a time, and the first that suffices is the answer. If none does, assumptions are switched
//! on again one by one while the obligation still fails: those that remain switched off are the answer together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;

use check::{ASSUMPTIONS, Assumption, Direction, QuerySession, rule_of, sentence};
use ir::{AssertKind, Module, Origin, PointId, Procedure, ProcedureId, Span, StatementKind};
use report::why::{Explained, Status, Trusted};
use report::{Finding, LineIndex, Place, Severity, Verdict};

use crate::compiler::Compiler;
use crate::files::{Files, shown};
use crate::options::Options;
use crate::part::Selection;
use crate::run::{Observer, Outcome, run};

/// Explains the obligations on a line of a file, or on all lines. `paths` are the files that are checked together, the file
/// among them.
///
/// # Errors
/// If the file cannot be checked or has no such line, or if there are no obligations; the message says so.
pub fn why(
    (path, line): (&Path, Option<u32>),
    paths: &[&Path],
    files: &dyn Files,
    compiler: &dyn Compiler,
    options: &Options,
) -> Result<Vec<Explained>, String> {
    let ledger = Ledger::default();
    let options = Options { reuse_reports: false, ..options.clone() };
    let outcome = run(paths, files, compiler, &options, &ledger);
    let name = shown(path);
    let all = ledger.located(&outcome);
    let here = |one: &Located| one.place.path == name;
    let wanted = |one: &Located| here(one) && line.is_none_or(|line| one.is_on(line));
    let mut open: Vec<Located> = all.iter().filter(|one| wanted(one)).cloned().collect();
    open.sort();
    if open.is_empty() {
        let lines: BTreeSet<u32> = all.iter().filter(|one| here(one)).map(Located::line).collect();
        return Err(nothing(&name, line, &lines, &outcome));
    }
    let asking = Asking { paths, files, compiler, options: &options };
    let silent = asking.fails_without(&open, ASSUMPTIONS.iter().collect());
    let silenced = asking.attributed(silent.clone());
    let explained = open.into_iter().map(|one| {
        let status = match status(&one, &outcome, &options) {
            Some(status) => status,
            None => match silenced.get(&one) {
                Some(assumptions) => one.assumed(assumptions),
                None => undecided(&one, &outcome),
            },
        };
        one.explained(status)
    });
    let mut explained: Vec<Explained> = explained.collect();
    explained.dedup();
    Ok(explained)
}

/// The message if there are no obligations.
fn nothing(name: &str, line: Option<u32>, lines: &BTreeSet<u32>, outcome: &Outcome) -> String {
    let errors = outcome.report.notes.iter().filter(|note| note.severity == Severity::Error);
    let mut errors = errors.map(|note| match &note.place {
        Some(place) => format!("{place}: {}", note.message),
        None => note.message.clone(),
    });
    if let (Some(error), true) = (errors.next(), lines.is_empty()) {
        return error;
    }
    let Some(line) = line else { return format!("there are no obligations in {name}") };
    let text = outcome.sources.get(name);
    let count = text.map_or(0, |text| text.lines().count());
    if text.is_some() && line as usize > count {
        return format!("{name} has {count} lines; there is no line {line}");
    }
    let nearest = [lines.range(..line).next_back(), lines.range(line..).next()];
    let nearest: Vec<String> = nearest.into_iter().flatten().map(u32::to_string).collect();
    let nearest = match &nearest[..] {
        [] => String::new(),
        [one] => format!("; the nearest are on line {one}"),
        several => format!("; the nearest are on lines {}", several.join(" and ")),
    };
    format!("there are no obligations on line {line} of {name}{nearest}")
}

/// The inputs of a run.
struct Asking<'a> {
    paths: &'a [&'a Path],
    files: &'a dyn Files,
    compiler: &'a dyn Compiler,
    options: &'a Options,
}

impl Asking<'_> {
    /// The obligations among some that are reported without some assumptions.
    fn fails_without(&self, open: &[Located], off: Vec<&'static Assumption>) -> Vec<Located> {
        if open.is_empty() {
            return Vec::new();
        }
        let names: BTreeSet<String> = open.iter().map(|one| one.function.clone()).collect();
        let mut check = self.options.check.clone();
        check.policy.assumptions = check.policy.assumptions.without(off);
        let entries = self.options.part.entries.clone();
        let only = names.into_iter().filter(|name| !entries.contains(name)).collect();
        let options = Options {
            check,
            part: Selection { only, entries, changed: None },
            ..self.options.clone()
        };
        let outcome = run(self.paths, self.files, self.compiler, &options, &crate::run::Silent);
        let found = outcome.report.findings.iter();
        let suppressed = outcome.suppressed.iter().map(|suppressed| &suppressed.finding);
        let found: Vec<&Finding> = found.chain(suppressed).collect();
        let fails = |one: &&Located| found.iter().any(|finding| one.is_of(finding));
        open.iter().filter(fails).cloned().collect()
    }

    /// For each of some obligations that fail without assumptions, those that keep it silent.
    fn attributed(&self, silent: Vec<Located>) -> BTreeMap<Located, Vec<&'static Assumption>> {
        let is_made = |one: &&'static Assumption| self.options.check.policy.assumptions.has(one);
        let made: Vec<&'static Assumption> = ASSUMPTIONS.iter().filter(is_made).collect();
        let (mut known, mut open) = (BTreeMap::new(), silent);
        for &assumption in &made {
            let found = self.fails_without(&open, vec![assumption]);
            open.retain(|one| !found.contains(one));
            known.extend(found.into_iter().map(|one| (one, vec![assumption])));
        }
        for one in open {
            let mut off = made.clone();
            for &assumption in &made {
                let fewer: Vec<_> =
                    off.iter().copied().filter(|other| other.name != assumption.name).collect();
                let subject = std::slice::from_ref(&one);
                if !self.fails_without(subject, fewer.clone()).is_empty() {
                    off = fewer;
                }
            }
            known.insert(one, off);
        }
        known
    }
}

/// The status of an obligation after the usual check alone.
fn status(one: &Located, outcome: &Outcome, options: &Options) -> Option<Status> {
    let finding = outcome.report.findings.iter().find(|finding| one.is_of(finding));
    if let Some(finding) = finding {
        return Some(Status::Reported { finding: finding.message.clone() });
    }
    let suppressed = outcome.suppressed.iter().find(|suppressed| one.is_of(&suppressed.finding));
    if let Some(suppressed) = suppressed {
        return Some(Status::Suppressed { reason: suppressed.reason.clone() });
    }
    (!options.rules.has(rule_of(one.kind).id)).then_some(Status::RuleOff)
}

/// The status of an obligation that does not fail without assumptions.
fn undecided(one: &Located, outcome: &Outcome) -> Status {
    let procedures = &outcome.report.procedures;
    let procedure = procedures.iter().find(|procedure| procedure.name == one.function);
    match procedure.map(|procedure| (&procedure.verdict, &procedure.bounds)) {
        Some((Verdict::Findings | Verdict::NoneWithinBounds, bounds)) => {
            Status::Proved { bounds: bounds.clone() }
        }
        Some((Verdict::Unknown(reason), _)) => Status::Unknown { reason: reason.to_string() },
        Some((Verdict::Skipped(reason), _)) => {
            Status::Unknown { reason: format!("the procedure is not checked: {reason}") }
        }
        None => Status::Unknown { reason: "the procedure is not checked".to_owned() },
    }
}

/// An obligation, by its place in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Located {
    place: Place,
    kind: AssertKind,
    function: String,
    message: String,
}

impl Located {
    fn line(&self) -> u32 {
        self.place.start.line
    }

    fn is_on(&self, line: u32) -> bool {
        (self.place.start.line..=self.place.end.line).contains(&line)
    }

    /// Whether a finding reports this obligation.
    fn is_of(&self, finding: &Finding) -> bool {
        let (own, other) = (&self.place, &finding.place);
        let is_function = finding.function.as_ref().is_none_or(|name| *name == self.function);
        let meets = own.path == other.path && own.start <= other.end && other.start <= own.end;
        is_function && meets && finding.rule.as_str() == rule_of(self.kind).id
    }

    fn assumed(&self, assumptions: &[&'static Assumption]) -> Status {
        let trusted = assumptions.iter().map(|assumption| Trusted {
            name: assumption.name.to_owned(),
            sentence: assumption.says(self.kind).to_owned(),
        });
        Status::Assumed { assumptions: trusted.collect() }
    }

    fn explained(self, status: Status) -> Explained {
        let Self { place, kind, function, message } = self;
        Explained { place, function, rule: rule_of(kind).id.to_owned(), message, status }
    }
}

/// Records the obligations of all procedures.
#[derive(Default)]
struct Ledger(Mutex<BTreeSet<Recorded>>);

/// An obligation: its file, the first and the last byte, its kind, its procedure, and what is wrong if it fails.
type Recorded = (String, u32, u32, AssertKind, String, String);

impl Ledger {
    fn record(
        &self,
        module: &Module,
        procedure: &Procedure,
        span: Span,
        (kind, message): (AssertKind, &str),
    ) {
        let path = module.files.get(span.file.0 as usize).map(|file| file.path.clone());
        let (Some(path), true) = (path, span.start < span.end) else { return };
        let function = procedure.display.as_ref().unwrap_or(&procedure.name).clone();
        if let Ok(mut known) = self.0.lock() {
            known.insert((path, span.start, span.end, kind, function, sentence(message, kind)));
        }
    }

    fn located(self, outcome: &Outcome) -> Vec<Located> {
        let known = self.0.into_inner().unwrap_or_default();
        let located = known.into_iter().map(|(path, start, end, kind, function, message)| {
            let source = outcome.sources.get(&path);
            let index = match source {
                Some(source) => LineIndex::new(source),
                None => LineIndex::ruled(ir::RULED),
            };
            let place = Place::of_offsets(path, &index, start, end);
            Located { place, kind, function, message }
        });
        located.collect()
    }
}

impl Observer for Ledger {
    fn lowered(&self, _: &str, module: &Module) {
        for procedure in &module.procedures {
            let blocks = procedure.blocks.iter().flatten();
            for statement in blocks.flat_map(|block| &block.statements) {
                if let StatementKind::Assert { kind, message, .. } = &statement.kind {
                    self.record(module, procedure, statement.span, (*kind, message));
                }
            }
        }
    }

    fn asked(&self, id: ProcedureId, session: &QuerySession<'_>) {
        let (module, evaluation) = (session.module(), session.evaluation());
        if evaluation.scope.direction != Direction::Under {
            return;
        }
        let procedure = module.procedure(id);
        for obligation in &evaluation.obligations {
            let span = match obligation.origin {
                Origin::Inlined(call) => called_at(procedure, call),
                Origin::Source | Origin::Macro(_) | Origin::Synthetic => Some(obligation.span),
            };
            if let Some(span) = span {
                self.record(module, procedure, span, (obligation.kind, &obligation.message));
            }
        }
    }
}

/// The text of the call at a point.
fn called_at(procedure: &Procedure, point: PointId) -> Option<Span> {
    let statements = procedure.blocks.iter().flatten().flat_map(|block| &block.statements);
    let mut calls = statements.filter(|statement| {
        statement.point == point && matches!(statement.kind, StatementKind::Call { .. })
    });
    calls.next().map(|statement| statement.span)
}

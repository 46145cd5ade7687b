//! `indict mutate`: how strong a specification is.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use driver::{Disk, MutantStatus, MutationOperator, NoTrial, Strategy, Tried};
use serde_json::json;

use crate::args::{Listed, Mutate};
use crate::check::configured;
use crate::output::print;
use crate::{Ending, Failure};

const KINDS: [MutationOperator; 8] = [
    MutationOperator::Arithmetic,
    MutationOperator::Relation,
    MutationOperator::Condition,
    MutationOperator::Bits,
    MutationOperator::Unary,
    MutationOperator::Deletion,
    MutationOperator::Reference,
    MutationOperator::Field,
];

/// Tries the mutants of a method.
pub(crate) fn mutate(asked: &Mutate) -> Result<Ending, Failure> {
    let (_, mut options) = configured(None, &[])?;
    let check = &mut options.check;
    check.strategy = Strategy::ALL;
    let bounds = &mut check.bounds;
    (bounds.scope, bounds.unroll, bounds.inline) = (asked.scope, asked.unroll, asked.inline);
    check.solver.conflicts = asked.budget;
    options.jobs = asked.jobs;
    let mut wanted = Vec::new();
    for name in &asked.only {
        let kind = KINDS.into_iter().find(|kind| kind.code().eq_ignore_ascii_case(name));
        let known = || KINDS.map(MutationOperator::code).join(", ");
        wanted.push(kind.ok_or_else(|| {
            Failure(format!("there is no kind of mistake `{name}`; there are {}", known()))
        })?);
    }
    let is_wanted = |kind: MutationOperator| wanted.is_empty() || wanted.contains(&kind);
    let start = Instant::now();
    let tried = driver::mutate(&asked.file, &asked.method, &Disk, &options, &is_wanted);
    let tried = tried.map_err(|NoTrial(why)| Failure(why))?;
    let text = match asked.format {
        Listed::Text => listed(asked, &tried, start.elapsed()),
        Listed::Json => {
            let all: Vec<serde_json::Value> = tried.iter().map(exported).collect();
            format!("{:#}\n", serde_json::Value::from(all))
        }
    };
    print(text.as_bytes())?;
    let survives = |tried: &Tried| match tried.status {
        MutantStatus::Killed { .. } | MutantStatus::Refused => false,
        MutantStatus::Equivalent | MutantStatus::Divergent | MutantStatus::Unknown(_) => true,
    };
    Ok(if tried.iter().any(survives) { Ending::Findings } else { Ending::Clean })
}

/// A mutant for programs.
fn exported(tried: &Tried) -> serde_json::Value {
    let Tried { mistake, place, original, replacement, status, time } = tried;
    let (status, scope, why) = match status {
        MutantStatus::Killed { scope, message } => ("killed", Some(*scope), Some(message.clone())),
        MutantStatus::Equivalent => ("equivalent within bounds", None, None),
        MutantStatus::Divergent => ("divergent only", None, None),
        MutantStatus::Unknown(why) => ("unknown", None, Some(why.clone())),
        MutantStatus::Refused => ("refused", None, None),
    };
    json!({
        "kind": mistake.code(), "line": place.start.line, "column": place.start.column,
        "original": original, "replacement": replacement, "status": status, "scope": scope,
        "why": why, "seconds": time.as_secs_f64(),
    })
}

/// The result as text: survivors, kills by scope, and sums by kind.
fn listed(asked: &Mutate, tried: &[Tried], time: Duration) -> String {
    let mut out = String::new();
    for tried in tried {
        let status = match &tried.status {
            MutantStatus::Killed { .. } | MutantStatus::Refused if !asked.verbose => continue,
            MutantStatus::Refused => "no compiler accepts this".to_owned(),
            MutantStatus::Killed { scope, message } => {
                format!("killed at scope {scope}: {message}")
            }
            MutantStatus::Equivalent => "equivalent within bounds".to_owned(),
            MutantStatus::Divergent => "divergent only".to_owned(),
            MutantStatus::Unknown(why) => format!("unknown: {why}"),
        };
        let (line, column) = (tried.place.start.line, tried.place.start.column);
        let (code, from) = (tried.mistake.code(), written(&tried.original));
        let to = match written(&tried.replacement).as_str() {
            ";" => "nothing".to_owned(),
            to => format!("`{to}`"),
        };
        let _ = writeln!(out, "{line}:{column}: {code} `{from}` becomes {to}: {status}");
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let is_killed = |tried: &&Tried| matches!(tried.status, MutantStatus::Killed { .. });
    let mut by_kind: BTreeMap<MutationOperator, [usize; 5]> = BTreeMap::new();
    let mut by_scope: BTreeMap<u32, usize> = BTreeMap::new();
    for tried in tried {
        let counts = by_kind.entry(tried.mistake).or_default();
        counts[match &tried.status {
            MutantStatus::Killed { scope, .. } => {
                *by_scope.entry(*scope).or_default() += 1;
                0
            }
            MutantStatus::Equivalent => 1,
            MutantStatus::Divergent => 2,
            MutantStatus::Unknown(_) => 3,
            MutantStatus::Refused => 4,
        }] += 1;
    }
    let head = ["killed", "equivalent", "divergent", "unknown", "refused"];
    let _ = write!(out, "      ");
    for word in head {
        let _ = write!(out, "{word:>12}");
    }
    out.push('\n');
    let mut all = [0; 5];
    for (kind, counts) in &by_kind {
        let _ = write!(out, "{:<6}", kind.code());
        for (sum, count) in all.iter_mut().zip(counts) {
            *sum += count;
            let _ = write!(out, "{count:>12}");
        }
        out.push('\n');
    }
    let _ = write!(out, "{:<6}", "all");
    for sum in all {
        let _ = write!(out, "{sum:>12}");
    }
    out.push_str("\n\n");
    let mut killed = 0;
    for (scope, count) in by_scope {
        killed += count;
        let share = 100.0 * killed as f64 / tried.iter().filter(is_killed).count().max(1) as f64;
        let _ = writeln!(out, "scope {scope:>2}: {share:>5.1}% of the kills");
    }
    let _ = writeln!(
        out,
        "{} mutants of {}, {killed} killed; scope {}, unroll {}, inline {}; {:.1}s",
        tried.len(),
        asked.method,
        asked.scope,
        asked.unroll,
        asked.inline,
        time.as_secs_f64()
    );
    out
}

/// A piece of source on one line.
fn written(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

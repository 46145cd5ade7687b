//! The additions of `--verbose` to a report, besides verdicts: suppressed findings, and the slowest procedures and
//! the speed of the analysis, which `--timings` adds alone.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use driver::{Effort, Outcome, Suppressed, Timing};

use crate::limits::SLOWEST_PROCEDURES;

/// The lists, each with an empty line after it.
pub(crate) fn lists(outcome: &Outcome, has_suppressed: bool) -> String {
    let mut text = String::new();
    let suppressed = if has_suppressed { &outcome.suppressed[..] } else { &[] };
    for Suppressed { finding, reason } in suppressed {
        let (place, rule) = (&finding.place, &finding.rule);
        let _ =
            writeln!(text, "suppressed: {place}: {rule}: {}, because {reason}", finding.message);
    }
    if !suppressed.is_empty() {
        text.push('\n');
    }
    text.push_str(&table(&outcome.timings));
    if let Some(rate) = rate(outcome) {
        text.push_str(&rate);
    }
    text
}

/// How fast the work went, by the time that procedures took, on however many threads, and what memory it took.
fn rate(outcome: &Outcome) -> Option<String> {
    let worked = outcome.timings.iter().filter(|timing| !timing.time.is_zero());
    let (mut seconds, mut count) = (0.0, 0);
    let mut files = BTreeSet::new();
    for timing in worked {
        seconds += timing.time.as_secs_f64();
        count += 1;
        files.extend(timing.place.rsplitn(3, ':').nth(2));
    }
    let texts = files.iter().filter_map(|file| outcome.sources.get(*file));
    let lines: usize = texts.map(|text| text.lines().count()).sum();
    if count == 0 {
        return None;
    }
    let a_second = |number: usize| number as f64 / seconds;
    let memory =
        peak_memory().map_or(String::new(), |megabytes| format!("; peak memory {megabytes} MB"));
    Some(format!(
        "{:.0} procedures/s, {:.0} lines/s (CPU){memory}\n\n",
        a_second(count),
        a_second(lines),
    ))
}

/// The peak memory of the process, in megabytes, where the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024)
}

/// A number with its noun.
fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

/// The procedures that took longest, longest first.
fn table(timings: &[Timing]) -> String {
    let mut text = String::new();
    let total: Duration = timings.iter().map(|timing| timing.time).sum();
    let mut slowest: Vec<&Timing> = timings.iter().filter(|t| !t.time.is_zero()).collect();
    slowest.sort_by_key(|timing| std::cmp::Reverse(timing.time));
    slowest.truncate(SLOWEST_PROCEDURES);
    if slowest.is_empty() {
        return text;
    }
    let total = total.as_secs_f64();
    let procedures = counted(timings.len() as u64, "procedure", "procedures");
    let _ = writeln!(text, "slowest of {procedures}, {total:.2} s in all:");
    let width = slowest.iter().map(|timing| timing.place.chars().count()).max().unwrap_or(0);
    for Timing { name, place, time, effort: Effort { points, queries, solved } } in slowest {
        let seconds = time.as_secs_f64();
        let _ = writeln!(
            text,
            "{seconds:>9.3} s  {place:width$}  {name}: {}, {}, {}",
            counted(*points as u64, "point", "points"),
            counted(*queries, "query", "queries"),
            counted(*solved, "solver call", "solver calls")
        );
    }
    text.push('\n');
    text
}

//! What `--verbose` adds to a report, besides verdicts: what is suppressed, and what took longest, which
//! `--timings` adds by itself.

use std::fmt::Write as _;
use std::time::Duration;

use check::Effort;
use driver::{Outcome, Suppressed, Timing};

/// How many procedures the table has at most.
const ROWS: usize = 10;

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
    text
}

/// The procedures that took longest, longest first.
fn table(timings: &[Timing]) -> String {
    let mut text = String::new();
    let total: Duration = timings.iter().map(|timing| timing.time).sum();
    let mut slowest: Vec<&Timing> = timings.iter().filter(|t| !t.time.is_zero()).collect();
    slowest.sort_by_key(|timing| std::cmp::Reverse(timing.time));
    slowest.truncate(ROWS);
    if slowest.is_empty() {
        return text;
    }
    let total = total.as_secs_f64();
    let plural = if timings.len() == 1 { "" } else { "s" };
    let _ = writeln!(text, "slowest of {} procedure{plural}, {total:.2} s in all:", timings.len());
    let width = slowest.iter().map(|timing| timing.place.chars().count()).max().unwrap_or(0);
    for Timing { name, place, time, effort: Effort { points, questions, solved } } in slowest {
        let seconds = time.as_secs_f64();
        let _ = writeln!(
            text,
            "{seconds:>9.3} s  {place:width$}  {name}: {points} points, {questions} questions, {solved} \
             for the solver"
        );
    }
    text.push('\n');
    text
}

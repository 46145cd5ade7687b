//! Whether what the sanitizers report is what a finding charges: an error of that kind, on that line.

use report::{Finding, Place};

use crate::run::Ended;

/// What a replay came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// What is charged happens; how, in a few words.
    Confirmed(String),
    /// It does not; why not.
    Refuted(String),
}

/// Addresses below are those of parts of what is not there.
const NULL_PAGE: u64 = 1 << 16;

/// Something that went wrong, as it was reported.
#[derive(Debug, Default)]
struct Error {
    /// Who reports it, for people.
    by: &'static str,
    /// What.
    what: String,
    /// The files, less their folders, and lines on the way there.
    lines: Vec<(String, u32)>,
}

/// Holds what a run printed against a finding.
pub fn judge(finding: &Finding, ended: &Ended) -> Answer {
    let (said, is_over) = match ended {
        Ended::Said(said) => (said, true),
        Ended::StillRunning(said) => (said, false),
    };
    let failure = finding.failure();
    let is_endless = failure.is_some_and(|step| step.text.starts_with('…'));
    if is_endless {
        return match is_over {
            false => Answer::Confirmed("the call does not come back".to_owned()),
            true => Answer::Refuted("the call came back".to_owned()),
        };
    }
    let errors = errors(said);
    let place = failure.and_then(|step| step.place.as_ref()).unwrap_or(&finding.place);
    let rule = finding.rule.as_str();
    let mut of_kind = errors.iter().filter(|error| shows(rule, &error.what)).peekable();
    let has_kind = of_kind.peek().is_some();
    let found = of_kind.find(|error| {
        error.lines.is_empty() || is_at(error, place) || is_at(error, &finding.place)
    });
    if let Some(Error { by, what, .. }) = found {
        return Answer::Confirmed(format!("{by}: {}", in_short(what)));
    }
    let others: Vec<&str> = errors.iter().map(|error| in_short(&error.what)).collect();
    Answer::Refuted(match (others.first(), is_over) {
        (Some(what), _) if has_kind => format!("it fails in another place: {what}"),
        (Some(what), _) => format!("it fails otherwise: {what}"),
        (None, true) => "the call came back".to_owned(),
        (None, false) => "the call did not come back in time".to_owned(),
    })
}

fn is_at(error: &Error, place: &Place) -> bool {
    let file = place.path.rsplit('/').next().unwrap_or(&place.path);
    let lines = place.start.line..=place.end.line.max(place.start.line);
    error.lines.iter().any(|(known, line)| known == file && lines.contains(line))
}

/// Whether an error is what breaking a rule looks like.
fn shows(rule: &str, what: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| what.contains(word));
    let address = crash(what);
    match rule {
        "assertion" => has(&["Assertion", "ABRT"]),
        "null-dereference" => has(&["null pointer"]) || address.is_some_and(|at| at < NULL_PAGE),
        "out-of-bounds" => {
            let far = address.is_some_and(|at| at >= NULL_PAGE);
            far || has(&[
                "buffer-overflow",
                "buffer-underflow",
                "out of bounds",
                "negative-size-param",
                // Blocks of nearly all memory overlap with any other.
                "memcpy-param-overlap",
                "unknown-crash",
                "insufficient space",
                "pointer index expression",
                "stack-buffer",
            ])
        }
        "use-after-free" => has(&["use-after-free", "use-after-return", "use-after-scope"]),
        "double-free" => has(&["double-free"]),
        "invalid-free" => has(&["not malloc()-ed", "bad-free"]) || address.is_some(),
        "division-by-zero" => has(&["division by zero", "FPE"]),
        "overflow" => has(&["overflow", "cannot be represented"]),
        "shift" => has(&["shift exponent", "left shift"]),
        // A doomed point is one from which every run fails, however it does.
        "doomed" => true,
        _ => false,
    }
}

/// An error without addresses, which differ from run to run.
fn in_short(what: &str) -> &str {
    let at = [" on address ", " on unknown address", ": memory ranges "];
    at.iter().filter_map(|word| what.find(word)).min().map_or(what, |end| &what[..end])
}

/// The address at which the program crashed.
fn crash(what: &str) -> Option<u64> {
    let at = what.strip_prefix("SEGV on unknown address")?.trim_start();
    let digits = at.strip_prefix("0x")?.split_whitespace().next()?;
    u64::from_str_radix(digits, 16).ok()
}

/// The errors that a run reports, in order.
fn errors(said: &str) -> Vec<Error> {
    let mut errors: Vec<Error> = Vec::new();
    // The frames of an error are those up to the first empty line.
    let mut is_open = false;
    for line in said.lines() {
        if let Some((_, what)) = line.split_once("ERROR: AddressSanitizer: ") {
            // Who jumped to nowhere cannot be found out.
            let is_lost = what.contains("(pc 0x000000000000 ");
            let what = what.split(" (pc ").next().unwrap_or(what);
            let what = what.split(" at pc ").next().unwrap_or(what).to_owned();
            errors.push(Error { by: "AddressSanitizer", what, lines: Vec::new() });
            is_open = !is_lost;
        } else if let Some((place, what)) = line.split_once(": runtime error: ") {
            let lines = location(place.trim()).into_iter().collect();
            errors.push(Error { by: "UBSan", what: what.to_owned(), lines });
            is_open = true;
        } else if let Some((place, what)) = line.split_once(": Assertion ") {
            let mut words = place.split(": ");
            let lines = words.find_map(|word| location(word.trim())).into_iter().collect();
            let what = format!("Assertion {what}");
            errors.push(Error { by: "assert", what, lines });
            is_open = false;
        } else if line.trim().is_empty() {
            is_open = false;
        } else if is_open
            && line.trim_start().starts_with('#')
            && let (Some(error), Some(place)) = (errors.last_mut(), line.rsplit(' ').next())
        {
            error.lines.extend(location(place));
        }
    }
    errors
}

/// The file and line of `path:line` or `path:line:column`.
fn location(text: &str) -> Option<(String, u32)> {
    let mut parts = text.rsplitn(3, ':');
    let (last, middle, first) = (parts.next()?, parts.next()?, parts.next());
    let (path, line) = match (first, middle.parse::<u32>()) {
        (Some(path), Ok(line)) => (path, line),
        _ => (middle, last.parse().ok()?),
    };
    Some((path.rsplit('/').next()?.to_owned(), line))
}

#[cfg(test)]
mod tests {
    use report::{Confirmation, Finding, LineIndex, Place, Step, StepKind};

    use super::{Answer, Ended, judge};

    fn finding(rule: &str) -> Finding {
        let index = LineIndex::new("a\nb\nc\nd\n");
        let place = Place::of_offsets("src/a.c", &index, 4, 5);
        let confirmation = Confirmation::ReplayedByInterpreter;
        let mut finding = Finding::new(rule, "a message", place.clone(), confirmation);
        finding.trace.push(Step::new(StepKind::Failure, "fails").at(place));
        finding
    }

    #[track_caller]
    fn check(rule: &str, said: &str, is_confirmed: bool) {
        let answer = judge(&finding(rule), &Ended::Said(said.to_owned()));
        assert_eq!(matches!(answer, Answer::Confirmed(_)), is_confirmed, "{answer:?}");
    }

    #[test]
    fn an_error_of_the_kind_on_the_line_confirms() {
        let freed = "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x6 at pc 0x5\n\
            READ of size 1\n    #0 0x5 in f /x/src/a.c:3\n\nfreed by\n    #0 0x5 in g /x/src/a.c:2\n";
        check("use-after-free", freed, true);
        check("doomed", freed, true);
        check("double-free", freed, false);
        check("use-after-free", &freed.replace("a.c:3", "a.c:4"), false);
        let null = "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000008 (pc 0x1\n\
            #0 0x5 in f /x/src/a.c:3\n";
        check("null-dereference", null, true);
        check("out-of-bounds", null, false);
        check("division-by-zero", "/x/a.c:3:9: runtime error: division by zero\n", true);
        check("assertion", "t: /x/a.c:3: f: Assertion `n > 0' failed.\n", true);
        check("assertion", "", false);
    }

    #[test]
    fn what_does_not_end_is_told_by_its_not_ending() {
        let mut endless = finding("doomed");
        endless.trace[0].text = "… and so on, without end".to_owned();
        let running = Ended::StillRunning(String::new());
        assert!(matches!(judge(&endless, &running), Answer::Confirmed(_)));
        assert!(matches!(judge(&endless, &Ended::Said(String::new())), Answer::Refuted(_)));
    }
}

//! Compares the events of an execution with a finding: an error of that kind, on that line, from the witness's
//! start state.

use report::{Execution, Finding, Observer, Obstacle, Place, Refutation};

use crate::machine::events::{Error, Events, Frame, events};
use crate::machine::fault::{ErrorKind, Seen, seen, shows};
use crate::machine::run::Run;
use crate::sandbox::{Limit, ProcessEnd};

/// Judges a finding by the events of an execution.
pub fn judge(finding: &Finding, run: &Run) -> Execution {
    let printed = String::from_utf8_lossy(&run.ran.report);
    let events = events(&printed, &run.word);
    if let Some(name) = &events.differs {
        let detail = Some(format!("{name} holds something else"));
        return Execution::CouldNotRun { reason: Obstacle::StartState, detail };
    }
    if !events.started {
        return not_run(run);
    }
    if finding.is_endless() {
        return endless(&events, run);
    }
    let place = finding.failure().and_then(|step| step.place.as_ref()).unwrap_or(&finding.place);
    let is_shown = |error: &&Error| {
        let is_known = !error.frames.is_empty();
        let is_there = !is_known || is_at(error, place) || is_at(error, &finding.place);
        shows(finding.kind, error.kind) && is_there
    };
    if let Some(Error { by, what, .. }) = events.errors.iter().find(is_shown) {
        return Execution::Confirmed { by: *by, seen: what.clone() };
    }
    if let ProcessEnd::Stopped(limit) = run.ran.ended {
        return Execution::CouldNotRun { reason: stopped(limit), detail: None };
    }
    if let Some(error) = events.errors.iter().find(|error| is_fatal(error)) {
        return other(error, finding);
    }
    let is_chosen = finding.setup.as_ref().is_some_and(|setup| setup.chosen);
    match (events.returned, &events.beyond, seen(finding.kind)) {
        (false, ..) => not_run(run),
        (true, ..) if is_chosen => {
            Execution::NotObservable { reason: report::Unobservable::Nondeterminism }
        }
        (true, Some(callee), _) => Execution::Refuted {
            reason: Refutation::OtherPath,
            seen: Some(format!("{callee}() is called once more")),
        },
        (true, None, Seen::Always) => {
            let seen = events.errors.first().map(|error| error.what.clone());
            Execution::Refuted { reason: Refutation::NoFailure, seen }
        }
        (true, None, Seen::NotAlways(reason)) => Execution::NotObservable { reason },
    }
}

/// An execution that says nothing.
fn not_run(run: &Run) -> Execution {
    match run.ran.ended {
        ProcessEnd::Stopped(limit) => {
            Execution::CouldNotRun { reason: stopped(limit), detail: None }
        }
        ProcessEnd::Exited(code) => {
            let words = run.ran.output.lines().find(|line| !line.trim().is_empty());
            let detail = words.map_or(format!("exit code {code}"), |words| words.trim().to_owned());
            Execution::CouldNotRun { reason: Obstacle::EndedElsewhere, detail: Some(detail) }
        }
    }
}

fn endless(events: &Events, run: &Run) -> Execution {
    match run.ran.ended {
        ProcessEnd::Stopped(Limit::Time) if events.errors.is_empty() => Execution::Confirmed {
            by: Observer::Clock,
            seen: "the call does not return".to_owned(),
        },
        ProcessEnd::Stopped(limit) => {
            Execution::CouldNotRun { reason: stopped(limit), detail: None }
        }
        ProcessEnd::Exited(_) if events.returned => {
            let seen = Some("the call returns".to_owned());
            Execution::Refuted { reason: Refutation::NoFailure, seen }
        }
        ProcessEnd::Exited(_) => not_run(run),
    }
}

/// An error that is not what a finding says. It refutes the finding where it happens in a file of the program, before or
/// instead of it; a library that crashes has been given what the witness makes up.
fn other(error: &Error, finding: &Finding) -> Execution {
    let Error { by, kind, what, frames } = error;
    let is_ours =
        |path: &String| path.rsplit('/').next().is_some_and(|name| name.ends_with("replay.c"));
    let is_in_program = matches!(
        frames.first(),
        Some(Frame { path: Some(path), .. })
            if std::path::Path::new(path).is_file() && !is_ours(path)
    );
    let is_chosen = finding.setup.as_ref().is_some_and(|setup| setup.chosen);
    if !is_in_program || is_chosen || *kind == ErrorKind::Memory {
        let detail = Some(format!("{by}: {what}"));
        return Execution::CouldNotRun { reason: Obstacle::EndedElsewhere, detail };
    }
    Execution::Refuted { reason: Refutation::OtherFailure, seen: Some(format!("{by}: {what}")) }
}

/// Whether an execution stops after an error.
fn is_fatal(error: &Error) -> bool {
    error.by != Observer::UndefinedBehaviorSanitizer
}

fn stopped(limit: Limit) -> Obstacle {
    match limit {
        Limit::Time => Obstacle::TimeLimit,
        Limit::Memory => Obstacle::MemoryLimit,
        Limit::Processes => Obstacle::ProcessLimit,
        Limit::Output => Obstacle::OutputLimit,
    }
}

/// Whether an error happens at a place, or in a call that is made there.
fn is_at(error: &Error, place: &Place) -> bool {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let file = name(&place.path);
    let lines = place.start.line..=place.end.line.max(place.start.line);
    error.frames.iter().any(|frame| {
        frame.path.as_ref().is_some_and(|path| name(path) == file) && lines.contains(&frame.line)
    })
}

#[cfg(test)]
mod tests {
    use report::{
        Confirmation, Execution, FailureKind, Finding, LineIndex, Obstacle, Place, Refutation,
        Setup, Step, StepKind, Unobservable,
    };

    use super::judge;
    use crate::machine::run::Run;
    use crate::sandbox::{Limit, ProcessEnd, Ran};

    fn finding(rule: &str) -> Finding {
        let index = LineIndex::new("a\nb\nc\nd\n");
        let place = Place::of_offsets("src/a.c", &index, 4, 5);
        let confirmation = Confirmation::ReplayedByInterpreter;
        let kind = FailureKind::named(rule).unwrap_or(FailureKind::ObjectState);
        let mut finding = Finding::new(rule, kind, "a message", place.clone(), confirmation);
        finding.trace.push(Step::new(StepKind::Failure, "fails").at(place));
        finding.setup = Some(Box::new(Setup::default()));
        finding
    }

    fn run(printed: &str, ended: ProcessEnd) -> Run {
        let report = printed.as_bytes().to_vec();
        Run { word: "w".to_owned(), ran: Ran { ended, output: String::new(), report } }
    }

    fn judged(rule: &str, printed: &str) -> Execution {
        let printed = format!("w start 0 \n{printed}");
        judge(&finding(rule), &run(&printed, ProcessEnd::Exited(1)))
    }

    #[track_caller]
    fn confirms(rule: &str, printed: &str, is_confirmed: bool) {
        let execution = judged(rule, printed);
        let found = matches!(execution, Execution::Confirmed { .. });
        assert_eq!(found, is_confirmed, "{execution:?}");
    }

    const RETURNED: &str = "w returned 0 \n";

    #[test]
    fn an_error_of_the_kind_on_the_line_confirms() {
        let freed = "w asan 0 \n==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x6 at pc 0x5\n\
            READ of size 1\n    #0 0x5 in f /x/src/a.c:3\n\nfreed by\n    #0 0x5 in g /x/src/a.c:2\nw end 0 \n";
        confirms("use-after-free", freed, true);
        confirms("double-free", freed, false);
        confirms("use-after-free", &freed.replace("a.c:3", "a.c:4"), false);
        let null = "w asan 0 \n==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000008 (pc 0x1\n\
            #0 0x5 in f /x/src/a.c:3\nw end 0 \n";
        confirms("null-dereference", null, true);
        confirms("out-of-bounds", null, false);
        // A container of an object at the null pointer lies before it.
        confirms("null-dereference", &null.replace("0x000000000008", "0xfffffffffffffff0"), true);
        let division =
            "w ubsan 0 integer-divide-by-zero\nw what 0 Division by zero\nw at 3 /x/a.c\n";
        confirms("division-by-zero", division, true);
        confirms("division-by-zero", &division.replace("at 3", "at 4"), false);
        confirms("assertion", "w assert 0 n > 0\nw at 3 /x/a.c\n", true);
        confirms("double-lock", "w lock 0 double-lock\n", true);
    }

    #[test]
    fn what_the_program_prints_under_another_word_says_nothing() {
        let printed = "v assert 0 n > 0\nv at 3 /x/a.c\nERROR: AddressSanitizer: SEGV\n";
        confirms("assertion", printed, false);
    }

    #[test]
    fn silence_refutes_only_where_the_observer_always_sees_it() {
        let refuted = |rule: &str| match judged(rule, RETURNED) {
            Execution::Refuted { reason, .. } => Some(reason),
            _ => None,
        };
        for rule in ["null-dereference", "division-by-zero", "assertion", "double-free", "shift"] {
            assert_eq!(refuted(rule), Some(Refutation::NoFailure), "{rule}");
        }
        for rule in ["out-of-bounds", "use-after-free", "memory-leak", "double-lock"] {
            assert_eq!(refuted(rule), None, "{rule}");
        }
        let reason = Unobservable::OutOfBounds;
        assert_eq!(judged("out-of-bounds", RETURNED), Execution::NotObservable { reason });
    }

    #[test]
    fn a_call_that_the_witness_does_not_make_refutes() {
        let printed = format!("w beyond 0 length\n{RETURNED}");
        let Execution::Refuted { reason, .. } = judged("out-of-bounds", &printed) else { panic!() };
        assert_eq!(reason, Refutation::OtherPath);
    }

    #[test]
    fn values_that_change_under_the_run_refute_nothing() {
        let mut chosen = finding("assertion");
        chosen.setup = Some(Box::new(Setup { chosen: true, ..Setup::default() }));
        let printed = format!("w start 0 \n{RETURNED}");
        let reason = Unobservable::Nondeterminism;
        let execution = judge(&chosen, &run(&printed, ProcessEnd::Exited(0)));
        assert_eq!(execution, Execution::NotObservable { reason });
    }

    #[test]
    fn without_the_start_state_nothing_is_judged() {
        let why = |printed: &str, ended| match judge(&finding("assertion"), &run(printed, ended)) {
            Execution::CouldNotRun { reason, .. } => Some(reason),
            _ => None,
        };
        let differs = "w differs 3 block 7\nw assert 0 n > 0\nw at 3 /x/a.c\n";
        assert_eq!(why(differs, ProcessEnd::Exited(2)), Some(Obstacle::StartState));
        assert_eq!(why("", ProcessEnd::Exited(1)), Some(Obstacle::EndedElsewhere));
        let stopped = |limit| why("w start 0 \n", ProcessEnd::Stopped(limit));
        assert_eq!(stopped(Limit::Time), Some(Obstacle::TimeLimit));
        assert_eq!(stopped(Limit::Memory), Some(Obstacle::MemoryLimit));
    }

    #[test]
    fn what_does_not_end_is_reported_by_its_not_ending() {
        let mut endless = finding("doomed");
        endless.trace[0].kind = StepKind::Endless;
        let running = run("w start 0 \n", ProcessEnd::Stopped(Limit::Time));
        assert!(matches!(judge(&endless, &running), Execution::Confirmed { .. }));
        let printed = format!("w start 0 \n{RETURNED}");
        let ended = judge(&endless, &run(&printed, ProcessEnd::Exited(0)));
        assert!(matches!(ended, Execution::Refuted { .. }), "{ended:?}");
    }

    #[test]
    fn a_crash_in_a_library_is_no_refutation() {
        let crash = |path: &str| {
            format!(
                "w asan 0 \n==1==ERROR: AddressSanitizer: SEGV on unknown address 0x00000000beef (pc 0x1\n\
                 #0 0x5 in f {path}:1\nw end 0 \n"
            )
        };
        let in_library = judged("assertion", &crash("../sysdeps/fclose.c"));
        assert!(matches!(in_library, Execution::CouldNotRun { .. }), "{in_library:?}");
        let in_program =
            judged("assertion", &crash(file!().replace("crates/execute/", "").as_str()));
        let Execution::Refuted { reason, .. } = in_program else { panic!("{in_program:?}") };
        assert_eq!(reason, Refutation::OtherFailure);
    }
}

//! Findings against exhaustive interpretation: all executions of small programs, and the findings of the analysis
//! in them.
//!
//! Parameters range over 0 to 3; all other decisions, and the caller's memory, over the options of the judge's
//! oracle, which are all that these programs distinguish.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use interpret::{Ending, Outcome, Value};
use judge::{Choice, Observation, Scalar, Sight, TrackedObject, Witness};
use property::Index;

use crate::fixture::{BOX, Checked, Clang, Found, Source, index, number, scale};
use crate::generate::{Function, Group, Shape, group, text};

const FILES: usize = 10;
const GROUPS: usize = 20;
const LOOPS: Shape = Shape { functions: 3, statements: 6, has_loops: true };
const NO_LOOPS: Shape = Shape { functions: 3, statements: 7, has_loops: false };

/// So many runs of a function are tried.
const MOST_RUNS: usize = 400;

#[test]
fn findings_are_what_runs_show() {
    let (clang, index) = (Clang::find(), index());
    let (mut rng, mut choices) = (Rng::with_seed(2101), Rng::with_seed(2103));
    let mut count = Count::default();
    let mut missed = Vec::new();
    for file in 0..FILES * scale() {
        let shape = if file % 2 == 0 { NO_LOOPS } else { LOOPS };
        let groups: Vec<Group> = (0..GROUPS).map(|n| group(&mut rng, n, shape)).collect();
        let source = Source::new(&clang, &format!("exhaustive-{file}"), text(&groups));
        let checked = source.checked(&clang);
        for function in groups.iter().flat_map(|group| &group.functions) {
            let all = all_runs(&source, &index, function, &mut choices);
            count.functions += 1;
            count.runs += all.runs;
            count.cut += usize::from(!all.is_complete);
            for found in checked.findings.iter().filter(|found| found.function == function.name) {
                count.findings += 1;
                let is_shown = match &*found.rule {
                    "lock-imbalance" => all.differ(),
                    _ => all.shown.contains(found),
                };
                count.unsettled += usize::from(!is_shown && !all.is_complete);
                assert!(
                    is_shown || !all.is_complete,
                    "no run of {} shows {found:?}",
                    source.file.display()
                );
            }
            if shape.has_loops {
                continue;
            }
            for shown in &all.expected {
                count.shown += 1;
                if checked.findings.contains(shown) {
                    count.found += 1;
                } else if is_callees(&source, &checked, shown) {
                    count.callees += 1;
                } else if checked.unknown.contains(&shown.function) {
                    count.unknown += 1;
                } else {
                    missed.push(format!("{shown:?} in {}", source.file.display()));
                }
            }
        }
    }
    eprintln!("{count:?}, {} missed", missed.len());
    assert!(count.findings > 100, "there was something to find: {count:?}");
    assert!(count.unsettled * 50 <= count.findings, "few are left unsettled: {count:?}");
    assert!(
        missed.len() * 100 <= count.shown * MOST_MISSED,
        "{} of {} are missed: {count:?}\n{}",
        missed.len(),
        count.shown,
        missed.join("\n")
    );
}

/// Of a hundred failures in executions of programs without loops, this number may be missed. Measured: 21. Most are
/// leaks of a block that a callee has stored in the caller's structure and that a later call overwrites, which
/// summaries do not follow. Others rest on a callee that fails to lock where its status is ignored, or on a state
/// at entry that the summary takes for a precondition.
const MOST_MISSED: usize = 25;

#[derive(Debug, Default)]
struct Count {
    functions: usize,
    runs: usize,
    /// Functions of which not all runs were tried.
    cut: usize,
    findings: usize,
    /// Findings in those that no run showed that was tried.
    unsettled: usize,
    /// Failures that runs show.
    shown: usize,
    /// Those that are findings.
    found: usize,
    /// Those that are findings in a callee.
    callees: usize,
    /// Those in functions of which something is unknown.
    unknown: usize,
}

/// Whether a failure is a finding in a callee: the same on the line of its call, or a callee that leaves locks in
/// different states, on one of which the failure rests.
pub fn is_callees(source: &Source, checked: &Checked, shown: &Found) -> bool {
    let has = |name: &str, rule: &str| {
        checked.findings.iter().any(|found| found.function == name && found.rule == rule)
    };
    let here = all_called(&source.text, called(&source.text, shown.line));
    let anywhere = all_called(&source.text, called_by(&source.text, &shown.function));
    here.iter().any(|name| has(name, &shown.rule))
        || shown.rule != "memory-leak" && anywhere.iter().any(|name| has(name, "lock-imbalance"))
}

/// These functions and all that they call.
fn all_called(text: &str, mut open: Vec<String>) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    while let Some(name) = open.pop() {
        if all.insert(name.clone()) {
            open.extend(called_by(text, &name));
        }
    }
    all
}

/// The generated functions that a function calls.
fn called_by(text: &str, name: &str) -> Vec<String> {
    let start = format!("({name})(");
    let first = text.lines().position(|line| line.contains(&start)).expect("it has a body");
    let length = text.lines().skip(first).position(|line| line == "}").expect("the body ends");
    (first + 2..=first + length).flat_map(|line| called(text, line)).collect()
}

/// The generated function that is called on a line.
fn called(text: &str, line: usize) -> Vec<String> {
    let line = text.lines().nth(line - 1).unwrap_or_default();
    let call = line.split_once(" = f").and_then(|(_, rest)| rest.split_once("(s, "));
    call.map(|(name, _)| format!("f{name}")).into_iter().collect()
}

/// What all runs of a function show.
#[derive(Default)]
struct AllRuns {
    runs: usize,
    is_complete: bool,
    /// Double locks, double unlocks and leaks.
    shown: BTreeSet<Found>,
    /// The failures that are to be found: the first of an execution, after an operation has moved the lock. An
    /// attempt to lock that failed says nothing if the caller may have held the lock.
    expected: BTreeSet<Found>,
    /// For each class of value that runs return and each lock: the states at entry and end.
    ends: BTreeMap<(Class, TrackedObject), BTreeSet<(u32, u32)>>,
    /// For each class the sets of locks that runs have moved. Any other lock ends as it was, whatever that is: a
    /// failed attempt to lock does not tell.
    moved: BTreeMap<Class, BTreeSet<Vec<TrackedObject>>>,
}

/// What a caller can tell from a result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    Zero,
    Negative,
    Other,
}

impl AllRuns {
    /// Whether two runs return the same class of value and leave a lock in different states that both
    /// found in the same state.
    fn differ(&self) -> bool {
        self.ends.iter().any(|((class, lock), ends)| {
            let is_left = self.moved[class].iter().any(|locks| !locks.contains(lock));
            let differ = |(entry, end): &(u32, u32)| {
                is_left && entry != end
                    || ends.iter().any(|(other, at)| entry == other && end != at)
            };
            ends.iter().any(differ)
        })
    }

    fn note(&mut self, source: &Source, function: &Function, run: &Observation) {
        let id = source.function(&function.name);
        let found = |rule: &str, point| Found {
            function: function.name.clone(),
            rule: rule.to_owned(),
            line: source.line(id, point),
        };
        let mut is_first = true;
        for (place, seen) in run.seen.iter().enumerate() {
            let Sight::Error { subject: broken, rule, .. } = &seen.sight else { continue };
            let before = run.seen[..place].iter().filter_map(|seen| match &seen.sight {
                Sight::Moved { subject, from, to, .. } => (subject == broken).then_some((from, to)),
                Sight::Branch(_) | Sight::Error { .. } | Sight::Allocated { .. } => None,
            });
            let before: Vec<(&u32, &u32)> = before.collect();
            if !before.is_empty() {
                self.shown.insert(found(rule, seen.point));
            }
            if is_first && before.iter().any(|(from, to)| from != to) {
                self.expected.insert(found(rule, seen.point));
            }
            is_first = false;
        }
        for point in run.lost.iter().flatten() {
            let leak = found("memory-leak", *point);
            if is_first {
                self.expected.insert(leak.clone());
            }
            self.shown.insert(leak);
        }
        let Outcome::Exit(Ending::Normal(results)) = &run.outcome else { return };
        let class = match results.first() {
            Some(Some(Value::Bv(word))) if word.is_zero() => Class::Zero,
            Some(Some(Value::Bv(word))) if word.sign() => Class::Negative,
            Some(Some(Value::Ptr(pointer))) if *pointer == interpret::Pointer::NULL => Class::Zero,
            _ => Class::Other,
        };
        let is_moved = |lock: TrackedObject| {
            run.seen.iter().any(|seen| match seen.sight {
                Sight::Moved { subject, from, to, .. } => subject == lock && from != to,
                Sight::Branch(_) | Sight::Error { .. } | Sight::Allocated { .. } => false,
            })
        };
        let moved: Vec<_> = run.states.iter().filter(|of| is_moved(of.subject)).collect();
        for of in &moved {
            self.ends.entry((class, of.subject)).or_default().insert((of.entry, of.end));
        }
        let locks = moved.iter().map(|of| of.subject).collect();
        self.moved.entry(class).or_default().insert(locks);
    }
}

/// All runs of a function; if there are too many, some of them, and others at random.
fn all_runs(source: &Source, index: &Index, function: &Function, rng: &mut Rng) -> AllRuns {
    let id = source.function(&function.name);
    let mut all = AllRuns { is_complete: true, ..AllRuns::default() };
    let [a, b] = function.reads().map(|reads| if reads { 0..4 } else { 0..1 });
    let most = MOST_RUNS / (a.len() * b.len());
    for (a, b) in a.flat_map(|a| b.clone().map(move |b| (a, b))) {
        let witness = Witness {
            parameters: vec![Some(Scalar::Pointer(BOX, 0)), number(a), number(b)],
            objects: vec![(BOX, judge::ROOM)],
            ..Witness::default()
        };
        let mut count = 0;
        source.observe(index, id, &witness, &mut |run| {
            (all.runs, count) = (all.runs + 1, count + 1);
            assert_ne!(run.outcome, Outcome::OutOfSteps, "{} returns", function.name);
            all.note(source, function, &run);
            if count > most {
                let choices = (0..64).map(|_| Choice::among(3, rng.usize(..3)));
                return (count < 2 * most).then(|| choices.collect());
            }
            // Numbers are zero, one, minus one, and then what these programs do not tell from them.
            let fewer = |one: Choice| Choice { options: one.options.min(3), ..one };
            let next = judge::next(run.decisions.into_iter().map(fewer).collect());
            all.is_complete &= count < most || next.is_none();
            next
        });
    }
    all
}

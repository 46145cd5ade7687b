//! Random reports on random texts: nothing panics, and what is written can be read.

use std::collections::BTreeMap;

use fastrand::Rng;
use report::text::Options;
use report::{
    Binding, Bounds, Confirmation, FailureKind, Finding, Heap, LineIndex, Note, Object, Place,
    Position, Procedure, Reason, ReasonClass, Related, Report, Severity, Step, StepKind, Verdict,
    fingerprint, json, page, text,
};
use serde_json::Value;

use crate::sample;

const PATHS: [&str; 5] = ["a.c", "b/ü ber.h", "./c.java", "/abs/d.c", "missing.c"];

fn pick<T: Clone>(random: &mut Rng, of: &[T]) -> T {
    of[random.usize(..of.len())].clone()
}

/// A text of pieces that have each broken some renderer at some time.
fn words(random: &mut Rng, most: usize) -> String {
    let pieces = [
        "a",
        "int x = *p;",
        " ",
        "    ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "é",
        "日本",
        "😀",
        "e\u{301}",
        "\u{200d}",
        "👩\u{200d}👩",
        "\u{202e}",
        "\u{1b}[31m",
        "\0",
        "\u{feff}",
        "\u{fffd}",
        "{0}",
        "[a](b)",
        "\\",
        "\u{7f}",
        "\u{2028}",
        "...",
        "|",
        "\u{85}",
        "\u{3000}",
        "ﷺ",
        "\u{ad}",
    ];
    (0..random.usize(..=most)).map(|_| pick(random, &pieces)).collect()
}

/// Some files, among them an empty one and one with a very long line now and then.
pub fn sources(random: &mut Rng) -> BTreeMap<String, String> {
    let mut text = |path: &str| {
        let mut text = words(random, 60);
        if random.u8(..) < 16 {
            text = pick(
                random,
                &[String::new(), text.repeat(400), format!("{}x", "日\t".repeat(9_000))],
            );
        }
        (path.to_owned(), text)
    };
    PATHS[..4].iter().map(|path| text(path)).collect()
}

fn position(random: &mut Rng) -> Position {
    let mut number = |usual: u32| match random.u8(..8) {
        0 => pick(random, &[0, u32::MAX, 4_999, 5_001, 20_000]),
        _ => random.u32(..usual),
    };
    Position { line: number(20), column: number(40), offset: number(900) }
}

fn place(random: &mut Rng) -> Place {
    let (start, mut end) = (position(random), position(random));
    if random.bool() {
        end.line = start.line.saturating_add(random.u32(..3));
    }
    Place { path: pick(random, &PATHS).into(), start, end }
}

/// A value that may be the name of an object.
fn value(random: &mut Rng) -> String {
    match random.u8(..3) {
        0 => words(random, 3),
        1 => "null".to_owned(),
        _ => pick(random, &OBJECTS).to_owned(),
    }
}

const OBJECTS: [&str; 5] = ["T#1", "T#2", "int[]#1", "a.B#3", "日#4"];

fn heaps(random: &mut Rng) -> Vec<Heap> {
    let binding = |random: &mut Rng| Binding { name: words(random, 2), value: value(random) };
    let object = |random: &mut Rng| Object {
        name: pick(random, &OBJECTS).to_owned(),
        kind: words(random, 1),
        fields: (0..random.usize(..4)).map(|_| binding(random)).collect(),
    };
    let heap = |random: &mut Rng| Heap {
        when: words(random, 1),
        variables: (0..random.usize(..3)).map(|_| binding(random)).collect(),
        objects: (0..random.usize(..6)).map(|_| object(random)).collect(),
    };
    (0..random.usize(..3)).map(|_| heap(random)).collect()
}

fn step(random: &mut Rng) -> Step {
    let kinds = [
        StepKind::Entry,
        StepKind::Statement,
        StepKind::Branch,
        StepKind::Call,
        StepKind::Return,
        StepKind::Failure,
    ];
    let mut step = Step::new(pick(random, &kinds), words(random, 6));
    if random.u8(..4) > 0 {
        step = step.at(place(random));
    }
    for _ in 0..random.usize(..3) {
        step = match random.u8(..3) {
            0 => step.with(words(random, 3), words(random, 9)),
            1 => {
                step.with(format!("{}.{}", pick(random, &OBJECTS), words(random, 1)), value(random))
            }
            _ => step.with(format!("{}[0]", pick(random, &OBJECTS)), value(random)),
        };
    }
    step.deep(if random.u8(..8) == 0 { u32::MAX >> 1 } else { random.u32(..4) })
}

fn finding(random: &mut Rng) -> Finding {
    let confirmation = match random.u8(..3) {
        0 => Confirmation::ReplayedByInterpreter,
        1 => Confirmation::ConfirmedByExecution(words(random, 4)),
        _ => Confirmation::ProvedWithoutRun(words(random, 4)),
    };
    let related = |random: &mut Rng| Related { place: place(random), message: words(random, 4) };
    let mut finding = Finding {
        detail: random.bool().then(|| words(random, 2)),
        function: random.bool().then(|| words(random, 3)),
        trace: (0..random.usize(..8)).map(|_| step(random)).collect(),
        heaps: heaps(random),
        related: (0..random.usize(..4)).map(|_| related(random)).collect(),
        bounds: Bounds::new().with(words(random, 2), random.u64(..)),
        setup: None,
        identity: vec![words(random, 2)],
        ..Finding::new(
            words(random, 2),
            FailureKind::ALL[random.usize(..FailureKind::ALL.len())],
            words(random, 8),
            place(random),
            confirmation,
        )
    };
    if let Some(last) = finding.trace.last_mut().filter(|_| random.bool()) {
        (last.kind, last.place) = (StepKind::Failure, Some(finding.place.clone()));
    }
    finding
}

fn procedure(random: &mut Rng) -> Procedure {
    let reason =
        Reason::new(ReasonClass::UnchangedSince(words(random, 2))).because(words(random, 2));
    let verdicts = [
        Verdict::Findings,
        Verdict::NoneWithinBounds,
        Verdict::Unknown(reason.clone()),
        Verdict::Skipped(reason),
    ];
    let procedure = Procedure::new(words(random, 5), pick(random, &verdicts), Bounds::new());
    if random.bool() { procedure.at(place(random)) } else { procedure }
}

fn note(random: &mut Rng) -> Note {
    let severity = pick(random, &[Severity::Error, Severity::Warning, Severity::Note]);
    let place = random.bool().then(|| place(random));
    Note { severity, message: words(random, 5), place }
}

/// A report that makes no sense whatever.
pub fn report(random: &mut Rng) -> Report {
    let findings = (0..random.usize(..4)).map(|_| finding(random)).collect();
    let procedures = (0..random.usize(..4)).map(|_| procedure(random)).collect();
    let notes = (0..random.usize(..3)).map(|_| note(random)).collect();
    Report::new(findings, procedures, notes, Bounds::new().with("unroll", 3), None)
}

#[test]
fn text_never_panics_and_never_controls_the_terminal() {
    let mut random = Rng::with_seed(3);
    for round in 0..4_000 {
        let (sources, report) = (sources(&mut random), report(&mut random));
        let options = Options {
            color: false,
            width: pick(&mut random, &[0, 20, 80, 100, usize::MAX]),
            verdicts: true,
        };
        let mut out = Vec::new();
        text::render(&report, &sources, &options, &mut out).expect("memory is enough");
        let text = String::from_utf8(out).expect("text is UTF-8");
        let bad = text.chars().find(|&c| c != '\n' && c.is_control() || c == '\u{202e}');
        assert_eq!(bad, None, "round {round}");
    }
}

#[test]
fn pages_never_panic_and_let_no_text_be_markup() {
    let mut random = Rng::with_seed(7);
    for round in 0..1_000 {
        let (sources, report) = (sources(&mut random), report(&mut random));
        for finding in &report.findings {
            let mut hostile = finding.clone();
            hostile.message.push_str("<script>alert(1)</script>");
            let html = page::render(&hostile, &sources);
            assert_eq!(html.matches("<script>").count(), 1, "round {round}: only our own");
            assert_eq!(html.matches("class=\"step\"").count(), finding.trace.len());
        }
    }
}

#[test]
fn json_reads_back_as_the_same_report() {
    let mut random = Rng::with_seed(4);
    for _ in 0..1_000 {
        let (sources, report) = (sources(&mut random), report(&mut random));
        let mut out = Vec::new();
        json::render(&report, &sample::tool(), &sources, &mut out).expect("memory is enough");
        let value: Value = serde_json::from_slice(&out).expect("it is JSON");
        assert_eq!(value["version"], json::VERSION);
        let read: Report = serde_json::from_value(value).expect("it is a report");
        assert_eq!(read, report);
    }
}

#[test]
fn positions_lead_back_to_their_offsets() {
    let mut random = Rng::with_seed(5);
    for _ in 0..2_000 {
        let text = words(&mut random, 30);
        let index = LineIndex::new(&text);
        let offset = random.u32(..100);
        let position = index.position(offset);
        assert!(position.offset <= offset && position.offset as usize <= text.len());
        let line_start: usize =
            text.split_inclusive('\n').take(position.line as usize - 1).map(str::len).sum();
        let before = text[line_start..].chars().take(position.column as usize - 1);
        let before: usize = before.map(char::len_utf8).sum();
        assert_eq!(line_start + before, position.offset as usize);
    }
}

#[test]
fn fingerprints_survive_an_edit_elsewhere_and_line_hashes_one_per_line() {
    let sources = sample::sources();
    let report = sample::report();
    let before = fingerprint::identities(&report, &sources);
    let mut edited = report.clone();
    for finding in &mut edited.findings {
        finding.place.start.line += 2;
        finding.place.end.line += 2;
    }
    let longer =
        sources.iter().map(|(path, text)| (path.clone(), format!("\n// new\n{text}"))).collect();
    let longer: BTreeMap<String, String> = longer;
    assert_eq!(fingerprint::identities(&edited, &longer), before);

    let mut random = Rng::with_seed(6);
    for _ in 0..1_000 {
        let text = words(&mut random, 40);
        let lines = text.replace("\r\n", "\n").replace('\r', "\n").split('\n').count();
        assert_eq!(fingerprint::line_hashes(&text).len(), lines);
    }
}

//! The sample report in every format, against files. `UPDATE=1 cargo test -p report` writes them anew.

use std::path::Path;

use report::text::Options;
use report::{json, sarif, text};

use crate::sample;

/// Compares with a file under `tests/golden`, or replaces it if `UPDATE` is set.
fn check(name: &str, actual: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, actual).expect("the golden file can be written");
        return;
    }
    let expected = std::fs::read(&path).unwrap_or_default();
    let (actual, expected) = (String::from_utf8_lossy(actual), String::from_utf8_lossy(&expected));
    let differs = actual.lines().zip(expected.lines()).position(|(a, e)| a != e);
    assert!(
        actual == expected,
        "{name} differs from line {} on; run `UPDATE=1 cargo test -p report` and read the difference",
        differs.unwrap_or(actual.lines().count().min(expected.lines().count())) + 1,
    );
}

fn as_text(options: &Options) -> Vec<u8> {
    let mut out = Vec::new();
    text::render(&sample::report(), &sample::sources(), options, &mut out)
        .expect("memory is enough");
    out
}

#[test]
fn text() {
    check("report.txt", &as_text(&Options { verdicts: true, ..Options::default() }));
}

#[test]
fn narrow_text() {
    check("narrow.txt", &as_text(&Options { width: 60, ..Options::default() }));
}

#[test]
fn colour_changes_nothing_but_colour() {
    let colored = as_text(&Options { color: true, ..Options::default() });
    let colored = String::from_utf8(colored).expect("text is UTF-8");
    let mut stripped = String::new();
    for (i, part) in colored.split('\u{1b}').enumerate() {
        let text = if i == 0 { part } else { part.split_once('m').expect("a colour ends").1 };
        stripped.push_str(text);
    }
    let lines = |text: &str| text.lines().map(|l| l.trim_end().to_owned()).collect::<Vec<_>>();
    let plain = String::from_utf8(as_text(&Options::default())).expect("text is UTF-8");
    assert_eq!(lines(&stripped), lines(&plain));
}

#[test]
fn json() {
    let mut out = Vec::new();
    json::render(&sample::report(), &sample::tool(), &sample::sources(), &mut out)
        .expect("memory is enough");
    check("report.json", &out);
}

#[test]
fn sarif() {
    let mut out = Vec::new();
    sarif::render(&sample::report(), &sample::tool(), &sample::sources(), &mut out)
        .expect("memory is enough");
    check("report.sarif", &out);
}

#[test]
fn a_report_does_not_depend_on_the_order_of_its_parts() {
    let report = sample::report();
    let (mut findings, mut procedures) = (report.findings.clone(), report.procedures.clone());
    let mut notes = report.notes.clone();
    findings.reverse();
    procedures.reverse();
    notes.reverse();
    let (bounds, duration) = (report.summary.bounds.clone(), report.summary.duration);
    assert_eq!(report::Report::new(findings, procedures, notes, bounds, duration), report);
}

//! Files that are not as they should be: each gets a clear note, and the rest goes on.

use std::io;
use std::path::Path;

use driver::{Entry, Files, Kind, NoCompiler, Options, Silent};

use super::{RIGHT, WRONG, findings, notes, run, verdicts};

#[test]
fn a_binary_file() {
    let files = [("a.vir", b"\x7fELF\0\0".to_vec()), ("b.vir", WRONG.into())];
    let outcome = run(files, &["a.vir", "b.vir"]);
    assert_eq!(outcome.report.findings.len(), 1);
    assert!(notes(&outcome)[0].starts_with("error: `a.vir` is a binary file; name the source"));
}

#[test]
fn a_file_that_is_not_utf_8() {
    let outcome = run([("a.vir", b"sort A;\n// caf\xe9\n".to_vec())], &["a.vir"]);
    assert!(notes(&outcome)[0].starts_with("error: `a.vir` is not UTF-8 on line 2; convert it"));
}

#[test]
fn a_byte_order_mark_is_no_fault() {
    let outcome = run([("a.vir", format!("\u{feff}{WRONG}"))], &["a.vir"]);
    assert_eq!((findings(&outcome).len(), notes(&outcome)), (1, vec![]));
}

#[test]
fn an_empty_file() {
    let outcome = run([("a.vir", "")], &["a.vir"]);
    assert_eq!((verdicts(&outcome), notes(&outcome)), (vec![], vec![]));
}

#[test]
fn all_syntax_errors_are_reported_with_their_places() {
    let text =
        "sort ;\nproc f()\n{\n  entry:\n    x := ;\n    assert +;\n    exit;\n}\nvar m: [int;\n";
    let outcome = run([("a.vir", text), ("b.vir", WRONG)], &["a.vir", "b.vir"]);
    let places: Vec<_> = outcome.report.notes.iter().map(|note| note.place.as_ref()).collect();
    let lines: Vec<u32> = places.iter().map(|place| place.unwrap().start.line).collect();
    assert_eq!(lines, [1, 5, 6, 9], "{:#?}", notes(&outcome));
    assert_eq!(verdicts(&outcome), ["f: skipped: faulty source", "wrong: findings"]);
}

#[test]
fn nothing_is_said_of_procedures_that_depend_on_a_fault() {
    // Without its precondition, which cannot be read, `half` would look wrong.
    let text = "\
proc half(x: int)
  requires x != +;
{
  entry:
    assert x != 7 \"x is seven\";
    exit;
}

proc caller(x: int)
{
  entry:
    call half(x);
    assert x != 8 \"x is eight\";
    exit;
}

proc other(x: int)
{
  entry:
    assert x != 9 \"x is nine\";
    exit;
}
";
    let outcome = run([("a.vir", text)], &["a.vir"]);
    let skipped = |name: &str| format!("{name}: skipped: faulty source");
    assert_eq!(
        verdicts(&outcome),
        [skipped("half"), skipped("caller"), "other: findings".to_owned()]
    );
    assert_eq!(findings(&outcome), ["a.vir:20:5: assertion: x is nine"]);
}

#[test]
fn invalid_vir() {
    let text = "proc f(x: int)\n{\n  entry:\n    assert x;\n    exit;\n}\n";
    let outcome = run([("a.vir", text)], &["a.vir"]);
    assert_eq!(verdicts(&outcome), ["f: skipped: faulty source"]);
    assert_eq!(outcome.report.notes.len(), 1);
    assert_eq!(outcome.report.notes[0].place.as_ref().unwrap().start.line, 4);
    assert!(outcome.report.is_incomplete());
}

#[test]
fn ten_megabytes() {
    let comment = "// Comment upon comment upon comment upon comment upon comment upon comment.\n";
    let mut text = comment.repeat((10 << 20) / comment.len());
    text.push_str(WRONG);
    let outcome = run([("a.vir", text)], &["a.vir"]);
    assert_eq!((findings(&outcome).len(), notes(&outcome)), (1, vec![]));
}

#[test]
fn more_than_any_person_writes() {
    /// Files that never end.
    struct Endless;
    impl Files for Endless {
        fn kind(&self, _: &Path) -> io::Result<Kind> {
            Ok(Kind::File)
        }
        fn entries(&self, _: &Path) -> io::Result<Vec<Entry>> {
            Ok(Vec::new())
        }
        fn read(&self, _: &Path, most: u64) -> io::Result<Vec<u8>> {
            Ok(vec![b' '; usize::try_from(most).unwrap()])
        }
    }
    let outcome =
        driver::run(&[Path::new("a.vir")], &Endless, &NoCompiler, &Options::default(), &Silent);
    assert_eq!(
        notes(&outcome),
        ["error: `a.vir` has more than 64 MB; split it to have it checked"]
    );
}

#[test]
fn expressions_nested_ten_thousand_deep() {
    let deep = 10_000;
    let procedure = |value: String| {
        format!("proc f(x: int) returns (y: int)\n{{\n  entry:\n    y := {value};\n    exit;\n}}\n")
    };
    let files = [
        ("brackets.vir", procedure(format!("{}x{}", "(".repeat(deep), ")".repeat(deep)))),
        ("open.vir", procedure("(".repeat(deep))),
        ("sums.vir", procedure(format!("{}x{}", "(1 + ".repeat(deep), ")".repeat(deep)))),
        ("types.vir", format!("var x: {}int;\n", "[int]".repeat(deep))),
    ];
    let outcome = run(files, &["."]);
    assert_eq!(
        verdicts(&outcome),
        ["f: none within bounds", "f: skipped: faulty source", "f: none within bounds"]
    );
    assert_eq!(outcome.report.notes.len(), 2);
}

#[test]
fn a_disk_that_fails() {
    /// One file may not be read, the directory breaks.
    struct Broken;
    impl Files for Broken {
        fn kind(&self, path: &Path) -> io::Result<Kind> {
            Ok(if path.extension().is_some() { Kind::File } else { Kind::Directory })
        }
        fn entries(&self, _: &Path) -> io::Result<Vec<Entry>> {
            Err(io::Error::other("the disk is on fire"))
        }
        fn read(&self, path: &Path, _: u64) -> io::Result<Vec<u8>> {
            match path.to_str() {
                Some("right.vir") => Ok(RIGHT.into()),
                _ => Err(io::ErrorKind::PermissionDenied.into()),
            }
        }
    }
    let paths = ["dir", "secret.vir", "right.vir"].map(Path::new);
    let outcome = driver::run(&paths, &Broken, &NoCompiler, &Options::default(), &Silent);
    assert_eq!(verdicts(&outcome), ["right: none within bounds"]);
    assert_eq!(
        notes(&outcome),
        [
            "error: `dir` could not be read: the disk is on fire",
            "error: `secret.vir` may not be read; its permissions do not allow it",
        ]
    );
}

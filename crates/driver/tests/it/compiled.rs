//! Languages that come as bitcode, with a compiler in memory.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use driver::{Compiled, Compiler, Complaint, MemoryFiles, NoCompiler, Options, Outcome, Silent};
use report::{Severity, Verdict};

use super::{WRONG, notes, verdicts};

/// What a compiler makes of files, by their paths.
struct Canned(BTreeMap<&'static str, Result<Vec<u8>, Vec<Complaint>>>);

impl Compiler for Canned {
    fn compile(&self, path: &Path) -> Result<Compiled, Vec<Complaint>> {
        let bytes = self.0[path.to_str().unwrap()].clone()?;
        Ok(Compiled { bytes, directory: PathBuf::new() })
    }
}

/// Bitcode of `crates/bitcode/tests/inputs`.
fn bitcode(name: &str) -> Vec<u8> {
    let inputs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bitcode/tests/inputs");
    fs::read(inputs.join(name)).unwrap()
}

fn complaint(message: &str, place: Option<(&str, u32, u32)>) -> Complaint {
    let place = place.map(|(path, line, column)| (PathBuf::from(path), line, column));
    Complaint { severity: Severity::Error, message: message.to_owned(), place }
}

fn check(files: &MemoryFiles, compiler: &dyn Compiler, paths: &[&str], jobs: usize) -> Outcome {
    let paths: Vec<&Path> = paths.iter().map(Path::new).collect();
    let options = Options { jobs: NonZeroUsize::new(jobs), ..Options::default() };
    driver::run(&paths, files, compiler, &options, &Silent)
}

#[test]
fn what_a_compiler_makes_is_checked_like_the_bitcode_itself() {
    let files = MemoryFiles::new([("a.c", Vec::new()), ("a.bc", bitcode("control-19.bc"))]);
    let compiler = Canned([("a.c", Ok(bitcode("control-19.bc")))].into());
    let compiled = check(&files, &compiler, &["a.c"], 2);
    assert_eq!(notes(&compiled), Vec::<String>::new());
    assert!(verdicts(&compiled).iter().any(|verdict| verdict.starts_with("classify: ")));
    let direct = check(&files, &NoCompiler, &["a.bc"], 2);
    assert_eq!(verdicts(&compiled), verdicts(&direct));
}

#[test]
fn a_function_of_several_files_is_examined_once_whatever_the_number_of_threads() {
    let files = MemoryFiles::new(["a.c", "b.c", "c.c"].map(|path| (path, "")));
    let all = ["a.c", "b.c", "c.c"].map(|path| (path, Ok(bitcode("control-19.bc"))));
    let compiler = Canned(all.into());
    let outcome = check(&files, &compiler, &["."], 1);
    let alone = check(&files, &compiler, &["a.c"], 1);
    let is_repeated = |verdict: &Verdict| match verdict {
        Verdict::Skipped(reason) => reason.class == report::ReasonClass::Duplicate,
        _ => false,
    };
    let repeated = outcome.report.procedures.iter().filter(|p| is_repeated(&p.verdict)).count();
    let bodies = |outcome: &Outcome| outcome.report.summary.analysed;
    assert!(bodies(&alone) > 0);
    assert_eq!(bodies(&outcome), bodies(&alone));
    assert!(repeated >= 2 * bodies(&alone), "{:#?}", verdicts(&outcome));
    for jobs in [2, 7] {
        let other = check(&files, &compiler, &["."], jobs);
        assert_eq!(other.report, outcome.report);
    }
}

#[test]
fn without_a_compiler_that_is_said_once_and_other_languages_go_on() {
    let files = MemoryFiles::new([("a.c", ""), ("b.c", ""), ("c.vir", WRONG)]);
    let outcome = check(&files, &NoCompiler, &["."], 2);
    assert_eq!(notes(&outcome), ["error: there is no compiler here, which is needed to read C"]);
    assert_eq!(verdicts(&outcome), ["wrong: findings"]);
}

#[test]
fn complaints_of_a_compiler_are_shown_where_they_belong() {
    let files =
        MemoryFiles::new([("a.c", "#include \"h.h\"\n"), ("b.c", ""), ("inc/h.h", "int x\ny;\n")]);
    let refused = vec![
        complaint("`a.c` is refused: expected ';'", Some(("./inc/../inc/h.h", 1, 5))),
        complaint("it crashed", None),
    ];
    let compiler = Canned([("a.c", Err(refused)), ("b.c", Ok(bitcode("data-19.bc")))].into());
    let outcome = check(&files, &compiler, &["a.c", "b.c"], 2);
    let expected = ["error: it crashed", "error: inc/h.h:1:5: `a.c` is refused: expected ';'"];
    assert_eq!(notes(&outcome), expected);
    assert!(outcome.sources.contains_key("inc/h.h"));
    assert!(!outcome.report.procedures.is_empty(), "the other file goes on");
}

#[test]
fn bitcode_that_cannot_be_read() {
    let mut damaged = bitcode("control-19.bc");
    damaged.truncate(3000);
    let files = MemoryFiles::new([("damaged.bc", damaged), ("foreign.bc", b"hello".to_vec())]);
    let outcome = check(&files, &NoCompiler, &["damaged.bc", "foreign.bc"], 2);
    let messages = notes(&outcome);
    assert!(messages[0].starts_with("error: the bitcode of `damaged.bc` could not be read: "));
    assert!(
        messages[1].contains("`foreign.bc` could not be read: not LLVM bitcode"),
        "{}",
        messages[1]
    );
    assert!(
        messages[1]
            .ends_with("compile it again with clang 15 to 19 and -g, or name the C file instead")
    );

    let compiler = Canned([("a.c", Ok(b"hello".to_vec()))].into());
    let outcome = check(&MemoryFiles::new([("a.c", "")]), &compiler, &["a.c"], 1);
    assert!(notes(&outcome)[0].ends_with("name a clang of the versions 15 to 19 with --clang"));
}

#[test]
fn headers_and_cpp_are_reported_and_bitcode_below_directories_is_left_out() {
    let files =
        MemoryFiles::new([("a.h", ""), ("a.cpp", ""), ("dir/a.bc", ""), ("dir/b.vir", WRONG)]);
    let outcome = check(&files, &NoCompiler, &["a.h", "a.cpp", "dir"], 1);
    assert_eq!(
        notes(&outcome),
        [
            "note: `a.h` is a header, which is checked with the files that include it",
            "error: unsupported file type `a.cpp`: C++",
        ]
    );
    assert_eq!(verdicts(&outcome), ["wrong: findings"]);
}

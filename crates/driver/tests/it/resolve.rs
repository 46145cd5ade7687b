//! RESOLVE through the driver: libraries, other languages of the same file names, preconditions.

use std::path::Path;

use driver::{Memory, NoCompiler, Options, Silent};

#[test]
fn a_requires_that_nothing_meets_is_the_one_finding() {
    let text = "Facility F;\n  Operation Go(updates i: Integer);\n    requires i < 0 and 0 < i;\n    ensures i = 0;\n  Procedure\n    Increment(i);\n  end Go;\nend F;\n";
    let files = Memory::new([("F.fa", text)]);
    let outcome =
        driver::run(&[Path::new("F.fa")], &files, &NoCompiler, &Options::default(), &Silent);
    let messages: Vec<&str> =
        outcome.report.findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages, ["no run begins: the preconditions contradict each other"]);
}

#[test]
fn ruby_is_told_apart_from_resolve() {
    let files = Memory::new([("a.rb", "class A\nend\n"), ("b.rb", "puts 1\n")]);
    let paths = [Path::new("a.rb"), Path::new("b.rb")];
    let outcome = driver::run(&paths, &files, &NoCompiler, &Options::default(), &Silent);
    let notes: Vec<&str> = outcome.report.notes.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(notes, ["files named .rb that are not RESOLVE are left out"]);
}

#[test]
fn libraries_are_looked_into_after_what_is_beside() {
    let concept = |bound: &str| {
        format!(
            "Concept C_Template;\n  Type Family C is modeled by N;\n    exemplar c;\n    initialization ensures c = 0;\n  Operation Up(updates c: C);\n    requires c < {bound};\n    ensures c = #c + 1;\nend C_Template;\n"
        )
    };
    let text = "Facility F;\n  Facility CF is C_Template realized by R;\n  Operation Go(updates c: C);\n    requires c = 5;\n  Procedure\n    Up(c);\n  end Go;\nend F;\n";
    let run = |files: Memory| {
        let options = Options { libraries: vec!["lib".into()], ..Options::default() };
        let outcome = driver::run(&[Path::new("F.fa")], &files, &NoCompiler, &options, &Silent);
        outcome.report.findings.len()
    };
    let far = ("lib/deep/C_Template.co", concept("5"));
    assert_eq!(run(Memory::new([("F.fa", text.to_owned()), far.clone()])), 1);
    let beside = ("C_Template.co", concept("9"));
    assert_eq!(run(Memory::new([("F.fa", text.to_owned()), far, beside])), 0);
}

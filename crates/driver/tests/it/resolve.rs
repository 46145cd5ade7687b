//! RESOLVE through the driver: libraries, other languages of the same file names, preconditions.

use std::path::Path;

use driver::{MemoryFiles, NoCompiler, Options, Silent};

#[test]
fn a_requires_that_nothing_meets_is_the_one_finding() {
    let text = "Facility F;\n  Operation Go(updates i: Integer);\n    requires i < 0 and 0 < i;\n    ensures i = 0;\n  Procedure\n    Increment(i);\n  end Go;\nend F;\n";
    let files = MemoryFiles::new([("F.fa", text)]);
    let outcome =
        driver::run(&[Path::new("F.fa")], &files, &NoCompiler, &Options::default(), &Silent);
    let messages: Vec<&str> =
        outcome.report.findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages, ["no input satisfies the preconditions: they contradict each other"]);
}

#[test]
fn ruby_is_distinguished_from_resolve() {
    let files = MemoryFiles::new([("a.rb", "class A\nend\n"), ("b.rb", "puts 1\n")]);
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
    let run = |files: MemoryFiles| {
        let options = Options { libraries: vec!["lib".into()], ..Options::default() };
        let outcome = driver::run(&[Path::new("F.fa")], &files, &NoCompiler, &options, &Silent);
        outcome.report.findings.len()
    };
    let far = ("lib/deep/C_Template.co", concept("5"));
    assert_eq!(run(MemoryFiles::new([("F.fa", text.to_owned()), far.clone()])), 1);
    let beside = ("C_Template.co", concept("9"));
    assert_eq!(run(MemoryFiles::new([("F.fa", text.to_owned()), far, beside])), 0);
}

/// What fails only for strings of length five is found if, and only if, these are looked at.
#[test]
fn the_scope_is_gone_through_to_its_end() {
    let text = "Realization R for Reversing of List_Template;\n  Recursive Procedure Reverse(updates P: List);\n    decreasing |P.Right|;\n    Var E: Entry;\n    If (Right_Length(P) > 0) then\n      Remove(E, P);\n      Reverse(P);\n      Insert(E, P);\n      Advance(P);\n      Confirm |P.Left| < 5;\n    end;\n  end Reverse;\nend R;\n";
    let specification = "Enhancement Reversing for List_Template;\n  Operation Reverse(updates P: List);\n    requires |P.Left| = 0;\n    ensures P.Left = Rev(#P.Right) and |P.Right| = 0;\nend Reversing;\n";
    for (length, expected) in [(4, 0), (5, 1)] {
        let files = MemoryFiles::new([("R.rb", text), ("Reversing.en", specification)]);
        let mut options = Options::default();
        options.check.bounds.sequence = length;
        let outcome = driver::run(&[Path::new("R.rb")], &files, &NoCompiler, &options, &Silent);
        assert_eq!(outcome.report.findings.len(), expected, "{length}");
    }
}

#[test]
fn what_is_wrong_with_a_file_is_in_its_marks_and_on_its_page() {
    let faulty = "Realization R for Nowhere;\nend R;\n";
    let vain = "Facility F;\n  Operation Go(updates i: Integer);\n    requires i < 0 and 0 < i;\n    ensures i = 0;\n  Procedure\n  end Go;\nend F;\n";
    let files = MemoryFiles::new([("F.fa", vain), ("R.rb", faulty)]);
    let paths = [Path::new("F.fa"), Path::new("R.rb")];
    let outcome = driver::run(&paths, &files, &NoCompiler, &Options::default(), &Silent);
    let tables = driver::checked_tables(&outcome, &files, &[]);
    let marks = report::tables::csv(&tables);
    assert!(marks.contains("R.rb,,,,,\"error in line 1: there is no module `Nowhere`"), "{marks}");
    assert!(
        marks.contains(",i0 = 0,no input satisfies the preconditions: they contradict each other,"),
        "{marks}"
    );
    let pages = report::pages::render(&tables, &outcome.report.findings, &outcome.sources);
    let page = |name: &str| pages.iter().find(|page| page.name == name).map(|page| &page.html);
    let wrong = page("R.html").expect("there is a page for what is wrong");
    assert!(wrong.contains("Error</span> in line 1: there is no module `Nowhere`"), "{wrong}");
    let vain = page("F.html").expect("there is a page for the other");
    assert!(vain.contains("<span class=\"fails\">no input satisfies"), "{vain}");
}

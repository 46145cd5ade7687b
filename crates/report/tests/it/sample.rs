//! A report, made by hand, that has something of everything.

use std::collections::BTreeMap;
use std::time::Duration;

use report::{
    Bounds, Confirmation, Example, Extent, FailureKind, Finding, Level, LineIndex, Note, Place,
    Position, Procedure, Reason, ReasonClass, Related, Report, Rule, Severity, Step, StepKind,
    Tool, Verdict,
};

/// The sources under `tests/golden/sources`, by the path that the report knows them under.
pub fn sources() -> BTreeMap<String, String> {
    let files = [
        ("src/list.c", include_str!("../golden/sources/list.c")),
        ("src/ring.h", include_str!("../golden/sources/ring.h")),
        ("bank/Account.java", include_str!("../golden/sources/Account.java")),
    ];
    files.map(|(path, text)| (path.to_owned(), text.to_owned())).into()
}

/// The first place in a line where some text stands.
fn at(path: &str, line: u32, text: &str) -> Place {
    let sources = sources();
    let source = &sources[path];
    let index = LineIndex::new(source);
    let column = index.line(line).and_then(|l| l.find(text)).expect("the text is on that line");
    let line_start: usize =
        source.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
    let start = u32::try_from(line_start + column).expect("small");
    Place::of_offsets(path, &index, start, start + u32::try_from(text.len()).expect("small"))
}

fn list(line: u32, text: &str) -> Place {
    at("src/list.c", line, text)
}

fn bounds() -> Bounds {
    Bounds::new().with("unroll", 3).with("inline", 2)
}

fn related(place: Place, message: &str) -> Related {
    Related { place, message: message.to_owned() }
}

/// A null dereference in the middle of a procedure, after a test that left it open.
fn null_dereference() -> Finding {
    let step = |kind, line, text, what| Step::new(kind, what).at(list(line, text));
    Finding {
        function: Some("unlink_node".into()),
        trace: vec![
            step(StepKind::Entry, 9, "unlink_node", "enter")
                .with("list->count", "2")
                .with("node", "#1")
                .with("node->next", "NULL")
                .with("node->prev", "#2"),
            step(StepKind::Branch, 11, "list->count == 0", "false"),
            step(StepKind::Branch, 13, "node->next != NULL", "false").with("node->next", "NULL"),
            step(StepKind::Statement, 15, "node->prev->next = node->next", "")
                .with("#2->next", "NULL"),
            step(StepKind::Failure, 16, "node->next", "null dereference")
                .with("node->next", "NULL"),
        ],
        heaps: Vec::new(),
        related: vec![related(list(13, "node->next != NULL"), "compared with null here")],
        bounds: bounds(),
        ..Finding::new(
            "null-dereference",
            FailureKind::NullDereference,
            "`node->next` is null where it is dereferenced",
            list(16, "node->next"),
            Confirmation::ReplayedByInterpreter,
        )
    }
}

/// A finding in a header, reached through a call from another file.
fn out_of_bounds() -> Finding {
    let ring = |line, text| at("src/ring.h", line, text);
    Finding {
        function: Some("ring_step".into()),
        trace: vec![
            Step::new(StepKind::Entry, "enter").at(list(9, "unlink_node")).with("list->count", "8"),
            Step::new(StepKind::Call, "call").at(list(17, "ring_step")).with("at", "8"),
            Step::new(StepKind::Statement, "").at(ring(5, "slots")).deep(1),
            Step::new(StepKind::Failure, "writes past the end of `slots`")
                .at(ring(6, "slots[at]"))
                .with("at", "8")
                .with("sizeof slots / sizeof *slots", "8")
                .deep(1),
        ],
        heaps: Vec::new(),
        related: vec![
            related(ring(1, "RING 8"), "`slots` has 8 elements"),
            related(list(17, "ring_step(list->count)"), "called from here"),
        ],
        bounds: bounds().with("int width", 16),
        ..Finding::new(
            "out-of-bounds",
            FailureKind::OutOfBounds,
            "`slots[at]` is written past the end of `slots`",
            ring(6, "slots[at]"),
            Confirmation::ConfirmedByExecution("AddressSanitizer: stack-buffer-overflow".into()),
        )
    }
}

/// An execution with many steps, in a loop.
fn long_loop() -> Finding {
    let step = |kind, line, text, what| Step::new(kind, what).at(list(line, text));
    let mut trace = vec![step(StepKind::Entry, 21, "sum", "enter").with("n", "14")];
    for i in 0..=14 {
        trace.push(step(StepKind::Branch, 24, "i <= n", "true").with("i", i.to_string()));
        trace
            .push(step(StepKind::Statement, 25, "total +=", "").with("total", (3 * i).to_string()));
    }
    trace.pop();
    trace.push(step(StepKind::Failure, 25, "values[i]", "reads past the end").with("i", "14"));
    Finding {
        function: Some("sum".into()),
        trace,
        bounds: bounds(),
        ..Finding::new(
            "out-of-bounds",
            FailureKind::OutOfBounds,
            "`values[i]` is read past the end of `values`",
            list(25, "values[i]"),
            Confirmation::ReplayedByInterpreter,
        )
    }
}

/// Two statements that contradict each other: whenever the branch is taken, the dereference fails.
fn doomed() -> Finding {
    Finding {
        function: Some("reset".into()),
        heaps: Vec::new(),
        related: vec![related(
            list(31, "list == NULL"),
            "either this is never true or the dereference always fails",
        )],
        bounds: bounds(),
        extent: Extent::EveryExecutionOfBranch,
        ..Finding::new(
            "null-dereference",
            FailureKind::NullDereference,
            "`list` is null whenever the condition at line 31 is true",
            list(33, "list->count"),
            Confirmation::ProvedWithoutRun("no run through line 32 returns".into()),
        )
    }
}

/// A broken contract, on a long line with wide characters.
fn contract() -> Finding {
    let java = |line, text| at("bank/Account.java", line, text);
    Finding {
        detail: Some("postcondition".into()),
        function: Some("Account.withdraw(int)".into()),
        trace: vec![
            Step::new(StepKind::Entry, "enter")
                .at(java(8, "withdraw"))
                .with("this.balance", "0")
                .with("amount", "1"),
            Step::new(StepKind::Statement, "")
                .at(java(9, "balance = balance - amount"))
                .with("this.balance", "-1"),
            Step::new(StepKind::Statement, "if `audit` returns normally, as its contract allows"),
            Step::new(StepKind::Return, "returns")
                .at(java(10, "return balance"))
                .with("\\result", "-1"),
            Step::new(StepKind::Failure, "the postcondition is false")
                .at(java(7, "balance >= 0"))
                .with("this.balance", "-1")
                .with("\\old(balance)", "0")
                .with(
                    "a value that is rather long and has to go on below",
                    "{1, 2, 3} -> {4, 5, 6}",
                ),
        ],
        heaps: Vec::new(),
        related: vec![related(
            java(9, "balance = balance - amount"),
            "balance becomes negative here",
        )],
        bounds: Bounds::new().with("scope Account", 3).with("int width", 8),
        ..Finding::new(
            "contract",
            FailureKind::Postcondition,
            "`balance >= 0` does not hold when `withdraw` returns",
            java(7, "balance >= 0"),
            Confirmation::ReplayedByInterpreter,
        )
    }
}

/// A finding whose file is gone, and with it the source lines.
fn missing_file() -> Finding {
    let start = Position { line: 12, column: 20, offset: 300 };
    let place = Place { path: "gen/out put.c".into(), start, end: start };
    Finding {
        function: Some("ratio".into()),
        trace: vec![
            Step::new(StepKind::Entry, "enter").with("n", "0"),
            Step::new(StepKind::Failure, "division by zero").at(place.clone()).with("n", "0"),
        ],
        bounds: bounds(),
        ..Finding::new(
            "division-by-zero",
            FailureKind::DivisionByZero,
            "the divisor `n` is zero",
            place,
            Confirmation::ReplayedByInterpreter,
        )
    }
}

fn notes() -> Vec<Note> {
    let note = |severity, message: &str, place| Note { severity, message: message.into(), place };
    vec![
        note(Severity::Error, "cannot read `src/lost.c`: no such file", None),
        note(Severity::Error, "expected `;` after this expression", Some(list(5, "value;"))),
        note(Severity::Warning, "this suppression suppresses nothing", Some(list(8, "/*"))),
    ]
}

fn procedures() -> Vec<Procedure> {
    let procedure = |name: &str, place, verdict| Procedure::new(name, verdict, bounds()).at(place);
    let budget = Reason::new(ReasonClass::Budget).because("20000 conflicts");
    let assembly = Reason::new(ReasonClass::Unsupported).because("inline assembly on line 40");
    let mut withdraw = procedure(
        "Account.withdraw(int)",
        at("bank/Account.java", 8, "withdraw"),
        Verdict::Findings,
    );
    withdraw.bounds = Bounds::new().with("scope Account", 3).with("int width", 8);
    vec![
        withdraw,
        procedure(
            "Account.share(int)",
            at("bank/Account.java", 13, "share"),
            Verdict::Unknown(budget),
        ),
        procedure("unlink_node", list(9, "unlink_node"), Verdict::Findings),
        procedure("sum", list(21, "sum"), Verdict::Findings),
        procedure("reset", list(29, "reset"), Verdict::Findings),
        procedure("ring_step", at("src/ring.h", 3, "ring_step"), Verdict::NoneWithinBounds),
        Procedure::new("spin", Verdict::Unknown(assembly.clone()), bounds()),
        Procedure::new("yield", Verdict::Unknown(assembly), bounds()),
        Procedure::new("log_error", Verdict::Skipped(Reason::new(ReasonClass::NoBody)), bounds()),
    ]
}

/// The report, with its findings in the wrong order.
pub fn report() -> Report {
    let findings = vec![
        missing_file(),
        out_of_bounds(),
        null_dereference(),
        doomed(),
        contract(),
        long_loop(),
    ];
    let time = Some(Duration::from_millis(1234));
    Report::new(findings, procedures(), notes(), bounds(), time)
}

/// The tool and its rules; one rule of the report is not among them.
pub fn tool() -> Tool {
    let rule = |id: &str, title: &str, summary: &str, level, cwe: &[u32]| Rule {
        id: id.into(),
        title: title.to_owned(),
        summary: summary.to_owned(),
        explanation: "It is reported with a run.".to_owned(),
        example: Some(Example {
            bad: "int f(void) { return *(int *)0; }".to_owned(),
            good: "int f(void) { return 0; }".to_owned(),
        }),
        level,
        cwe: cwe.to_vec(),
        default_on: level == Level::Error,
    };
    let error = Level::Error;
    Tool {
        name: "Indict".into(),
        version: "0.1.0".into(),
        uri: Some("https://example.org/indict".into()),
        root: Some("/home/user/project".into()),
        rules: vec![
            rule(
                "null-dereference",
                "Null dereference",
                "A null pointer is dereferenced.",
                error,
                &[476],
            ),
            rule(
                "out-of-bounds",
                "Out of bounds",
                "Memory is accessed beyond an object.",
                error,
                &[787, 125],
            ),
            rule("contract", "Contract", "A contract is broken.", error, &[]),
            rule("doomed", "Doomed", "Every execution fails.", error, &[691]),
            rule("unreachable", "Unreachable", "Code is never reached.", Level::Warning, &[561]),
        ],
    }
}

//! Every kind of statement and every end of a block.

use interpret::{
    Cause, Decision, Ending, EventKind, FailedAssumption, Inputs, Options, Outcome, Recorded,
    Value, VirNames, run,
};
use ir::{AssertKind, AssumeReason, CutReason};

use crate::fixture::{failure, go, go_with, module, procedure, results};

fn body(locals: &str, statements: &str) -> String {
    format!(
        "sort S;\nvar g: int;\nproc main() returns (r: int)\n{{\n  {locals}\n  entry:\n    {statements}\n}}"
    )
}

#[track_caller]
fn outcome(locals: &str, statements: &str, answers: Vec<Decision>) -> Outcome {
    let module = module(&body(locals, statements));
    let mut oracle = Recorded::new(answers);
    let run = go_with(&module, "main", &Inputs::default(), &mut oracle);
    assert!(oracle.decisions.is_empty(), "every answer is used");
    run.outcome
}

fn normal(result: i64) -> Outcome {
    Outcome::Exit(Ending::Normal(vec![Some(Value::int(result))]))
}

#[test]
fn assignments_are_parallel() {
    let text = "var a: int; var b: int; var m: [int]int;";
    let swap = "a, b := 1, 2; a, b := b, a; r := a * 10 + b; exit;";
    assert_eq!(outcome(text, swap, vec![]), normal(21));
    let keys = "a, m := 3, const<[int]int>(0); a, m[a] := 4, a; r := m[3] * 10 + m[4]; exit;";
    assert_eq!(outcome(text, keys, vec![]), normal(30), "keys are computed before the assignment");
    let twice = "m := const<[int]int>(0); m[1], m[1] := 5, 6; r := m[1]; exit;";
    assert_eq!(outcome(text, twice, vec![]), normal(6), "the last assignment stays");
}

#[test]
fn havoc_takes_what_the_oracle_says() {
    let havoc = "havoc r where r > 3 because environment; exit;";
    let answer = |value| vec![Decision::Havoc(Value::int(value))];
    assert_eq!(outcome("", havoc, answer(4)), normal(4));
    let blocked = outcome("", havoc, answer(3));
    assert!(matches!(blocked, Outcome::Blocked { by: FailedAssumption::Where, .. }));
    let part = "m := const<[int]int>(0); havoc m[2]; r := m[2] + m[3]; exit;";
    assert_eq!(outcome("var m: [int]int;", part, answer(8)), normal(8));
}

#[test]
fn assume_and_assert() {
    let blocked = outcome("", "assume 1 > 2 because branch; r := 1; exit;", vec![]);
    let by = FailedAssumption::Assume(AssumeReason::Branch);
    assert!(matches!(blocked, Outcome::Blocked { by: found, .. } if found == by));
    let run = go(&body("", "assert division-by-zero 1 > 2 \"one is small\"; exit;"), "main");
    assert_eq!(failure(&run), (AssertKind::DivisionByZero, "one is small"));
    assert_eq!(outcome("", "assert true; assume true; r := 1; exit;", vec![]), normal(1));
}

#[test]
fn new_atoms_are_fresh() {
    let text = "s := new S; t := new S; r := if s == t || s == null then 0 else 1; exit;";
    let ids = |a, b| vec![Decision::Atom(a), Decision::Atom(b)];
    assert_eq!(outcome("var s: S; var t: S;", text, ids(5, 2)), normal(1));
    let repeated = outcome("var s: S; var t: S;", text, ids(5, 5));
    assert!(matches!(repeated, Outcome::Error { .. }));
    let null = outcome("var s: S;", "s := new S; r := 0; exit;", vec![Decision::Atom(0)]);
    assert!(matches!(null, Outcome::Error { .. }));
}

#[test]
fn objects_are_allocated_and_freed() {
    let text = "p := alloc 8bv64 heap; q := alloc 8bv64 global; free p; free null; \
                r := if !live(p) && heap(p) && live(q) && !heap(q) then 1 else 0; exit;";
    assert_eq!(outcome("var p: ptr; var q: ptr;", text, vec![]), normal(1));
}

#[test]
fn branches_and_gotos() {
    let text = "goto a, b;\n  a:\n    r := 1; goto c;\n  b:\n    r := 2; goto c;\n  c:\n    \
                branch r == 2 ? d : e;\n  d:\n    r := r + 10; exit;\n  e:\n    exit;";
    assert_eq!(outcome("", text, vec![Decision::Goto(0)]), normal(1));
    assert_eq!(outcome("", text, vec![Decision::Goto(1)]), normal(12));
    let wrong = outcome("", text, vec![Decision::Goto(2)]);
    assert!(matches!(wrong, Outcome::Error { .. }));
}

#[test]
fn exits() {
    let exit = |text| match outcome("", text, vec![]) {
        Outcome::Exit(ending) => ending,
        other => panic!("the execution {other}"),
    };
    assert_eq!(exit("exit exceptional 7;"), Ending::Exceptional(Some(Value::int(7))));
    assert_eq!(exit("exit exceptional;"), Ending::Exceptional(None));
    assert_eq!(exit("exit intended \"abort\";"), Ending::Intended("abort".into()));
    assert_eq!(exit("cut unrolling 3;"), Ending::Cut(CutReason::Unrolling(3)));
    let unsupported = Ending::Cut(CutReason::Unsupported("asm".into()));
    assert_eq!(exit("unsupported \"asm\" writes g; exit;"), unsupported);
    assert_eq!(exit("exit;"), Ending::Normal(vec![None]), "a result that was never set");
}

const CALLS: &str = r#"
proc half(n: int) returns (q: int, rest: int)
{
  entry:
    branch n < 0 ? negative : fine;
  negative:
    exit exceptional n;
  fine:
    q, rest := n div 2, n mod 2;
    exit;
}
proc between(n: int) returns (q: int)
{
  var rest: int;
  entry:
    q, rest := call half(n);
    exit;
}
proc main(n: int) returns (r: int)
{
  var thrown: bool; var e: int; var m: [int]int;
  entry:
    m := const<[int]int>(0);
    r := 1;
    m[r] := call between(n) catch thrown, e;
    branch thrown ? bad : good;
  bad:
    r := e;
    exit;
  good:
    r := m[1];
    exit;
}
proc chosen(n: int) returns (r: int)
{
  entry:
    r := call n { 1: between, 2: twice } (n + 10);
    exit;
}
proc twice(n: int) returns (r: int)
{
  entry:
    r := n * 2;
    exit;
}
proc nobody(n: int) returns (r: int)
{
  entry:
    r := call between(n);
    exit;
}
"#;

#[test]
fn calls_and_exceptions() {
    let module = module(CALLS);
    let call = |name, n| {
        let inputs = Inputs::new([Value::int(n)]);
        go_with(&module, name, &inputs, &mut Recorded::default())
    };
    assert_eq!(results(&module, &call("main", 9)), [Value::int(4)]);
    assert_eq!(results(&module, &call("main", -9)), [Value::int(-9)]);
    assert_eq!(results(&module, &call("chosen", 1)), [Value::int(5)]);
    assert_eq!(results(&module, &call("chosen", 2)), [Value::int(24)]);
    let cut = call("chosen", 3).outcome;
    assert!(matches!(cut, Outcome::Exit(Ending::Cut(CutReason::Unsupported(_)))));
    let thrown = call("nobody", -1).outcome;
    assert_eq!(thrown, Outcome::Exit(Ending::Exceptional(Some(Value::int(-1)))));
}

#[test]
fn traces_tell_what_happened() {
    let module = module(CALLS);
    let inputs = Inputs::new([Value::int(9)]);
    let run = go_with(&module, "main", &inputs, &mut Recorded::default());
    let expected = "    \
    1 main.entry.0: m := const<[int]int>(0)
    2 main.entry.1: r := 1
    3 main.entry.2: call between(9)
    4   between.entry.0: call half(9)
    5     half.entry.0: goto fine
    6     half.fine.0: q := 4
    6     half.fine.0: rest := 1
    7   between.entry.0: half returns
    7   between.entry.0: q := 4 (result)
    7   between.entry.0: rest := 1 (result)
    8 main.entry.2: between returns
    8 main.entry.2: thrown := false (result)
    8 main.entry.2: m[1] := 4 (result)
    9 main.entry.3: goto good
   10 main.good.0: r := 4
the execution exits normally
";
    assert_eq!(run.show(&module, &VirNames).to_string(), expected);
}

#[test]
fn long_traces_lose_their_middle() {
    let text = "r := 0; goto head;\n  head:\n    r := r + 1; branch r == 1000 ? done : head;\n  \
                done:\n    exit;";
    let module = module(&body("", text));
    let options = Options { trace: 7, coverage: true, ..Options::default() };
    let mut oracle = Recorded::default();
    let main = procedure(&module, "main");
    let run = run(&module, main, &Inputs::default(), &mut oracle, &options);
    assert_eq!(run.trace.first().len(), 4);
    assert_eq!(run.trace.last().count(), 3);
    assert_eq!(run.trace.left_out(), 2001 - 7);
    let last: Vec<&EventKind> = run.trace.last().map(|event| &event.kind).collect();
    let assigned = |happening: &EventKind| match happening {
        EventKind::Assigned(_, Some(value), Cause::Assignment) => Some(value.clone()),
        _ => None,
    };
    assert_eq!(assigned(last[1]), Some(Value::int(1000)));
    assert_eq!(run.passed.len(), 5, "each point once");
    assert_eq!(run.steps, 2003);
}

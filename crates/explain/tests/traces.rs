//! Traces of executions of programs in VIR text: what is kept of a long one, and what is said of the rest.

use explain::{Presentation, Replay, Writer};
use interpret::{Inputs, Options, Scope, Seeded, Value, run};
use ir::{ProcedureId, Span};
use report::{LineIndex, Place, Step, StepKind};

/// The steps of the last procedure of a program, executed with these arguments.
fn trace(text: &str, arguments: &[i64]) -> Vec<Step> {
    let (module, diagnostics) = ir::parse("test.vir", text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let procedure = ProcedureId(module.procedures.len() as u32 - 1);
    let values = arguments.iter().map(|argument| Value::Int((*argument).into()));
    let inputs = Inputs::new(values);
    let parameters = module.procedure(procedure).locals_with(ir::Mode::Parameter);
    let given: Vec<_> = parameters
        .map(ir::Variable::Local)
        .zip(arguments.iter().map(|argument| Value::Int((*argument).into())))
        .collect();
    let execution = run(
        &module,
        procedure,
        &inputs,
        &mut Seeded::new(1, Scope::default()),
        &Options::default(),
    );
    let index = LineIndex::new(text);
    let places = |span: Span| Place::of_offsets("test.vir", &index, span.start, span.end);
    let sentence = |failure: &interpret::Failure| failure.message.clone();
    let replay =
        Replay { module: &module, procedure, inputs: &given, functions: &[], run: &execution };
    Writer::new(replay, Presentation::Plain, &places, &sentence).trace()
}

/// The lines for what was elided.
fn elided(steps: &[Step]) -> Vec<&str> {
    let gaps = steps.iter().filter(|step| step.kind == StepKind::Elided);
    gaps.map(|step| step.text.as_str()).collect()
}

/// The values that steps show for a variable, in order.
fn values<'s>(steps: &'s [Step], name: &str) -> Vec<&'s str> {
    let bindings = steps.iter().flat_map(|step| &step.values);
    bindings.filter(|one| one.name == name).map(|one| one.value.as_str()).collect()
}

const LOOP: &str = "\
proc count(n: int) returns (r: int)
{
  var i: int;
  var p: int;
  entry:
    i := 0;
    p := 1;
    goto head;
  head:
    branch i < n ? body : done;
  body:
    branch i == 137 ? clear : next;
  clear:
    p := 0;
    goto next;
  next:
    i := i + 1;
    goto head;
  done:
    assert p != 0 \"p is zero\";
    r := p;
    exit;
}
";

#[test]
fn of_a_loop_the_first_and_the_last_iteration_stay_and_what_matters_between() {
    let steps = trace(LOOP, &[300]);
    assert!(steps.len() <= 24, "{} steps", steps.len());
    // The first and the last iteration.
    let counted = values(&steps, "i");
    assert!(counted.contains(&"1") && counted.contains(&"300"), "{counted:?}");
    assert!(!counted.contains(&"200"), "{counted:?}");
    // The one step that the failure depends on, in the middle.
    assert_eq!(values(&steps, "p"), ["1", "0"]);
    let gaps = elided(&steps);
    assert!(!gaps.is_empty());
    assert!(gaps.iter().any(|gap| gap.contains("more iterations of this loop")), "{gaps:?}");
    assert_eq!(steps.last().map(|step| step.kind), Some(StepKind::Failure));
}

#[test]
fn iterations_that_do_not_matter_are_said_not_to() {
    let unrelated = LOOP.replace("p := 0;", "i := i;").replace("assert p != 0", "assert p == 0");
    let steps = trace(&unrelated, &[300]);
    assert!(steps.len() <= 24, "{} steps", steps.len());
    let gaps = elided(&steps);
    assert!(gaps.iter().any(|gap| gap.ends_with("none of which changes `p`")), "{gaps:?}");
}

#[test]
fn a_short_loop_is_shown_as_it_is() {
    let steps = trace(LOOP, &[3]);
    assert_eq!(elided(&steps), Vec::<&str>::new());
    assert_eq!(values(&steps, "i"), ["0", "1", "2", "3"]);
}

const RECURSION: &str = "\
proc down(n: int) returns (r: int)
{
  entry:
    branch n > 0 ? deeper : bottom;
  deeper:
    r := call down(n - 1);
    exit;
  bottom:
    assert n != 0 \"the bottom is reached\";
    r := 0;
    exit;
}

proc start(n: int) returns (r: int)
{
  entry:
    r := call down(n);
    exit;
}
";

#[test]
fn of_a_deep_call_the_outermost_and_the_innermost_stay() {
    let steps = trace(RECURSION, &[60]);
    assert!(steps.len() <= 24, "{} steps", steps.len());
    let gaps = elided(&steps);
    assert!(gaps.iter().any(|gap| gap.contains("more recursive calls of `down`")), "{gaps:?}");
    let deepest = steps.iter().map(|step| step.depth).max();
    assert_eq!(deepest, Some(61), "the innermost call is shown");
    assert_eq!(steps.last().map(|step| step.kind), Some(StepKind::Failure));
}

const CALLEE: &str = "\
proc work(n: int) returns (r: int)
{
  var a: int;
  entry:
    a := n;
    a := a + 1; a := a + 2; a := a + 3; a := a + 4; a := a + 5; a := a + 6; a := a + 7; a := a + 8;
    a := a + 1; a := a + 2; a := a + 3; a := a + 4; a := a + 5; a := a + 6; a := a + 7; a := a + 8;
    a := a + 1; a := a + 2; a := a + 3; a := a + 4; a := a + 5; a := a + 6; a := a + 7; a := a + 8;
    a := a + 1; a := a + 2; a := a + 3; a := a + 4; a := a + 5; a := a + 6; a := a + 7; a := a + 8;
    r := a;
    exit;
}

proc start(n: int) returns (r: int)
{
  var p: int;
  var q: int;
  entry:
    p := n - 5;
    q := call work(n);
    assert p != 0 \"p is zero\";
    r := q;
    exit;
}
";

#[test]
fn a_callee_that_does_not_matter_is_one_line() {
    let steps = trace(CALLEE, &[5]);
    assert!(steps.len() <= 8, "{steps:#?}");
    assert_eq!(values(&steps, "p"), ["0"]);
    let gaps = elided(&steps);
    assert!(gaps.iter().any(|gap| gap.ends_with("none of which changes `p`")), "{gaps:?}");
    // A callee that matters is shown.
    let matters = CALLEE.replace("assert p != 0", "assert q != 149");
    let steps = trace(&matters, &[5]);
    assert!(values(&steps, "a").contains(&"149"), "{steps:#?}");
}

#[test]
fn elided_steps_say_what_they_leave_behind() {
    let steps = trace(LOOP, &[300]);
    let gaps: Vec<&Step> = steps.iter().filter(|step| step.kind == StepKind::Elided).collect();
    let left = gaps.last().map(|gap| values(std::slice::from_ref(*gap), "i"));
    assert_eq!(left, Some(vec!["299"]), "{gaps:#?}");
}

#[test]
fn steps_that_change_a_value_are_not_said_to_leave_it() {
    // What the loop writes into `p` is overwritten after it.
    let overwritten = LOOP
        .replace("p := 0;", "i := i;")
        .replace("i := i + 1;", "i := i + 1;\n    p := i;")
        .replace("  done:\n", "  done:\n    p := 0;\n");
    let steps = trace(&overwritten, &[300]);
    let gaps = elided(&steps);
    assert!(!gaps.is_empty());
    assert!(!gaps.iter().any(|gap| gap.contains("`p`")), "{gaps:?}");
}

/// A program whose failure depends on each of 300 different statements.
#[test]
fn a_failure_that_depends_on_everything_has_a_trace_of_bounded_length() {
    let sums: String = (0..300).map(|number| format!("    p := p + {number};\n")).collect();
    let text = format!(
        "proc sum(n: int) returns (r: int)\n{{\n  var p: int;\n  entry:\n    p := n;\n{sums}    \
         assert p < 0 \"p is not negative\";\n    r := p;\n    exit;\n}}\n"
    );
    let steps = trace(&text, &[1]);
    assert!(steps.len() <= 70, "{} steps", steps.len());
    let gaps = elided(&steps);
    assert!(gaps.iter().any(|gap| gap.ends_with("on which the failure depends")), "{gaps:?}");
    assert_eq!(values(&steps, "p").last(), Some(&"44851"));
}

#[test]
fn iterations_that_were_not_recorded_are_part_of_one_gap() {
    let steps = trace(LOOP, &[30_000]);
    let gaps = elided(&steps);
    let unrecorded: Vec<&&str> =
        gaps.iter().filter(|gap| gap.contains("steps were not recorded")).collect();
    assert_eq!(unrecorded.len(), 1, "{gaps:?}");
    assert!(unrecorded[0].starts_with("… more iterations of this loop ("), "{gaps:?}");
    assert!(values(&steps, "i").contains(&"30000"));
}

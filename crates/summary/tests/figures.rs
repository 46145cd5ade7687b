//! The paper's Figure 8, exactly; and what whole programs add to it.

use std::collections::BTreeSet;

use ir::{Module, ProcedureId};
use property::{Index, read_properties};
use summary::{Analysed, Budget, Condition, Path, Root, Transition, Unit, analyse_program};

/// The summaries that Figure 8 gives: 0 is Locked, 1 Unlocked, 2 Error.
const PROPERTY: &str = r#"
[[property]]
name = "lock"
object = "lock"
states = ["Locked", "Unlocked"]
imbalance = "lock-imbalance"
[[property.operation]]
functions = ["spin_lock"]
moves = ["Unlocked -> Locked", "Locked -> error double-lock"]
[[property.operation]]
functions = ["spin_unlock"]
moves = ["Locked -> Unlocked", "Unlocked -> error double-unlock"]
[[property.operation]]
functions = ["spin_trylock"]
moves = [
    "Unlocked -> Locked if result != 0",
    "Unlocked -> Unlocked if result == 0",
    "Locked -> error double-lock",
]
"#;

const DECLARED: &str = "
var memory: bytes;
proc spin_lock(l: ptr);
proc spin_unlock(l: ptr);
proc spin_trylock(l: ptr) returns (result: bv32);
";

fn parsed(text: &str) -> Module {
    let (module, diagnostics) = ir::parse("test.vir", &format!("{DECLARED}{text}"));
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    module
}

/// The summaries of all procedures with bodies, by name.
fn analysed(modules: &[Module]) -> Vec<(String, Analysed)> {
    let (properties, faults) = read_properties(PROPERTY);
    assert!(faults.is_empty(), "{faults:?}");
    let index = Index::new(properties);
    let names: Vec<String> = (0..modules.len()).map(|number| format!("{number}.c")).collect();
    let units: Vec<Unit<'_>> = modules
        .iter()
        .zip(&names)
        .map(|(module, name)| Unit { module, name, same: &[], bodies: &[] })
        .collect();
    let known = analyse_program(&units, &index, &Budget::default(), &store::NoCache).procedures;
    let name = |unit: usize, id: ProcedureId| modules[unit].procedure(id).name.clone();
    known
        .into_iter()
        .map(|known| (name(known.unit, known.procedure), known.outcome.expect("it is small")))
        .collect()
}

fn of<'a>(all: &'a [(String, Analysed)], name: &str) -> &'a Analysed {
    &all.iter().find(|(known, _)| known == name).expect("it was analysed").1
}

const COMPLEX_WRAPPER: &str = "
proc complex_wrapper(l: ptr, flag: bv32, success: ptr)
{
  var r: bv32;
  entry:
    branch flag != 0bv32 ? yes : no;
  yes:
    r := call spin_trylock(l);
    memory{success as bv32} := r;
    goto end;
  no:
    call spin_unlock(l);
    memory{success as bv32} := 1bv32;
    goto end;
  end:
    exit;
}
";

#[test]
fn figure_8_is_inferred_exactly() {
    let all = analysed(&[parsed(COMPLEX_WRAPPER)]);
    let Analysed { summary, findings, .. } = of(&all, "complex_wrapper");
    assert!(findings.is_empty(), "{findings:?}");
    let parameter = |number| Path::root(Root::Parameter(number));
    assert_eq!(summary.inputs, [Condition::NotZero(parameter(1), 32)]);
    assert_eq!(summary.outputs, [Condition::NotZero(parameter(2).then(0), 32)]);
    let modified: Vec<&Path> = summary.modifies.iter().map(|cell| &cell.path).collect();
    assert_eq!(modified, [&parameter(2).then(0)]);
    let [machine] = &summary.machines[..] else { panic!("{:?}", summary.machines) };
    assert_eq!(machine.object, parameter(0).then(0));
    let expected = [
        (1, 0, 0, 2), // true, Locked, either, Error
        (1, 0, 1, 2),
        (1, 1, 1, 0), // true, Unlocked, true, Locked
        (1, 1, 0, 1), // true, Unlocked, false, Unlocked
        (0, 1, 1, 2), // false, Unlocked, true, Error
        (0, 0, 1, 1), // false, Locked, true, Unlocked
    ];
    let expected =
        expected.map(|(incond, from, outcond, to)| Transition { incond, from, outcond, to });
    assert_eq!(machine.transitions, BTreeSet::from(expected));
}

#[test]
fn what_touches_no_state_needs_no_solver() {
    let text = "
proc sum(p: ptr, n: bv32) returns (result: bv32)
{
  entry:
    result := memory{p as bv32} + n;
    exit;
}
";
    let all = analysed(&[parsed(text)]);
    let analysed = of(&all, "sum");
    assert!(analysed.summary.machines.is_empty() && analysed.findings.is_empty());
    assert_eq!(analysed.effort.queries, 0);
}

#[test]
fn files_are_linked_by_name_and_statics_are_distinguished() {
    let first = "
object own: 8 { 0: \"0000000000000000\" };
proc enter()
{
  entry:
    call spin_lock(own);
    exit;
}
";
    let second = "
object own: 8 { 0: \"0000000000000000\" };
proc enter();
proc twice()
{
  entry:
    call enter();
    call enter();
    exit;
}
proc apart()
{
  entry:
    call enter();
    call spin_lock(own);
    exit;
}
";
    let all = analysed(&[parsed(first), parsed(second)]);
    let rules: Vec<&str> = of(&all, "twice").findings.iter().map(|f| f.rule.as_str()).collect();
    assert_eq!(rules, ["double-lock"]);
    assert!(of(&all, "apart").findings.is_empty(), "each file has its own variable");
    assert_eq!(of(&all, "apart").summary.machines.len(), 2);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let modules = [parsed(COMPLEX_WRAPPER)];
        pool.expect("there are threads").install(|| analysed(&modules))
    };
    assert_eq!(run(1), run(3));
}

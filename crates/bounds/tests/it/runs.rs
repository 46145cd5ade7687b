//! Executions that are followed without a formula, against the formula: what holds of a heap, and how an execution
//! from it ends.

use std::collections::BTreeMap;
use std::sync::Arc;

use bounds::concrete::{Outcome, Program};
use circuit::Gate;
use encode::{Content, Feasible, Part, evaluate};
use ir::{GlobalId, LocalId, Variable};

use super::brute::{Heap, heaps};
use super::{STRUCTURES, scope};

/// The shape that a heap is.
pub(super) fn shape(heap: &Heap) -> Feasible {
    let to = |to: usize| Content::Atoms(vec![to as u32]);
    let global = |id: usize, row: usize| Part {
        variable: Variable::Global(GlobalId(id as u32)),
        row: Some(row as u32),
    };
    let this = Part { variable: Variable::Local(LocalId(0)), row: None };
    let mut parts = BTreeMap::from([(this, to(1)), (global(0, 1), to(heap.root))]);
    for (node, fields) in (1..).zip(&heap.fields) {
        for (field, target) in (1..).zip(fields) {
            parts.insert(global(field, node), to(*target));
        }
    }
    Feasible { parts }
}

#[test]
fn heaps_are_admitted_if_the_invariant_holds() {
    for structure in &STRUCTURES {
        let (module, id) = structure.module();
        let procedure = module.procedure(id);
        let program = Program::new(&module, procedure);
        for heap in heaps(3, structure.fields.len(), |_| true) {
            let begun = bounds::beginning(&module, procedure, &program, &[1, 3], &shape(&heap));
            let admitted = begun.expect("it is settled").is_admitted();
            assert_eq!(admitted, Some((structure.holds)(&heap)), "{} {heap:?}", structure.name);
        }
    }
}

/// Lists whose nodes have a mark and a rank.
pub(super) const LISTS: &str = "
sort List;
sort Node;
var root: [List]Node;
var next: [Node]Node;
var marked: [Node]bool;
var rank: [Node]bv8;
";

/// Procedures on lists without loops, some of which fail from some heaps.
const PROCEDURES: &str = "
proc turn(this: List)
  free requires this != null;
  ensures root[this] == null || rank[root[this]] == 2bv8;
  ensures bv(card({ n: Node | n != null && next[n] != null }), 8) != 3bv8;
  ensures (all n: Node :: old(join(single(root[this]), rclosure(graph(next))))[n]
      ==> join(single(root[this]), rclosure(graph(next)))[n] || next[n] == old(next[n]));
{
  var first: Node;
  var second: Node;
  entry:
    first := root[this];
    branch first == null ? none_there : one_there;
  none_there:
    exit;
  one_there:
    second := next[first];
    assert null-dereference second != null \"there is no second\";
    next[first], next[second] := next[second], first;
    root[this] := second;
    rank[second] := rank[first] + 1bv8;
    exit;
}

proc grow(this: List)
  free requires this != null;
  requires (all n: Node :: n != null ==> !join(single(next[n]), rclosure(graph(next)))[n]);
  ensures card(join(diff(single(root[this]), single(null:Node)), rclosure(graph(next))))
      == old(card(join(diff(single(root[this]), single(null:Node)), rclosure(graph(next))))) + 1;
  ensures (some n: Node :: marked[n] && root[this] == n && next[n] == old(root[this]));
  ensures subset(old(graph(next)), graph(next)) && !subset(graph(next), diff(graph(next), transpose(graph(next))));
{
  var fresh: Node;
  entry:
    fresh := new Node;
    next[fresh] := root[this];
    marked[fresh] := true;
    root[this] := fresh;
    branch next[fresh] != null && next[next[fresh]] != null ? far : near;
  far:
    cut unrolling 2;
  near:
    exit;
}
";

#[test]
fn runs_end_as_the_formula_says() {
    let (module, faults) = ir::parse("runs.vir", &format!("{LISTS}{PROCEDURES}"));
    assert!(faults.is_empty(), "{faults:?}");
    let mut seen = BTreeMap::new();
    for procedure in &module.procedures {
        let program = Program::new(&module, procedure);
        for heap in heaps(3, 1, |_| true) {
            let mut shape = shape(&heap);
            for node in 1..=heap.fields.len() as u32 {
                let at = |id| Part { variable: Variable::Global(GlobalId(id)), row: Some(node) };
                shape.parts.insert(at(2), Content::Truth(false));
                shape.parts.insert(at(3), Content::Number(i128::from(node)));
            }
            let mut machine = bounds::beginning(&module, procedure, &program, &[1, 3], &shape)
                .expect("it is settled");
            let outcome = match machine.is_admitted() {
                Some(true) => machine.run(),
                Some(false) => Outcome::None,
                None => Outcome::Unknown,
            };
            let mut scope = scope(3);
            scope.heaps.feasible = Some(Arc::new(shape));
            let evaluation = evaluate(&module, procedure, &[], &scope);
            let is = |gate: Gate| {
                assert!(gate == Gate::TRUE || gate == Gate::FALSE, "all is known");
                gate == Gate::TRUE
            };
            let expected = match () {
                () if is(evaluation.fails) => Outcome::Fails,
                () if is(evaluation.goes_on) => Outcome::GoesOn,
                () if is(evaluation.ends) => Outcome::Ends,
                () => Outcome::None,
            };
            assert_eq!(outcome, expected, "{} {heap:?}", procedure.name);
            *seen.entry(format!("{outcome:?}")).or_insert(0) += 1;
        }
    }
    assert_eq!(seen.len(), 4, "they end in all ways: {seen:?}");
}

//! Theorem 3.3: no heap is outside of the bounds, and each edge of the bounds is in some heap.

use encode::{Content, Part};
use ir::{GlobalId, Variable};

use super::brute::heaps;
use super::{STRUCTURES, scope};

#[test]
fn bounds_are_the_edges_of_all_heaps() {
    for structure in &STRUCTURES {
        let (module, procedure) = structure.module();
        let (options, limits) = (sat::Options::default(), sat::Limits::default());
        let procedure = module.procedure(procedure);
        let tight = bounds::tighten(&module, procedure, &scope(3), options, &limits);
        let tight = tight.expect("there is a solver");
        assert!(tight.is_satisfiable && tight.open == 0, "{}: all is decided", structure.name);
        let expected = heaps(3, structure.fields.len(), structure.holds);
        let mut edges = 0;
        for field in 0..structure.fields.len() {
            for node in 1..=3 {
                let part = Part {
                    variable: Variable::Global(GlobalId(field as u32 + 1)),
                    row: Some(node as u32),
                };
                let Some(Content::Atoms(numbers)) = tight.feasible.parts.get(&part) else {
                    panic!("{}: something is known of {part:?}", structure.name)
                };
                let mut wanted: Vec<u32> = expected
                    .iter()
                    .filter_map(|heap| heap.fields.get(node - 1))
                    .map(|fields| fields[field] as u32)
                    .collect();
                wanted.sort_unstable();
                wanted.dedup();
                assert_eq!(*numbers, wanted, "{} at {part:?}", structure.name);
                edges += wanted.len();
            }
        }
        assert!(edges < tight.loose, "{}: some edges are in no heap", structure.name);
    }
}

#[test]
fn an_invariant_that_nothing_meets_is_reported() {
    let text = "sort Node;\nvar next: [Node]Node;\nproc p(this: Node)\n  requires this != this;\n\
                {\n  entry:\n    exit;\n}\n";
    let (module, faults) = ir::parse("heap.vir", text);
    assert!(faults.is_empty(), "{faults:?}");
    let (options, limits) = (sat::Options::default(), sat::Limits::default());
    let tight = bounds::tighten(&module, &module.procedures[0], &scope(2), options, &limits);
    assert!(!tight.expect("there is a solver").is_satisfiable);
}

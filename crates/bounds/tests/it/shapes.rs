//! Theorems 3.1 and 3.2: of each heap that meets the invariant exactly one numbering is enumerated.

use std::collections::BTreeSet;

use bounds::Shapes;
use encode::{Content, Feasible, Part};
use ir::{GlobalId, Variable};

use super::brute::{Heap, heaps};
use super::{STRUCTURES, Structure, scope};

#[test]
fn shapes_are_the_heaps_up_to_numbering() {
    for structure in &STRUCTURES {
        let nodes = if structure.fields.len() == 1 { 4 } else { 3 };
        for nodes in 1..=nodes {
            let found = enumerated(structure, nodes as u32, None);
            let distinct: BTreeSet<Heap> = found.iter().cloned().collect();
            assert_eq!(distinct.len(), found.len(), "{}: each once", structure.name);
            let expected = heaps(nodes, structure.fields.len(), structure.holds);
            assert_eq!(distinct, expected, "{} of {nodes} nodes", structure.name);
        }
    }
}

#[test]
fn sizes_one_by_one_are_all_sizes() {
    for structure in &STRUCTURES {
        let all: BTreeSet<Heap> = enumerated(structure, 3, None).into_iter().collect();
        let mut by_size: Vec<Heap> = enumerated(structure, 1, None);
        by_size.extend(enumerated(structure, 2, Some(1)));
        by_size.extend(enumerated(structure, 3, Some(2)));
        assert_eq!(by_size.len(), all.len(), "{}: none twice", structure.name);
        assert_eq!(by_size.into_iter().collect::<BTreeSet<_>>(), all, "{}", structure.name);
    }
}

#[test]
fn more_shapes_than_are_wanted_are_too_many() {
    let (module, procedure) = STRUCTURES[0].module();
    let limits = sat::Limits::default();
    let found = bounds::shapes(
        &module,
        module.procedure(procedure),
        &scope(3),
        2,
        sat::Options::default(),
        &limits,
    );
    match found.expect("there is a solver") {
        Shapes::TooMany(first) => assert_eq!(first.len(), 2),
        Shapes::All(all) => panic!("there are more than {}", all.len()),
    }
}

fn enumerated(structure: &Structure, nodes: u32, beyond: Option<u32>) -> Vec<Heap> {
    let (module, procedure) = structure.module();
    let mut scope = scope(nodes);
    scope.heaps.beyond = beyond;
    let limits = sat::Limits::default();
    let options = sat::Options::default();
    let found =
        bounds::shapes(&module, module.procedure(procedure), &scope, 10_000, options, &limits);
    match found.expect("there is a solver") {
        Shapes::All(shapes) => shapes.iter().map(|shape| heap(shape, structure, nodes)).collect(),
        Shapes::TooMany(_) => panic!("there are few shapes of {}", structure.name),
    }
}

/// The heap that a shape is.
fn heap(shape: &Feasible, structure: &Structure, nodes: u32) -> Heap {
    let at = |global: u32, row: u32| {
        let part = Part { variable: Variable::Global(GlobalId(global)), row: Some(row) };
        shape.parts.get(&part).map(|content| match content {
            Content::Individuals(numbers) => numbers[0] as usize,
            other => panic!("{other:?} is no reference"),
        })
    };
    let root = at(0, 1).expect("there is a list");
    let fields = 1..=structure.fields.len() as u32;
    let row = |node: u32| fields.clone().map(|field| at(field, node)).collect::<Option<Vec<_>>>();
    Heap { root, fields: (1..=nodes).map_while(row).collect() }
}

//! Theorems 3.1 and 3.2: of each heap that meets the invariant exactly one numbering is enumerated.

use std::collections::BTreeSet;

use bounds::Shapes;
use encode::{Content, Feasible, Part};
use ir::{GlobalId, LocalId, Variable};

use super::brute::{Heap, heaps, heaps_and_nodes};
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
fn a_parameter_is_numbered_after_what_the_root_leads_to() {
    for structure in &STRUCTURES {
        let nodes = if structure.fields.len() == 1 { 3 } else { 2 };
        let (module, procedure) = structure.module_with(", node: Node");
        let procedure = module.procedure(procedure);
        let (options, limits) = (sat::Options::default(), sat::Limits::default());
        let scope = scope(nodes as u32);
        let found = bounds::shapes(&module, procedure, &scope, 10_000, options, &limits);
        let Ok(Shapes::All(shapes)) = found else { panic!("there are few shapes") };
        let node = Part { variable: Variable::Local(LocalId(1)), row: None };
        let with_node = |shape: &Feasible| {
            let Some(Content::Atoms(numbers)) = shape.parts.get(&node) else {
                panic!("a shape has the parameters")
            };
            (numbers[0] as usize, heap(shape, structure, nodes as u32))
        };
        let distinct: BTreeSet<(usize, Heap)> = shapes.iter().map(with_node).collect();
        assert_eq!(distinct.len(), shapes.len(), "{}: each once", structure.name);
        let expected = heaps_and_nodes(nodes, structure.fields.len(), structure.holds);
        assert_eq!(distinct, expected, "{}", structure.name);
    }
}

#[test]
fn a_walk_finds_what_a_solver_does() {
    let search_tree = Structure {
        name: "search tree",
        fields: &["left", "right"],
        invariant: "(all n: Node :: REACH[n] ==> \
                    (all m: Node :: FROM(left[n])[m] ==> slt(key[m], key[n])) \
                    && (all m: Node :: FROM(right[n])[m] ==> slt(key[n], key[m])))",
        holds: |_| true,
    };
    for structure in STRUCTURES.iter().chain([&search_tree]) {
        let (module, procedure) = structure.module_with(", node: Node, number: bv32");
        let procedure = module.procedure(procedure);
        let nodes = if structure.name == search_tree.name { 3 } else { 2 };
        let mut scope = scope(nodes);
        scope.heaps.compared = encode::compared(&module, procedure).into();
        let shapes = |certify| {
            let options = sat::Options { certify, ..sat::Options::default() };
            let limits = sat::Limits::default();
            let found = bounds::shapes(&module, procedure, &scope, 100_000, options, &limits);
            let Ok(Shapes::All(shapes)) = found else { panic!("there are few shapes") };
            let mut lines: Vec<String> = shapes.iter().map(|shape| format!("{shape:?}")).collect();
            lines.sort_unstable();
            lines
        };
        // Only a solver that is asked for each shape can be made to prove that there are no more.
        assert_eq!(shapes(false), shapes(true), "{}", structure.name);
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
            Content::Atoms(numbers) => numbers[0] as usize,
            other => panic!("{other:?} is no reference"),
        })
    };
    let root = at(0, 1).expect("there is a list");
    let fields = 1..=structure.fields.len() as u32;
    let row = |node: u32| fields.clone().map(|field| at(field, node)).collect::<Option<Vec<_>>>();
    Heap { root, fields: (1..=nodes).map_while(row).collect() }
}

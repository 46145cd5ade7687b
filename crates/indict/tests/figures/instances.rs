//! Theorems 3.1 and 3.2 of the TACO paper on the invariants as they are written in Java: of the heaps that meet
//! them, `indict instances` gives exactly one of each isomorphism class. What there is to be found is
//! put together here from the definitions of the structures.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{folder, indict};

/// The objects of a class that meet its invariant.
fn instances(class: &str, scope: u32) -> Vec<Value> {
    let (file, scope) = (format!("{class}.java"), scope.to_string());
    let arguments = ["instances", &file, class, "--scope", &scope, "--most", "5000"];
    let text = indict(&folder("figures/taco"), &[&arguments[..], &["--format", "json"]].concat());
    let Ok(Value::Array(all)) = serde_json::from_str(&text) else { panic!("{text}") };
    all
}

/// The value of a field of an object in a heap.
fn field<'h>(heap: &'h Value, object: &str, name: &str) -> &'h str {
    let objects = heap["objects"].as_array().expect("there are objects");
    let found = objects.iter().find(|known| known["name"] == object);
    let fields = found.expect("it is there")["fields"].as_array().expect("it has fields");
    let field = fields.iter().find(|known| known["name"] == name);
    field.and_then(|field| field["value"].as_str()).expect("it has the field")
}

/// A binary tree as text, each node with what `mark` says of it.
fn tree(heap: &Value, node: &str, mark: &dyn Fn(&str) -> String) -> String {
    if node == "null" {
        return "-".to_owned();
    }
    let left = tree(heap, field(heap, node, "left"), mark);
    let right = tree(heap, field(heap, node, "right"), mark);
    format!("({}{left}{right})", mark(node))
}

/// The trees that heaps have below the field `root` of their only object, of which none may come twice.
fn trees(class: &str, scope: u32, mark: fn(&Value, &str) -> String) -> BTreeSet<String> {
    let all = instances(class, scope);
    let texts = all.iter().map(|heap| {
        let root = field(heap, &format!("{class}#1"), "root");
        tree(heap, root, &|node| mark(heap, node))
    });
    let texts: Vec<String> = texts.collect();
    let distinct: BTreeSet<String> = texts.iter().cloned().collect();
    assert_eq!(distinct.len(), texts.len(), "{class}: each once");
    distinct
}

/// A tree that is put together here: its text, nodes, height, black height, and whether its root is red.
#[derive(Clone)]
struct Made {
    text: String,
    nodes: u32,
    height: u32,
    blacks: u32,
    is_red: bool,
}

/// All trees of at most `most` nodes that `join` makes of smaller ones.
fn made(most: u32, join: &dyn Fn(&Made, &Made) -> Vec<Made>) -> Vec<Made> {
    let nothing = Made { text: "-".to_owned(), nodes: 0, height: 0, blacks: 0, is_red: false };
    let mut all = vec![nothing];
    for nodes in 1..=most {
        let mut next = Vec::new();
        for left in &all {
            for right in all.iter().filter(|right| left.nodes + right.nodes + 1 == nodes) {
                next.extend(join(left, right));
            }
        }
        all.extend(next);
    }
    all
}

fn joined(left: &Made, right: &Made, mark: &str, is_red: bool) -> Made {
    Made {
        text: format!("({mark}{}{})", left.text, right.text),
        nodes: left.nodes + right.nodes + 1,
        height: left.height.max(right.height) + 1,
        blacks: left.blacks + u32::from(!is_red),
        is_red,
    }
}

fn texts(made: Vec<Made>) -> BTreeSet<String> {
    made.into_iter().map(|tree| tree.text).collect()
}

#[test]
fn search_trees_are_all_binary_trees() {
    let all = made(5, &|left, right| vec![joined(left, right, "", false)]);
    assert_eq!(all.len(), 1 + 1 + 2 + 5 + 14 + 42);
    assert_eq!(trees("SearchTree", 5, |_, _| String::new()), texts(all));
}

#[test]
fn avl_trees_are_those_whose_heights_differ_by_at_most_one() {
    let all = made(6, &|left, right| match left.height.abs_diff(right.height) {
        0 | 1 => vec![joined(left, right, "", false)],
        _ => Vec::new(),
    });
    assert_eq!(trees("AvlTree", 6, |_, _| String::new()), texts(all));
}

#[test]
fn red_black_trees_are_those_of_the_text_book() {
    let all = made(6, &|left, right| {
        if left.blacks != right.blacks {
            return Vec::new();
        }
        let black = joined(left, right, "b", false);
        match left.is_red || right.is_red {
            true => vec![black],
            false => vec![black, joined(left, right, "r", true)],
        }
    });
    let rooted = all.into_iter().filter(|tree| !tree.is_red).collect();
    let color = |heap: &Value, node: &str| match field(heap, node, "isBlack") {
        "true" => "b".to_owned(),
        _ => "r".to_owned(),
    };
    assert_eq!(trees("RedBlackSet", 6, color), texts(rooted));
}

#[test]
fn of_binomial_heaps_there_is_one_of_each_size() {
    /// A list of trees from a node on: the degree of each, with its children.
    fn forest(heap: &Value, node: &str) -> String {
        match node {
            "null" => String::new(),
            _ => {
                let children = forest(heap, field(heap, node, "child"));
                let next = forest(heap, field(heap, node, "sibling"));
                format!("{}[{children}]{next}", field(heap, node, "degree"))
            }
        }
    }
    /// A tree of a degree, whose children have all smaller degrees, falling.
    fn binomial(degree: u32) -> String {
        let children: String = (0..degree).rev().map(binomial).collect();
        format!("{degree}[{children}]")
    }
    let found = instances("BinomialHeap", 8);
    let found = found.iter().map(|heap| forest(heap, field(heap, "BinomialHeap#1", "nodes")));
    let heap = |size: u32| -> String {
        (0..4).filter(|degree| size >> degree & 1 == 1).map(binomial).collect()
    };
    let expected: Vec<String> = (0..=8).map(heap).collect();
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn of_linked_lists_there_is_one_of_each_size() {
    assert_eq!(instances("LinkedSequence", 5).len(), 6);
    // A ring has its header, and nothing else need be in it.
    assert_eq!(instances("CircularSequence", 5).len(), 5);
}

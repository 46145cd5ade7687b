//! Tests of shapes and bounds against brute force: all heaps of a few nodes, written down one by one.

mod bounds;
mod brute;
mod conditions;
mod links;
mod runs;
mod shapes;

use encode::{Heaps, Scope};
use ir::{Module, ProcedureId};

/// A structure with fields that lead from nodes to nodes, and what is required of it.
struct Structure {
    name: &'static str,
    fields: &'static [&'static str],
    /// A formula of VIR, in which `reach` is what the root leads to.
    invariant: &'static str,
    /// The same, in Rust.
    holds: fn(&brute::Heap) -> bool,
}

/// Structures with one field and with two.
const STRUCTURES: [Structure; 6] = [
    Structure { name: "any graph", fields: &["next"], invariant: "true", holds: |_| true },
    Structure {
        name: "list",
        fields: &["next"],
        invariant: "(all n: Node :: REACH[n] ==> !FROM(next[n])[n])",
        holds: brute::Heap::is_acyclic,
    },
    Structure {
        name: "any graph of two fields",
        fields: &["left", "right"],
        invariant: "true",
        holds: |_| true,
    },
    Structure {
        name: "acyclic graph",
        fields: &["left", "right"],
        invariant: "(all n: Node :: REACH[n] ==> !FROM(left[n])[n] && !FROM(right[n])[n])",
        holds: brute::Heap::is_acyclic,
    },
    Structure {
        name: "tree",
        fields: &["left", "right"],
        invariant: "(all n: Node :: REACH[n] ==> !FROM(left[n])[n] && !FROM(right[n])[n] \
                    && (all m: Node :: FROM(left[n])[m] ==> !FROM(right[n])[m]))",
        holds: |heap| heap.is_acyclic() && heap.is_unshared(),
    },
    Structure {
        name: "doubly linked ring",
        fields: &["next", "previous"],
        invariant: "root[this] != null && (all n: Node :: REACH[n] ==> next[n] != null \
                    && previous[n] != null && previous[next[n]] == n && next[previous[n]] == n)",
        holds: brute::Heap::is_ring,
    },
];

impl Structure {
    /// A module in which a procedure requires the invariant of its parameter.
    fn module(&self) -> (Module, ProcedureId) {
        self.module_with("")
    }

    /// The same, with further parameters.
    fn module_with(&self, others: &str) -> (Module, ProcedureId) {
        let graphs: Vec<String> = self.fields.iter().map(|f| format!("graph({f})")).collect();
        let graph = match &graphs[..] {
            [one] => one.clone(),
            [a, b] => format!("union({a}, {b})"),
            _ => unreachable!("there are one or two fields"),
        };
        let from = |start: &str| {
            format!("join(diff(single({start}), single(null:Node)), rclosure({graph}))")
        };
        let mut invariant = self.invariant.replace("REACH", &from("root[this]"));
        while let Some(begin) = invariant.find("FROM(") {
            let end = begin + invariant[begin..].find("])").expect("a field of a node") + 1;
            let replaced = from(&invariant[begin + 5..end]);
            invariant.replace_range(begin..=end, &replaced);
        }
        let fields: String =
            self.fields.iter().map(|field| format!("var {field}: [Node]Node;\n")).collect();
        let has_key = self.invariant.contains("key");
        let key = if has_key { "var key: [Node]bv32;\n" } else { "" };
        let text = format!(
            "sort List;\nsort Node;\nvar root: [List]Node;\n{fields}{key}\
             proc p(this: List{others})\n  free requires this != null;\n  requires {invariant};\n\
             {{\n  entry:\n    exit;\n}}\n"
        );
        let (module, faults) = ir::parse("heap.vir", &text);
        assert!(faults.is_empty(), "{text}: {faults:?}");
        let procedure = module.find_procedure("p").expect("it is there");
        (module, procedure)
    }
}

/// Canonical heaps with at most `nodes` nodes.
fn scope(nodes: u32) -> Scope {
    let heaps = Heaps { canonical: true, ..Heaps::default() };
    Scope { atoms: nodes, heaps, ..Scope::default() }
}

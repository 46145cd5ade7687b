//! What follows from links that lead back, against the closure by itself.

use bounds::{Shapes, shapes, tighten};
use encode::{Heaps, Scope, leads_back};

use super::scope;

/// What may be said of every node that is reached.
const SAID: [&str; 8] = [
    "next[n] != null",
    "previous[n] != null",
    "previous[next[n]] == n",
    "n == next[previous[n]]",
    "(next[n] != null ==> previous[next[n]] == n)",
    "(previous[n] != null ==> previous[previous[n]] == n)",
    "next[next[n]] == n",
    "(all m: Node :: REACH[m] && next[m] == next[n] ==> m == n)",
];

fn with_lemma(scope: Scope) -> Scope {
    let heaps = Heaps { links: true, ..scope.heaps };
    Scope { heaps, ..scope }
}

/// A list whose nodes, those that are reached by these fields, are as some of these conditions say.
fn list(graph: &str, said: &[&str]) -> ir::Module {
    let reach = format!("join(diff(single(root[this]), single(null:Node)), rclosure({graph}))");
    let all = |said: &[&str]| match said {
        [] => "true".to_owned(),
        _ => format!("(all n: Node :: REACH[n] ==> {})", said.join(" && ")),
    };
    // Some in one clause, the others in another.
    let (some, others) = said.split_at(said.len() / 2);
    let [some, others] = [some, others].map(|said| all(said).replace("REACH", &reach));
    let text = format!(
        "sort List;\nsort Node;\nvar root: [List]Node;\nvar last: [List]Node;\n\
         var next: [Node]Node;\nvar previous: [Node]Node;\n\
         proc p(this: List)\n  free requires this != null;\n  \
         requires {some};\n  requires {others};\n{{\n  entry:\n    exit;\n}}\n"
    );
    let (module, faults) = ir::parse("list.vir", &text);
    assert!(faults.is_empty(), "{text}: {faults:?}");
    module
}

#[test]
fn no_heap_is_lost_by_lemmas_about_links() {
    let mut recognised = 0;
    for choice in 1_u32..1 << SAID.len() {
        let said: Vec<&str> =
            (0..SAID.len()).filter(|bit| choice >> bit & 1 == 1).map(|bit| SAID[bit]).collect();
        for graph in ["graph(next)", "graph(previous)", "union(graph(next), graph(previous))"] {
            let module = list(graph, &said);
            let procedure = &module.procedures[0];
            if !leads_back(procedure) {
                continue;
            }
            recognised += 1;
            let found = |scope: &Scope| {
                let (options, limits) = (sat::Options::default(), sat::Limits::none());
                match shapes(&module, procedure, scope, 100_000, options, &limits) {
                    Ok(Shapes::All(shapes)) => shapes,
                    other => panic!("{graph}, {said:?}: {other:?}"),
                }
            };
            let (literal, with_lemma) = (found(&scope(2)), found(&with_lemma(scope(2))));
            assert_eq!(literal.len(), with_lemma.len(), "{graph}, {said:?}");
            assert!(literal.iter().all(|shape| with_lemma.contains(shape)), "{graph}, {said:?}");
        }
    }
    assert!(recognised > 200, "{recognised}");
}

#[test]
fn bounds_are_the_same_with_lemmas_about_links() {
    let ring = ["next[n] != null", "previous[next[n]] == n", "next[previous[n]] == n"];
    let row = ["(next[n] != null ==> previous[next[n]] == n)"];
    for said in [&ring[..], &row] {
        let module = list("graph(next)", said);
        let bounds = |scope: &Scope| {
            let (options, limits) = (sat::Options::default(), sat::Limits::none());
            tighten(&module, &module.procedures[0], scope, options, &limits).expect("a solver")
        };
        let (literal, with_lemma) = (bounds(&scope(4)), bounds(&with_lemma(scope(4))));
        assert_eq!(literal.feasible, with_lemma.feasible, "{said:?}");
        assert_eq!((literal.open, with_lemma.open), (0, 0), "{said:?}");
    }
}

#[test]
fn only_what_leads_back_from_everybody_is_recognised() {
    let is_recognised = |graph, said: &[&str]| leads_back(&list(graph, said).procedures[0]);
    let both = "union(graph(next), graph(previous))";
    assert!(is_recognised("graph(next)", &["previous[next[n]] == n"]));
    assert!(is_recognised("graph(next)", &["(next[n] != null ==> n == previous[next[n]])"]));
    assert!(!is_recognised("graph(previous)", &["previous[next[n]] == n"]));
    assert!(!is_recognised(both, &["previous[next[n]] == n"]));
    assert!(!is_recognised(both, &["previous[next[n]] == n", "next[previous[n]] == n"]));
    assert!(is_recognised(both, &["next[next[n]] == n", "next[previous[n]] == n"]));
    assert!(!is_recognised("graph(next)", &["(previous[n] != null ==> previous[next[n]] == n)"]));
    assert!(!is_recognised("graph(next)", &["(previous[next[n]] == n || n == null)"]));
    // There are too many numbers to list them.
    let text = "var next: [bv32]bv32;\nvar previous: [bv32]bv32;\nproc p()\n  \
                requires (all n: bv32 :: join(single(0bv32), rclosure(graph(next)))[n] \
                ==> previous[next[n]] == n);\n{\n  entry:\n    exit;\n}\n";
    let (module, faults) = ir::parse("numbers.vir", text);
    assert!(faults.is_empty(), "{faults:?}");
    assert!(!leads_back(&module.procedures[0]));
}

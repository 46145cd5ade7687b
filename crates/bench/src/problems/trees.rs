//! Five definitions of a tree, and whether each implies the next.
//!
//! (Zaraket, Aziz and Khurshid, *Sequential Encoding for Relational Analysis*, 2007.)
//!
//! ```text
//! sig V {E: set V}  fact  E = ~E and some V
//! connected[c] = V -> V in *c
//! cyclic[c]    = some v: V | v in v.c or some w: v.c | w in v.^(c - v->w - w->v)
//! 1. connected[E] and not cyclic[E]
//! 2. connected[E] and all u: V, v: u.E | not connected[E - u->v - v->u]
//! 3. connected[E] and #E = #V + #V - 2
//! 4. not cyclic[E] and #E = #V + #V - 2
//! 5. not cyclic[E] and all u, v: V | u->v not in E => cyclic[E + u->v + v->u]
//! check (1 => 2) and (2 => 3) and (3 => 4) and (4 => 5) and (5 => 1)
//! ```

use relational::{Error, Expr, Formula, Logic, all, some};

use super::vocabulary::Vocabulary;
use super::{Expected, Problem};

/// Is there a graph that is a tree by one definition and not by another? There is none.
///
/// # Errors
/// If there are no vertices.
pub fn trees(logic: &Logic, vertices: usize) -> Result<Problem<'_>, Error> {
    let (mut vocabulary, [v]) = Vocabulary::new(logic, [("v", vertices)])?;
    let graph = Graph {
        vertices: vocabulary.at_most("V", &v)?,
        edges: vocabulary.at_most("E", &v.product(&v)?)?,
    };
    let definitions = graph.definitions(logic);
    let implications = (0..5).map(|i| definitions[i].implies(definitions[(i + 1) % 5]));
    Ok(Problem {
        name: format!("trees, {vertices} vertices"),
        bounds: vocabulary.bounds(),
        facts: vec![
            graph.edges.is_in(graph.vertices.product(graph.vertices)),
            graph.edges.equals(graph.edges.transpose()),
            graph.vertices.some(),
        ],
        goal: !logic.and(implications),
        expected: Expected::Unsat,
        symmetry: None,
    })
}

struct Graph<'a> {
    vertices: Expr<'a>,
    edges: Expr<'a>,
}

impl<'a> Graph<'a> {
    fn definitions(&self, logic: &'a Logic) -> [Formula<'a>; 5] {
        let (vertices, edges) = (self.vertices, self.edges);
        let connected = self.connected(edges);
        let acyclic = !self.cyclic(edges);
        let count = vertices.count();
        let right_size = edges.count().equals(count + count - logic.int(2));
        let every_edge_needed = all([("u", vertices)], |[u]| {
            all([("v", u.join(edges))], |[v]| !self.connected(edges - u.product(v) - v.product(u)))
        });
        let no_edge_can_be_added = all([("u", vertices), ("v", vertices)], |[u, v]| {
            let added = u.product(v) + v.product(u);
            (!u.product(v).is_in(edges)).implies(self.cyclic(edges + added))
        });
        [
            connected & acyclic,
            connected & every_edge_needed,
            connected & right_size,
            acyclic & right_size,
            acyclic & no_edge_can_be_added,
        ]
    }

    fn connected(&self, edges: Expr<'a>) -> Formula<'a> {
        self.vertices.product(self.vertices).is_in(edges.reflexive_closure())
    }

    /// Some vertex lies on a cycle: a loop, or an edge whose ends are linked without it.
    fn cyclic(&self, edges: Expr<'a>) -> Formula<'a> {
        some([("v", self.vertices)], |[v]| {
            let on_a_loop = v.is_in(v.join(edges));
            let on_a_circle = some([("w", v.join(edges))], |[w]| {
                w.is_in(v.join((edges - v.product(w) - w.product(v)).closure()))
            });
            on_a_loop | on_a_circle
        })
    }
}

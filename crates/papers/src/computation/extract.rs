//! The formula of a procedure (§3.6–3.9): control flow, data flow, frame conditions.
//!
//! Misprints of the paper are corrected to what it explains: a frame condition of a store compares a field
//! before and after, the edge into a loop states that the condition holds, and only fields have a primed
//! variable.

use java::subset::{Formula, Procedure, Quantifier, RESULT, Set};

use crate::computation::expression::{all_of, expression, predicate};
use crate::computation::graph::{Action, Edge, Graph, graph};
use crate::computation::label::{Labels, changes, label};
use crate::computation::nulls::{NULL_DEREFS, Nulls, none_null, record};

/// A procedure's graph, labels and formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extract {
    /// The procedure that it was extracted from.
    pub procedure: Procedure,
    /// How often loops are unrolled.
    pub unroll: u32,
    /// How null dereferences are treated.
    pub nulls: Nulls,
    /// Its computation graph.
    pub graph: Graph,
    /// The labels of the graph's nodes.
    pub labels: Labels,
    /// The code formula, conjunct by conjunct.
    pub code: Vec<Formula>,
    /// The preconditions.
    pub pre: Vec<Formula>,
    /// The postconditions; for §3.10, that nothing null was dereferenced.
    pub post: Vec<Formula>,
}

/// Extracts the formula of a procedure with at most `unroll` iterations of each loop.
pub fn extract(procedure: &Procedure, unroll: u32, nulls: Nulls) -> Extract {
    let graph = graph(procedure, unroll);
    let labels = label(procedure, &graph, nulls);
    let code = code(procedure, &graph, &labels, nulls);
    let mut pre = procedure.requires.clone();
    let mut post = procedure.ensures.clone();
    if nulls == Nulls::Recorded {
        pre.push(Formula::Equal(Set::name(NULL_DEREFS), Set::Empty));
        let last = labels.at(NULL_DEREFS, graph.exit);
        post = vec![Formula::Equal(Set::Name(last), Set::Empty)];
    }
    Extract { procedure: procedure.clone(), unroll, nulls, graph, labels, code, pre, post }
}

/// The variable of a field on exit.
pub(crate) fn primed(field: &str) -> String {
    format!("{field}'")
}

fn code(procedure: &Procedure, graph: &Graph, labels: &Labels, nulls: Nulls) -> Vec<Formula> {
    let taken = |edge: &Edge| Formula::Boolean(edge.name.clone());
    let implies = |edge: &Edge, then: Formula| Formula::Implies(taken(edge).into(), then.into());
    let either = |a, b| Formula::Or(Box::new(a), Box::new(b));
    let mut code = Vec::new();
    code.extend(graph.leaving(0).map(taken).reduce(either));
    for edge in &graph.edges {
        let flow = flow(edge, procedure, labels, nulls);
        if !flow.is_empty() {
            code.push(implies(edge, all_of(flow)));
        }
        if let Some(next) = graph.leaving(edge.to).map(taken).reduce(either) {
            code.push(implies(edge, next));
        }
    }
    for field in &procedure.fields {
        let last = labels.at(&field.name, graph.exit);
        code.push(same_field(None, &primed(&field.name), &last));
    }
    code
}

/// The formula of an edge: its action, and the frame conditions where the label changes.
fn flow(edge: &Edge, procedure: &Procedure, labels: &Labels, nulls: Nulls) -> Vec<Formula> {
    let (from, to) = (edge.from, edge.to);
    let value = |expr| expression(expr, labels, from);
    let mut flow = Vec::new();
    match &edge.action {
        Action::Assign(name, expr) => {
            flow.push(Formula::Equal(Set::Name(labels.at(name, to)), value(expr)));
        }
        Action::Store(object, field, expr) => {
            let (before, after) = (labels.at(field, from), labels.at(field, to));
            let object = value(object);
            let stored = match nulls {
                Nulls::Recorded => unless_null(value(expr), &object),
                Nulls::Ignored | Nulls::Excluded => value(expr),
            };
            flow.push(Formula::Equal(object.clone().join(Set::name(&after)), stored));
            let owner = procedure.fields.iter().find(|known| known.name == *field);
            let owner = Set::name(owner.map_or("", |field| field.from.as_str()));
            let others = Set::Difference(Box::new(owner), Box::new(object));
            flow.push(same_field(Some(others), &after, &before));
        }
        Action::Return(Some(expr)) => {
            flow.push(Formula::Equal(Set::name(RESULT), value(expr)));
        }
        Action::Test(pred) => flow.push(predicate(pred, labels, from)),
        Action::Return(None) | Action::Skip => {}
    }
    match nulls {
        Nulls::Ignored => {}
        Nulls::Recorded => flow.extend(record(&edge.action, labels, from, to)),
        Nulls::Excluded => flow.extend(none_null(&edge.action, labels, from)),
    }
    for component in &labels.components {
        if component.labels[from] == component.labels[to] || changes(edge, &component.name) {
            continue;
        }
        let (before, after) = (component.at(from), component.at(to));
        let is_field = procedure.fields.iter().any(|field| field.name == component.name);
        flow.push(match is_field {
            true => same_field(None, &after, &before),
            false => Formula::Equal(Set::Name(after), Set::Name(before)),
        });
    }
    flow
}

/// `x & {o | e != {}}`: the value, or nothing where the object is null.
fn unless_null(value: Set, object: &Set) -> Set {
    let is_there = Formula::Not(Box::new(Formula::Equal(object.clone(), Set::Empty)));
    let all = Set::Comprehension("o".into(), None, Box::new(is_there));
    Set::Intersection(Box::new(value), Box::new(all))
}

/// `all e: within | e.after = e.before`.
fn same_field(within: Option<Set>, after: &str, before: &str) -> Formula {
    let field = |name: &str| Set::name("e").join(Set::name(name));
    let same = Formula::Equal(field(after), field(before));
    Formula::Quantified(Quantifier::All, "e".into(), within, Box::new(same))
}

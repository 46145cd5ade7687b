//! Labels (§3.5): the variable of a component that has its value at a node.
//!
//! The label is the length of the longest path from the entry on which the edges that may change the
//! component count one and the others nothing. So a component has as many variables as it is changed on one
//! path, and paths share them.

use java::subset::Procedure;

use crate::computation::graph::{Edge, Graph};
use crate::computation::nulls::{NULL_DEREFS, Nulls, dereferences};

/// A variable or field, or the instrumentation of §3.10.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// For each node its label.
    pub labels: Vec<usize>,
}

/// The labels of all components.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labels {
    /// Variables, then fields, then what is instrumented.
    pub components: Vec<Component>,
}

impl Component {
    /// The variable that has the component's value at a node.
    pub fn at(&self, node: usize) -> String {
        self.variable(self.labels[node])
    }

    /// The variable with a label. No name of Java has a `#` in it.
    pub fn variable(&self, label: usize) -> String {
        let gap = if self.name.ends_with(|last: char| last.is_ascii_digit()) { "#" } else { "" };
        match label {
            0 => self.name.clone(),
            label => format!("{}{gap}{label}", self.name),
        }
    }

    /// All its variables.
    pub fn variables(&self) -> impl Iterator<Item = String> + '_ {
        let last = self.labels.iter().copied().max().unwrap_or(0);
        (0..=last).map(|label| self.variable(label))
    }
}

impl Labels {
    /// The variable that has a component's value at a node. A name that is no component denotes itself.
    pub fn at(&self, name: &str, node: usize) -> String {
        let component = self.components.iter().find(|component| component.name == name);
        component.map_or(name.to_owned(), |component| component.at(node))
    }
}

/// Labels the nodes of a graph.
pub fn label(procedure: &Procedure, graph: &Graph, nulls: Nulls) -> Labels {
    let variables = procedure.variables.iter().map(|variable| variable.name.as_str());
    let fields = procedure.fields.iter().map(|field| field.name.as_str());
    let instrumented = Some(NULL_DEREFS).filter(|_| nulls == Nulls::Recorded);
    let names = variables.chain(fields).chain(instrumented);
    let components = names.map(|name| Component {
        name: name.to_owned(),
        labels: longest(graph, |edge| changes(edge, name)),
    });
    Labels { components: components.collect() }
}

/// Whether an edge may change a component.
pub(crate) fn changes(edge: &Edge, name: &str) -> bool {
    match name {
        NULL_DEREFS => !dereferences(&edge.action).is_empty(),
        _ => edge.action.modifies(name),
    }
}

/// The lengths of the longest paths to each node.
fn longest(graph: &Graph, counts: impl Fn(&Edge) -> bool) -> Vec<usize> {
    let mut lengths = vec![0; graph.nodes];
    // A graph without cycles settles after as many rounds as it has nodes; the walk's order needs few.
    loop {
        let mut is_settled = true;
        for edge in &graph.edges {
            let length = lengths[edge.from] + usize::from(counts(edge));
            if length > lengths[edge.to] {
                lengths[edge.to] = length;
                is_settled = false;
            }
        }
        if is_settled {
            return lengths;
        }
    }
}

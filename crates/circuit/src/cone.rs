//! Cones: what a gate depends on, and what depends on it.
//!
//! ```
//! use circuit::{Circuit, cone};
//! let mut c = Circuit::new();
//! let (x, y, z) = (c.input(), c.input(), c.input());
//! let gate = c.xor(x, z);
//! let _ = c.and(gate, y);
//! assert_eq!(cone(&c, &[gate]).inputs().collect::<Vec<_>>(), [x, z]);
//! ```

use crate::{Circuit, Gate, Node};

/// The nodes some gates depend on, themselves included; the constant is left out.
#[derive(Clone, Debug)]
pub struct Cone<'c> {
    circuit: &'c Circuit,
    nodes: Vec<u32>,
}

/// The cone of some gates.
pub fn cone<'c>(circuit: &'c Circuit, roots: &[Gate]) -> Cone<'c> {
    let mut seen = vec![0u64; circuit.len().div_ceil(64)];
    let mut stack: Vec<Gate> = roots.to_vec();
    let mut nodes = Vec::new();
    seen[0] |= 1;
    while let Some(gate) = stack.pop() {
        let node = gate.node();
        if seen[node / 64] >> (node % 64) & 1 == 1 {
            continue;
        }
        seen[node / 64] |= 1 << (node % 64);
        nodes.push(node as u32);
        if let Some((a, b)) = circuit.operands(gate) {
            stack.extend([a, b]);
        }
    }
    nodes.sort_unstable();
    Cone { circuit, nodes }
}

/// The nodes that depend on some gates, themselves included.
#[derive(Clone, Debug)]
pub struct Fan {
    nodes: Vec<bool>,
}

/// The nodes that depend on some gates.
///
/// ```
/// use circuit::{Circuit, fan};
/// let mut c = Circuit::new();
/// let (x, y, z) = (c.input(), c.input(), c.input());
/// let gate = c.xor(x, z);
/// assert!(fan(&c, [x]).contains(!gate));
/// assert!(!fan(&c, [y]).contains(gate));
/// ```
pub fn fan(circuit: &Circuit, roots: impl IntoIterator<Item = Gate>) -> Fan {
    let mut nodes = vec![false; circuit.len()];
    for root in roots {
        nodes[root.node()] = true;
    }
    for node in 0..nodes.len() {
        if let Node::And(a, b) = circuit.node(node) {
            nodes[node] |= nodes[a.node()] || nodes[b.node()];
        }
    }
    Fan { nodes }
}

impl Fan {
    /// Whether a gate is among them.
    pub fn contains(&self, gate: Gate) -> bool {
        self.nodes[gate.node()]
    }
}

impl Cone<'_> {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the roots were constants, or none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The nodes, operands before the nodes that use them.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (usize, Node)> + '_ {
        self.nodes.iter().map(|&node| (node as usize, self.circuit.node(node as usize)))
    }

    /// The inputs, in order of creation: the support of the roots.
    pub fn inputs(&self) -> impl Iterator<Item = Gate> + '_ {
        let nodes = self.nodes.iter().map(|&node| Gate::of_node(node as usize));
        nodes.filter(|&gate| self.circuit.operands(gate).is_none())
    }

    /// The number of conjunctions.
    pub fn conjunctions(&self) -> usize {
        self.nodes.len() - self.inputs().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cone_leaves_out_what_is_not_used() {
        let mut c = Circuit::new();
        let x = c.fresh(4);
        let used = c.ite(x[0], x[1], x[3]);
        let garbage = c.and(used, x[2]);
        let found = cone(&c, &[!used, Gate::TRUE]);
        assert_eq!((found.len(), found.conjunctions()), (6, 3));
        assert!(found.nodes().all(|(node, _)| node != garbage.node()));
        assert!(cone(&c, &[Gate::FALSE]).is_empty());
    }
}

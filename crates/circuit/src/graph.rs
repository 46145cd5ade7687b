//! The and-inverter graph: two-input conjunctions over possibly negated edges, hash-consed.
//!
//! Construction rewrites locally, looking at most one level below the two operands, with the
//! rules of Brummayer and Biere, *Local Two-Level And-Inverter Graph Minimization without Blowup*
//! (MEMICS 2006). A rule is applied only when it adds no node beyond the one asked for, so the
//! graph never grows by being simplified.

#[cfg(test)]
mod tests;

use std::fmt;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::ops::Not;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// An edge into a [`Circuit`]: a node, possibly negated. Cheap to copy, `!gate` negates it.
///
/// A gate is meaningful only together with the circuit that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gate(u32);

impl Gate {
    /// The constant false.
    pub const FALSE: Gate = Gate(0);
    /// The constant true.
    pub const TRUE: Gate = Gate(1);

    /// The constant of the given truth value.
    pub fn constant(value: bool) -> Gate {
        if value { Gate::TRUE } else { Gate::FALSE }
    }

    fn new(node: u32, negated: bool) -> Gate {
        Gate(node << 1 | u32::from(negated))
    }

    /// The gate of a node that exists, not negated.
    pub(crate) fn of_node(node: usize) -> Gate {
        Gate::new(node as u32, false)
    }

    /// The index of the node this gate points to, counted in order of creation.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the node's value is negated.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The same gate without its negation.
    pub fn abs(self) -> Gate {
        Gate(self.0 & !1)
    }

    /// The gate negated if `negate` holds.
    pub fn negate_if(self, negate: bool) -> Gate {
        Gate(self.0 ^ u32::from(negate))
    }

    /// The truth value of a constant gate, `None` for any other.
    pub fn as_constant(self) -> Option<bool> {
        (self.node() == 0).then_some(self == Gate::TRUE)
    }
}

impl Not for Gate {
    type Output = Gate;
    fn not(self) -> Gate {
        Gate(self.0 ^ 1)
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_constant() {
            Some(value) => write!(f, "{value}"),
            None => write!(f, "{}g{}", if self.is_negated() { "¬" } else { "" }, self.node()),
        }
    }
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The kinds of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// Node 0, the constant false.
    False,
    /// A free variable, numbered in order of creation.
    Input(usize),
    /// The conjunction of two gates.
    And(Gate, Gate),
}

/// A hash-consed and-inverter graph.
///
/// Invariants: node 0 is the constant false; the operands of a conjunction are older than it,
/// distinct, not complementary, not constant, and ordered; no two conjunctions have the same
/// operands. So two gates built from equal operands are equal, and a single pass in order of
/// node index visits operands first.
///
/// ```
/// use circuit::Circuit;
/// let mut c = Circuit::new();
/// let (x, y) = (c.input(), c.input());
/// let both = c.and(x, y);
/// assert_eq!(both, c.and(y, x));
/// let either = c.or(x, y);
/// assert_eq!(both, c.and(both, either));
/// ```
#[derive(Clone)]
pub struct Circuit {
    /// Operands of each node. An input stores `INPUT` and its number, node 0 stores `INPUT` twice.
    nodes: Vec<[Gate; 2]>,
    inputs: Vec<u32>,
    unique: HashTable<u32>,
}

/// Marks the first operand of a node that is no conjunction; no graph grows this large.
const INPUT: Gate = Gate(u32::MAX);

impl Circuit {
    /// An empty circuit: only the constants exist.
    pub fn new() -> Circuit {
        Circuit { nodes: vec![[INPUT; 2]], inputs: Vec::new(), unique: HashTable::new() }
    }

    /// The number of nodes, the constant and the inputs included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the circuit has neither inputs nor conjunctions.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The inputs in order of creation, not negated.
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = Gate> + '_ {
        self.inputs.iter().map(|&node| Gate::new(node, false))
    }

    /// The node with this index.
    pub fn node(&self, index: usize) -> Node {
        match self.nodes[index] {
            [INPUT, INPUT] => Node::False,
            [INPUT, number] => Node::Input(number.0 as usize),
            [a, b] => Node::And(a, b),
        }
    }

    /// The operands if the gate's node is a conjunction (whatever the gate's own sign).
    #[inline]
    pub fn operands(&self, gate: Gate) -> Option<(Gate, Gate)> {
        let [a, b] = self.nodes[gate.node()];
        (a != INPUT).then_some((a, b))
    }

    /// The operands of a node that is known to be a conjunction.
    #[inline]
    pub(crate) fn conjunction(&self, index: usize) -> (Gate, Gate) {
        let [a, b] = self.nodes[index];
        debug_assert!(a != INPUT, "node {index} is no conjunction");
        (a, b)
    }

    /// A fresh free variable.
    pub fn input(&mut self) -> Gate {
        let node = self.push([INPUT, Gate(self.inputs.len() as u32)]);
        self.inputs.push(node);
        Gate::new(node, false)
    }

    /// Several fresh free variables.
    pub fn fresh(&mut self, count: usize) -> Vec<Gate> {
        (0..count).map(|_| self.input()).collect()
    }

    fn push(&mut self, node: [Gate; 2]) -> u32 {
        let index = self.nodes.len() as u32;
        assert!(index < u32::MAX >> 1, "a circuit holds fewer than 2^31 nodes");
        self.nodes.push(node);
        index
    }

    /// Conjunction.
    pub fn and(&mut self, a: Gate, b: Gate) -> Gate {
        let (mut a, mut b) = if a <= b { (a, b) } else { (b, a) };
        loop {
            match self.simplify(a, b) {
                Simplified::To(gate) => return gate,
                Simplified::And(x, y) => (a, b) = if x <= y { (x, y) } else { (y, x) },
                Simplified::Irreducible => return self.cons(a, b),
            }
        }
    }

    fn cons(&mut self, a: Gate, b: Gate) -> Gate {
        let nodes = &self.nodes;
        let found = self.unique.find(hash(a, b), |&node| nodes[node as usize] == [a, b]);
        if let Some(&node) = found {
            return Gate::new(node, false);
        }
        let node = self.push([a, b]);
        let nodes = &self.nodes;
        self.unique.insert_unique(hash(a, b), node, |&node| {
            let [a, b] = nodes[node as usize];
            hash(a, b)
        });
        Gate::new(node, false)
    }

    /// One step of two-level minimisation of `a ∧ b`, where `a ≤ b`.
    fn simplify(&self, a: Gate, b: Gate) -> Simplified {
        use Simplified::{And, Irreducible, To};
        if a == Gate::FALSE || a == !b {
            return To(Gate::FALSE);
        }
        if a == Gate::TRUE || a == b {
            return To(b);
        }
        let below_a = self.operands(a);
        let below_b = self.operands(b);
        for (x, y, below) in [(a, b, below_a), (b, a, below_b)] {
            let Some((p, q)) = below else { continue };
            if x.is_negated() {
                if p == !y || q == !y {
                    return To(y); // subsumption
                }
                if p == y {
                    return And(y, !q); // substitution
                }
                if q == y {
                    return And(y, !p);
                }
            } else {
                if p == !y || q == !y {
                    return To(Gate::FALSE); // contradiction
                }
                if p == y || q == y {
                    return To(x); // idempotence
                }
            }
        }
        let (Some((p, q)), Some((r, s))) = (below_a, below_b) else { return Irreducible };
        match (a.is_negated(), b.is_negated()) {
            (false, false) => {
                if p == !r || p == !s || q == !r || q == !s {
                    return To(Gate::FALSE);
                }
                if p == r || q == r {
                    return And(a, s); // idempotence
                }
                if p == s || q == s {
                    return And(a, r);
                }
            }
            (true, false) => {
                if let Some(step) = negated_and_positive((p, q), b, (r, s)) {
                    return step;
                }
            }
            (false, true) => {
                if let Some(step) = negated_and_positive((r, s), a, (p, q)) {
                    return step;
                }
            }
            (true, true) => {
                // resolution: (¬x ∨ ¬y) ∧ (¬x ∨ y) is ¬x
                if (p == r && q == !s) || (p == s && q == !r) {
                    return To(!p);
                }
                if (q == r && p == !s) || (q == s && p == !r) {
                    return To(!q);
                }
            }
        }
        Irreducible
    }

    /// Disjunction.
    pub fn or(&mut self, a: Gate, b: Gate) -> Gate {
        !self.and(!a, !b)
    }

    /// Implication.
    pub fn implies(&mut self, a: Gate, b: Gate) -> Gate {
        !self.and(a, !b)
    }

    /// Exclusive disjunction.
    pub fn xor(&mut self, a: Gate, b: Gate) -> Gate {
        let negate = a.is_negated() != b.is_negated();
        let (a, b) = (a.abs(), b.abs());
        let both = self.and(a, b);
        let neither = self.and(!a, !b);
        self.and(!both, !neither).negate_if(negate)
    }

    /// Equivalence.
    pub fn iff(&mut self, a: Gate, b: Gate) -> Gate {
        !self.xor(a, b)
    }

    /// The multiplexer: `then` where `condition` holds, `otherwise` elsewhere.
    pub fn ite(&mut self, condition: Gate, then: Gate, otherwise: Gate) -> Gate {
        if condition.is_negated() {
            return self.ite(!condition, otherwise, then);
        }
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return self.xor(condition, otherwise);
        }
        if condition == Gate::FALSE {
            return otherwise;
        }
        if then == condition || then == Gate::TRUE {
            return self.or(condition, otherwise);
        }
        if then == !condition || then == Gate::FALSE {
            return self.and(!condition, otherwise);
        }
        if otherwise == condition || otherwise == Gate::FALSE {
            return self.and(condition, then);
        }
        if otherwise == !condition || otherwise == Gate::TRUE {
            return self.implies(condition, then);
        }
        let negate = then.is_negated();
        let (then, otherwise) = (then.negate_if(negate), otherwise.negate_if(negate));
        let yes = self.and(condition, then);
        let no = self.and(!condition, otherwise);
        self.or(yes, no).negate_if(negate)
    }

    /// Conjunction of any number of gates; true if there are none.
    pub fn and_all(&mut self, gates: impl IntoIterator<Item = Gate>) -> Gate {
        let mut gates: Vec<Gate> = gates.into_iter().filter(|&gate| gate != Gate::TRUE).collect();
        gates.sort_unstable();
        gates.dedup();
        if gates.first() == Some(&Gate::FALSE) || gates.windows(2).any(|w| w[0] == !w[1]) {
            return Gate::FALSE;
        }
        // Pairwise, level by level: shallow, and equal operand lists yield equal gates.
        while gates.len() > 1 {
            gates = gates
                .chunks(2)
                .map(|pair| if let [a, b] = *pair { self.and(a, b) } else { pair[0] })
                .collect();
        }
        gates.first().copied().unwrap_or(Gate::TRUE)
    }

    /// Disjunction of any number of gates; false if there are none.
    pub fn or_all(&mut self, gates: impl IntoIterator<Item = Gate>) -> Gate {
        !self.and_all(gates.into_iter().map(|gate| !gate))
    }
}

impl Default for Circuit {
    fn default() -> Circuit {
        Circuit::new()
    }
}

impl fmt::Debug for Circuit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ands = self.nodes.len() - 1 - self.inputs.len();
        write!(f, "Circuit({} inputs, {ands} conjunctions)", self.inputs.len())
    }
}

/// The result of one rewriting step of a conjunction.
enum Simplified {
    To(Gate),
    And(Gate, Gate),
    Irreducible,
}

/// The rules for `¬(p ∧ q) ∧ (r ∧ s)`, where `positive` is `r ∧ s`.
fn negated_and_positive(
    (p, q): (Gate, Gate),
    positive: Gate,
    (r, s): (Gate, Gate),
) -> Option<Simplified> {
    if p == !r || p == !s || q == !r || q == !s {
        return Some(Simplified::To(positive)); // subsumption
    }
    if p == r || p == s {
        return Some(Simplified::And(positive, !q)); // substitution
    }
    if q == r || q == s {
        return Some(Simplified::And(positive, !p));
    }
    None
}

fn hash(a: Gate, b: Gate) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(u64::from(a.0) << 32 | u64::from(b.0))
}

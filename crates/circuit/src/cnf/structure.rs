//! Finding n-ary conjunctions, multiplexers and exclusive disjunctions in a two-input graph.
//!
//! A node may be *absorbed* into the definition of the node that refers to it, and then needs no variable, if
//! nothing else in the encoded cone refers to it. Fanouts are counted in that cone only, because the graph as
//! a whole is full of gates that no query mentions. A later cone may refer to an absorbed node after all; it
//! then gets a variable of its own, and is not absorbed a second time by another node: without that rule,
//! querying the prefixes of a long conjunction, longest first, would emit quadratically many literals.
//!
//! A multiplexer or exclusive disjunction is recognised if at least one of its two inner nodes is
//! absorbed by it. The other one may be in use elsewhere, as the conjunction of two bits is in an
//! adder, whose carry needs it too; it is then encoded besides. Asking for two absorbed nodes would
//! leave every exclusive disjunction of an adder unrecognised, and 5 to 15 % more variables.

use super::{ABSORBED, ASSERTED, EMITTED, Encoder, VARIABLE};
use crate::{Circuit, Gate};

/// How a node is defined.
pub(super) enum Shape {
    /// The conjunction of the gates in [`Encoder::leaves`], which are sorted and distinct.
    Conjunction,
    /// `[condition, then, otherwise]`.
    Multiplexer([Gate; 3]),
}

impl Encoder {
    /// The shape of a conjunction node, whose absorbed nodes are marked.
    pub(super) fn shape(&mut self, circuit: &Circuit, node: u32) -> Shape {
        let (a, b) = circuit.conjunction(node as usize);
        if let Some(multiplexer) = multiplexer(circuit, a, b)
            && self.visited(a)
            && self.visited(b)
        {
            let absorbed = [a.abs(), b.abs()].map(|inner| {
                let absorbable = self.absorbable(circuit, inner, node);
                if absorbable {
                    self.absorb(inner, node);
                }
                absorbable
            });
            if absorbed.contains(&true) {
                return Shape::Multiplexer(multiplexer);
            }
        }
        self.leaves.clear();
        debug_assert!(self.stack.is_empty(), "the cone has been visited before it is encoded");
        self.stack.extend([b, a]);
        while let Some(gate) = self.stack.pop() {
            if self.absorbable(circuit, gate, node)
                && let Some((a, b)) = circuit.operands(gate)
            {
                self.absorb(gate, node);
                self.stack.extend([b, a]);
            } else {
                self.leaves.push(gate);
            }
        }
        if self.leaves.len() > 2 {
            self.leaves.sort_unstable();
            self.leaves.dedup();
        }
        Shape::Conjunction
    }

    fn absorbable(&self, circuit: &Circuit, gate: Gate, by: u32) -> bool {
        let slot = &self.slots[gate.node()];
        !gate.is_negated()
            && slot.fanout < 2
            && slot.flags & (VARIABLE | ASSERTED) == 0
            && (slot.flags & ABSORBED == 0 || slot.link == by)
            && circuit.operands(gate).is_some()
    }

    /// Whether what lies below an operand of the node at hand has been visited by this call, so that
    /// its leaves will be defined. The visit stops at nodes that an earlier call has defined.
    fn visited(&self, gate: Gate) -> bool {
        self.slots[gate.node()].flags & (EMITTED | ASSERTED) == 0
    }

    fn absorb(&mut self, gate: Gate, by: u32) {
        let slot = &mut self.slots[gate.node()];
        slot.flags |= ABSORBED;
        slot.link = by;
    }
}

/// Reads `a ∧ b` as a multiplexer, if it is one: `¬(x ∧ y) ∧ ¬(¬x ∧ z)` is `ite(x, ¬y, ¬z)`.
fn multiplexer(circuit: &Circuit, a: Gate, b: Gate) -> Option<[Gate; 3]> {
    if !a.is_negated() || !b.is_negated() {
        return None;
    }
    let (p, q) = circuit.operands(a)?;
    let (r, s) = circuit.operands(b)?;
    if p == !r {
        Some([p, !q, !s])
    } else if p == !s {
        Some([p, !q, !r])
    } else if q == !r {
        Some([q, !p, !s])
    } else if q == !s {
        Some([q, !p, !r])
    } else {
        None
    }
}

//! Concrete evaluation: the value of gates and words under one assignment of the inputs.
//!
//! This is the plain meaning of a circuit, against which everything cleverer is checked: encodings,
//! simulation and every witness a query returns.
//!
//! ```
//! use circuit::{Bits, Circuit, Valuation};
//! let mut c = Circuit::new();
//! let x = c.fresh_bits(8);
//! let square = c.mul(&x, &x);
//! let mut values = Valuation::default();
//! values.set_word(&c, &x, 13);
//! assert_eq!(values.word(&c, &square), 169);
//! ```

use crate::{Bits, Circuit, Gate, Node};

/// An assignment of the inputs, and the values of gates computed from it so far.
///
/// Inputs that have not been set are false. Values are computed on demand and kept, so asking for
/// many gates costs no more than the union of their cones; setting an input forgets them.
#[derive(Clone, Debug, Default)]
pub struct Valuation {
    inputs: Vec<bool>,
    /// The value of each node, `UNKNOWN` if it has not been computed.
    nodes: Vec<u8>,
    stack: Vec<u32>,
    stale: bool,
}

const UNKNOWN: u8 = 2;

impl Valuation {
    /// The assignment that maps each input to the value at its number.
    pub fn new(inputs: Vec<bool>) -> Valuation {
        Valuation { inputs, ..Valuation::default() }
    }

    /// Gives an input gate a value. A negated gate gets that value, its node the opposite one.
    ///
    /// # Panics
    ///
    /// If the gate is not an input.
    pub fn set(&mut self, circuit: &Circuit, gate: Gate, value: bool) {
        let Node::Input(number) = circuit.node(gate.node()) else {
            panic!("{gate} is not an input");
        };
        if self.inputs.len() <= number {
            self.inputs.resize(number + 1, false);
        }
        self.inputs[number] = value != gate.is_negated();
        self.stale = true;
    }

    /// Gives the inputs of a word the bits of a number.
    pub fn set_word(&mut self, circuit: &Circuit, word: &Bits, value: u128) {
        for (bit, gate) in word.iter().enumerate() {
            self.set(circuit, gate, bit < 128 && value >> bit & 1 == 1);
        }
    }

    /// The value of a gate.
    pub fn value(&mut self, circuit: &Circuit, gate: Gate) -> bool {
        if self.stale {
            self.nodes.clear();
            self.stale = false;
        }
        if self.nodes.len() < circuit.len() {
            self.nodes.resize(circuit.len(), UNKNOWN);
        }
        self.stack.push(gate.node() as u32);
        while let Some(&node) = self.stack.last() {
            let node = node as usize;
            let value = match circuit.node(node) {
                Node::False => Some(false),
                Node::Input(number) => Some(self.inputs.get(number).copied().unwrap_or(false)),
                Node::And(a, b) => self.conjunction(a, b),
            };
            if let Some(value) = value {
                self.nodes[node] = u8::from(value);
                self.stack.pop();
            }
        }
        self.nodes[gate.node()] == u8::from(!gate.is_negated())
    }

    /// The value of a conjunction if its operands' values suffice; otherwise queues an operand.
    fn conjunction(&mut self, a: Gate, b: Gate) -> Option<bool> {
        for operand in [a, b] {
            match self.nodes[operand.node()] {
                UNKNOWN => {
                    self.stack.push(operand.node() as u32);
                    return None;
                }
                value if value == u8::from(operand.is_negated()) => return Some(false),
                _ => {}
            }
        }
        Some(true)
    }

    /// The value of a word of at most 128 bits, as an unsigned number.
    ///
    /// # Panics
    ///
    /// If the word is wider.
    pub fn word(&mut self, circuit: &Circuit, word: &Bits) -> u128 {
        assert!(word.width() <= 128, "a number holds at most 128 bits");
        word.iter()
            .rev()
            .fold(0, |number, gate| number << 1 | u128::from(self.value(circuit, gate)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_an_input_forgets_old_values() {
        let mut c = Circuit::new();
        let (x, y) = (c.input(), c.input());
        let both = c.and(x, !y);
        let mut values = Valuation::new(vec![true, true]);
        assert!(!values.value(&c, both));
        values.set(&c, !y, true);
        assert!(values.value(&c, both));
        assert!(!values.value(&c, Gate::FALSE) && values.value(&c, Gate::TRUE));
    }

    #[test]
    fn a_deep_circuit_is_evaluated_without_recursion() {
        let mut c = Circuit::new();
        let x = c.fresh(3);
        let mut gate = x[0];
        for step in 0..300_000 {
            gate = c.xor(x[step % 3], gate);
        }
        assert!(!Valuation::default().value(&c, gate));
    }
}

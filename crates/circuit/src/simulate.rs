//! Bit-parallel simulation: sixty-four assignments at a time.
//!
//! A [`Batch`] assigns every node a word whose bit *i* is the node's value under the *i*-th of sixty-four
//! patterns. One pass over the graph in order of creation computes it, a conjunction being one machine
//! instruction, and nodes created later cost only themselves. Sixteen random batches make the 1,024-pattern
//! signatures that answer most easy queries before the solver is called.
//!
//! ```
//! use circuit::{Batch, Circuit};
//! let mut c = Circuit::new();
//! let (x, y) = (c.input(), c.input());
//! let gate = c.xor(x, y);
//! let mut batch = Batch::random(1);
//! batch.update(&c);
//! assert_eq!(batch.word(gate), batch.word(x) ^ batch.word(y));
//! ```

use crate::{Circuit, Gate, Node};

/// Sixty-four assignments of the inputs and the values of all nodes under them.
///
/// Invariants: inputs that were not given a value have a pseudo-random one that depends only on the
/// seed and the input's number; the words of the first `words.len()` nodes of the circuit are
/// consistent with their operands.
#[derive(Clone, Debug)]
pub struct Batch {
    seed: u64,
    /// By input number: the bits that were given, and their values.
    given: Vec<InputPatterns>,
    words: Vec<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct InputPatterns {
    mask: u64,
    values: u64,
}

impl Batch {
    /// Random patterns; the same seed yields the same patterns.
    pub fn random(seed: u64) -> Batch {
        Batch { seed, given: Vec::new(), words: Vec::new() }
    }

    /// Replaces the pattern in one place by given values of the inputs, by number. Inputs for which
    /// there is none have random values. All words are forgotten until the next [`Batch::update`].
    pub fn set_pattern(&mut self, bit: u32, inputs: impl IntoIterator<Item = Option<bool>>) {
        for given in &mut self.given {
            given.mask &= !(1 << bit);
            given.values &= !(1 << bit);
        }
        for (number, value) in inputs.into_iter().enumerate() {
            if self.given.len() <= number {
                self.given.push(InputPatterns::default());
            }
            if let Some(value) = value {
                self.given[number].mask |= 1 << bit;
                self.given[number].values |= u64::from(value) << bit;
            }
        }
        self.words.clear();
    }

    /// Computes the words of all nodes that have none yet.
    pub fn update(&mut self, circuit: &Circuit) {
        self.words.reserve(circuit.len() - self.words.len());
        for index in self.words.len()..circuit.len() {
            let word = match circuit.node(index) {
                Node::False => 0,
                Node::Input(number) => self.input(number),
                Node::And(a, b) => self.word(a) & self.word(b),
            };
            self.words.push(word);
        }
    }

    /// The values of a gate under the sixty-four patterns.
    ///
    /// # Panics
    ///
    /// If the gate is newer than the last [`Batch::update`].
    #[inline]
    pub fn word(&self, gate: Gate) -> u64 {
        self.words[gate.node()] ^ (gate.is_negated() as u64).wrapping_neg()
    }

    /// The patterns under which all gates hold.
    pub fn conjunction(&self, gates: &[Gate]) -> u64 {
        let mut all = u64::MAX;
        for &gate in gates {
            all &= self.word(gate);
            if all == 0 {
                break;
            }
        }
        all
    }

    fn input(&self, number: usize) -> u64 {
        let random = scramble(self.seed ^ scramble(number as u64));
        let given = self.given.get(number).copied().unwrap_or_default();
        random & !given.mask | given.values
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
fn scramble(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Valuation;

    #[test]
    fn simulation_is_evaluation_and_survives_growth() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut c = Circuit::new();
        let mut gates = c.fresh(5);
        let mut batch = Batch::random(9);
        for round in 0..40 {
            for _ in 0..5 {
                let a = random.choice(&gates).unwrap().negate_if(random.bool());
                let b = random.choice(&gates).unwrap().negate_if(random.bool());
                gates.push(c.ite(a, b, gates[0]));
            }
            if round % 10 == 0 {
                gates.push(c.input());
                batch.set_pattern(random.u32(0..64), (0..4).map(|_| Some(random.bool())));
            }
            batch.update(&c);
            let bit = random.u32(0..64);
            let inputs = c.inputs().map(|gate| batch.word(gate) >> bit & 1 == 1).collect();
            let mut values = Valuation::new(inputs);
            for &gate in &gates {
                assert_eq!(values.value(&c, !gate), batch.word(!gate) >> bit & 1 == 1);
            }
        }
    }

    #[test]
    fn a_given_pattern_is_kept() {
        let mut c = Circuit::new();
        let x = c.fresh(3);
        let mut batch = Batch::random(0);
        batch.set_pattern(8, [true; 3].map(Some));
        batch.set_pattern(7, [true, false, true].map(Some));
        batch.set_pattern(8, [Some(false), None, Some(true)]);
        batch.update(&c);
        assert_ne!(batch.conjunction(&[x[0], !x[1], x[2]]) >> 7 & 1, 0);
        assert_ne!(batch.conjunction(&[!x[0], x[2]]) >> 8 & 1, 0);
    }
}

//! The order of numbers that are only compared, as literals: which of two is less.

use circuit::{Bits, Circuit, Encoder, Gate, Sink};
use sat::{AllSat, Cnf, Lit};

/// Words that are compared with each other.
pub(super) struct Order {
    /// By two positions: whether the first word is less than the second.
    less: Vec<Vec<Lit>>,
    /// By position: the input below each bit of the word, if it is one.
    inputs: Vec<Vec<Option<Lit>>>,
}

impl Order {
    /// The order of some words, each with when it is there.
    pub(super) fn new(
        words: &[(Gate, Bits)],
        circuit: &mut Circuit,
        encoder: &mut Encoder,
        cnf: &mut Cnf,
    ) -> Order {
        let mut less = Vec::new();
        for (_, a) in words {
            let gates: Vec<Gate> = words.iter().map(|(_, b)| circuit.slt(a, b)).collect();
            less.push(two_way(&gates, circuit, encoder, cnf));
        }
        let inputs = words.iter().map(|(present, word)| {
            let input = |bit| input_below(circuit, bit, *present);
            let mut literal = |input| encoder.input_literal(circuit, input, cnf);
            word.iter().map(|bit| input(bit).map(&mut literal)).collect()
        });
        let inputs = inputs.collect();
        Order { less, inputs }
    }

    /// Whether one word is less than another, if that is known.
    pub(super) fn is_less(&self, a: usize, b: usize, models: &AllSat) -> Option<bool> {
        models.value(self.less[a][b])
    }

    /// Proposes numbers in the order that is known for some of the words, by position.
    pub(super) fn propose(&self, present: &[usize], models: &mut AllSat) {
        let mut ranked: Vec<(usize, usize)> = present
            .iter()
            .map(|&word| {
                let below = |other: &&usize| self.is_less(**other, word, models) == Some(true);
                (present.iter().filter(below).count(), word)
            })
            .collect();
        // A smaller number has fewer below it.
        ranked.sort_unstable();
        for (number, (_, word)) in ranked.into_iter().enumerate() {
            for (bit, input) in self.inputs[word].iter().enumerate() {
                let holds = bit < usize::BITS as usize && number >> bit & 1 == 1;
                if let Some(input) = *input {
                    models.prefer(if holds { input } else { !input });
                }
            }
        }
    }
}

/// The input that a bit of a word is where it is present.
fn input_below(circuit: &Circuit, bit: Gate, present: Gate) -> Option<Gate> {
    match circuit.operands(bit) {
        None => Some(bit),
        Some((a, b)) if !bit.is_negated() => {
            let other = if a == present { b } else { a };
            circuit.operands(other).is_none().then_some(other)
        }
        Some(_) => None,
    }
    .filter(|input| input.as_constant().is_none())
}

/// Literals that have the values of gates, not only where these hold.
pub(super) fn two_way(
    gates: &[Gate],
    circuit: &Circuit,
    encoder: &mut Encoder,
    sink: &mut impl Sink,
) -> Vec<Lit> {
    let negated: Vec<Gate> = gates.iter().map(|gate| !*gate).collect();
    let literals = encoder.literals(circuit, gates, sink);
    encoder.literals(circuit, &negated, sink);
    literals
}

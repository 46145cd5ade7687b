//! Lemmas about heaps: implied by the facts, but not by unit propagation.
//!
//! That a reference leads to one of the atoms that exist is a matter of its bits, and that numbers are in
//! an order one of the circuits that compare them: a solver finds out such things by trial. Said besides, they make
//! it see at once that a tree in which a node is on both sides of another is none, before any number has a value.

use circuit::{Bits, Circuit, Gate};
use encode::{Held, Part};

/// That each part holds one of the things that it may hold.
pub(crate) fn one_of_each(circuit: &mut Circuit, parts: &[(Part, Gate, Held)]) -> Vec<Gate> {
    let mut facts = Vec::new();
    for (_, _, held) in parts {
        match held {
            Held::Atom(is) | Held::Constructor(is) => {
                facts.push(circuit.or_all(is.iter().copied()));
            }
            Held::Number(_) | Held::Truth(_) => {}
        }
    }
    facts
}

/// That numbers which are compared with each other are in an order: if one is less than another, that is not
/// less than it, and any third is above the one or below the other.
pub(crate) fn in_order(circuit: &mut Circuit, words: &[&Bits]) -> Vec<Gate> {
    let less: Vec<Vec<Gate>> =
        words.iter().map(|a| words.iter().map(|b| circuit.slt(a, b)).collect()).collect();
    let mut facts = Vec::new();
    for a in 0..words.len() {
        for b in (0..words.len()).filter(|b| *b != a) {
            facts.push(!circuit.and(less[a][b], less[b][a]));
            for c in (0..words.len()).filter(|c| *c != a && *c != b) {
                facts.push(circuit.or_all([!less[a][b], !less[b][c], less[a][c]]));
                facts.push(circuit.or_all([less[a][b], less[b][c], !less[a][c]]));
            }
        }
    }
    facts
}

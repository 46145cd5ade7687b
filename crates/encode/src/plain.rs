//! Simple numbers: among the executions with the same failure on the same heap, one that is easy to read.
//!
//! A solver assigns an arbitrary value to a number that does not matter. A reader looks for a reason behind it, so
//! the numbers of an execution are set to zero, or to small values, one after the other, as long as the failure
//! stays. All other decisions stay as they are.

use circuit::{Circuit, Gate};
use rustc_hash::FxHashSet;

use crate::evaluation::{Evaluation, Event};
use crate::limits::{MINIMIZED_BITS, MINIMIZED_GATES, MINIMIZED_NUMBERS};
use crate::memory::CELL;
use crate::query_session::{QueryAnswer, QuerySession};
use crate::sym::Sym;

/// The numbers of bits within which a number is small, smallest first.
const SMALL: [usize; 2] = [3, 10];

impl QuerySession<'_> {
    /// Makes the numbers plain of the execution just found, in which all gates hold.
    pub fn simplify(&mut self, gates: &[Gate]) {
        let evaluation = self.evaluation();
        let words = numbers(evaluation);
        if words.is_empty() || evaluation.circuit.len() > MINIMIZED_GATES || !self.has_room() {
            return;
        }
        let inputs = evaluation.circuit.inputs();
        let bits = words.iter().flatten();
        let numbers: FxHashSet<Gate> = bits.map(|bit| behind(&evaluation.circuit, *bit)).collect();
        let others = inputs.filter(|input| !numbers.contains(input));
        let mut fixed = gates.to_vec();
        fixed.extend(self.same(others));
        let mut values: Vec<Vec<Gate>> =
            words.iter().map(|word| self.same(word.iter().copied())).collect();
        for (number, word) in words.iter().enumerate() {
            if !self.has_room() {
                break;
            }
            let mut plain = plain(word).into_iter();
            if plain.any(|plain| self.ask(&once(&fixed, &plain)) == QueryAnswer::Sat) {
                values = words.iter().map(|word| self.same(word.iter().copied())).collect();
            }
            fixed = once(&fixed, &values[number]);
        }
        self.ask(&fixed);
    }
}

/// The conditions, each once: a word may have a bit several times.
fn once(some: &[Gate], others: &[Gate]) -> Vec<Gate> {
    let mut seen = FxHashSet::default();
    let all = some.iter().chain(others).copied();
    all.filter(|gate| *gate != Gate::TRUE && seen.insert(*gate)).collect()
}

/// The input behind a bit of a number, which may be one only where what it belongs to is there.
fn behind(circuit: &Circuit, bit: Gate) -> Gate {
    let latest = circuit.operands(bit).map(|(a, b)| if a.node() < b.node() { b } else { a });
    latest.unwrap_or(bit).abs()
}

/// The conditions under which a number is simple, the simplest first: zero, one more or less, or little more or
/// less.
fn plain(word: &[Gate]) -> Vec<Vec<Gate>> {
    let zero: Vec<Gate> = word.iter().map(|bit| !*bit).collect();
    let one = [&word[..1], &zero[1..]].concat();
    let mut conditions = vec![zero, one, word.to_vec()];
    for bits in SMALL.into_iter().filter(|bits| *bits < word.len()) {
        conditions.push(word[bits..].iter().map(|bit| !*bit).collect());
        conditions.push(word[bits..].to_vec());
    }
    conditions
}

/// The inputs of an evaluation that are numbers, each with its bits.
fn numbers(evaluation: &Evaluation) -> Vec<Vec<Gate>> {
    let events = evaluation.blocks.iter().flat_map(|block| &block.events);
    let chosen = events.filter_map(|event| match event {
        Event::Havoc { value, .. } => Some(value),
        Event::Atom(_) | Event::Object(..) | Event::Call(_) | Event::Goto(_) => None,
    });
    let mut words = Vec::new();
    for sym in evaluation.entry.iter().map(|(_, sym)| sym).chain(chosen) {
        collect(evaluation, sym, &mut words);
    }
    let pointers = evaluation.pointers.iter().flat_map(|pointer| pointer.iter());
    let pointers: FxHashSet<Gate> = pointers.map(Gate::abs).collect();
    for (_, cells) in evaluation.memories.read_at_entry() {
        let bytes = cells.gates().chunks(CELL).flat_map(|cell| &cell[..CELL - 1]);
        let word: Vec<Gate> = bytes.copied().collect();
        // A byte by itself is a character, and none is plainer than another.
        let is_number = word.len() > CELL - 1;
        if is_number
            && !word.iter().any(|bit| pointers.contains(&behind(&evaluation.circuit, *bit)))
        {
            words.push(word);
        }
    }
    let is_open = |bit: &Gate| bit.as_constant().is_none();
    words.retain(|word| word.len() >= MINIMIZED_BITS && word.iter().any(is_open));
    words.truncate(MINIMIZED_NUMBERS);
    words
}

/// The words in a value.
fn collect(evaluation: &Evaluation, sym: &Sym, words: &mut Vec<Vec<Gate>>) {
    match sym {
        Sym::Bits(_) | Sym::Int(_) => words.push(sym.word()),
        Sym::Table(parts) | Sym::Tuple(parts) => {
            parts.iter().for_each(|part| collect(evaluation, part, words));
        }
        Sym::Seq(sequence) => {
            sequence.slots.iter().for_each(|slot| collect(evaluation, slot, words));
        }
        Sym::Array(array) => {
            let cells = evaluation.arrays.cells(*array);
            words.extend(cells.map(|(_, value)| value.iter().collect::<Vec<_>>()));
        }
        Sym::Bool(_) | Sym::Bytes(_) | Sym::Nothing => {}
    }
}

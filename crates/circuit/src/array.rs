//! Arrays, from words to words, as circuits.
//!
//! An array is never materialised. It is a term (a base, writes on top of it, choices between
//! arrays), and a read walks down the term and becomes multiplexers: McCarthy's read-over-write
//! axioms (*Towards a Mathematical Science of Computation*, 1962) used from left to right. The walk
//! stops at the first write that certainly happened at the index read, and skips those that certainly
//! did not.
//!
//! The contents of an unknown base are created as they are read. The first read creates a fresh word; each
//! later one creates a fresh word too, but returns that of the first earlier read at an equal index, if there
//! is one. So equal indices yield equal values (Ackermann's constraint), and yet everything stays a function
//! of the inputs: no side condition has to be asserted. An array is thus exactly as unknown as the reads can
//! distinguish; equality of whole arrays is not expressible.
//!
//! ```
//! use circuit::{Answer, Arrays, Circuit, Gate, Queries};
//! let (mut c, mut arrays) = (Circuit::new(), Arrays::new());
//! let memory = arrays.unknown(8, 32);
//! let (i, j, x) = (c.fresh_bits(8), c.fresh_bits(8), c.fresh_bits(32));
//! let written = arrays.write(memory, Gate::TRUE, &i, &x);
//! let (before, after) = (arrays.read(&mut c, memory, &j), arrays.read(&mut c, written, &j));
//! let changed = !c.equal(&before, &after);
//! let elsewhere = !c.equal(&i, &j);
//! let mut queries = Queries::new(sat::Options::default())?;
//! assert_eq!(queries.ask(&c, &[changed]), Answer::Sat);
//! assert_eq!(queries.ask(&c, &[changed, elsewhere]), Answer::Unsat);
//! # Ok::<(), sat::Error>(())
//! ```

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::{Bits, Circuit, Gate};

/// An array, known by its place among [`Arrays`]. Cheap to copy; values never change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Array(u32);

/// The arrays over one circuit.
///
/// Invariants: an array is younger than those it is made of, and has their index and value widths;
/// the value of a read is a function of the circuit's inputs, and reads of one array under equal
/// indices have equal values in every assignment.
#[derive(Clone, Debug, Default)]
pub struct Arrays {
    terms: Vec<Term>,
    widths: Vec<(usize, usize)>,
    /// The indices that have been read or written, each once.
    indices: Vec<Bits>,
    numbers: HashMap<Bits, u32, FxBuildHasher>,
    /// The values read from an array, by index.
    reads: HashMap<(Array, u32), Bits, FxBuildHasher>,
}

/// How an array is made. Indices are numbers into [`Arrays::indices`].
#[derive(Clone, Debug)]
enum Term {
    /// The same value everywhere.
    Constant(Bits),
    /// Anything: the cells read so far, and the fresh word that each read made.
    Unknown(Vec<(u32, Bits)>),
    /// Another array, with one value replaced where the guard holds.
    Write { below: Array, guard: Gate, index: u32, value: Bits },
    /// One of two arrays.
    Select { condition: Gate, then: Array, otherwise: Array },
}

/// How to find a read's value, one step down the term.
enum Step {
    Done(Bits),
    /// The same read in another array.
    Same(Array),
    /// The value where the gate holds, the read in the array elsewhere.
    Over(Gate, Bits, Array),
    Either(Gate, Array, Array),
}

impl Arrays {
    /// No arrays.
    pub fn new() -> Arrays {
        Arrays::default()
    }

    /// The array that holds one value under every index.
    pub fn constant(&mut self, index_width: usize, value: &Bits) -> Array {
        self.push(Term::Constant(value.clone()), (index_width, value.width()))
    }

    /// An array of which nothing is known.
    pub fn unknown(&mut self, index_width: usize, value_width: usize) -> Array {
        self.push(Term::Unknown(Vec::new()), (index_width, value_width))
    }

    /// The array with the value under one index replaced, if the guard holds.
    pub fn write(&mut self, array: Array, guard: Gate, index: &Bits, value: &Bits) -> Array {
        let widths = self.widths(array);
        assert_eq!(
            (index.width(), value.width()),
            widths,
            "index and value have the array's widths"
        );
        if guard == Gate::FALSE {
            return array;
        }
        let index = self.number(index);
        self.push(Term::Write { below: array, guard, index, value: value.clone() }, widths)
    }

    /// The array `then` where the condition holds, `otherwise` elsewhere.
    pub fn select(&mut self, condition: Gate, then: Array, otherwise: Array) -> Array {
        let widths = self.widths(then);
        assert_eq!(widths, self.widths(otherwise), "both arrays have the same widths");
        match condition.as_constant() {
            Some(true) => then,
            Some(false) => otherwise,
            None if then == otherwise => then,
            None => self.push(Term::Select { condition, then, otherwise }, widths),
        }
    }

    /// The value under an index.
    pub fn read(&mut self, circuit: &mut Circuit, array: Array, index: &Bits) -> Bits {
        assert_eq!(index.width(), self.widths(array).0, "the index has the array's width");
        let index = self.number(index);
        let mut stack = vec![array];
        while let Some(&array) = stack.last() {
            if self.reads.contains_key(&(array, index)) {
                stack.pop();
                continue;
            }
            let step = self.step(circuit, array, index);
            let value = match &step {
                Step::Done(value) => Some(value.clone()),
                Step::Same(below) => self.known(*below, index, &mut stack),
                Step::Over(hit, value, below) => self
                    .known(*below, index, &mut stack)
                    .map(|below| circuit.select(*hit, value, &below)),
                Step::Either(condition, then, otherwise) => {
                    let then = self.known(*then, index, &mut stack);
                    let otherwise = self.known(*otherwise, index, &mut stack);
                    then.zip(otherwise)
                        .map(|(then, otherwise)| circuit.select(*condition, &then, &otherwise))
                }
            };
            if let Some(value) = value {
                self.reads.insert((array, index), value);
                stack.pop();
            }
        }
        self.reads[&(array, index)].clone()
    }

    /// The cells of an unknown array that reads have brought into being: index and fresh value. In a
    /// model the first cell of equal index holds the value; indices that occur in no cell may hold
    /// anything. Empty for arrays that are not an unknown base.
    pub fn cells(&self, array: Array) -> impl Iterator<Item = (&Bits, &Bits)> {
        let cells = match &self.terms[array.0 as usize] {
            Term::Unknown(cells) => cells.as_slice(),
            Term::Constant(_) | Term::Write { .. } | Term::Select { .. } => &[],
        };
        cells.iter().map(|(index, value)| (&self.indices[*index as usize], value))
    }

    /// The widths of an array's indices and values.
    pub fn widths(&self, array: Array) -> (usize, usize) {
        self.widths[array.0 as usize]
    }

    fn push(&mut self, term: Term, widths: (usize, usize)) -> Array {
        let array = Array(u32::try_from(self.terms.len()).expect("fewer than 2^32 arrays"));
        self.terms.push(term);
        self.widths.push(widths);
        array
    }

    fn number(&mut self, index: &Bits) -> u32 {
        if let Some(&number) = self.numbers.get(index) {
            return number;
        }
        let number = self.indices.len() as u32;
        self.indices.push(index.clone());
        self.numbers.insert(index.clone(), number);
        number
    }

    /// The value of a read if it is known; otherwise queues it.
    fn known(&self, array: Array, index: u32, stack: &mut Vec<Array>) -> Option<Bits> {
        let value = self.reads.get(&(array, index)).cloned();
        if value.is_none() {
            stack.push(array);
        }
        value
    }

    fn step(&mut self, circuit: &mut Circuit, array: Array, index: u32) -> Step {
        let read = &self.indices[index as usize];
        match &mut self.terms[array.0 as usize] {
            Term::Constant(value) => Step::Done(value.clone()),
            Term::Unknown(cells) => {
                let fresh = circuit.fresh_bits(self.widths[array.0 as usize].1);
                let mut value = fresh.clone();
                for (cell, held) in cells.iter().rev() {
                    let same = circuit.equal(read, &self.indices[*cell as usize]);
                    value = circuit.select(same, held, &value);
                }
                cells.push((index, fresh));
                Step::Done(value)
            }
            Term::Write { below, guard, index: written, value } => {
                let same = circuit.equal(read, &self.indices[*written as usize]);
                let hit = circuit.and(*guard, same);
                match hit.as_constant() {
                    Some(true) => Step::Done(value.clone()),
                    Some(false) => Step::Same(*below),
                    None => Step::Over(hit, value.clone(), *below),
                }
            }
            Term::Select { condition, then, otherwise } => {
                Step::Either(*condition, *then, *otherwise)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Valuation;

    /// Random terms and reads, evaluated, against plain tables.
    #[test]
    fn reads_agree_with_tables() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..300 {
            let (mut c, mut arrays) = (Circuit::new(), Arrays::new());
            let mut words: Vec<Bits> = (0..4).map(|_| c.fresh_bits(2)).collect();
            words.extend((0..4).map(|value| Bits::constant(2, value)));
            let guards = [c.input(), c.input(), Gate::TRUE, Gate::FALSE];
            let base = arrays.unknown(2, 2);
            let mut terms = vec![base, arrays.constant(2, &words[0])];
            let mut made = vec![None, None];
            let mut reads = Vec::new();
            for _ in 0..12 {
                let word = |random: &mut fastrand::Rng| random.choice(&words).unwrap().clone();
                let at = random.usize(0..terms.len());
                let guard = random.choice(&guards).unwrap().negate_if(random.bool());
                match random.u8(0..4) {
                    0 => {
                        let (index, value) = (word(&mut random), word(&mut random));
                        terms.push(arrays.write(terms[at], guard, &index, &value));
                        made.push(Some((guard, at, Ok((index, value)))));
                    }
                    1 => {
                        let other = random.usize(0..terms.len());
                        terms.push(arrays.select(guard, terms[at], terms[other]));
                        made.push(Some((guard, at, Err(other))));
                    }
                    _ => {
                        let index = word(&mut random);
                        reads.push((at, index.clone(), arrays.read(&mut c, terms[at], &index)));
                    }
                }
            }
            for _ in 0..20 {
                let mut values = Valuation::new(c.inputs().map(|_| random.bool()).collect());
                let mut table = [0; 4];
                let cells: Vec<_> = arrays.cells(base).collect();
                for (index, value) in cells.into_iter().rev() {
                    table[values.word(&c, index) as usize] = values.word(&c, value);
                }
                let mut tables = vec![table, [values.word(&c, &words[0]); 4]];
                for term in made.iter().flatten() {
                    let (guard, at, ref what) = *term;
                    let holds = values.value(&c, guard);
                    let mut table = tables[at];
                    match what {
                        Ok((index, value)) if holds => {
                            table[values.word(&c, index) as usize] = values.word(&c, value);
                        }
                        Err(other) if !holds => table = tables[*other],
                        Ok(_) | Err(_) => {}
                    }
                    tables.push(table);
                }
                for (at, index, read) in &reads {
                    let expected = tables[*at][values.word(&c, index) as usize];
                    assert_eq!(values.word(&c, read), expected);
                }
            }
        }
    }

    #[test]
    fn a_certain_write_ends_the_walk() {
        let (mut c, mut arrays) = (Circuit::new(), Arrays::new());
        let (i, x) = (c.fresh_bits(4), c.fresh_bits(8));
        let base = arrays.unknown(4, 8);
        let one = arrays.write(base, Gate::TRUE, &i, &x);
        assert_eq!(arrays.read(&mut c, one, &i), x);
        let low = arrays.write(one, Gate::TRUE, &Bits::constant(4, 1), &Bits::zero(8));
        let high = arrays.write(low, Gate::TRUE, &Bits::constant(4, 2), &Bits::ones(8));
        assert_eq!(arrays.read(&mut c, high, &Bits::constant(4, 1)), Bits::zero(8));
        assert_eq!(arrays.cells(base).count(), 0);
    }

    #[test]
    fn diamonds_stay_small() {
        let (mut c, mut arrays) = (Circuit::new(), Arrays::new());
        let mut array = arrays.unknown(8, 8);
        for _ in 0..200 {
            let (condition, index, value) = (c.input(), c.fresh_bits(8), c.fresh_bits(8));
            let written = arrays.write(array, Gate::TRUE, &index, &value);
            array = arrays.select(condition, written, array);
        }
        let index = c.fresh_bits(8);
        arrays.read(&mut c, array, &index);
        assert!(c.len() < 30_000, "{c:?}");
    }

    #[test]
    fn long_chains_need_no_stack() {
        let (mut c, mut arrays) = (Circuit::new(), Arrays::new());
        let mut array = arrays.constant(20, &Bits::zero(1));
        for index in 0..200_000 {
            array = arrays.write(array, Gate::TRUE, &Bits::constant(20, index), &Bits::ones(1));
        }
        let value = arrays.read(&mut c, array, &Bits::constant(20, 500_000));
        assert_eq!(value.as_constant(), Some(0));
    }
}

//! Terms with two meanings: gates of a circuit, and text of SMT-LIB.
//!
//! A [`Script`] builds both side by side, so that a solver of the SMT-LIB theories of bit-vectors
//! and arrays can be asked what [`circuit::Queries`] was asked. Text and gates share nothing but
//! the names of their operands: where the theory lacks an operation of [`Circuit`], it is spelt out
//! from its definition (overflow by computing in a wider word, rotation by two shifts, counts bit
//! by bit) and not from our circuit for it. [`operations`] holds each with both meanings.
//!
//! Words without bits do not exist in SMT-LIB and are not built here.
//!
//! ```
//! use bench::smt::{Script, operations::{PREDICATES, WORDS}};
//! let mut script = Script::new();
//! let x = script.word_input(8);
//! let sum = script.apply(&WORDS[0], &x, &x);
//! let holds = script.test(&PREDICATES[0], &x, &sum);
//! assert!(script.text().ends_with("\
//! (declare-const w0 (_ BitVec 8))
//! (define-fun w1 () (_ BitVec 8) (bvadd w0 w0))
//! (define-fun p0 () Bool (= w0 w1))
//! "));
//! let mut queries = circuit::Queries::new(sat::Options::default())?;
//! assert!(queries.ask(script.circuit(), &[holds.gate]).is_sat());
//! # Ok::<(), sat::Error>(())
//! ```

pub mod operations;

use std::fmt::{self, Display, Write};
use std::time::{Duration, Instant};

use circuit::{Array, Arrays, Bits, Circuit, Gate, Queries};

use operations::{Connective, Operation};

/// A word: its gates, and its name or literal in the text.
#[derive(Clone, Debug)]
pub struct Word {
    /// The gates.
    pub bits: Bits,
    text: String,
}

/// A Boolean term: its gate, and its name in the text.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The gate.
    pub gate: Gate,
    text: String,
}

/// An array from words to words: its circuit, and its name in the text.
#[derive(Clone, Debug)]
pub struct Table {
    array: Array,
    /// The widths of indices and values.
    pub widths: (usize, usize),
    text: String,
}

impl Word {
    /// The number of bits.
    pub fn width(&self) -> usize {
        self.bits.width()
    }
}

impl Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A circuit, and the equivalent SMT-LIB text.
///
/// Invariant: every term named in the text has the value of its gates whenever the inputs and the
/// cells of unknown arrays have theirs.
#[derive(Debug)]
pub struct Script {
    circuit: Circuit,
    arrays: Arrays,
    text: String,
    /// The terms that have a name, in the order of the text.
    words: Vec<Word>,
    truths: Vec<Truth>,
    /// The arrays of which nothing is known.
    bases: Vec<Table>,
    tables: usize,
    building: Duration,
}

impl Default for Script {
    fn default() -> Script {
        Script::new()
    }
}

impl Script {
    /// No terms.
    pub fn new() -> Script {
        Script {
            circuit: Circuit::new(),
            arrays: Arrays::new(),
            text: "(set-logic QF_ABV)\n".to_owned(),
            words: Vec::new(),
            truths: Vec::new(),
            bases: Vec::new(),
            tables: 0,
            building: Duration::ZERO,
        }
    }

    /// The circuit.
    pub fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The words that have a name, oldest first.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The Boolean terms, oldest first.
    pub fn truths(&self) -> &[Truth] {
        &self.truths
    }

    /// How long it took to build the gates, without the text.
    pub fn building(&self) -> Duration {
        self.building
    }

    /// A word that may have any value.
    pub fn word_input(&mut self, width: usize) -> Word {
        let bits = self.build(|circuit, _| circuit.fresh_bits(width));
        let text = format!("w{}", self.words.len());
        self.line(format_args!("(declare-const {text} {})", word_sort(width)));
        self.words.push(Word { bits, text });
        self.words[self.words.len() - 1].clone()
    }

    /// A Boolean that may have any value.
    pub fn truth_input(&mut self) -> Truth {
        let gate = self.build(|circuit, _| circuit.input());
        let text = format!("p{}", self.truths.len());
        self.line(format_args!("(declare-const {text} Bool)"));
        self.truths.push(Truth { gate, text });
        self.truths[self.truths.len() - 1].clone()
    }

    /// A word of one value. It stands in the text as it is and has no name.
    pub fn constant(&self, width: usize, value: u128) -> Word {
        Word { bits: Bits::constant(width, value), text: literal(width, value) }
    }

    /// An operation on words.
    pub fn apply(&mut self, operation: &Operation<Bits>, a: &Word, b: &Word) -> Word {
        let bits = self.build(|circuit, _| (operation.build)(circuit, &a.bits, &b.bits));
        self.name_word(bits, &(operation.meaning)(a, b))
    }

    /// A property of words.
    pub fn test(&mut self, predicate: &Operation<Gate>, a: &Word, b: &Word) -> Truth {
        let gate = self.build(|circuit, _| (predicate.build)(circuit, &a.bits, &b.bits));
        self.name_truth(gate, &(predicate.meaning)(a, b))
    }

    /// A Boolean function of three Booleans.
    pub fn connect(&mut self, connective: &Connective, terms: [&Truth; 3]) -> Truth {
        let gates = terms.map(|term| term.gate);
        let gate = self.build(|circuit, _| (connective.build)(circuit, gates));
        self.name_truth(gate, &(connective.meaning)(terms))
    }

    /// The bits from `low` up to `high`, both included.
    pub fn extract(&mut self, a: &Word, high: usize, low: usize) -> Word {
        self.name_word(a.bits.extract(low..high + 1), &format!("((_ extract {high} {low}) {a})"))
    }

    /// Two words as the low and the high part of one.
    pub fn concat(&mut self, low: &Word, high: &Word) -> Word {
        self.name_word(low.bits.concat(&high.bits), &format!("(concat {high} {low})"))
    }

    /// The word filled up with zeros to a width, which is at least its own.
    pub fn zero_extend(&mut self, a: &Word, width: usize) -> Word {
        let more = width - a.width();
        self.name_word(a.bits.zero_extend(width), &format!("((_ zero_extend {more}) {a})"))
    }

    /// The word filled up with its sign to a width, which is at least its own.
    pub fn sign_extend(&mut self, a: &Word, width: usize) -> Word {
        let more = width - a.width();
        self.name_word(a.bits.sign_extend(width), &format!("((_ sign_extend {more}) {a})"))
    }

    /// The word of one bit that is one where the term holds.
    pub fn bit(&mut self, term: &Truth) -> Word {
        self.name_word(Bits::from(term.gate), &format!("(ite {term} #b1 #b0)"))
    }

    /// The word `then` where the condition holds, `otherwise` elsewhere.
    pub fn select(&mut self, condition: &Truth, then: &Word, otherwise: &Word) -> Word {
        let gate = condition.gate;
        let bits = self.build(|circuit, _| circuit.select(gate, &then.bits, &otherwise.bits));
        self.name_word(bits, &format!("(ite {condition} {then} {otherwise})"))
    }

    /// Whether cutting a word to `width` bits, at least one, changes its value.
    pub fn truncation_loses(&mut self, a: &Word, width: usize, signed: bool) -> Truth {
        let gate = self.build(|circuit, _| match signed {
            true => circuit.truncation_loses_signed(&a.bits, width),
            false => circuit.truncation_loses_unsigned(&a.bits, width),
        });
        let (kept, extend) = (width.min(a.width()), if signed { "sign" } else { "zero" });
        let (top, more) = (kept - 1, a.width() - kept);
        let back = format!("((_ {extend}_extend {more}) ((_ extract {top} 0) {a}))");
        self.name_truth(gate, &format!("(distinct {a} {back})"))
    }

    /// An array of which nothing is known.
    pub fn unknown_table(&mut self, widths: (usize, usize)) -> Table {
        let array = self.build(|_, arrays| arrays.unknown(widths.0, widths.1));
        let table = Table { array, widths, text: format!("m{}", self.tables) };
        self.tables += 1;
        self.line(format_args!("(declare-const {table} {})", table_sort(widths)));
        self.bases.push(table.clone());
        table
    }

    /// The array that holds one value under every index.
    pub fn constant_table(&mut self, index_width: usize, value: &Word) -> Table {
        let widths = (index_width, value.width());
        let array = self.build(|_, arrays| arrays.constant(index_width, &value.bits));
        self.name_table(array, widths, &format!("((as const {}) {value})", table_sort(widths)))
    }

    /// The array with the value under one index replaced, if the guard holds.
    pub fn write(&mut self, table: &Table, guard: &Truth, index: &Word, value: &Word) -> Table {
        let array =
            self.build(|_, arrays| arrays.write(table.array, guard.gate, &index.bits, &value.bits));
        let meaning = format!("(ite {guard} (store {table} {index} {value}) {table})");
        self.name_table(array, table.widths, &meaning)
    }

    /// The array `then` where the condition holds, `otherwise` elsewhere.
    pub fn choose(&mut self, condition: &Truth, then: &Table, otherwise: &Table) -> Table {
        let gate = condition.gate;
        let array = self.build(|_, arrays| arrays.select(gate, then.array, otherwise.array));
        self.name_table(array, then.widths, &format!("(ite {condition} {then} {otherwise})"))
    }

    /// The value under an index.
    pub fn read(&mut self, table: &Table, index: &Word) -> Word {
        let array = table.array;
        let bits = self.build(|circuit, arrays| arrays.read(circuit, array, &index.bits));
        self.name_word(bits, &format!("(select {table} {index})"))
    }

    /// The command that asks whether the literals can hold together.
    pub fn ask(&mut self, literals: &[(Truth, bool)]) {
        let literals = self::literals(literals);
        self.line(format_args!("(check-sat-assuming ({literals}))"));
    }

    /// The command that makes a literal hold from now on.
    pub fn assert(&mut self, literal: &(Truth, bool)) {
        let literal = literals(std::slice::from_ref(literal));
        self.line(format_args!("(assert {literal})"));
    }

    /// The witness of the last query as equations with literals, operands before results: first the cells of
    /// the unknown arrays, then every word and every Boolean.
    pub fn witness(&self, queries: &Queries) -> String {
        let mut equations = Vec::new();
        for base in &self.bases {
            let mut known = Vec::new();
            for (index, value) in self.arrays.cells(base.array) {
                // The first cell of an index holds the value.
                let (index, value) = (queries.word(index), queries.word(value));
                if !known.contains(&index) {
                    known.push(index);
                    let (index, value) =
                        (literal(base.widths.0, index), literal(base.widths.1, value));
                    equations.push(format!("(= (select {base} {index}) {value})"));
                }
            }
        }
        for word in &self.words {
            let value = literal(word.width(), queries.word(&word.bits));
            equations.push(format!("(= {word} {value})"));
        }
        for truth in &self.truths {
            equations.push(format!("(= {truth} {})", queries.value(truth.gate)));
        }
        equations.join(" ")
    }

    fn name_word(&mut self, bits: Bits, meaning: &str) -> Word {
        let word = Word { bits, text: format!("w{}", self.words.len()) };
        self.line(format_args!("(define-fun {word} () {} {meaning})", word_sort(word.width())));
        self.words.push(word.clone());
        word
    }

    fn name_truth(&mut self, gate: Gate, meaning: &str) -> Truth {
        let truth = Truth { gate, text: format!("p{}", self.truths.len()) };
        self.line(format_args!("(define-fun {truth} () Bool {meaning})"));
        self.truths.push(truth.clone());
        truth
    }

    fn name_table(&mut self, array: Array, widths: (usize, usize), meaning: &str) -> Table {
        let table = Table { array, widths, text: format!("m{}", self.tables) };
        self.tables += 1;
        self.line(format_args!("(define-fun {table} () {} {meaning})", table_sort(widths)));
        table
    }

    fn build<T>(&mut self, make: impl FnOnce(&mut Circuit, &mut Arrays) -> T) -> T {
        let start = Instant::now();
        let made = make(&mut self.circuit, &mut self.arrays);
        self.building += start.elapsed();
        made
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        writeln!(self.text, "{line}").expect("text grows without errors");
    }
}

/// Terms, negated where the flag is false, separated by blanks.
pub fn literals(literals: &[(Truth, bool)]) -> String {
    let one = |(term, positive): &(Truth, bool)| match positive {
        true => term.to_string(),
        false => format!("(not {term})"),
    };
    literals.iter().map(one).collect::<Vec<String>>().join(" ")
}

/// The low `width` bits of a value, in binary.
fn literal(width: usize, value: u128) -> String {
    let bits = (0..width).rev().map(|bit| if value >> bit & 1 == 1 { '1' } else { '0' });
    "#b".chars().chain(bits).collect()
}

fn word_sort(width: usize) -> String {
    format!("(_ BitVec {width})")
}

fn table_sort((index, value): (usize, usize)) -> String {
    format!("(Array {} {})", word_sort(index), word_sort(value))
}

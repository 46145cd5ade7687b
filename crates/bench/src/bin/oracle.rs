//! Writes random queries about words and arrays, with our answers, for an SMT solver to check.
//!
//! Each set of queries is an SMT-LIB script `NNN.smt2` and a file `NNN.expected`, whose first line is our
//! time and whose every further line is our answer to one query: `sat` and the witness as equations, `unsat`
//! and the literals of a core, or `unknown`. `scripts/smt_oracle.py` checks them.

use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bench::random::Random;
use bench::smt::operations::{CONNECTIVES, Operands, PREDICATES, WORDS};
use bench::smt::{Script, Table, Truth, Word, literals};
use circuit::{Gate, Queries};
use sat::{Answer, Limits, Options};

const USAGE: &str = "\
usage: oracle [--sets N] [--seed N]

Writes N sets of random queries about words and arrays, 400 by default, and our answers to them,
to target/bench/oracle, where scripts/smt_oracle.py finds them.";

const DIRECTORY: &str = "target/bench/oracle";
const QUERIES: usize = 25;
/// The terms built before the first query and again halfway.
const TERMS: usize = 24;
/// Products and quotients in a set, and their widths with two unknown operands and with one.
const HARD: usize = 5;
const HARD_WIDTH: usize = 9;
const HALF_HARD_WIDTH: usize = 33;
const WIDEST: usize = 64;
/// Queries beyond this many conflicts stay open.
const LIMIT: u64 = 100_000;

fn main() -> ExitCode {
    let outcome = arguments(std::env::args().skip(1)).and_then(|choice| run(&choice));
    bench::conclude(outcome.map(|()| true))
}

/// The command-line options.
struct Choice {
    sets: u64,
    seed: u64,
}

fn arguments(mut words: impl Iterator<Item = String>) -> Result<Choice, String> {
    let mut choice = Choice { sets: 400, seed: 1 };
    while let Some(word) = words.next() {
        let target = match word.as_str() {
            "--sets" => &mut choice.sets,
            "--seed" => &mut choice.seed,
            _ => return Err(USAGE.to_owned()),
        };
        let number = words.next().and_then(|number| number.parse().ok());
        *target = number.ok_or_else(|| format!("{word} wants a number"))?;
    }
    Ok(choice)
}

fn run(choice: &Choice) -> Result<(), String> {
    let directory = Path::new(DIRECTORY);
    let failed = |error: io::Error| format!("cannot write to {DIRECTORY}: {error}");
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(failed)?;
    }
    fs::create_dir_all(directory).map_err(failed)?;
    let mut total = circuit::QueryCounts::default();
    let mut time = Duration::ZERO;
    for number in 0..choice.sets {
        let set = Set::answered(choice.seed << 32 | number).map_err(|error| error.to_string())?;
        total += set.queries.tally();
        time += set.time();
        let lines = format!("{}\n{}", set.time().as_secs_f64(), set.answers);
        let file = |extension| directory.join(format!("{number:03}.{extension}"));
        fs::write(file("smt2"), set.script.text()).map_err(failed)?;
        fs::write(file("expected"), lines).map_err(failed)?;
    }
    println!(
        "{} sets answered in {:.2} s: {} queries folded, {} simulated, {} by earlier models, \
         {} by the solver with a model, {} with a core, {} open",
        choice.sets,
        time.as_secs_f64(),
        total.folded,
        total.simulated,
        total.recycled,
        total.satisfied,
        total.refuted,
        total.unknown
    );
    Ok(())
}

/// Random terms, queries about them, and our answers.
struct Set {
    script: Script,
    queries: Queries,
    random: Random,
    tables: Vec<Table>,
    hard: usize,
    answers: String,
    asking: Duration,
}

impl Set {
    /// Half of the terms are created when half of the queries have been answered, and in some sets a literal
    /// of an earlier query is asserted then.
    fn answered(seed: u64) -> Result<Set, sat::Error> {
        let mut set = Set {
            script: Script::new(),
            queries: Queries::new(Options::default())?,
            random: Random::new(seed),
            tables: Vec::new(),
            hard: 0,
            answers: String::new(),
            asking: Duration::ZERO,
        };
        set.declare();
        let mut possible = None;
        for query in 0..QUERIES {
            if query == QUERIES / 2
                && let Some(literal) = possible.take().filter(|_| set.random.one_in(2))
            {
                set.assert(&literal);
            }
            if query % (QUERIES / 2 + 1) == 0 {
                (0..TERMS).for_each(|_| set.grow());
                (0..TERMS / 2).for_each(|_| set.predicate());
            }
            possible = set.ask().or(possible);
        }
        Ok(set)
    }

    /// From the first gate to the last answer.
    fn time(&self) -> Duration {
        self.script.building() + self.asking
    }

    fn declare(&mut self) {
        for _ in 0..3 + self.random.below(3) {
            let width = self.width();
            self.script.word_input(width);
        }
        for _ in 0..2 {
            self.script.truth_input();
        }
        for _ in 0..self.random.below(3) {
            let index = self.random.pick(&[1, 2, 3, 5, 8, 32]);
            let table = match self.random.one_in(3) {
                false => {
                    let value = self.width();
                    self.script.unknown_table((index, value))
                }
                true => {
                    let value = self.word();
                    self.script.constant_table(index, &value)
                }
            };
            self.tables.push(table);
        }
    }

    /// A literal of the query, if it was satisfiable.
    fn ask(&mut self) -> Option<(Truth, bool)> {
        let query: Vec<(Truth, bool)> = (0..1 + self.random.below(6))
            .map(|_| {
                // Few constants: they make trivial queries.
                let mut truth = self.truth();
                for _ in 0..3 {
                    if truth.gate.as_constant().is_some() {
                        truth = self.truth();
                    }
                }
                (truth, self.random.one_in(2))
            })
            .collect();
        self.script.ask(&query);
        let gate = |(truth, positive): &(Truth, bool)| truth.gate.negate_if(!positive);
        let gates: Vec<Gate> = query.iter().map(gate).collect();
        let start = Instant::now();
        let answer =
            self.queries.ask_limited(self.script.circuit(), &gates, &Limits::conflicts(LIMIT));
        self.asking += start.elapsed();
        let line = match answer {
            Answer::Sat => format!("sat {}", self.script.witness(&self.queries)),
            Answer::Unsat => {
                let core = self.queries.core();
                let core = query.iter().filter(|literal| core.contains(&gate(literal)));
                format!("unsat {}", literals(&core.cloned().collect::<Vec<_>>()))
            }
            Answer::Unknown(_) => "unknown".to_owned(),
        };
        self.answers.push_str(line.trim_end());
        self.answers.push('\n');
        query.into_iter().next().filter(|_| answer.is_sat())
    }

    fn assert(&mut self, literal: &(Truth, bool)) {
        self.script.assert(literal);
        let start = Instant::now();
        self.queries.assert(self.script.circuit(), literal.0.gate.negate_if(!literal.1));
        self.asking += start.elapsed();
    }

    /// One more term of a random kind.
    fn grow(&mut self) {
        match self.random.below(if self.tables.is_empty() { 14 } else { 20 }) {
            0..=6 => self.operation(),
            7 | 8 => self.rearrangement(),
            9 | 10 => {
                let (condition, then) = (self.truth(), self.word());
                let otherwise = self.word_of(then.width());
                self.script.select(&condition, &then, &otherwise);
            }
            11 | 12 => self.predicate(),
            13 => {
                let [a, b, c] = [self.truth(), self.truth(), self.truth()];
                let connective = &CONNECTIVES[self.random.below(CONNECTIVES.len())];
                self.script.connect(connective, [&a, &b, &c]);
            }
            14 | 15 => self.write(),
            16 => {
                let (condition, then) = (self.truth(), self.random.pick(&self.tables));
                let same = self.tables.iter().filter(|table| table.widths == then.widths);
                let otherwise = self.random.pick(&same.cloned().collect::<Vec<Table>>());
                let table = self.script.choose(&condition, &then, &otherwise);
                self.tables.push(table);
            }
            _ => {
                let table = self.table();
                let index = self.word_of(table.widths.0);
                self.script.read(&table, &index);
            }
        }
    }

    fn operation(&mut self) {
        let operation = &WORDS[self.random.below(WORDS.len())];
        let (a, b) = self.operands(operation.operands, operation.hard);
        self.script.apply(operation, &a, &b);
    }

    /// Comparisons, which come first in their table, are asked about more often.
    fn predicate(&mut self) {
        let known = match self.random.below(12) {
            0 => {
                let (a, signed) = (self.word(), self.random.one_in(2));
                let kept = 1 + self.random.below(a.width() + 1);
                self.script.truncation_loses(&a, kept, signed);
                return;
            }
            1..=5 => 5,
            _ => PREDICATES.len(),
        };
        let predicate = &PREDICATES[self.random.below(known)];
        let (a, b) = self.operands(predicate.operands, predicate.hard);
        self.script.test(predicate, &a, &b);
    }

    /// Operands for an operation. Hard ones are narrow, above all once the set has its share.
    fn operands(&mut self, operands: Operands, hard: bool) -> (Word, Word) {
        let mut a = self.word();
        let half = self.random.one_in(3);
        if hard {
            self.hard += 1;
            let widest = match (half, self.hard > HARD) {
                (_, true) => 3,
                (true, false) => HALF_HARD_WIDTH,
                (false, false) => HARD_WIDTH,
            };
            a = self.word_of(a.width().min(widest));
        }
        let b = match operands {
            Operands::One => a.clone(),
            Operands::Two if half => self.constant(a.width()),
            Operands::Two => self.word_of(a.width()),
            Operands::Distance => self.word(),
        };
        if operands == Operands::Two && self.random.one_in(4) { (b, a) } else { (a, b) }
    }

    /// A term that moves bits about.
    fn rearrangement(&mut self) {
        let a = self.word();
        match self.random.below(5) {
            0 => {
                let high = self.random.below(a.width());
                let low = self.random.below(high + 1);
                self.script.extract(&a, high, low);
            }
            1 => {
                let b = self.word();
                if a.width() + b.width() <= WIDEST {
                    self.script.concat(&a, &b);
                }
            }
            2 => {
                let truth = self.truth();
                self.script.bit(&truth);
            }
            extension => {
                let width = self.width().max(a.width());
                match extension {
                    3 => self.script.zero_extend(&a, width),
                    _ => self.script.sign_extend(&a, width),
                };
            }
        }
    }

    fn write(&mut self) {
        let (table, guard) = (self.table(), self.truth());
        let (index, value) = (self.word_of(table.widths.0), self.word_of(table.widths.1));
        let table = self.script.write(&table, &guard, &index, &value);
        self.tables.push(table);
    }

    fn width(&mut self) -> usize {
        match self.random.below(22) {
            19 => 32,
            20 => 33,
            21 => WIDEST,
            width => width % 16 + 1,
        }
    }

    fn truth(&mut self) -> Truth {
        self.random.recent(self.script.truths())
    }

    fn table(&mut self) -> Table {
        self.random.recent(&self.tables)
    }

    fn word(&mut self) -> Word {
        if self.random.one_in(12) {
            let width = self.width();
            return self.constant(width);
        }
        self.random.recent(self.script.words())
    }

    /// A word of a given width: one that has it, or one that is made to have it.
    fn word_of(&mut self, width: usize) -> Word {
        let fitting = self.script.words().iter().filter(|word| word.width() == width);
        let fitting: Vec<Word> = fitting.cloned().collect();
        if !fitting.is_empty() && !self.random.one_in(4) {
            return self.random.recent(&fitting);
        }
        let word = self.word();
        if self.random.one_in(4) {
            self.constant(width)
        } else if word.width() > width {
            let low = self.random.below(word.width() - width + 1);
            self.script.extract(&word, low + width - 1, low)
        } else if self.random.one_in(2) {
            self.script.zero_extend(&word, width)
        } else {
            self.script.sign_extend(&word, width)
        }
    }

    /// A constant, often at the edge of what its width can hold.
    fn constant(&mut self, width: usize) -> Word {
        let value = match self.random.below(8) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => 1 << (width - 1),
            4 => 1 << self.random.below(width),
            5 => self.random.below(16) as u128,
            _ => u128::from(self.random.word()),
        };
        self.script.constant(width, value)
    }
}

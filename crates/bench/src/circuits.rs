//! Queries about circuits: many easy ones about a program, and a few hard ones about products.
//!
//! [`straight_line`] has the shape of an analysis: one formula, thousands of conjunctions of branch
//! conditions. [`commutativity`] is the opposite, a single query whose refutation is long, which is where
//! checking proofs costs most.

use std::time::{Duration, Instant};

use circuit::{Bits, Circuit, Encoder, Encoding, Gate, Queries};
use sat::{Answer, Limits, Session};

use crate::random::Random;

/// A circuit, and conjunctions of its gates to be satisfied one after the other.
#[derive(Debug)]
pub struct Workload {
    /// The name, with sizes.
    pub name: String,
    /// The circuit asked about.
    pub circuit: Circuit,
    /// The queries.
    pub queries: Vec<Vec<Gate>>,
    /// Whether all queries are known to be unsatisfiable.
    pub refutable: bool,
}

/// How the queries reach the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Each goes to one incremental solver, as assumptions.
    Solver,
    /// Random patterns and earlier models are tried first.
    Staged,
}

/// The measurements of a workload.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The time from the circuit to the last answer.
    pub time: Duration,
    /// The number of queries with a witness.
    pub satisfiable: usize,
    /// How many had none.
    pub unsatisfiable: usize,
    /// How many were given up.
    pub unknown: usize,
    /// The variables of the solver's formula.
    pub variables: usize,
    /// The clauses of that formula.
    pub clauses: usize,
    /// The work of the solver.
    pub statistics: sat::Statistics,
}

impl Outcome {
    /// The answers, which do not depend on how they were found.
    pub fn answers(&self) -> [usize; 3] {
        [self.satisfiable, self.unsatisfiable, self.unknown]
    }
}

/// Asks all queries in one session.
///
/// # Errors
/// If the solver cannot be set up as asked.
pub fn answer(
    workload: &Workload,
    path: Path,
    options: &sat::Options,
    limits: &Limits,
) -> Result<Outcome, sat::Error> {
    let start = Instant::now();
    let circuit = &workload.circuit;
    let mut answers = Vec::with_capacity(workload.queries.len());
    let measured = |session: &Session, answers: &[Answer]| Outcome {
        time: start.elapsed(),
        satisfiable: answers.iter().filter(|answer| answer.is_sat()).count(),
        unsatisfiable: answers.iter().filter(|answer| answer.is_unsat()).count(),
        unknown: answers.iter().filter(|answer| !answer.is_sat() && !answer.is_unsat()).count(),
        variables: session.num_vars(),
        clauses: session.num_clauses(),
        statistics: session.statistics(),
    };
    match path {
        Path::Solver => {
            let mut session = Session::new(options.clone())?;
            let mut encoder = Encoder::new(Encoding::Polarity);
            for query in &workload.queries {
                let assumptions = encoder.literals(circuit, query, &mut session);
                answers.push(session.solve_limited(&assumptions, limits));
            }
            Ok(measured(&session, &answers))
        }
        Path::Staged => {
            let mut queries = Queries::new(options.clone())?;
            for query in &workload.queries {
                answers.push(queries.ask_limited(circuit, query, limits));
            }
            Ok(measured(queries.session(), &answers))
        }
    }
}

const WIDTH: usize = 32;
const PARAMETERS: usize = 24;

/// A random program with a number of statements over 24 parameters of 32 bits, and a number of conjunctions
/// of two to four of its branch conditions, each taken or not. With 90 statements the solver's formula has
/// about 6,000 variables.
pub fn straight_line(statements: usize, queries: usize, seed: u64) -> Workload {
    let mut random = Random::new(seed);
    let mut circuit = Circuit::new();
    let mut words: Vec<Bits> = (0..PARAMETERS).map(|_| circuit.fresh_bits(WIDTH)).collect();
    let mut conditions = Vec::new();
    for _ in 0..statements {
        let word = statement(&mut circuit, &words, &mut conditions, &mut random);
        words.push(word);
    }
    for _ in 0..statements / 2 {
        let computed = random.pick(&words[PARAMETERS.min(words.len() - 1)..]);
        let other =
            if random.below(2) == 0 { constant(&mut random, 100) } else { random.pick(&words) };
        conditions.push(comparison(&mut circuit, &computed, &other, &mut random));
    }
    conditions.retain(|condition| condition.as_constant().is_none());
    let queries = (0..queries)
        .map(|_| {
            let length = 2 + random.below(3);
            (0..length).map(|_| random.pick(&conditions).negate_if(random.below(2) == 0)).collect()
        })
        .collect::<Vec<Vec<Gate>>>();
    let name = format!("{} queries about {statements} statements", queries.len());
    Workload { name, circuit, queries, refutable: false }
}

/// The word that a random statement computes; a choice also yields a condition.
fn statement(
    circuit: &mut Circuit,
    words: &[Bits],
    conditions: &mut Vec<Gate>,
    random: &mut Random,
) -> Bits {
    let a = random.pick(words);
    let b = if random.below(4) == 0 { constant(random, 1000) } else { random.pick(words) };
    match random.below(9) {
        0 | 1 => circuit.add(&a, &b),
        2 => circuit.sub(&a, &b),
        3 => circuit.bitand(&a, &b),
        4 => circuit.bitor(&a, &b),
        5 => circuit.bitxor(&a, &b),
        6 => {
            let amount = Bits::constant(WIDTH, 1 + random.below(30) as u128);
            if random.below(2) == 0 { circuit.shl(&a, &amount) } else { circuit.ashr(&a, &amount) }
        }
        _ => {
            let condition = comparison(circuit, &a, &b, random);
            conditions.push(condition);
            let (then, otherwise) = (random.pick(words), random.pick(words));
            circuit.select(condition, &then, &otherwise)
        }
    }
}

/// A small constant.
fn constant(random: &mut Random, bound: usize) -> Bits {
    Bits::constant(WIDTH, random.below(bound) as u128)
}

fn comparison(circuit: &mut Circuit, a: &Bits, b: &Bits, random: &mut Random) -> Gate {
    match random.below(3) {
        0 => circuit.slt(a, b),
        1 => circuit.ult(a, b),
        _ => circuit.equal(a, b),
    }
}

/// Two numbers of `width` bits have different products of twice the width, depending on their order. Both
/// products are sums of shifted rows, one row for each bit of the second factor.
pub fn commutativity(width: usize) -> Workload {
    products(width, "b·a", |circuit, a, b| rows(circuit, b, a))
}

/// The sum of rows differs from the sum of columns: the same product, computed by another circuit.
pub fn compression(width: usize) -> Workload {
    products(width, "a·b by columns", columns)
}

fn products(
    width: usize,
    other: &str,
    product: impl FnOnce(&mut Circuit, &Bits, &Bits) -> Bits,
) -> Workload {
    let mut circuit = Circuit::new();
    let (a, b) = (circuit.fresh_bits(width), circuit.fresh_bits(width));
    let by_rows = rows(&mut circuit, &a, &b);
    let otherwise = product(&mut circuit, &a, &b);
    let equal = circuit.equal(&by_rows, &otherwise);
    let name = format!("{width}×{width} bits, a·b = {other}");
    Workload { name, circuit, queries: vec![vec![!equal]], refutable: true }
}

/// The product as a sum of rows: an array multiplier.
fn rows(circuit: &mut Circuit, a: &Bits, b: &Bits) -> Bits {
    let width = a.width() + b.width();
    let a = a.zero_extend(width);
    let mut sum = Bits::zero(width);
    for (shift, bit) in b.iter().enumerate() {
        let row = circuit.mask(bit, &a);
        let row = Bits::zero(shift).concat(&row.extract(0..width - shift));
        sum = circuit.add(&sum, &row);
    }
    sum
}

/// The product column by column, three bits to a sum and a carry: a Dadda-like multiplier.
fn columns(circuit: &mut Circuit, a: &Bits, b: &Bits) -> Bits {
    let width = a.width() + b.width();
    let mut columns = vec![Vec::new(); width + 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            columns[i + j].push(circuit.and(x, y));
        }
    }
    let mut product = Vec::with_capacity(width);
    for place in 0..width {
        let mut bits = std::collections::VecDeque::from(std::mem::take(&mut columns[place]));
        while bits.len() > 1 {
            let mut next = || bits.pop_front().unwrap_or(Gate::FALSE);
            let (sum, carry) = circuit.full_adder(next(), next(), next());
            bits.push_back(sum);
            columns[place + 1].push(carry);
        }
        product.push(bits.pop_front().unwrap_or(Gate::FALSE));
    }
    product.into_iter().collect()
}

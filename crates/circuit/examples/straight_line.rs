//! 20,000 queries about a random straight-line program on 32-bit words, in one process.
//!
//!     cargo run --release -p circuit --example straight_line [statements] [queries] [seed] [full]
//!
//! With a fourth argument both directions of each definition are emitted.

use std::time::{Duration, Instant};

use circuit::{Answer, Bits, Circuit, Encoder, Encoding, Gate, Queries};

/// A straight-line program: its circuit and the conditions that it computes.
struct Program {
    circuit: Circuit,
    conditions: Vec<Gate>,
}

/// A program of `statements` statements over 24 inputs: additions, subtractions, bitwise operations,
/// shifts by constants, and choices by a comparison, whose condition can then be asked about.
fn straight_line(statements: usize, random: &mut fastrand::Rng) -> Program {
    const WIDTH: usize = 32;
    let mut circuit = Circuit::new();
    let mut words: Vec<Bits> = (0..24).map(|_| circuit.fresh_bits(WIDTH)).collect();
    let mut conditions = Vec::new();
    for _ in 0..statements {
        let a = random.choice(&words).unwrap().clone();
        let b = match random.u8(0..4) {
            0 => Bits::constant(WIDTH, random.u128(0..1000)),
            _ => random.choice(&words).unwrap().clone(),
        };
        let c = &mut circuit;
        let word = match random.u8(0..9) {
            0 | 1 => c.add(&a, &b),
            2 => c.sub(&a, &b),
            3 => c.bitand(&a, &b),
            4 => c.bitor(&a, &b),
            5 => c.bitxor(&a, &b),
            6 => {
                let amount = Bits::constant(WIDTH, random.u128(1..31));
                if random.bool() { c.shl(&a, &amount) } else { c.ashr(&a, &amount) }
            }
            _ => {
                let condition = match random.u8(0..3) {
                    0 => c.slt(&a, &b),
                    1 => c.ult(&a, &b),
                    _ => c.equal(&a, &b),
                };
                conditions.push(condition);
                let (x, y) = (random.choice(&words).unwrap(), random.choice(&words).unwrap());
                c.select(condition, x, y)
            }
        };
        words.push(word);
    }
    // Branches on computed values, as a program has them at its end.
    for _ in 0..statements / 2 {
        let a = &words[random.usize(24..words.len())];
        let b = match random.bool() {
            true => Bits::constant(WIDTH, random.u128(0..100)),
            false => random.choice(&words).unwrap().clone(),
        };
        conditions.push(match random.u8(0..3) {
            0 => circuit.slt(a, &b),
            1 => circuit.ult(a, &b),
            _ => circuit.equal(a, &b),
        });
    }
    conditions.retain(|condition| condition.as_constant().is_none());
    Program { circuit, conditions }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: usize| {
        arguments.get(at).map_or(default, |text| text.parse().expect("a number"))
    };
    let (statements, count, seed) = (number(0, 80), number(1, 20_000), number(2, 1));
    let encoding = if arguments.len() > 3 { Encoding::Full } else { Encoding::Polarity };
    let mut random = fastrand::Rng::with_seed(seed as u64);
    let Program { circuit, conditions } = straight_line(statements, &mut random);
    let session = sat::Session::new(sat::Options::default()).expect("a solver");
    let mut queries = Queries::with(session, Encoder::new(encoding));
    let mut slow: Vec<Duration> = Vec::new();
    let (mut satisfiable, start) = (0, Instant::now());
    for _ in 0..count {
        let gates: Vec<Gate> = (0..random.usize(2..=4))
            .map(|_| random.choice(&conditions).unwrap().negate_if(random.bool()))
            .collect();
        let began = Instant::now();
        satisfiable += usize::from(queries.ask(&circuit, &gates) == Answer::Sat);
        slow.push(began.elapsed());
    }
    let total = start.elapsed();
    slow.sort_unstable();
    let session = queries.session();
    println!("{circuit:?}, {} conditions", conditions.len());
    println!("{} variables, {} clauses", session.num_vars(), session.num_clauses());
    println!("{count} queries, {satisfiable} satisfiable, in {total:.3?}; {:?}", queries.tally());
    let at = |share: usize| slow[slow.len() * share / 1000 - 1];
    println!("median {:?}, 99 % {:?}, slowest {:?}", at(500), at(990), at(1000));
    println!("{:?}", session.statistics());
}

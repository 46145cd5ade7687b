//! How fast gates become clauses.
//!
//!     cargo run --release -p circuit --example encode

use std::time::Instant;

use circuit::{Circuit, Encoder, Encoding, Gate};

fn main() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut circuit = Circuit::new();
    let mut gates = circuit.fresh(1000);
    let start = Instant::now();
    while circuit.len() < 1_000_000 {
        let mut pick = || {
            let from = if random.bool() { gates.len().saturating_sub(5000) } else { 0 };
            gates[random.usize(from..gates.len())].negate_if(random.bool())
        };
        let (a, b, c) = (pick(), pick(), pick());
        let gate = match random.u8(0..4) {
            0 => circuit.and(a, b),
            1 => circuit.xor(a, b),
            2 => circuit.ite(a, b, c),
            _ => circuit.and_all([a, b, c]),
        };
        gates.push(gate);
    }
    println!("{circuit:?} built in {:?}", start.elapsed());
    let roots: Vec<Gate> = gates.iter().rev().step_by(7).copied().collect();
    for encoding in [Encoding::Polarity, Encoding::Full] {
        let mut cnf = sat::Cnf::new();
        let mut encoder = Encoder::new(encoding);
        let start = Instant::now();
        encoder.literals(&circuit, &roots, &mut cnf);
        let time = start.elapsed();
        let (vars, clauses, literals) = (cnf.num_vars(), cnf.num_clauses(), cnf.num_literals());
        println!(
            "{encoding:?}: {vars} variables, {clauses} clauses, {literals} literals, {time:?}"
        );
    }
}

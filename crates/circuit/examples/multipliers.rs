//! Equivalences of products, the hardest small thing a bit-vector engine is asked.
//!
//!     cargo run --release -p circuit --example multipliers [conflicts] [law] [width …]

use std::time::Instant;

use circuit::{Bits, Circuit, Encoder, Encoding, Gate};
use sat::{Limits, Options, Session};

/// A named law about products, as the gate of its violation.
type Law = (&'static str, fn(&mut Circuit, usize) -> Gate);

const LAWS: &[Law] = &[
    ("a·b = b·a, double width", |c, width| {
        let (a, b) = (c.fresh_bits(width), c.fresh_bits(width));
        let (a, b) = (a.zero_extend(2 * width), b.zero_extend(2 * width));
        let (left, right) = (c.mul(&a, &b), c.mul(&b, &a));
        !c.equal(&left, &right)
    }),
    ("a·b = b·a", |c, width| {
        let (a, b) = (c.fresh_bits(width), c.fresh_bits(width));
        let (left, right) = (c.mul(&a, &b), c.mul(&b, &a));
        !c.equal(&left, &right)
    }),
    ("(a·b)·c = a·(b·c)", |c, width| {
        let words: Vec<Bits> = (0..3).map(|_| c.fresh_bits(width)).collect();
        let left = c.mul(&words[0], &words[1]);
        let left = c.mul(&left, &words[2]);
        let right = c.mul(&words[1], &words[2]);
        let right = c.mul(&words[0], &right);
        !c.equal(&left, &right)
    }),
    ("a·(b+c) = a·b + a·c", |c, width| {
        let words: Vec<Bits> = (0..3).map(|_| c.fresh_bits(width)).collect();
        let sum = c.add(&words[1], &words[2]);
        let left = c.mul(&words[0], &sum);
        let (x, y) = (c.mul(&words[0], &words[1]), c.mul(&words[0], &words[2]));
        let right = c.add(&x, &y);
        !c.equal(&left, &right)
    }),
    ("a = (a/b)·b + a%b", |c, width| {
        let (a, b) = (c.fresh_bits(width), c.fresh_bits(width));
        let (quotient, remainder) = c.divide(&a, &b);
        let product = c.mul(&quotient, &b);
        let sum = c.add(&product, &remainder);
        !c.equal(&a, &sum)
    }),
    ("factors of 3001·2999", |c, width| factors(c, width, 3001 * 2999)),
    ("factors of a prime", |c, width| factors(c, width, 9_000_011)),
];

/// That a number is the product of two words other than one.
fn factors(c: &mut Circuit, width: usize, number: u128) -> Gate {
    let (a, b) = (c.fresh_bits(width), c.fresh_bits(width));
    let (x, y) = (a.zero_extend(2 * width), b.zero_extend(2 * width));
    let product = c.mul(&x, &y);
    let found = c.equal(&product, &Bits::constant(2 * width, number));
    let (one, ordered) = (c.ult(&Bits::constant(width, 1), &a), c.ule(&a, &b));
    c.and_all([found, one, ordered])
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let conflicts = arguments.next().map_or(1_000_000, |text| text.parse().expect("a number"));
    let only = arguments.next().unwrap_or_default();
    let mut widths: Vec<usize> = arguments.map(|text| text.parse().expect("a width")).collect();
    if widths.is_empty() {
        widths = vec![6, 8, 12];
    }
    for (name, law) in LAWS.iter().filter(|(name, _)| name.contains(&only)) {
        for &width in &widths {
            for encoding in [Encoding::Polarity, Encoding::Full] {
                let mut circuit = Circuit::new();
                let violated = law(&mut circuit, width);
                let mut session = Session::new(Options::default()).expect("a solver");
                let mut encoder = Encoder::new(encoding);
                encoder.assert_all(&circuit, &[violated], &mut session);
                let start = Instant::now();
                let answer = session.solve_limited(&[], &Limits::conflicts(conflicts));
                println!(
                    "{name:26} {width:2} bits {:8} {:5} variables {:6} clauses {:8} conflicts {:9.3?} {answer:?}",
                    format!("{encoding:?}"),
                    session.num_vars(),
                    session.num_clauses(),
                    session.statistics().conflicts,
                    start.elapsed(),
                );
            }
        }
    }
}

//! Every bit-vector operation against native arithmetic: exhaustively on narrow words and at random
//! on wide ones, once by constant folding and once on symbolic words that are then evaluated.

use circuit::{Bits, Circuit, Gate, Valuation};

/// An operation on words and its meaning on numbers of the given width.
struct Operation {
    name: &'static str,
    build: fn(&mut Circuit, &Bits, &Bits) -> Bits,
    meaning: fn(usize, u128, u128) -> u128,
}

fn mask(width: usize) -> u128 {
    if width == 128 { u128::MAX } else { (1 << width) - 1 }
}

fn signed(width: usize, value: u128) -> i128 {
    (value << (128 - width)) as i128 >> (128 - width)
}

fn fits_signed(width: usize, value: Option<i128>) -> bool {
    value.is_some_and(|value| signed(width, value as u128 & mask(width)) == value)
}

fn fits_unsigned(width: usize, value: Option<u128>) -> bool {
    value.is_some_and(|value| value <= mask(width))
}

fn bit(gate: Gate) -> Bits {
    Bits::from(gate)
}

const OPERATIONS: &[Operation] = &[
    Operation { name: "add", build: Circuit::add, meaning: |_, a, b| a.wrapping_add(b) },
    Operation { name: "sub", build: Circuit::sub, meaning: |_, a, b| a.wrapping_sub(b) },
    Operation { name: "neg", build: |c, a, _| c.neg(a), meaning: |_, a, _| a.wrapping_neg() },
    Operation {
        name: "abs",
        build: |c, a, _| c.abs(a),
        meaning: |w, a, _| signed(w, a).unsigned_abs(),
    },
    Operation { name: "mul", build: Circuit::mul, meaning: |_, a, b| a.wrapping_mul(b) },
    Operation {
        name: "udiv",
        build: Circuit::udiv,
        meaning: |_, a, b| a.checked_div(b).unwrap_or(u128::MAX),
    },
    Operation {
        name: "urem",
        build: Circuit::urem,
        meaning: |_, a, b| a.checked_rem(b).unwrap_or(a),
    },
    Operation {
        name: "sdiv",
        build: Circuit::sdiv,
        meaning: |w, a, b| {
            let (a, b) = (signed(w, a), signed(w, b));
            match b {
                0 if a < 0 => 1,
                0 => u128::MAX,
                _ => a.wrapping_div(b) as u128,
            }
        },
    },
    Operation {
        name: "srem",
        build: Circuit::srem,
        meaning: |w, a, b| {
            let (a, b) = (signed(w, a), signed(w, b));
            if b == 0 { a as u128 } else { a.wrapping_rem(b) as u128 }
        },
    },
    Operation {
        name: "shl",
        build: Circuit::shl,
        meaning: |w, a, b| if b >= w as u128 { 0 } else { a << b },
    },
    Operation {
        name: "lshr",
        build: Circuit::lshr,
        meaning: |w, a, b| if b >= w as u128 { 0 } else { a >> b },
    },
    Operation {
        name: "ashr",
        build: Circuit::ashr,
        meaning: |w, a, b| (signed(w, a) >> b.min(w as u128 - 1)) as u128,
    },
    Operation {
        name: "rotate_left",
        build: Circuit::rotate_left,
        meaning: |w, a, b| {
            let by = (b % w as u128) as usize;
            if by == 0 { a } else { a << by | a >> (w - by) }
        },
    },
    Operation {
        name: "rotate_right",
        build: Circuit::rotate_right,
        meaning: |w, a, b| {
            let by = (b % w as u128) as usize;
            if by == 0 { a } else { a >> by | a << (w - by) }
        },
    },
    Operation { name: "bitand", build: Circuit::bitand, meaning: |_, a, b| a & b },
    Operation { name: "bitor", build: Circuit::bitor, meaning: |_, a, b| a | b },
    Operation { name: "bitxor", build: Circuit::bitxor, meaning: |_, a, b| a ^ b },
    Operation { name: "not", build: |_, a, _| !a, meaning: |_, a, _| !a },
    Operation {
        name: "select",
        build: |c, a, b| c.select(a.msb(), a, b),
        meaning: |w, a, b| if signed(w, a) < 0 { a } else { b },
    },
    Operation {
        name: "mask",
        build: |c, a, b| c.mask(a[0], b),
        meaning: |_, a, b| if a & 1 == 1 { b } else { 0 },
    },
    Operation { name: "umin", build: Circuit::umin, meaning: |_, a, b| a.min(b) },
    Operation { name: "umax", build: Circuit::umax, meaning: |_, a, b| a.max(b) },
    Operation {
        name: "smin",
        build: Circuit::smin,
        meaning: |w, a, b| signed(w, a).min(signed(w, b)) as u128,
    },
    Operation {
        name: "smax",
        build: Circuit::smax,
        meaning: |w, a, b| signed(w, a).max(signed(w, b)) as u128,
    },
    Operation {
        name: "popcount",
        build: |c, a, _| c.popcount(a),
        meaning: |_, a, _| u128::from(a.count_ones()),
    },
    Operation {
        name: "leading_zeros",
        build: |c, a, _| c.leading_zeros(a),
        meaning: |w, a, _| u128::from(a.leading_zeros()) + w as u128 - 128,
    },
    Operation {
        name: "trailing_zeros",
        build: |c, a, _| c.trailing_zeros(a),
        meaning: |w, a, _| u128::from(a.trailing_zeros()).min(w as u128),
    },
    Operation {
        name: "sign_extend",
        build: |_, a, _| a.sign_extend(128),
        meaning: |w, a, _| signed(w, a) as u128,
    },
    Operation { name: "zero_extend", build: |_, a, _| a.zero_extend(128), meaning: |_, a, _| a },
    Operation {
        name: "concat and extract",
        build: |_, a, b| a.concat(b).extract(a.width() / 2..a.width() + a.width() / 2),
        meaning: |w, a, b| a >> (w / 2) | b.checked_shl((w - w / 2) as u32).unwrap_or(0),
    },
];

/// A predicate on words and its meaning.
struct Predicate {
    name: &'static str,
    build: fn(&mut Circuit, &Bits, &Bits) -> Gate,
    meaning: fn(usize, u128, u128) -> bool,
}

const PREDICATES: &[Predicate] = &[
    Predicate { name: "equal", build: Circuit::equal, meaning: |_, a, b| a == b },
    Predicate { name: "ult", build: Circuit::ult, meaning: |_, a, b| a < b },
    Predicate { name: "ule", build: Circuit::ule, meaning: |_, a, b| a <= b },
    Predicate { name: "slt", build: Circuit::slt, meaning: |w, a, b| signed(w, a) < signed(w, b) },
    Predicate { name: "sle", build: Circuit::sle, meaning: |w, a, b| signed(w, a) <= signed(w, b) },
    Predicate { name: "is_zero", build: |c, a, _| c.is_zero(a), meaning: |_, a, _| a == 0 },
    Predicate { name: "any", build: |c, a, _| c.any(a), meaning: |_, a, _| a != 0 },
    Predicate { name: "all", build: |c, a, _| c.all(a), meaning: |w, a, _| a == mask(w) },
    Predicate {
        name: "parity",
        build: |c, a, _| c.parity(a),
        meaning: |_, a, _| a.count_ones() % 2 == 1,
    },
    Predicate {
        name: "at_most_one",
        build: |c, a, _| c.at_most_one(a.gates()),
        meaning: |_, a, _| a.count_ones() <= 1,
    },
    Predicate {
        name: "add_overflows_unsigned",
        build: Circuit::add_overflows_unsigned,
        meaning: |w, a, b| !fits_unsigned(w, a.checked_add(b)),
    },
    Predicate {
        name: "add_overflows_signed",
        build: Circuit::add_overflows_signed,
        meaning: |w, a, b| !fits_signed(w, signed(w, a).checked_add(signed(w, b))),
    },
    Predicate {
        name: "sub_overflows_unsigned",
        build: Circuit::sub_overflows_unsigned,
        meaning: |w, a, b| !fits_unsigned(w, a.checked_sub(b)),
    },
    Predicate {
        name: "sub_overflows_signed",
        build: Circuit::sub_overflows_signed,
        meaning: |w, a, b| !fits_signed(w, signed(w, a).checked_sub(signed(w, b))),
    },
    Predicate {
        name: "mul_overflows_unsigned",
        build: Circuit::mul_overflows_unsigned,
        meaning: |w, a, b| !fits_unsigned(w, a.checked_mul(b)),
    },
    Predicate {
        name: "mul_overflows_signed",
        build: Circuit::mul_overflows_signed,
        meaning: |w, a, b| !fits_signed(w, signed(w, a).checked_mul(signed(w, b))),
    },
    Predicate {
        name: "neg_overflows_signed",
        build: |c, a, _| c.neg_overflows_signed(a),
        meaning: |w, a, _| !fits_signed(w, signed(w, a).checked_neg()),
    },
    Predicate {
        name: "div_overflows_signed",
        build: Circuit::div_overflows_signed,
        meaning: |w, a, b| b != 0 && !fits_signed(w, signed(w, a).checked_div(signed(w, b))),
    },
    Predicate {
        name: "shl_overflows_unsigned",
        build: Circuit::shl_overflows_unsigned,
        meaning: |w, a, b| a != 0 && (b >= w as u128 || a << b >> b != a || a << b > mask(w)),
    },
    Predicate {
        name: "shl_overflows_signed",
        build: Circuit::shl_overflows_signed,
        meaning: |w, a, b| {
            let a = signed(w, a);
            a != 0 && (b >= w as u128 || a << b >> b != a || !fits_signed(w, Some(a << b)))
        },
    },
    Predicate {
        name: "truncation_loses_unsigned",
        build: |c, a, _| c.truncation_loses_unsigned(a, a.width() / 2),
        meaning: |w, a, _| !fits_unsigned(w / 2, Some(a)),
    },
    Predicate {
        name: "truncation_loses_signed",
        build: |c, a, _| c.truncation_loses_signed(a, a.width().div_ceil(2)),
        meaning: |w, a, _| !fits_signed(w.div_ceil(2), Some(signed(w, a))),
    },
];

/// All operations of one width on two symbolic words, built once.
struct Bench {
    circuit: Circuit,
    a: Bits,
    b: Bits,
    results: Vec<(&'static str, Bits)>,
}

fn bench(width: usize) -> Bench {
    let mut circuit = Circuit::new();
    let (a, b) = (circuit.fresh_bits(width), circuit.fresh_bits(width));
    let mut results = Vec::new();
    for operation in OPERATIONS {
        results.push((operation.name, (operation.build)(&mut circuit, &a, &b)));
    }
    for predicate in PREDICATES {
        results.push((predicate.name, bit((predicate.build)(&mut circuit, &a, &b))));
    }
    Bench { circuit, a, b, results }
}

/// What the operations mean, in the order of [`bench`].
fn meanings(width: usize, a: u128, b: u128) -> Vec<u128> {
    let operations = OPERATIONS.iter().map(|operation| (operation.meaning)(width, a, b));
    let predicates = PREDICATES.iter().map(|predicate| (predicate.meaning)(width, a, b).into());
    operations.chain(predicates).collect()
}

fn check(bench: &Bench, a: u128, b: u128) {
    let width = bench.a.width();
    let meanings = meanings(width, a, b);
    let mut values = Valuation::default();
    values.set_word(&bench.circuit, &bench.a, a);
    values.set_word(&bench.circuit, &bench.b, b);
    for ((name, result), meaning) in bench.results.iter().zip(&meanings) {
        let value = values.word(&bench.circuit, result);
        assert_eq!(value, meaning & mask(result.width()), "{name}({a}, {b}) at width {width}");
    }
    let mut circuit = Circuit::new();
    let (x, y) = (Bits::constant(width, a), Bits::constant(width, b));
    let mut folded = Vec::new();
    for operation in OPERATIONS {
        folded.push((operation.name, (operation.build)(&mut circuit, &x, &y)));
    }
    for predicate in PREDICATES {
        folded.push((predicate.name, bit((predicate.build)(&mut circuit, &x, &y))));
    }
    for ((name, result), meaning) in folded.iter().zip(&meanings) {
        let meaning = meaning & mask(result.width());
        assert_eq!(result.as_constant(), Some(meaning), "{name}({a}, {b}) folded at width {width}");
    }
    assert!(circuit.is_empty(), "constants make no gates");
}

#[test]
fn narrow_words_exhaustively() {
    for width in 1..=5 {
        let bench = bench(width);
        for a in 0..1 << width {
            for b in 0..1 << width {
                check(&bench, a, b);
            }
        }
    }
}

#[test]
fn wide_words_at_random() {
    let mut random = fastrand::Rng::with_seed(7);
    for width in [7, 8, 16, 31, 32, 33, 64, 65] {
        let bench = bench(width);
        let mut interesting = |limit: u128| {
            let value = match random.u8(0..6) {
                0 => random.u128(..),
                1 => random.u128(..) >> random.u32(0..128),
                2 => u128::MAX << random.u32(0..128),
                3 => 1 << random.usize(0..width),
                4 => random.u128(0..8).wrapping_neg(),
                _ => random.u128(0..limit),
            };
            value & mask(width)
        };
        for _ in 0..60 {
            let (a, b) = (interesting(100), interesting(2 * width as u128));
            check(&bench, a, b);
        }
    }
}

#[test]
fn half_constant_operands_agree_too() {
    let mut random = fastrand::Rng::with_seed(8);
    for round in 0..60 {
        let width = random.usize(1..=33);
        let constant = random.u128(..) >> random.u32(0..128) & mask(width);
        let mut circuit = Circuit::new();
        let x = circuit.fresh_bits(width);
        let k = Bits::constant(width, constant);
        let value = random.u128(..) & mask(width);
        let mut values = Valuation::default();
        values.set_word(&circuit, &x, value);
        for operation in OPERATIONS {
            for swapped in [false, true] {
                let (a, b) = if swapped { (&k, &x) } else { (&x, &k) };
                let (m, n) = if swapped { (constant, value) } else { (value, constant) };
                let result = (operation.build)(&mut circuit, a, b);
                let meaning = (operation.meaning)(width, m, n) & mask(result.width());
                let found = values.word(&circuit, &result);
                assert_eq!(found, meaning, "{}({m}, {n}), width {width}, {round}", operation.name);
            }
        }
    }
}

#[test]
fn constant_operands_make_small_circuits() {
    let size = |build: &dyn Fn(&mut Circuit, &Bits) -> Bits| {
        let mut circuit = Circuit::new();
        let x = circuit.fresh_bits(32);
        let result = build(&mut circuit, &x);
        circuit::cone(&circuit, result.gates()).conjunctions()
    };
    let constant = |value| Bits::constant(32, value);
    for (number, limit) in [(10, 250), (31, 250), (1000, 450), (0xdead_beef, 2200)] {
        let conjunctions = size(&|c, x| c.mul(&constant(number), x));
        assert!(conjunctions < limit, "times {number}: {conjunctions} conjunctions");
    }
    for shift in 0..32 {
        assert_eq!(size(&|c, x| c.mul(x, &constant(1 << shift))), 0);
        assert_eq!(size(&|c, x| c.udiv(x, &constant(1 << shift))), 0);
        assert_eq!(size(&|c, x| c.urem(x, &constant(1 << shift))), 0);
        assert_eq!(size(&|c, x| c.ashr(x, &constant(shift))), 0);
    }
    let tenth = size(&|c, x| c.udiv(x, &constant(10)));
    assert!(tenth < 1500, "divided by 10: {tenth} conjunctions");
}

//! Floating-point operations against the machine's: on special values and their neighbours, and at random;
//! by constant folding and on symbolic words that are then evaluated. Small formats are compared with exact
//! arithmetic, all numbers with all.

use circuit::{Bits, Circuit, FloatFormat, Valuation};

const SINGLE: FloatFormat = FloatFormat::SINGLE;
const DOUBLE: FloatFormat = FloatFormat::DOUBLE;

/// How many pairs of numbers each operation is compared on, at each width.
const PAIRS: usize = 20_000;

/// How many of them are evaluated on symbolic words too.
const SYMBOLIC: usize = 400;

/// An operation on two words, with its meaning. Operations on one leave the second out.
struct Operation {
    name: &'static str,
    widths: [usize; 2],
    build: fn(&mut Circuit, &Bits, &Bits) -> Bits,
    meaning: fn(u128, u128) -> u128,
}

fn single(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

fn of_single(value: f32) -> u128 {
    if value.is_nan() { 0x7fc0_0000 } else { u128::from(value.to_bits()) }
}

fn of_double(value: f64) -> u128 {
    if value.is_nan() { 0x7ff8_0000_0000_0000 } else { u128::from(value.to_bits()) }
}

/// Operations that are alike for both formats.
macro_rules! arithmetic {
    ($format:ident, $width:literal, $number:ident, $bits:ident) => {
        [
            Operation {
                name: concat!("add ", $width),
                widths: [$width; 2],
                build: |c, a, b| c.float_add($format, a, b),
                meaning: |a, b| $bits($number(a) + $number(b)),
            },
            Operation {
                name: concat!("sub ", $width),
                widths: [$width; 2],
                build: |c, a, b| c.float_sub($format, a, b),
                meaning: |a, b| $bits($number(a) - $number(b)),
            },
            Operation {
                name: concat!("mul ", $width),
                widths: [$width; 2],
                build: |c, a, b| c.float_mul($format, a, b),
                meaning: |a, b| $bits($number(a) * $number(b)),
            },
            Operation {
                name: concat!("equal ", $width),
                widths: [$width; 2],
                build: |c, a, b| Bits::from(c.float_equal($format, a, b)),
                meaning: |a, b| u128::from($number(a) == $number(b)),
            },
            Operation {
                name: concat!("less ", $width),
                widths: [$width; 2],
                build: |c, a, b| Bits::from(c.float_less($format, a, b)),
                meaning: |a, b| u128::from($number(a) < $number(b)),
            },
            Operation {
                name: concat!("less or equal ", $width),
                widths: [$width; 2],
                build: |c, a, b| Bits::from(c.float_less_equal($format, a, b)),
                meaning: |a, b| u128::from($number(a) <= $number(b)),
            },
            Operation {
                name: concat!("is nan ", $width),
                widths: [$width; 2],
                build: |c, a, _| Bits::from(c.float_is_nan($format, a)),
                meaning: |a, _| u128::from($number(a).is_nan()),
            },
        ]
    };
}

/// Conversions from integers and to them; whether the number is out of range is the highest bit.
macro_rules! integers {
    ($format:ident, $float:literal, $number:ident, $bits:ident,
     $($width:literal $signed:ident $unsigned:ident)+) => {
        [$(
            Operation {
                name: concat!("to ", stringify!($signed), " ", $float),
                widths: [$float; 2],
                build: |c, a, _| {
                    let (word, outside) = c.float_to_int($format, a, $width, true);
                    word.concat(&Bits::from(outside))
                },
                meaning: |a, _| {
                    let (least, whole) = ($signed::MIN as i128, $number(a).trunc());
                    let beyond = -2.0 * (($signed::MIN / 2) as f64);
                    let inside = (whole as f64) >= least as f64 && (whole as f64) < beyond;
                    u128::from($number(a) as $signed as $unsigned) | u128::from(!inside) << $width
                },
            },
            Operation {
                name: concat!("to ", stringify!($unsigned), " ", $float),
                widths: [$float; 2],
                build: |c, a, _| {
                    let (word, outside) = c.float_to_int($format, a, $width, false);
                    word.concat(&Bits::from(outside))
                },
                meaning: |a, _| {
                    let whole = $number(a).trunc() as f64;
                    let inside = whole >= 0.0 && whole < -4.0 * (($signed::MIN / 2) as f64);
                    u128::from($number(a) as $unsigned) | u128::from(!inside) << $width
                },
            },
            Operation {
                name: concat!("from ", stringify!($signed), " ", $float),
                widths: [$width; 2],
                build: |c, a, _| c.float_from_int($format, a, true),
                meaning: |a, _| $bits(a as $signed as _),
            },
            Operation {
                name: concat!("from ", stringify!($unsigned), " ", $float),
                widths: [$width; 2],
                build: |c, a, _| c.float_from_int($format, a, false),
                meaning: |a, _| $bits(a as $unsigned as _),
            },
        )+]
    };
}

fn operations() -> Vec<Operation> {
    let mut operations = Vec::from(arithmetic!(SINGLE, 32, single, of_single));
    operations.extend(arithmetic!(DOUBLE, 64, double, of_double));
    operations
        .extend(integers!(SINGLE, 32, single, of_single, 8 i8 u8 16 i16 u16 32 i32 u32 64 i64 u64));
    operations
        .extend(integers!(DOUBLE, 64, double, of_double, 8 i8 u8 16 i16 u16 32 i32 u32 64 i64 u64));
    operations.push(Operation {
        name: "widen",
        widths: [32; 2],
        build: |c, a, _| c.float_convert(SINGLE, DOUBLE, a),
        meaning: |a, _| of_double(f64::from(single(a))),
    });
    operations.push(Operation {
        name: "narrow",
        widths: [64; 2],
        build: |c, a, _| c.float_convert(DOUBLE, SINGLE, a),
        meaning: |a, _| of_single(double(a) as f32),
    });
    operations
}

/// Words at which something happens: of integers, of numbers, and of numbers near integers.
fn special(width: usize) -> Vec<u128> {
    let mut words = Vec::new();
    let mask = if width == 128 { u128::MAX } else { (1 << width) - 1 };
    for bit in 0..width {
        let power = 1u128 << bit;
        words.extend([power - 1, power, power + 1, power.wrapping_neg(), !power]);
    }
    let exact = [0.0, 0.5, 1.0, 1.5, 2.5, 3.0, 0.1, 1e10, 1e-10, 1e30, 1e300, 1e-300, 255.5, 256.0];
    let edges = [23, 24, 25, 31, 32, 52, 53, 54, 63, 64, 127, 128, 1023, -126, -149, -150, -1022];
    let powers = edges.map(|power| 2f64.powi(power));
    for value in exact.into_iter().chain(powers) {
        for word in match width {
            32 => vec![of_single(value as f32), of_single(-value as f32)],
            64 => vec![of_double(value), of_double(-value)],
            _ => Vec::new(),
        } {
            words.extend([word.wrapping_sub(1), word, word + 1]);
        }
    }
    // Halfway between numbers of the other format, and just beside.
    if width == 64 {
        for value in [1.0f32, 1.5, f32::MAX, f32::MIN_POSITIVE, 1e-45, 1e-40, 16_777_217.0] {
            let next = f32::from_bits(value.to_bits() + 1);
            let next = if next.is_finite() { f64::from(next) } else { 2f64.powi(128) };
            let half = of_double((f64::from(value) + next) / 2.0);
            words.extend([half - 1, half, half + 1]);
        }
    }
    match width {
        32 => words.extend([0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x7f80_0001, 0xffff_ffff]),
        64 => words.extend([0x7ff0 << 48, 0xfff0 << 48, 0x7ff8 << 48, (0x7ff0 << 48) + 1]),
        _ => {}
    }
    words.iter().map(|word| word & mask).collect()
}

/// Pairs of words: special ones with special ones, and random ones that are often close to each other.
fn pairs(widths: [usize; 2], random: &mut fastrand::Rng) -> Vec<[u128; 2]> {
    let specials = widths.map(special);
    let mut pairs = Vec::new();
    while pairs.len() < PAIRS {
        let mut any = |width: usize, special: &[u128]| match random.u8(..4) {
            0 | 1 => special[random.usize(..special.len())],
            2 => random.u128(..) & (u128::MAX >> (128 - width)),
            // A number of ordinary size.
            _ => {
                let word = random.u128(..) & (u128::MAX >> (128 - width));
                let exponent = u128::from(random.u64(0..160));
                match width {
                    32 => word & 0x807f_ffff | (exponent + 47) << 23,
                    64 => word & 0x800f_ffff_ffff_ffff | (exponent + 943) << 52,
                    _ => word,
                }
            }
        };
        let a = any(widths[0], &specials[0]);
        let b = any(widths[1], &specials[1]);
        // Numbers that nearly cancel out.
        let b = match random.u8(..6) {
            0 => a ^ 1 << (widths[1] - 1),
            1 => a ^ 1 << random.usize(..widths[1]),
            _ => b,
        };
        pairs.push([a, b]);
    }
    pairs
}

#[test]
fn operations_are_those_of_the_machine() {
    let mut random = fastrand::Rng::with_seed(754);
    for operation in operations() {
        let pairs = pairs(operation.widths, &mut random);
        for (number, &[a, b]) in pairs.iter().enumerate() {
            // Constants leave no gates behind.
            let mut circuit = Circuit::new();
            let [x, y] = [0, 1].map(|side| Bits::constant(operation.widths[side], [a, b][side]));
            let result = (operation.build)(&mut circuit, &x, &y);
            let meaning = (operation.meaning)(a, b);
            let found = result.as_constant().expect("constants fold");
            assert_eq!(found, meaning, "{} of {a:#x} and {b:#x} ({number})", operation.name);
        }
    }
}

#[test]
fn symbolic_operations_are_those_of_the_machine() {
    let mut random = fastrand::Rng::with_seed(2019);
    for operation in operations() {
        let mut circuit = Circuit::new();
        let [x, y] = operation.widths.map(|width| circuit.fresh_bits(width));
        let result = (operation.build)(&mut circuit, &x, &y);
        let pairs = pairs(operation.widths, &mut random);
        for &[a, b] in &pairs[..SYMBOLIC] {
            let mut values = Valuation::default();
            values.set_word(&circuit, &x, a);
            values.set_word(&circuit, &y, b);
            let found = values.word(&circuit, &result);
            assert_eq!(found, (operation.meaning)(a, b), "{} of {a:#x}, {b:#x}", operation.name);
        }
    }
}

/// What the essay says of sizes holds within a factor.
#[test]
fn circuits_are_of_the_size_that_is_promised() {
    let size = |build: &dyn Fn(&mut Circuit, &Bits, &Bits) -> Bits| {
        let mut circuit = Circuit::new();
        let (x, y) = (circuit.fresh_bits(64), circuit.fresh_bits(64));
        build(&mut circuit, &x, &y);
        circuit.len()
    };
    let two = Bits::constant(64, of_double(2.0));
    let sizes = [
        ("less", size(&|c, a, b| Bits::from(c.float_less(DOUBLE, a, b))), 1_500),
        ("add", size(&|c, a, b| c.float_add(DOUBLE, a, b)), 8_000),
        ("mul", size(&|c, a, b| c.float_mul(DOUBLE, a, b)), 45_000),
        ("mul by two", size(&|c, a, _| c.float_mul(DOUBLE, a, &two)), 6_000),
        ("to int", size(&|c, a, _| c.float_to_int(DOUBLE, a, 32, true).0), 5_000),
        ("from int", size(&|c, a, _| c.float_from_int(DOUBLE, a, true)), 5_000),
        ("narrow", size(&|c, a, _| c.float_convert(DOUBLE, SINGLE, a)), 3_000),
    ];
    for (name, gates, most) in sizes {
        assert!(gates <= most, "{name} takes {gates} gates");
    }
}

/// A format small enough for all its numbers to be compared with all.
const SMALL: FloatFormat = FloatFormat { exponent: 4, fraction: 3 };

/// The number that a word of the small format is; every sum and product of two is exact at this width.
fn small(word: u128) -> f64 {
    let (exponent, fraction) = ((word >> 3 & 15) as i32, (word & 7) as f64);
    let magnitude = match exponent {
        0 => fraction / 8.0 * 2f64.powi(-6),
        15 if fraction == 0.0 => f64::INFINITY,
        15 => f64::NAN,
        _ => (1.0 + fraction / 8.0) * 2f64.powi(exponent - 7),
    };
    if word >> 7 == 1 { -magnitude } else { magnitude }
}

/// The word of the small format that is nearest, by looking at all of them.
fn nearest(value: f64) -> u128 {
    if value.is_nan() {
        return 0x7c;
    }
    let sign = u128::from(value.is_sign_negative()) << 7;
    // What would be the next number after the greatest is infinity.
    let size = |word: u128| if word == 0x78 { 256.0 } else { small(word) };
    let distance = |word: u128| (size(word) - value.abs()).abs();
    let near = |word: &u128| (distance(*word), word & 1);
    let order = |a: &u128, b: &u128| near(a).partial_cmp(&near(b)).expect("no distance is NaN");
    match value.is_infinite() {
        true => sign | 0x78,
        false => sign | (0..=0x78).min_by(order).expect("there are numbers"),
    }
}

#[test]
fn all_numbers_of_a_small_format_are_rounded_to_the_nearest() {
    let mut c = Circuit::new();
    for a in 0..256u128 {
        let x = Bits::constant(8, a);
        let wide = c.float_convert(SMALL, SINGLE, &x);
        assert_eq!(wide.as_constant(), Some(of_single(small(a) as f32)), "{a:#x}");
        assert_eq!(c.float_convert(SINGLE, SMALL, &wide).as_constant(), Some(nearest(small(a))));
        for b in 0..256u128 {
            let y = Bits::constant(8, b);
            let sum = c.float_add(SMALL, &x, &y).as_constant();
            assert_eq!(sum, Some(nearest(small(a) + small(b))), "{a:#x} + {b:#x}");
            let product = c.float_mul(SMALL, &x, &y).as_constant();
            assert_eq!(product, Some(nearest(small(a) * small(b))), "{a:#x} * {b:#x}");
        }
    }
}

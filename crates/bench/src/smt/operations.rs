//! The operations of [`Circuit`], each beside its meaning in SMT-LIB.

use circuit::{Bits, Circuit, Gate};

use super::{Truth, Word, literal};

/// An operation on two words, the second of which it may ignore.
#[derive(Debug)]
pub struct Operation<T> {
    /// Its operands.
    pub operands: Operands,
    /// Whether wide operands make queries that no solver answers in good time.
    pub hard: bool,
    /// Builds the gates.
    pub build: fn(&mut Circuit, &Bits, &Bits) -> T,
    /// Writes the term.
    pub meaning: fn(&Word, &Word) -> String,
}

/// The operands of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// The first word only.
    One,
    /// Words of equal width.
    Two,
    /// A word, and a distance of any width.
    Distance,
}

/// A Boolean function of three Booleans, of which it may ignore some.
#[derive(Debug)]
pub struct Connective {
    /// Builds the gate.
    pub build: fn(&mut Circuit, [Gate; 3]) -> Gate,
    /// Writes the term.
    pub meaning: fn([&Truth; 3]) -> String,
}

/// The operations that yield a word.
pub static WORDS: &[Operation<Bits>] = &[
    two(Circuit::add, |a, b| format!("(bvadd {a} {b})")),
    two(Circuit::sub, |a, b| format!("(bvsub {a} {b})")),
    hard(Circuit::mul, |a, b| format!("(bvmul {a} {b})")),
    hard(Circuit::udiv, |a, b| format!("(bvudiv {a} {b})")),
    hard(Circuit::urem, |a, b| format!("(bvurem {a} {b})")),
    hard(Circuit::sdiv, |a, b| format!("(bvsdiv {a} {b})")),
    hard(Circuit::srem, |a, b| format!("(bvsrem {a} {b})")),
    one(|c, a, _| c.neg(a), |a, _| format!("(bvneg {a})")),
    one(|c, a, _| c.abs(a), |a, _| format!("(ite {} (bvneg {a}) {a})", negative(a))),
    two(|c, a, b| c.negate_if(b.msb(), a), |a, b| format!("(ite {} (bvneg {a}) {a})", negative(b))),
    two(
        |c, a, b| c.add_with_carry(a, b, a[0]).0,
        |a, b| format!("(bvadd {a} {b} {})", carried(a, a.width())),
    ),
    two(Circuit::bitand, |a, b| format!("(bvand {a} {b})")),
    two(Circuit::bitor, |a, b| format!("(bvor {a} {b})")),
    two(Circuit::bitxor, |a, b| format!("(bvxor {a} {b})")),
    one(|_, a, _| !a, |a, _| format!("(bvnot {a})")),
    two(
        |c, a, b| c.mask(a[0], b),
        |a, b| format!("(ite {} {b} {})", is_one(a, 0), literal(b.width(), 0)),
    ),
    two(Circuit::umin, |a, b| format!("(ite (bvult {a} {b}) {a} {b})")),
    two(Circuit::umax, |a, b| format!("(ite (bvugt {a} {b}) {a} {b})")),
    two(Circuit::smin, |a, b| format!("(ite (bvslt {a} {b}) {a} {b})")),
    two(Circuit::smax, |a, b| format!("(ite (bvsgt {a} {b}) {a} {b})")),
    one(
        |c, a, _| c.popcount(a),
        |a, _| {
            let width = count_width(a);
            (0..a.width()).fold(literal(width, 0), |sum, bit| {
                let one =
                    format!("(ite {} {} {})", is_one(a, bit), literal(width, 1), literal(width, 0));
                format!("(bvadd {sum} {one})")
            })
        },
    ),
    one(
        |c, a, _| c.leading_zeros(a),
        |a, _| {
            let width = count_width(a);
            (0..a.width()).fold(literal(width, a.width() as u128), |lower, bit| {
                let above = literal(width, (a.width() - 1 - bit) as u128);
                format!("(ite {} {above} {lower})", is_one(a, bit))
            })
        },
    ),
    one(
        |c, a, _| c.trailing_zeros(a),
        |a, _| {
            let width = count_width(a);
            (0..a.width()).rev().fold(literal(width, a.width() as u128), |higher, bit| {
                format!("(ite {} {} {higher})", is_one(a, bit), literal(width, bit as u128))
            })
        },
    ),
    distance(Circuit::shl, |a, by| shift("bvshl", "zero", a, by)),
    distance(Circuit::lshr, |a, by| shift("bvlshr", "zero", a, by)),
    distance(Circuit::ashr, |a, by| shift("bvashr", "sign", a, by)),
    distance(Circuit::rotate_left, |a, by| rotate("bvshl", "bvlshr", a, by)),
    distance(Circuit::rotate_right, |a, by| rotate("bvlshr", "bvshl", a, by)),
];

/// The operations that yield a Boolean.
pub static PREDICATES: &[Operation<Gate>] = &[
    two(Circuit::equal, |a, b| format!("(= {a} {b})")),
    two(Circuit::ult, |a, b| format!("(bvult {a} {b})")),
    two(Circuit::ule, |a, b| format!("(bvule {a} {b})")),
    two(Circuit::slt, |a, b| format!("(bvslt {a} {b})")),
    two(Circuit::sle, |a, b| format!("(bvsle {a} {b})")),
    one(|c, a, _| c.is_zero(a), |a, _| format!("(= {a} {})", literal(a.width(), 0))),
    one(|c, a, _| c.any(a), |a, _| format!("(distinct {a} {})", literal(a.width(), 0))),
    one(|c, a, _| c.all(a), |a, _| format!("(= {a} {})", literal(a.width(), u128::MAX))),
    one(
        |c, a, _| c.parity(a),
        |a, _| {
            (0..a.width())
                .fold("false".to_owned(), |odd, bit| format!("(xor {odd} {})", is_one(a, bit)))
        },
    ),
    one(
        |c, a, _| c.at_most_one(a.gates()),
        |a, _| {
            let (zero, one) = (literal(a.width(), 0), literal(a.width(), 1));
            format!("(= (bvand {a} (bvsub {a} {one})) {zero})")
        },
    ),
    one(|_, a, _| a.msb(), |a, _| negative(a)),
    two(
        |c, a, b| c.add_with_carry(a, b, a[0]).1,
        |a, b| {
            let (x, y) = (widen("zero", a, 1), widen("zero", b, 1));
            let (top, carry) = (a.width(), carried(a, a.width() + 1));
            format!("(= #b1 ((_ extract {top} {top}) (bvadd {x} {y} {carry})))")
        },
    ),
    two(Circuit::add_overflows_unsigned, |a, b| overflows("bvadd", "zero", 1, a, b)),
    two(Circuit::add_overflows_signed, |a, b| overflows("bvadd", "sign", 1, a, b)),
    two(Circuit::sub_overflows_unsigned, |a, b| overflows("bvsub", "zero", 1, a, b)),
    two(Circuit::sub_overflows_signed, |a, b| overflows("bvsub", "sign", 1, a, b)),
    hard(Circuit::mul_overflows_unsigned, |a, b| overflows("bvmul", "zero", a.width(), a, b)),
    hard(Circuit::mul_overflows_signed, |a, b| overflows("bvmul", "sign", a.width(), a, b)),
    one(
        |c, a, _| c.neg_overflows_signed(a),
        |a, _| {
            format!("(distinct (bvneg {}) ((_ sign_extend 1) (bvneg {a})))", widen("sign", a, 1))
        },
    ),
    hard(Circuit::div_overflows_signed, |a, b| {
        let overflows = overflows("bvsdiv", "sign", 1, a, b);
        format!("(and (distinct {b} {}) {overflows})", literal(b.width(), 0))
    }),
    distance(Circuit::shl_overflows_unsigned, |a, by| shl_overflows("zero", a, by)),
    distance(Circuit::shl_overflows_signed, |a, by| shl_overflows("sign", a, by)),
];

/// The functions of Booleans.
pub static CONNECTIVES: &[Connective] = &[
    Connective { build: |_, [a, _, _]| !a, meaning: |[a, _, _]| format!("(not {a})") },
    Connective { build: |c, [x, y, _]| c.and(x, y), meaning: |[x, y, _]| format!("(and {x} {y})") },
    Connective { build: |c, [x, y, _]| c.or(x, y), meaning: |[x, y, _]| format!("(or {x} {y})") },
    Connective { build: |c, [x, y, _]| c.xor(x, y), meaning: |[x, y, _]| format!("(xor {x} {y})") },
    Connective { build: |c, [x, y, _]| c.iff(x, y), meaning: |[x, y, _]| format!("(= {x} {y})") },
    Connective {
        build: |c, [x, y, _]| c.implies(x, y),
        meaning: |[x, y, _]| format!("(=> {x} {y})"),
    },
    Connective {
        build: |c, [x, y, z]| c.ite(x, y, z),
        meaning: |[x, y, z]| format!("(ite {x} {y} {z})"),
    },
    Connective {
        build: |c, all| c.and_all(all),
        meaning: |[x, y, z]| format!("(and {x} {y} {z})"),
    },
    Connective { build: |c, all| c.or_all(all), meaning: |[x, y, z]| format!("(or {x} {y} {z})") },
    Connective {
        build: |c, [x, y, z]| c.full_adder(x, y, z).0,
        meaning: |[x, y, z]| format!("(xor {x} {y} {z})"),
    },
    Connective {
        build: |c, [x, y, z]| c.majority(x, y, z),
        meaning: |[x, y, z]| format!("(ite {x} (or {y} {z}) (and {y} {z}))"),
    },
    Connective {
        build: |c, all| c.at_most_one(&all),
        meaning: |[x, y, z]| format!("(ite {x} (not (or {y} {z})) (not (and {y} {z})))"),
    },
];

type Build<T> = fn(&mut Circuit, &Bits, &Bits) -> T;
type Meaning = fn(&Word, &Word) -> String;

const fn one<T>(build: Build<T>, meaning: Meaning) -> Operation<T> {
    Operation { operands: Operands::One, hard: false, build, meaning }
}

const fn two<T>(build: Build<T>, meaning: Meaning) -> Operation<T> {
    Operation { operands: Operands::Two, hard: false, build, meaning }
}

const fn hard<T>(build: Build<T>, meaning: Meaning) -> Operation<T> {
    Operation { operands: Operands::Two, hard: true, build, meaning }
}

const fn distance<T>(build: Build<T>, meaning: Meaning) -> Operation<T> {
    Operation { operands: Operands::Distance, hard: false, build, meaning }
}

fn is_one(a: &Word, bit: usize) -> String {
    format!("(= #b1 ((_ extract {bit} {bit}) {a}))")
}

fn negative(a: &Word) -> String {
    format!("(bvslt {a} {})", literal(a.width(), 0))
}

/// The lowest bit of a word, as a word of some width.
fn carried(a: &Word, width: usize) -> String {
    format!("((_ zero_extend {}) ((_ extract 0 0) {a}))", width - 1)
}

fn widen(extend: &str, a: &Word, more: usize) -> String {
    format!("((_ {extend}_extend {more}) {a})")
}

/// The number of bits in which every number from zero to the width of `a` can be written.
fn count_width(a: &Word) -> usize {
    (1..).find(|&bits| a.width() < 1 << bits).expect("numbers have a width")
}

/// Whether the operation in a word wider by `more` bits differs from the operation, widened.
fn overflows(operator: &str, extend: &str, more: usize, a: &Word, b: &Word) -> String {
    let (x, y) = (widen(extend, a, more), widen(extend, b, more));
    format!("(distinct ({operator} {x} {y}) ((_ {extend}_extend {more}) ({operator} {a} {b})))")
}

/// A shift in a word that holds both the operand and the distance, cut back.
fn shift(operator: &str, extend: &str, a: &Word, by: &Word) -> String {
    let width = a.width().max(by.width());
    let (top, by_more) = (a.width() - 1, width - by.width());
    let (a, by) = (widen(extend, a, width - a.width()), widen("zero", by, by_more));
    format!("((_ extract {top} 0) ({operator} {a} {by}))")
}

/// The part that moves forward, and the part that re-enters at the other end.
fn rotate(forward: &str, backward: &str, a: &Word, by: &Word) -> String {
    let width = a.width().max(by.width()).max(BYTE);
    let whole = literal(width, a.width() as u128);
    let top = a.width() - 1;
    let a = widen("zero", a, width - a.width());
    let by = format!("(bvurem {} {whole})", widen("zero", by, width - by.width()));
    let rest = format!("(bvsub {whole} {by})");
    format!("((_ extract {top} 0) (bvor ({forward} {a} {by}) ({backward} {a} {rest})))")
}

/// A distance up to the width is tried in a word of twice that width, which holds the exact result;
/// beyond, only zero can be shifted.
fn shl_overflows(extend: &str, a: &Word, by: &Word) -> String {
    let width = (2 * a.width()).max(by.width()).max(BYTE);
    let whole = literal(width, a.width() as u128);
    let by = widen("zero", by, width - by.width());
    let more = width - a.width();
    let exact = format!("(bvshl {} {by})", widen(extend, a, more));
    let back = format!("((_ {extend}_extend {more}) ((_ extract {} 0) {exact}))", a.width() - 1);
    let zero = literal(a.width(), 0);
    format!("(ite (bvule {by} {whole}) (distinct {exact} {back}) (distinct {a} {zero}))")
}

/// A word that can name any width built here.
const BYTE: usize = 8;

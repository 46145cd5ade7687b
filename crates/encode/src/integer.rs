//! Mathematical integers in a bounded number of bits, and integers beyond.
//!
//! An integer is a signed word of the scope's width, or *big*: known only to lie beyond the word's range, on one
//! side or the other. In an under-approximation, no integer is ever big: an operation whose result does not fit
//! leaves the scope, and the execution is cut there. In an over-approximation, the result becomes big, and free
//! inputs are the results of operations on two big integers, the same for the same operation on the same two.
//!
//! The word of a big integer has a free bit that no other computation's result has. So two integers with the same
//! gates are the same number: if they were different big ones in some execution, flipping the bit of one would
//! describe that execution too, and distinguish the gates.

use circuit::{Bits, Circuit, Gate};
use ir::Op;

/// How two integers compare if both are big and on the same side.
#[derive(Clone, Copy)]
pub(crate) struct Bigs {
    pub(crate) equal: Gate,
    /// Whether the first is less than the second, unless they are equal.
    pub(crate) less: Gate,
}

/// A symbolic integer. Where `big` holds, the word means nothing and `negative` is the sign.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Integer {
    pub(crate) word: Bits,
    pub(crate) big: Gate,
    pub(crate) negative: Gate,
}

/// The computation that determines an integer: the same computation has the same result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Computation {
    /// An operator on operands.
    Of(Op, Integer, Integer),
    /// A signed word, as it is.
    Exact(Bits),
}

/// An exact result together with where it does not fit: in an under-approximation, where the scope is left.
pub(crate) struct Fitted {
    pub(crate) integer: Integer,
    pub(crate) escapes: Gate,
}

impl Integer {
    pub(crate) fn small(word: Bits) -> Integer {
        Integer { word, big: Gate::FALSE, negative: Gate::FALSE }
    }

    pub(crate) fn select(c: &mut Circuit, condition: Gate, a: &Integer, b: &Integer) -> Integer {
        Integer {
            word: c.select(condition, &a.word, &b.word),
            big: c.ite(condition, a.big, b.big),
            negative: c.ite(condition, a.negative, b.negative),
        }
    }

    /// An order of integers as gates, in which no two are alike.
    pub(crate) fn order(&self) -> (&[Gate], Gate, Gate) {
        (self.word.gates(), self.big, self.negative)
    }

    /// The same integer, with a bit of its own where it is big.
    pub(crate) fn named(self, c: &mut Circuit) -> Integer {
        if self.big == Gate::FALSE {
            return self;
        }
        let mut word: Vec<Gate> = self.word.gates().to_vec();
        let name = c.input();
        word[0] = c.ite(self.big, name, word[0]);
        Integer { word: Bits::from(word), ..self }
    }

    /// The sign: the word's, or that of a big one.
    fn is_negative(&self, c: &mut Circuit) -> Gate {
        c.ite(self.big, self.negative, self.word.msb())
    }

    /// Whether two integers are equal; where both are big on the same side, whether the gate holds.
    pub(crate) fn equal(c: &mut Circuit, a: &Integer, b: &Integer, bigs: Gate) -> Gate {
        let words = c.equal(&a.word, &b.word);
        let both = c.and(a.big, b.big);
        let neither = c.and(!a.big, !b.big);
        let small = c.and(neither, words);
        if both == Gate::FALSE {
            return small;
        }
        // Two big ones on the same side may or may not be equal.
        let same_side = c.iff(a.negative, b.negative);
        let big = c.and_all([both, same_side, bigs]);
        c.or(small, big)
    }

    /// Whether `a < b`; where both are big on the same side, whether the gate holds.
    pub(crate) fn less(c: &mut Circuit, a: &Integer, b: &Integer, bigs: Gate) -> Gate {
        let words = c.slt(&a.word, &b.word);
        if a.big == Gate::FALSE && b.big == Gate::FALSE {
            return words;
        }
        let (na, nb) = (a.is_negative(c), b.is_negative(c));
        let some_big = c.or(a.big, b.big);
        // One big one decides by its side: a negative big is below everything small.
        let a_decides = c.and(a.big, !b.big);
        let b_decides = c.and(b.big, !a.big);
        let differ = c.xor(na, nb);
        let both = c.ite(differ, na, bigs);
        let by_b = c.ite(b_decides, !nb, both);
        let big = c.ite(a_decides, na, by_b);
        c.ite(some_big, big, words)
    }

    /// Makes an exact result of any width fit: `sign` and `unknown` say what is known of the result
    /// when an operand was big already.
    pub(crate) fn fit(
        c: &mut Circuit,
        exact: &Bits,
        width: usize,
        operand_big: Gate,
        big_negative: Gate,
        under: bool,
    ) -> Fitted {
        let wide = if exact.width() > width {
            c.truncation_loses_signed(exact, width)
        } else {
            Gate::FALSE
        };
        let word =
            if exact.width() > width { exact.extract(0..width) } else { exact.sign_extend(width) };
        if under {
            return Fitted { integer: Integer::small(word), escapes: wide };
        }
        let big = c.or(operand_big, wide);
        let negative = c.ite(operand_big, big_negative, exact.msb());
        Fitted { integer: Integer { word, big, negative }, escapes: Gate::FALSE }
    }

    pub(crate) fn add(c: &mut Circuit, a: &Integer, b: &Integer, under: bool) -> Fitted {
        let width = a.word.width();
        let exact = c.add(&a.word.sign_extend(width + 1), &b.word.sign_extend(width + 1));
        Integer::combine(c, a, b, &exact, under, |c| {
            // A big and a small one, or two on the same side, stay on that side; two on different
            // sides can land anywhere.
            let (na, nb) = (a.is_negative(c), b.is_negative(c));
            let both = c.and(a.big, b.big);
            let side = c.ite(a.big, na, nb);
            let differ = c.xor(na, nb);
            (side, c.and(both, differ))
        })
    }

    pub(crate) fn neg(c: &mut Circuit, a: &Integer, under: bool) -> Fitted {
        let width = a.word.width();
        let exact = c.neg(&a.word.sign_extend(width + 1));
        let mut fitted = Integer::fit(c, &exact, width, a.big, !a.negative, under);
        if a.big != Gate::FALSE {
            // The least small integer is the negation of one that is big.
            let least = Integer::small(Bits::zero(width - 1).concat(&Bits::ones(1)));
            let free = c.input();
            let back = c.and_all([a.big, !a.negative, free]);
            fitted.integer = Integer::select(c, back, &least, &fitted.integer);
        }
        fitted
    }

    pub(crate) fn mul(c: &mut Circuit, a: &Integer, b: &Integer, under: bool) -> Fitted {
        let width = a.word.width();
        let exact = c.mul(&a.word.sign_extend(2 * width), &b.word.sign_extend(2 * width));
        let (a_zero, b_zero) = (c.is_zero(&a.word), c.is_zero(&b.word));
        let zero_a = c.and(!a.big, a_zero);
        let zero_b = c.and(!b.big, b_zero);
        let zero = c.or(zero_a, zero_b);
        let mut fitted = Integer::combine(c, a, b, &exact, under, |c| {
            let (na, nb) = (a.is_negative(c), b.is_negative(c));
            (c.xor(na, nb), Gate::FALSE)
        });
        if !under {
            // Nothing times a big one is nothing.
            let none = Integer::small(Bits::zero(width));
            fitted.integer = Integer::select(c, zero, &none, &fitted.integer);
        }
        fitted
    }

    /// Euclidean quotient and remainder, as `op.rs` has them.
    pub(crate) fn div_mod(c: &mut Circuit, a: &Integer, b: &Integer, under: bool) -> [Fitted; 2] {
        let width = a.word.width();
        let (x, y) = (a.word.sign_extend(width + 1), b.word.sign_extend(width + 1));
        let (mut quotient, mut remainder) = c.divide_signed(&x, &y);
        let negative = remainder.msb();
        let positive_divisor = !y.msb();
        // A negative remainder is increased by |b|, the quotient is adjusted by one.
        let size = c.abs(&y);
        let one = Bits::constant(width + 1, 1);
        let up = c.add(&quotient, &one);
        let down = c.sub(&quotient, &one);
        let moved = c.select(positive_divisor, &down, &up);
        quotient = c.select(negative, &moved, &quotient);
        let raised = c.add(&remainder, &size);
        remainder = c.select(negative, &raised, &remainder);
        let by_zero = c.is_zero(&y);
        quotient = c.select(by_zero, &Bits::zero(width + 1), &quotient);
        remainder = c.select(by_zero, &x, &remainder);
        [quotient, remainder].map(|exact| {
            // Of the quotient or remainder of a big integer nothing is known.
            Integer::combine(c, a, b, &exact, under, |_| (Gate::FALSE, Gate::TRUE))
        })
    }

    /// Fits an exact result. `beyond` says, for a big operand, the sign of the result and where the
    /// result could be anything at all.
    fn combine(
        c: &mut Circuit,
        a: &Integer,
        b: &Integer,
        exact: &Bits,
        under: bool,
        beyond: impl FnOnce(&mut Circuit) -> (Gate, Gate),
    ) -> Fitted {
        let width = a.word.width();
        let operand_big = c.or(a.big, b.big);
        if operand_big == Gate::FALSE {
            return Integer::fit(c, exact, width, Gate::FALSE, Gate::FALSE, under);
        }
        let (side, anything) = beyond(c);
        // A big operand may also bring the result back into range: that is left free.
        let mut fitted = Integer::fit(c, exact, width, operand_big, side, under);
        let free = Integer { word: c.fresh_bits(width), big: c.input(), negative: c.input() };
        let back = Integer { word: free.word.clone(), big: free.big, negative: side };
        let loose = Integer::select(c, anything, &free, &back);
        fitted.integer = Integer::select(c, operand_big, &loose, &fitted.integer);
        fitted
    }
}

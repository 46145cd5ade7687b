//! Shifts and rotations by variable amounts: the barrel shifter, one stage per bit of the amount.
//!
//! The amount is an unsigned word of any width. A shift by the width or more leaves nothing of the
//! operand: zeros, or copies of the sign for the arithmetic shift, as in SMT-LIB. C leaves such
//! shifts undefined and Java looks at the low bits of the amount only, which callers cut out.

use super::Bits;
use crate::{Circuit, Gate};

impl Circuit {
    /// The word shifted towards its most significant bit.
    pub fn shl(&mut self, a: &Bits, amount: &Bits) -> Bits {
        let reversed: Bits = a.iter().rev().collect();
        self.shift_down(&reversed, amount, Gate::FALSE).iter().rev().collect()
    }

    /// The word shifted towards its least significant bit, filled with zeros.
    pub fn lshr(&mut self, a: &Bits, amount: &Bits) -> Bits {
        self.shift_down(a, amount, Gate::FALSE)
    }

    /// The word shifted towards its least significant bit, filled with its sign.
    pub fn ashr(&mut self, a: &Bits, amount: &Bits) -> Bits {
        let sign = a.iter().next_back().unwrap_or(Gate::FALSE);
        self.shift_down(a, amount, sign)
    }

    /// The word rotated towards its most significant bit, by the amount modulo the width.
    pub fn rotate_left(&mut self, a: &Bits, amount: &Bits) -> Bits {
        let reversed: Bits = a.iter().rev().collect();
        self.rotate_right(&reversed, amount).iter().rev().collect()
    }

    /// The word rotated towards its least significant bit, by the amount modulo the width.
    pub fn rotate_right(&mut self, a: &Bits, amount: &Bits) -> Bits {
        let width = a.width();
        let stages = width.next_power_of_two().ilog2() as usize;
        // One stage per bit of the amount would do, as 2^k can be reduced modulo the width, but
        // dozens of stages over one word make hard formulas: a wide amount is reduced first.
        let reduced;
        let amount = if amount.width() > stages && width > 1 && !width.is_power_of_two() {
            reduced = self.urem(amount, &Bits::constant(amount.width(), width as u128));
            &reduced
        } else {
            amount
        };
        let mut word = a.clone();
        let mut distance = 1 % width.max(1);
        for stage in amount.iter() {
            let moved = (0..width).map(|bit| word[(bit + distance) % width]).collect();
            word = self.select(stage, &moved, &word);
            distance = distance * 2 % width.max(1);
        }
        word
    }

    fn shift_down(&mut self, a: &Bits, amount: &Bits, fill: Gate) -> Bits {
        let width = a.width();
        let stages = amount.width().min(width.next_power_of_two().ilog2() as usize);
        let mut word = a.clone();
        for stage in 0..stages {
            let distance = 1 << stage;
            let moved = (0..width)
                .map(|bit| if bit + distance < width { word[bit + distance] } else { fill });
            let moved = moved.collect();
            word = self.select(amount[stage], &moved, &word);
        }
        let beyond = self.any(&amount.extract(stages..amount.width()));
        let gone: Bits = std::iter::repeat_n(fill, width).collect();
        self.select(beyond, &gone, &word)
    }
}

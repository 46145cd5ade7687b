//! Equality and order.

use super::{Bits, common_width};
use crate::{Circuit, Gate};

impl Circuit {
    /// Whether two words are equal.
    pub fn equal(&mut self, a: &Bits, b: &Bits) -> Gate {
        common_width(a, b);
        let same: Vec<Gate> = a.iter().zip(b.iter()).map(|(x, y)| self.iff(x, y)).collect();
        self.and_all(same)
    }

    /// Whether a word is zero.
    pub fn is_zero(&mut self, a: &Bits) -> Gate {
        !self.any(a)
    }

    /// Unsigned `a < b`.
    pub fn ult(&mut self, a: &Bits, b: &Bits) -> Gate {
        self.less(a, b, Gate::FALSE)
    }

    /// Unsigned `a ≤ b`.
    pub fn ule(&mut self, a: &Bits, b: &Bits) -> Gate {
        self.less(a, b, Gate::TRUE)
    }

    /// Signed `a < b`.
    pub fn slt(&mut self, a: &Bits, b: &Bits) -> Gate {
        self.ult(&offset(a), &offset(b))
    }

    /// Signed `a ≤ b`.
    pub fn sle(&mut self, a: &Bits, b: &Bits) -> Gate {
        self.ule(&offset(a), &offset(b))
    }

    /// The lesser of two unsigned words.
    pub fn umin(&mut self, a: &Bits, b: &Bits) -> Bits {
        let less = self.ult(a, b);
        self.select(less, a, b)
    }

    /// The greater of two unsigned words.
    pub fn umax(&mut self, a: &Bits, b: &Bits) -> Bits {
        let less = self.ult(a, b);
        self.select(less, b, a)
    }

    /// The lesser of two signed words.
    pub fn smin(&mut self, a: &Bits, b: &Bits) -> Bits {
        let less = self.slt(a, b);
        self.select(less, a, b)
    }

    /// The greater of two signed words.
    pub fn smax(&mut self, a: &Bits, b: &Bits) -> Bits {
        let less = self.slt(a, b);
        self.select(less, b, a)
    }

    /// `a < b`, or `a = b` and `equal`: the borrow out of `a - b`, from the low bits up.
    fn less(&mut self, a: &Bits, b: &Bits, equal: Gate) -> Gate {
        common_width(a, b);
        a.iter().zip(b.iter()).fold(equal, |less, (x, y)| self.majority(!x, y, less))
    }
}

/// Flips the sign: signed order becomes unsigned order.
fn offset(a: &Bits) -> Bits {
    let sign = a.width().checked_sub(1);
    a.iter().enumerate().map(|(bit, gate)| gate.negate_if(Some(bit) == sign)).collect()
}

//! Division and remainder: restoring long division, most significant bit first.
//!
//! Step `j` brings down one more bit of the dividend, so the partial remainder has at most `j` bits
//! and the divisor fits only if its other bits are zero; that halves the circuit. A constant divisor
//! bounds the partial remainder further, and division by a power of two folds to a shift.
//!
//! Division by zero has the values of SMT-LIB, which are those of long division: the unsigned quotient is all
//! ones and the remainder the dividend. Signed division truncates towards zero as in C and Java; by zero its
//! quotient is 1 for a negative dividend and -1 otherwise, and the remainder the dividend. The least value
//! divided by -1 is itself.

use super::{Bits, common_width};
use crate::{Circuit, Gate};

impl Circuit {
    /// The unsigned quotient; all ones if `b` is zero.
    pub fn udiv(&mut self, a: &Bits, b: &Bits) -> Bits {
        self.divide(a, b).0
    }

    /// The unsigned remainder; `a` if `b` is zero.
    pub fn urem(&mut self, a: &Bits, b: &Bits) -> Bits {
        self.divide(a, b).1
    }

    /// The signed quotient, rounded towards zero; if `b` is zero, 1 where `a` is negative and -1
    /// elsewhere.
    pub fn sdiv(&mut self, a: &Bits, b: &Bits) -> Bits {
        self.divide_signed(a, b).0
    }

    /// The signed remainder, which has the sign of `a`; `a` if `b` is zero.
    pub fn srem(&mut self, a: &Bits, b: &Bits) -> Bits {
        self.divide_signed(a, b).1
    }

    /// Unsigned quotient and remainder.
    pub fn divide(&mut self, a: &Bits, b: &Bits) -> (Bits, Bits) {
        let width = common_width(a, b);
        // A divisor known to be positive and below 2^k leaves remainders of k bits.
        let bound = match b.as_constant() {
            Some(0) | None => width,
            Some(_) => b.iter().rposition(|bit| bit == Gate::TRUE).map_or(width, |top| top + 1),
        };
        // `fits[j]`: the bits of the divisor from j upwards are zero.
        let mut fits = vec![Gate::TRUE; width + 1];
        for bit in (0..width).rev() {
            fits[bit] = self.and(fits[bit + 1], !b[bit]);
        }
        let mut remainder = Bits::zero(0);
        let mut quotient = vec![Gate::FALSE; width];
        for at in (0..width).rev() {
            let partial = Bits::from(a[at]).concat(&remainder);
            let divisor = b.extract(0..partial.width());
            let (difference, at_least) = self.add_with_carry(&partial, &!&divisor, Gate::TRUE);
            let taken = self.and(fits[partial.width()], at_least);
            quotient[at] = taken;
            remainder = self.select(taken, &difference, &partial);
            remainder = remainder.extract(0..remainder.width().min(bound));
        }
        (Bits::from(quotient), remainder.zero_extend(width))
    }

    /// Signed quotient and remainder.
    pub fn divide_signed(&mut self, a: &Bits, b: &Bits) -> (Bits, Bits) {
        if common_width(a, b) == 0 {
            return (a.clone(), a.clone());
        }
        let (size_a, size_b) = (self.abs(a), self.abs(b));
        let (quotient, remainder) = self.divide(&size_a, &size_b);
        let differ = self.xor(a.msb(), b.msb());
        (self.negate_if(differ, &quotient), self.negate_if(a.msb(), &remainder))
    }
}

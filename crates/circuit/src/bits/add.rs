//! Addition, subtraction and negation: the ripple-carry adder.

use super::{Bits, common_width};
use crate::{Circuit, Gate};

impl Circuit {
    /// The sum, modulo two to the width.
    pub fn add(&mut self, a: &Bits, b: &Bits) -> Bits {
        self.add_with_carry(a, b, Gate::FALSE).0
    }

    /// The difference, modulo two to the width.
    pub fn sub(&mut self, a: &Bits, b: &Bits) -> Bits {
        self.add_with_carry(a, &!b, Gate::TRUE).0
    }

    /// The negation in two's complement.
    pub fn neg(&mut self, a: &Bits) -> Bits {
        self.sub(&Bits::zero(a.width()), a)
    }

    /// The absolute value of a signed word; that of the least value is itself.
    pub fn abs(&mut self, a: &Bits) -> Bits {
        self.negate_if(a.msb(), a)
    }

    /// The negation where `condition` holds, the word itself elsewhere.
    pub fn negate_if(&mut self, condition: Gate, a: &Bits) -> Bits {
        let flipped: Bits = a.iter().map(|bit| self.xor(condition, bit)).collect();
        self.add_with_carry(&flipped, &Bits::zero(a.width()), condition).0
    }

    /// The sum of two words and a carry, and the carry out of the most significant bit.
    pub fn add_with_carry(&mut self, a: &Bits, b: &Bits, carry: Gate) -> (Bits, Gate) {
        common_width(a, b);
        let mut carry = carry;
        let sum = a.iter().zip(b.iter()).map(|(x, y)| {
            let (sum, out) = self.full_adder(x, y, carry);
            carry = out;
            sum
        });
        (sum.collect(), carry)
    }

    /// The sum and carry of three bits.
    pub fn full_adder(&mut self, a: Gate, b: Gate, c: Gate) -> (Gate, Gate) {
        let differ = self.xor(a, b);
        let sum = self.xor(differ, c);
        let both = self.and(a, b);
        let passed = self.and(differ, c);
        let carry = self.or(both, passed);
        (sum, carry)
    }

    /// Whether at least two of three gates hold.
    pub fn majority(&mut self, a: Gate, b: Gate, c: Gate) -> Gate {
        let both = self.and(a, b);
        let either = self.or(a, b);
        let passed = self.and(either, c);
        self.or(both, passed)
    }
}

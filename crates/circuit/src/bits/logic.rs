//! Bitwise operations, selection and reductions.

use super::{Bits, common_width};
use crate::{Circuit, Gate};

impl Circuit {
    /// Bitwise conjunction.
    pub fn bitand(&mut self, a: &Bits, b: &Bits) -> Bits {
        self.bitwise(a, b, Circuit::and)
    }

    /// Bitwise disjunction.
    pub fn bitor(&mut self, a: &Bits, b: &Bits) -> Bits {
        self.bitwise(a, b, Circuit::or)
    }

    /// Bitwise exclusive disjunction.
    pub fn bitxor(&mut self, a: &Bits, b: &Bits) -> Bits {
        self.bitwise(a, b, Circuit::xor)
    }

    /// The word `then` where `condition` holds, `otherwise` elsewhere.
    pub fn select(&mut self, condition: Gate, then: &Bits, otherwise: &Bits) -> Bits {
        self.bitwise(then, otherwise, |c, then, otherwise| c.ite(condition, then, otherwise))
    }

    /// The word where `condition` holds, zero elsewhere.
    pub fn mask(&mut self, condition: Gate, a: &Bits) -> Bits {
        a.iter().map(|bit| self.and(condition, bit)).collect()
    }

    /// Whether some bit is one.
    pub fn any(&mut self, a: &Bits) -> Gate {
        self.or_all(a.iter())
    }

    /// Whether every bit is one.
    pub fn all(&mut self, a: &Bits) -> Gate {
        self.and_all(a.iter())
    }

    /// Whether an odd number of bits is one.
    pub fn parity(&mut self, a: &Bits) -> Gate {
        a.iter().fold(Gate::FALSE, |odd, bit| self.xor(odd, bit))
    }

    fn bitwise(
        &mut self,
        a: &Bits,
        b: &Bits,
        mut operation: impl FnMut(&mut Circuit, Gate, Gate) -> Gate,
    ) -> Bits {
        common_width(a, b);
        a.iter().zip(b.iter()).map(|(x, y)| operation(self, x, y)).collect()
    }
}

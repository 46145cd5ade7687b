//! When an operation's exact result does not fit its word.
//!
//! Each predicate is about the mathematical result: `add_overflows_signed(a, b)` holds if the sum of
//! the two signed numbers is not a signed number of that width. What a language makes of it (C's
//! undefined behaviour, Java's `addExact`) is the caller's affair; so are other conditions on the
//! same operation, such as shifting a negative number or by more than the width.

use super::{Bits, common_width};
use crate::{Circuit, Gate};

impl Circuit {
    /// Whether the sum of two unsigned words does not fit.
    pub fn add_overflows_unsigned(&mut self, a: &Bits, b: &Bits) -> Gate {
        self.add_with_carry(a, b, Gate::FALSE).1
    }

    /// Whether the sum of two signed words does not fit.
    pub fn add_overflows_signed(&mut self, a: &Bits, b: &Bits) -> Gate {
        let sum = self.add(a, b);
        let up = self.and_all([!a.msb(), !b.msb(), sum.msb()]);
        let down = self.and_all([a.msb(), b.msb(), !sum.msb()]);
        self.or(up, down)
    }

    /// Whether the difference of two unsigned words is negative.
    pub fn sub_overflows_unsigned(&mut self, a: &Bits, b: &Bits) -> Gate {
        self.ult(a, b)
    }

    /// Whether the difference of two signed words does not fit.
    pub fn sub_overflows_signed(&mut self, a: &Bits, b: &Bits) -> Gate {
        let difference = self.sub(a, b);
        let up = self.and_all([!a.msb(), b.msb(), difference.msb()]);
        let down = self.and_all([a.msb(), !b.msb(), !difference.msb()]);
        self.or(up, down)
    }

    /// Whether the product of two unsigned words does not fit.
    ///
    /// It does not if two ones lie too high (bits `i` and `j` with `i + j ≥ width`); otherwise the
    /// product has at most one bit more than the word, and that bit decides.
    pub fn mul_overflows_unsigned(&mut self, a: &Bits, b: &Bits) -> Gate {
        let width = common_width(a, b);
        let high = self.high_pair(a, b, width);
        let product = self.mul(&a.zero_extend(width + 1), &b.zero_extend(width + 1));
        self.or(high, product[width])
    }

    /// Whether the product of two signed words does not fit.
    ///
    /// As for unsigned words, looking at the bits that differ from the sign; the product then fits
    /// one more bit, and overflows the word if its two highest bits differ.
    pub fn mul_overflows_signed(&mut self, a: &Bits, b: &Bits) -> Gate {
        let width = common_width(a, b);
        if width == 0 {
            return Gate::FALSE;
        }
        let significant = |c: &mut Circuit, word: &Bits| -> Bits {
            let sign = word.msb();
            word.iter().map(|bit| c.xor(bit, sign)).collect()
        };
        let (size_a, size_b) = (significant(self, a), significant(self, b));
        let high = self.high_pair(&size_a, &size_b, width - 1);
        let product = self.mul(&a.sign_extend(width + 1), &b.sign_extend(width + 1));
        let differ = self.xor(product[width], product[width - 1]);
        self.or(high, differ)
    }

    /// Whether some bit `i` of `a` and some bit `j` of `b` with `i + j ≥ limit`, neither of them the
    /// lowest, are both one.
    fn high_pair(&mut self, a: &Bits, b: &Bits, limit: usize) -> Gate {
        let mut found = Gate::FALSE;
        let mut above = Gate::FALSE;
        // As j grows, more bits of a are too high for it.
        for j in 1..b.width() {
            if let Some(i) = limit.checked_sub(j).filter(|&i| i >= 1 && i < a.width()) {
                above = self.or(above, a[i]);
            }
            let pair = self.and(above, b[j]);
            found = self.or(found, pair);
        }
        found
    }

    /// Whether the negation of a signed word does not fit: it is the least value.
    pub fn neg_overflows_signed(&mut self, a: &Bits) -> Gate {
        self.is_least_signed(a)
    }

    /// Whether the quotient of two signed words does not fit: the least value divided by -1.
    pub fn div_overflows_signed(&mut self, a: &Bits, b: &Bits) -> Gate {
        common_width(a, b);
        let least = self.is_least_signed(a);
        let minus_one = self.all(b);
        self.and(least, minus_one)
    }

    /// Whether an unsigned word times two to the `amount` does not fit.
    pub fn shl_overflows_unsigned(&mut self, a: &Bits, amount: &Bits) -> Gate {
        let shifted = self.shl(a, amount);
        let back = self.lshr(&shifted, amount);
        !self.equal(a, &back)
    }

    /// Whether a signed word times two to the `amount` does not fit.
    pub fn shl_overflows_signed(&mut self, a: &Bits, amount: &Bits) -> Gate {
        let shifted = self.shl(a, amount);
        let back = self.ashr(&shifted, amount);
        !self.equal(a, &back)
    }

    /// Whether cutting an unsigned word to `width` bits changes its value.
    pub fn truncation_loses_unsigned(&mut self, a: &Bits, width: usize) -> Gate {
        self.any(&a.extract(width.min(a.width())..a.width()))
    }

    /// Whether cutting a signed word to a signed word of `width` bits changes its value.
    pub fn truncation_loses_signed(&mut self, a: &Bits, width: usize) -> Gate {
        let kept = a.extract(0..width.min(a.width())).sign_extend(a.width());
        !self.equal(a, &kept)
    }

    fn is_least_signed(&mut self, a: &Bits) -> Gate {
        let sign = a.width() - 1;
        let rest = self.is_zero(&a.extract(0..sign));
        self.and(a[sign], rest)
    }
}

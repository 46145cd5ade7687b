//! Words: bit-vectors of any width, up to 64 bits in a machine word.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

/// A word of a fixed number of bits, at least one.
///
/// Invariants: the bits above the width are zero; a width up to 64 is stored in a machine word, a
/// greater one as a big number. Hence equal words are equal as data. Words are ordered by width,
/// then as unsigned numbers.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Word {
    width: u32,
    bits: Bits,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Bits {
    Small(u64),
    Big(Arc<BigUint>),
}

impl Word {
    /// The word of this width that is congruent to a machine word.
    pub fn new(width: u32, bits: u64) -> Word {
        let bits = match width {
            0..=64 => Bits::Small(bits & mask(width)),
            65.. => Bits::Big(Arc::new(BigUint::from(bits))),
        };
        Word { width, bits }
    }

    /// The word of this width that is congruent to a signed machine word.
    pub fn signed(width: u32, value: i64) -> Word {
        if width <= 64 {
            Word::new(width, value as u64)
        } else {
            Word::from_int(width, &value.into())
        }
    }

    /// The word of this width that is congruent to an integer.
    pub fn from_int(width: u32, value: &BigInt) -> Word {
        if width <= 64
            && let Some(small) = value.to_i64()
        {
            return Word::new(width, small as u64);
        }
        let modulus = BigInt::one() << width;
        let bits = value.mod_floor(&modulus).magnitude().clone();
        Word::from_nat(width, bits)
    }

    /// The word of this width whose bits are the lowest ones of a natural number.
    pub fn from_nat(width: u32, value: BigUint) -> Word {
        let fits = value.bits() <= u64::from(width);
        let value = if fits { value } else { value & ones(width) };
        let bits = match width {
            0..=64 => Bits::Small(value.to_u64().expect("at most 64 bits fit in a machine word")),
            65.. => Bits::Big(Arc::new(value)),
        };
        Word { width, bits }
    }

    /// The word of this width in which every bit is one.
    pub fn all_ones(width: u32) -> Word {
        if width <= 64 { Word::new(width, u64::MAX) } else { Word::from_nat(width, ones(width)) }
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The bits as a machine word, if there are at most 64 of them.
    pub fn small(&self) -> Option<u64> {
        match &self.bits {
            Bits::Small(bits) => Some(*bits),
            Bits::Big(_) => None,
        }
    }

    /// The bits as a signed machine word, if there are at most 64 of them.
    pub fn small_signed(&self) -> Option<i64> {
        let bits = self.small()?;
        let unused = 64 - self.width;
        Some(((bits << unused) as i64) >> unused)
    }

    /// The number that the word is, read unsigned.
    pub fn to_nat(&self) -> BigUint {
        match &self.bits {
            Bits::Small(bits) => BigUint::from(*bits),
            Bits::Big(bits) => (**bits).clone(),
        }
    }

    /// The number that the word is, read signed.
    pub fn to_int(&self) -> BigInt {
        match self.small_signed() {
            Some(small) => BigInt::from(small),
            None => {
                let nat = BigInt::from(self.to_nat());
                if self.sign() { nat - (BigInt::one() << self.width) } else { nat }
            }
        }
    }

    /// The highest bit.
    pub fn sign(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// One bit, from zero for the lowest.
    pub fn bit(&self, index: u32) -> bool {
        match &self.bits {
            Bits::Small(bits) => index < 64 && bits >> index & 1 == 1,
            Bits::Big(bits) => bits.bit(u64::from(index)),
        }
    }

    /// Whether every bit is zero.
    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Bits::Small(bits) => *bits == 0,
            Bits::Big(bits) => bits.is_zero(),
        }
    }

    /// The bytes of the word, lowest first, as many as hold its bits.
    pub fn to_bytes(&self) -> Vec<u8> {
        let count = self.width.div_ceil(8) as usize;
        let mut bytes = match &self.bits {
            Bits::Small(bits) => bits.to_le_bytes().to_vec(),
            Bits::Big(bits) => bits.to_bytes_le(),
        };
        bytes.resize(count, 0);
        bytes
    }

    /// The word of this width whose bytes are these, lowest first; bits above the width are lost.
    pub fn from_bytes(width: u32, bytes: &[u8]) -> Word {
        if width <= 64 {
            let bits = bytes.iter().rev().fold(0, |bits: u64, byte| bits << 8 | u64::from(*byte));
            return Word::new(width, bits);
        }
        Word::from_nat(width, BigUint::from_bytes_le(bytes))
    }

    /// The unsigned order of two words of one width.
    pub fn compare(&self, other: &Word) -> Ordering {
        match (&self.bits, &other.bits) {
            (Bits::Small(a), Bits::Small(b)) => a.cmp(b),
            (Bits::Big(a), Bits::Big(b)) => a.cmp(b),
            (Bits::Small(_), Bits::Big(_)) => Ordering::Less,
            (Bits::Big(_), Bits::Small(_)) => Ordering::Greater,
        }
    }

    /// The signed order of two words of one width.
    pub fn compare_signed(&self, other: &Word) -> Ordering {
        match (self.small_signed(), other.small_signed()) {
            (Some(a), Some(b)) => a.cmp(&b),
            (None, _) | (_, None) => self.to_int().cmp(&other.to_int()),
        }
    }

    /// Whether an integer is in the signed range of this many bits.
    pub fn in_signed_range(width: u32, value: &BigInt) -> bool {
        let limit = BigInt::one() << (width - 1);
        if value.is_negative() { -value <= limit } else { *value < limit }
    }
}

/// A machine word with this many ones.
fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn ones(width: u32) -> BigUint {
    (BigUint::one() << width) - BigUint::one()
}

impl PartialOrd for Word {
    fn partial_cmp(&self, other: &Word) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Word {
    fn cmp(&self, other: &Word) -> Ordering {
        self.width.cmp(&other.width).then_with(|| self.compare(other))
    }
}

impl fmt::Display for Word {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.bits {
            Bits::Small(bits) => bits.fmt(out),
            Bits::Big(bits) => bits.fmt(out),
        }
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self}bv{}", self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_congruent_to_what_they_are_made_of() {
        for width in [1, 7, 8, 63, 64, 65, 130] {
            for value in [-130_i64, -1, 0, 1, 127, 128, i64::MIN, i64::MAX] {
                let word = Word::signed(width, value);
                let modulus = BigInt::one() << width;
                assert_eq!(word, Word::from_int(width, &value.into()));
                assert_eq!(BigInt::from(word.to_nat()), BigInt::from(value).mod_floor(&modulus));
                assert_eq!(word, Word::from_int(width, &word.to_int()));
                assert!(Word::in_signed_range(width, &word.to_int()));
            }
        }
    }

    #[test]
    fn bytes_are_lowest_first() {
        assert_eq!(Word::new(32, 0x0403_0201).to_bytes(), [1, 2, 3, 4]);
        assert_eq!(Word::from_bytes(32, &[1, 2, 3, 4]), Word::new(32, 0x0403_0201));
        let wide = Word::from_int(96, &BigInt::from(-2));
        assert_eq!(wide.to_bytes().len(), 12);
        assert_eq!(Word::from_bytes(96, &wide.to_bytes()), wide);
    }

    #[test]
    fn signed_order_differs_from_unsigned_order() {
        for width in [8, 64, 100] {
            let (minus, one) = (Word::signed(width, -1), Word::new(width, 1));
            assert_eq!(minus.compare(&one), Ordering::Greater);
            assert_eq!(minus.compare_signed(&one), Ordering::Less);
        }
    }
}

//! Bit-vectors of any width, exact.
//!
//! [`Bits`] is a word of gates; operations on words are methods of [`Circuit`], one idea per file: [`logic`],
//! [`add`], [`compare`], [`shift`], [`multiply`], [`divide`], [`count`], [`overflow`] and [`float`]. Where C
//! and Java leave a result open (division by zero, shifts by too much) the value is the one of SMT-LIB's
//! theory of bit-vectors, so that every operation is a function; a front end asserts first that the operation
//! is allowed.
//!
//! Constants are not treated specially unless the documentation says so: operations on constant words fold to
//! constant words because the gates do.
//!
//! ```
//! use circuit::{Bits, Circuit};
//! let mut c = Circuit::new();
//! let x = c.fresh_bits(32);
//! let ten = Bits::constant(32, 10);
//! let twice = c.add(&x, &x);
//! let shifted = c.shl(&x, &Bits::constant(32, 1));
//! assert_eq!(c.equal(&twice, &shifted).as_constant(), Some(true));
//! assert_eq!(c.mul(&ten, &ten).as_constant(), Some(100));
//! ```

mod add;
mod compare;
mod count;
mod divide;
mod float;
mod logic;
mod multiply;
mod overflow;
mod shift;

use std::fmt;
use std::ops::{Index, Not, Range};

use smallvec::{SmallVec, smallvec};

use crate::{Circuit, Gate};

pub use float::FloatFormat;

/// A word of gates, least significant bit first.
///
/// The width is part of the value: operations demand operands of equal width and say so by panicking.
/// Small words, such as the numbers of atoms, take no memory of their own.
/// A word of width zero exists (it is the empty concatenation) and has the value zero.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Bits(SmallVec<[Gate; 6]>);

impl Bits {
    /// The low `width` bits of a value; beyond 128 bits the word is filled with zeros.
    pub fn constant(width: usize, value: u128) -> Bits {
        (0..width).map(|bit| Gate::constant(bit < 128 && value >> bit & 1 == 1)).collect()
    }

    /// The low `width` bits of a value in two's complement, which is sign-extended beyond 128 bits.
    pub fn signed_constant(width: usize, value: i128) -> Bits {
        (0..width).map(|bit| Gate::constant(value >> bit.min(127) & 1 == 1)).collect()
    }

    /// The word of `width` zeros.
    pub fn zero(width: usize) -> Bits {
        Bits(smallvec![Gate::FALSE; width])
    }

    /// The word of `width` ones.
    pub fn ones(width: usize) -> Bits {
        Bits(smallvec![Gate::TRUE; width])
    }

    /// The number of bits.
    pub fn width(&self) -> usize {
        self.0.len()
    }

    /// The bits, least significant first.
    pub fn gates(&self) -> &[Gate] {
        &self.0
    }

    /// The bits, least significant first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Gate> + ExactSizeIterator + '_ {
        self.0.iter().copied()
    }

    /// The most significant bit, which is the sign of a signed word.
    ///
    /// # Panics
    ///
    /// If the width is zero.
    pub fn msb(&self) -> Gate {
        *self.0.last().expect("a word without bits has no sign")
    }

    /// The value, if every bit is a constant and no bit beyond the 128th is set.
    pub fn as_constant(&self) -> Option<u128> {
        let mut value = 0;
        for (bit, gate) in self.iter().enumerate() {
            if gate.as_constant()? {
                value |= 1u128.checked_shl(bit as u32)?;
            }
        }
        Some(value)
    }

    /// The bits in a range, as a word of its own.
    pub fn extract(&self, range: Range<usize>) -> Bits {
        Bits(SmallVec::from_slice(&self.0[range]))
    }

    /// This word as the low part of a wider one.
    pub fn concat(&self, high: &Bits) -> Bits {
        self.iter().chain(high.iter()).collect()
    }

    /// The word filled up with zeros, or cut, to a width.
    pub fn zero_extend(&self, width: usize) -> Bits {
        self.extend(width, Gate::FALSE)
    }

    /// The word filled up with copies of its sign, or cut, to a width.
    pub fn sign_extend(&self, width: usize) -> Bits {
        self.extend(width, self.0.last().copied().unwrap_or(Gate::FALSE))
    }

    fn extend(&self, width: usize, fill: Gate) -> Bits {
        (0..width).map(|bit| self.0.get(bit).copied().unwrap_or(fill)).collect()
    }
}

impl Circuit {
    /// A word of fresh free variables.
    pub fn fresh_bits(&mut self, width: usize) -> Bits {
        Bits::from(self.fresh(width))
    }
}

impl From<Vec<Gate>> for Bits {
    fn from(gates: Vec<Gate>) -> Bits {
        Bits(SmallVec::from_slice(&gates))
    }
}

impl From<Gate> for Bits {
    fn from(gate: Gate) -> Bits {
        Bits(smallvec![gate])
    }
}

impl FromIterator<Gate> for Bits {
    fn from_iter<I: IntoIterator<Item = Gate>>(gates: I) -> Bits {
        Bits(gates.into_iter().collect())
    }
}

impl Index<usize> for Bits {
    type Output = Gate;
    fn index(&self, bit: usize) -> &Gate {
        &self.0[bit]
    }
}

impl Not for &Bits {
    type Output = Bits;
    fn not(self) -> Bits {
        self.iter().map(Not::not).collect()
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_constant() {
            Some(value) => write!(f, "{value}#{}", self.width()),
            None => f.debug_list().entries(self.0.iter().rev()).finish(),
        }
    }
}

/// The common width of two operands.
fn common_width(a: &Bits, b: &Bits) -> usize {
    assert_eq!(a.width(), b.width(), "operands have the same width");
    a.width()
}

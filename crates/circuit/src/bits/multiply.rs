//! Multiplication: partial products added up one after another.
//!
//! Summing the partial products with a tree of full adders (Wallace, Dadda) makes circuits of the same size
//! that are harder to solve. Conflicts until CaDiCaL proved a law, operands in the order given: associativity
//! at 6 bits 25,886 for rows and 54,628 for the tree, distributivity 22,172 and 84,366. The tree wins
//! commutativity, 28,600 to 34,772 at 7 bits, but that law holds here by construction, because the operands
//! are put in order first. The newer word selects the rows; the other way round distributivity needs three
//! times the conflicts. `examples/multipliers.rs` measures these laws.

use super::{Bits, common_width};
use crate::{Circuit, Gate};

impl Circuit {
    /// The product, modulo two to the width.
    pub fn mul(&mut self, a: &Bits, b: &Bits) -> Bits {
        let width = common_width(a, b);
        match (is_constant(a), is_constant(b)) {
            (true, _) => return self.mul_constant(b, a),
            (_, true) => return self.mul_constant(a, b),
            (false, false) => {}
        }
        let ordered = (zeros(a), a.gates()) <= (zeros(b), b.gates());
        let (a, b) = if ordered { (a, b) } else { (b, a) };
        let mut sum = Bits::zero(width);
        for (shift, bit) in b.iter().enumerate() {
            let row = self.mask(bit, &a.extract(0..width - shift));
            let high = self.add(&sum.extract(shift..width), &row);
            sum = sum.extract(0..shift).concat(&high);
        }
        sum
    }

    /// The product with a constant: one addition or subtraction for every non-zero digit but one.
    fn mul_constant(&mut self, a: &Bits, constant: &Bits) -> Bits {
        let width = a.width();
        let mut digits = signed_digits(constant);
        // Starting from a digit that is added spares a negation.
        if let Some(first) = digits.iter().position(|digit| !digit.negative) {
            digits[..=first].rotate_right(1);
        }
        let mut sum = Bits::zero(width);
        for Digit { shift, negative } in digits {
            let (low, high) = (sum.extract(0..shift), sum.extract(shift..width));
            let row = a.extract(0..width - shift);
            let high = if negative { self.sub(&high, &row) } else { self.add(&high, &row) };
            sum = low.concat(&high);
        }
        sum
    }
}

/// The digit 1 or -1 at a place.
struct Digit {
    shift: usize,
    negative: bool,
}

/// The non-zero digits of a constant in canonical signed-digit form, lowest first: no two of them
/// are neighbours (Reitwiesner, *Binary Arithmetic*, 1960).
fn signed_digits(constant: &Bits) -> Vec<Digit> {
    let bit = |at: usize| constant.gates().get(at) == Some(&Gate::TRUE);
    let mut digits = Vec::new();
    let mut carry = false;
    for shift in 0..constant.width() {
        if bit(shift) == carry {
            continue; // the rest is even, and the carry stays what it is
        }
        // An odd rest ends in the digit 1 if its second bit is clear, and in -1 otherwise.
        carry = bit(shift + 1);
        digits.push(Digit { shift, negative: carry });
    }
    digits
}

fn is_constant(word: &Bits) -> bool {
    word.iter().all(|bit| bit.as_constant().is_some())
}

/// The number of rows that the word as a multiplier would spare.
fn zeros(word: &Bits) -> usize {
    word.iter().filter(|&bit| bit == Gate::FALSE).count()
}

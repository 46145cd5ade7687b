//! Counting ones and zeros.
//!
//! A count has as many bits as the greatest possible count needs: six for a word of 32 bits.

use std::collections::VecDeque;

use super::Bits;
use crate::limits::PAIRWISE_GATES;
use crate::{Circuit, Gate};

impl Circuit {
    /// The number of ones.
    pub fn popcount(&mut self, a: &Bits) -> Bits {
        let take = |column: &mut VecDeque<Gate>| column.pop_front().unwrap_or(Gate::FALSE);
        let mut column: VecDeque<Gate> = a.iter().collect();
        let count = (0..count_width(a.width())).map(|_| {
            // Three bits of a column make one of that column and one of the next, until one is left.
            let mut next = VecDeque::new();
            while column.len() > 1 {
                let (x, y, z) = (take(&mut column), take(&mut column), take(&mut column));
                let (sum, carry) = self.full_adder(x, y, z);
                column.push_back(sum);
                next.push_back(carry);
            }
            let bit = take(&mut column);
            column = next;
            bit
        });
        count.collect()
    }

    /// The number of zeros above the most significant one; that of zero is
    /// the width.
    pub fn leading_zeros(&mut self, a: &Bits) -> Bits {
        let reversed: Bits = a.iter().rev().collect();
        self.trailing_zeros(&reversed)
    }

    /// The number of zeros below the least significant one; that of zero is
    /// the width.
    pub fn trailing_zeros(&mut self, a: &Bits) -> Bits {
        let width = count_width(a.width());
        // A multiplexer per bit: the lowest one decides.
        let mut count = Bits::constant(width, a.width() as u128);
        for (bit, gate) in a.iter().enumerate().rev() {
            count = self.select(gate, &Bits::constant(width, bit as u128), &count);
        }
        count
    }

    /// Whether at most one gate holds.
    pub fn at_most_one(&mut self, gates: &[Gate]) -> Gate {
        let mut parts = Vec::new();
        if gates.len() <= PAIRWISE_GATES {
            for (position, &a) in gates.iter().enumerate() {
                parts.extend(gates[position + 1..].iter().map(|&b| !self.and(a, b)));
            }
        } else {
            let mut earlier = gates[0];
            for &gate in &gates[1..] {
                parts.push(!self.and(earlier, gate));
                earlier = self.or(earlier, gate);
            }
        }
        self.and_all(parts)
    }
}

/// The number of bits that hold every number from zero to `greatest`.
fn count_width(greatest: usize) -> usize {
    (usize::BITS - greatest.leading_zeros()) as usize
}

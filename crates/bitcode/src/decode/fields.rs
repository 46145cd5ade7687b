//! Taking the operands of a record one after another.

use crate::bitstream::Record;
use crate::error::Error;

/// The operands of a record that have not been taken yet.
pub(super) struct Fields<'r> {
    values: &'r [u64],
    byte: usize,
}

impl<'r> Fields<'r> {
    pub fn new(record: &'r Record<'_>) -> Fields<'r> {
        Fields { values: &record.values, byte: record.byte }
    }

    /// The next operand.
    #[inline]
    pub fn next(&mut self) -> Result<u64, Error> {
        self.optional().ok_or(self.malformed("a record with too few operands"))
    }

    /// The next operand, if there is one.
    #[inline]
    pub fn optional(&mut self) -> Option<u64> {
        let (&first, rest) = self.values.split_first()?;
        self.values = rest;
        Some(first)
    }

    /// The next operand, or zero for records written before it existed.
    pub fn or_zero(&mut self) -> u64 {
        self.optional().unwrap_or(0)
    }

    /// The next operand as a number of at most 32 bits; wider ones keep their low bits.
    pub fn u32(&mut self) -> Result<u32, Error> {
        self.next().map(|value| value as u32)
    }

    pub fn bool(&mut self) -> Result<bool, Error> {
        self.next().map(|value| value != 0)
    }

    /// All operands that are left.
    pub fn rest(&mut self) -> &'r [u64] {
        std::mem::take(&mut self.values)
    }

    /// The next `count` operands.
    pub fn take(&mut self, count: u64) -> Result<&'r [u64], Error> {
        if count > self.values.len() as u64 {
            return Err(self.malformed("a record with too few operands"));
        }
        let (taken, rest) = self.values.split_at(count as usize);
        self.values = rest;
        Ok(taken)
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// An error about this record.
    #[cold]
    pub fn malformed(&self, what: &'static str) -> Error {
        Error::Malformed { byte: self.byte, what }
    }

    /// The error for a record this decoder does not know. The caller adds who wrote it.
    #[cold]
    pub fn unsupported(&self, block: &'static str, code: u32) -> Error {
        Error::Unsupported { byte: self.byte, block, code, producer: String::new() }
    }
}

/// A signed number stored with its sign in the lowest bit.
pub(super) fn signed(stored: u64) -> i64 {
    let magnitude = (stored >> 1) as i64;
    match (stored & 1, magnitude) {
        (0, _) => magnitude,
        // "Minus zero" encodes the one number without a positive counterpart.
        (_, 0) => i64::MIN,
        (_, _) => -magnitude,
    }
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn sign_in_the_lowest_bit() {
        assert_eq!([signed(0), signed(2), signed(3), signed(1)], [0, 1, -1, i64::MIN]);
        assert_eq!(signed(u64::MAX - 1), i64::MAX);
        assert_eq!(signed(u64::MAX), -i64::MAX);
    }
}

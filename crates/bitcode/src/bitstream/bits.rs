//! Reading numbers of any width from a sequence of bytes, least significant bit first.

use crate::error::Error;

/// A cursor over bits. `end` limits it to its block; positions stay absolute for error messages.
#[derive(Debug, Clone)]
pub(crate) struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Bits<'a> {
    pub fn new(bytes: &'a [u8]) -> Bits<'a> {
        Bits { bytes, at: 0, end: bytes.len() * 8 }
    }

    pub fn byte(&self) -> usize {
        self.at / 8
    }

    pub fn remaining(&self) -> usize {
        self.end - self.at
    }

    /// An error at the current position.
    pub fn malformed(&self, what: &'static str) -> Error {
        Error::Malformed { byte: self.byte(), what }
    }

    fn truncated(&self) -> Error {
        Error::Truncated { byte: self.end / 8 }
    }

    /// Fail now if `count` items of at least `bits` bits each cannot follow.
    pub fn require(&self, count: u64, bits: u64) -> Result<(), Error> {
        match count.checked_mul(bits) {
            Some(total) if total <= self.remaining() as u64 => Ok(()),
            _ => Err(self.truncated()),
        }
    }

    /// Read `width` bits, at most 64; reading none returns zero.
    #[inline]
    pub fn read(&mut self, width: u32) -> Result<u64, Error> {
        debug_assert!(width <= 64);
        if width as usize > self.remaining() {
            return Err(self.truncated());
        }
        if width == 0 {
            return Ok(0);
        }
        let (first, shift) = (self.at / 8, (self.at % 8) as u32);
        let low = match self.bytes.get(first..first + 8) {
            Some(chunk) => u64::from_le_bytes(chunk.try_into().expect("a slice of eight bytes")),
            None => {
                let mut chunk = [0; 8];
                let tail = &self.bytes[first..];
                chunk[..tail.len()].copy_from_slice(tail);
                u64::from_le_bytes(chunk)
            }
        };
        let mut value = low >> shift;
        if shift + width > 64 {
            // The check above guarantees that the ninth byte exists.
            value |= u64::from(self.bytes[first + 8]) << (64 - shift);
        }
        self.at += width as usize;
        Ok(value & (u64::MAX >> (64 - width)))
    }

    /// Read a number stored in groups of `width` bits, the top bit of each saying "more follows".
    #[inline]
    pub fn read_vbr(&mut self, width: u32) -> Result<u64, Error> {
        let more = 1u64 << (width - 1);
        let group = self.read(width)?;
        if group & more == 0 {
            return Ok(group);
        }
        let mut value = group & (more - 1);
        let mut shift = width - 1;
        loop {
            let group = self.read(width)?;
            if shift >= 64 {
                return Err(self.malformed("a number wider than 64 bits"));
            }
            value |= (group & (more - 1)) << shift;
            if group & more == 0 {
                return Ok(value);
            }
            shift += width - 1;
        }
    }

    /// Step to the next multiple of 32 bits.
    pub fn align32(&mut self) -> Result<(), Error> {
        let at = self.at.next_multiple_of(32);
        if at > self.end {
            return Err(self.truncated());
        }
        self.at = at;
        Ok(())
    }

    /// Split off the next `count` bytes; the position must be aligned to a byte.
    pub fn take_bytes(&mut self, count: u64) -> Result<Bits<'a>, Error> {
        self.require(count, 8)?;
        let end = self.at + count as usize * 8;
        let taken = Bits { bytes: self.bytes, at: self.at, end };
        self.at = end;
        Ok(taken)
    }

    /// The bytes that are left, from an aligned position.
    pub fn as_bytes(&self) -> &'a [u8] {
        &self.bytes[self.at / 8..self.end / 8]
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn reads_across_byte_and_word_boundaries() {
        let bytes: Vec<u8> = (0..20).map(|n| n * 7 + 1).collect();
        let bit = |n: usize| u64::from(bytes[n / 8] >> (n % 8) & 1);
        for start in 0..16 {
            for width in 1..=64 {
                let mut bits = Bits::new(&bytes);
                bits.read(start as u32).unwrap();
                let expected = (0..width).map(|n| bit(start + n) << n).sum::<u64>();
                assert_eq!(bits.read(width as u32).unwrap(), expected, "{start} {width}");
            }
        }
    }

    #[test]
    fn variable_width_numbers_may_fill_64_bits_but_not_more() {
        // Sixteen groups of four bits carry three bits each, all ones: more than 64 bits in all.
        let mut bits = Bits::new(&[0xff; 16]);
        assert!(bits.read_vbr(4).is_err());
        let mut bits = Bits::new(&[0b0110_1011, 0, 0, 0]);
        assert_eq!(bits.read_vbr(4).unwrap(), 0b110_011);
    }

    #[test]
    fn the_end_is_an_error_not_a_panic() {
        let mut bits = Bits::new(&[1, 2]);
        assert_eq!(bits.read(16).unwrap(), 0x201);
        assert!(bits.read(1).is_err());
        assert!(bits.take_bytes(u64::MAX).is_err());
    }
}

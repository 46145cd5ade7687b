//! Abbreviations: the shapes by which records are packed.
//!
//! An abbreviation defines an encoding for each operand of a record; the last operands may be an array of one
//! encoding or a blob of bytes. The first operand of all is the record's code.

use super::{Bits, Record};
use crate::error::Error;
use crate::limits::ABBREVIATION_OPERANDS;

/// How a single number is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scalar {
    Literal(u64),
    Fixed(u32),
    Vbr(u32),
    Char6,
}

/// The operands after the scalars of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    Nothing,
    Array(Scalar),
    Blob,
}

/// The shape of a record: some scalars, of which the first is the code, and perhaps a tail.
#[derive(Debug)]
pub(super) struct Abbreviation {
    scalars: Vec<Scalar>,
    tail: Tail,
}

enum Encoding {
    Scalar(Scalar),
    Array,
    Blob,
}

impl Abbreviation {
    /// Read a definition.
    pub fn define(bits: &mut Bits<'_>) -> Result<Abbreviation, Error> {
        let count = bits.read_vbr(5)?;
        // A record of literals takes hardly any bits, so a long list of them would let a small file expand to
        // a huge one.
        if count > ABBREVIATION_OPERANDS {
            return Err(bits.malformed("an abbreviation with too many operands"));
        }
        let mut abbreviation = Abbreviation { scalars: Vec::new(), tail: Tail::Nothing };
        let mut left = count;
        while left > 0 {
            left -= 1;
            match read_encoding(bits)? {
                Encoding::Scalar(scalar) => abbreviation.scalars.push(scalar),
                Encoding::Array if left == 1 => {
                    left = 0;
                    match read_encoding(bits)? {
                        // A literal element takes no bits, so its count could not be checked.
                        Encoding::Scalar(Scalar::Literal(_)) | Encoding::Array | Encoding::Blob => {
                            return Err(bits.malformed("an array of an impossible element"));
                        }
                        Encoding::Scalar(element) => abbreviation.tail = Tail::Array(element),
                    }
                }
                Encoding::Blob if left == 0 => abbreviation.tail = Tail::Blob,
                Encoding::Array | Encoding::Blob => {
                    return Err(bits.malformed("an array or blob in the middle of an abbreviation"));
                }
            }
        }
        if abbreviation.scalars.is_empty() {
            return Err(bits.malformed("an abbreviation without a record code"));
        }
        Ok(abbreviation)
    }

    /// Read a record of this shape.
    pub fn read<'a>(&self, bits: &mut Bits<'a>, record: &mut Record<'a>) -> Result<(), Error> {
        let (code, operands) = self.scalars.split_first().expect("definitions have a code");
        record.code = u32::try_from(read_scalar(bits, *code)?).unwrap_or(u32::MAX);
        record.blob = None;
        record.values.clear();
        for &operand in operands {
            record.values.push(read_scalar(bits, operand)?);
        }
        match self.tail {
            Tail::Nothing => {}
            Tail::Array(element) => {
                let count = bits.read_vbr(6)?;
                bits.require(count, u64::from(width(element)))?;
                record.values.reserve(count as usize);
                for _ in 0..count {
                    record.values.push(read_scalar(bits, element)?);
                }
            }
            Tail::Blob => {
                let count = bits.read_vbr(6)?;
                bits.align32()?;
                record.blob = Some(bits.take_bytes(count)?.as_bytes());
                bits.align32()?;
            }
        }
        Ok(())
    }
}

fn read_encoding(bits: &mut Bits<'_>) -> Result<Encoding, Error> {
    if bits.read(1)? == 1 {
        return Ok(Encoding::Scalar(Scalar::Literal(bits.read_vbr(8)?)));
    }
    let kind = bits.read(3)?;
    Ok(match kind {
        1 | 2 => match bits.read_vbr(5)? {
            // A field of no bits can only be zero.
            0 => Encoding::Scalar(Scalar::Literal(0)),
            width @ 1..=64 if kind == 1 => Encoding::Scalar(Scalar::Fixed(width as u32)),
            width @ 2..=32 if kind == 2 => Encoding::Scalar(Scalar::Vbr(width as u32)),
            _ => return Err(bits.malformed("a field of impossible width")),
        },
        3 => Encoding::Array,
        4 => Encoding::Scalar(Scalar::Char6),
        5 => Encoding::Blob,
        _ => return Err(bits.malformed("an unknown operand encoding")),
    })
}

fn width(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Literal(_) => 0,
        Scalar::Fixed(width) | Scalar::Vbr(width) => width,
        Scalar::Char6 => 6,
    }
}

#[inline]
fn read_scalar(bits: &mut Bits<'_>, scalar: Scalar) -> Result<u64, Error> {
    const CHAR6: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    match scalar {
        Scalar::Literal(value) => Ok(value),
        Scalar::Fixed(width) => bits.read(width),
        Scalar::Vbr(width) => bits.read_vbr(width),
        Scalar::Char6 => Ok(u64::from(CHAR6[bits.read(6)? as usize])),
    }
}

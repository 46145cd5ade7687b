//! The outermost layer of a file: an optional wrapper, then identification, modules, string tables.
//!
//! A module's names are in a string table that follows it, so the stream is walked twice: first to
//! list the blocks, which costs only their headers, then to decode each module.

use llvm_bitcode::schema::blocks::{BlockId, IdentificationCode, StrtabCode};

use crate::bitstream::{Block, Entry, Record, Stream};
use crate::error::Error;
use crate::module::Module;

const MAGIC: [u8; 4] = *b"BC\xc0\xde";
const WRAPPER_MAGIC: [u8; 4] = 0x0b17_c0de_u32.to_le_bytes();

/// Decode a file that holds one module.
pub fn decode(bytes: &[u8]) -> Result<Module, Error> {
    let mut modules = decode_all(bytes)?;
    match modules.len() {
        0 => Err(Error::NoModule),
        1 => Ok(modules.remove(0)),
        count => Err(Error::SeveralModules { count }),
    }
}

/// Decode every module of a file.
pub fn decode_all(bytes: &[u8]) -> Result<Vec<Module>, Error> {
    let bytes = unwrap(bytes)?;
    let mut stream = Stream::default();
    let mut record = Record::default();
    let mut top = Block::outermost(bytes);
    top.skip_magic()?;

    let mut producer = String::new();
    let mut found: Vec<(String, Block<'_>)> = Vec::new();
    let mut modules = Vec::new();
    // Tools that pad files leave a few zero bytes, too few for another block.
    while top.remaining_bits() >= 64 {
        let Entry::Block(mut block) = top.next(&mut stream, &mut record)? else {
            return Err(Error::Malformed { byte: top.byte(), what: "a record outside all blocks" });
        };
        if block.id == BlockId::Identification as u32 {
            while block.next_record(&mut stream, &mut record)? {
                if record.code == IdentificationCode::String as u32 {
                    producer = text(&record.values);
                }
            }
        } else if block.id == BlockId::Module as u32 {
            found.push((std::mem::take(&mut producer), block));
        } else if block.id == BlockId::Strtab as u32 {
            let mut strings: &[u8] = &[];
            while block.next_record(&mut stream, &mut record)? {
                if record.code == StrtabCode::Blob as u32 {
                    strings = record.blob.unwrap_or_default();
                }
            }
            for (producer, block) in found.drain(..) {
                modules.push(crate::decode::module(block, strings, producer)?);
            }
        }
    }
    for (producer, block) in found {
        modules.push(crate::decode::module(block, &[], producer)?);
    }
    Ok(modules)
}

/// The bitcode inside a wrapper such as Apple's: magic, version, offset, size, processor.
fn unwrap(bytes: &[u8]) -> Result<&[u8], Error> {
    if bytes.starts_with(&WRAPPER_MAGIC) {
        let word = |index: usize| -> Result<usize, Error> {
            let word = bytes
                .get(index * 4..index * 4 + 4)
                .ok_or(Error::Truncated { byte: bytes.len() })?;
            Ok(u32::from_le_bytes(word.try_into().expect("a slice of four bytes")) as usize)
        };
        let (offset, size) = (word(2)?, word(3)?);
        let inner = offset.checked_add(size).and_then(|end| bytes.get(offset..end));
        let inner = inner.ok_or(Error::Truncated { byte: bytes.len() })?;
        return if inner.starts_with(&MAGIC) { Ok(inner) } else { Err(Error::NotBitcode) };
    }
    if bytes.starts_with(&MAGIC) { Ok(bytes) } else { Err(Error::NotBitcode) }
}

/// The string that a record spells one character per operand.
pub(crate) fn text(values: &[u64]) -> String {
    let bytes: Vec<u8> = values.iter().map(|&value| value as u8).collect();
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    }
}

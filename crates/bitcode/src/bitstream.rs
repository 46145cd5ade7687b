//! The bitstream container: nested blocks of records, packed by abbreviations.
//!
//! This is the layer the LLVM manual calls "LLVM Bitcode File Format: Bitstream Format". The crate
//! `llvm-bitcode` has a reader too, but it trusts lengths it finds in the file (it reserves memory
//! for them and adds them without a check), so a corrupt file can stop the program; this one checks
//! every length against the bytes that are left. Every block is entered through its length word, so
//! a reader may leave a block early and nothing here recurses.

mod abbreviation;
mod bits;

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::error::Error;
use crate::limits::SHARED_ABBREVIATIONS;
use abbreviation::Abbreviation;
pub(crate) use bits::Bits;

const END_BLOCK: u64 = 0;
const ENTER_SUBBLOCK: u64 = 1;
const DEFINE_ABBREVIATION: u64 = 2;
const UNABBREVIATED: u64 = 3;
const FIRST_ABBREVIATION: u64 = 4;
const BLOCKINFO: u32 = 0;
const SETBID: u32 = 1;

/// The shared state of the stream: abbreviations that BLOCKINFO defines for every block of a kind.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    shared: BTreeMap<u32, Vec<Rc<Abbreviation>>>,
}

/// One record; reused for record after record so that reading does not allocate.
#[derive(Debug, Default)]
pub(crate) struct Record<'a> {
    pub code: u32,
    pub values: Vec<u64>,
    pub blob: Option<&'a [u8]>,
    /// The byte at which the record ends.
    pub byte: usize,
}

/// The next thing in a block.
#[derive(Debug)]
pub(crate) enum Entry<'a> {
    Block(Block<'a>),
    /// A record, now in the caller's buffer.
    Record,
    End,
}

/// A position inside a block.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    pub id: u32,
    bits: Bits<'a>,
    width: u32,
    abbreviations: Vec<Rc<Abbreviation>>,
}

impl<'a> Block<'a> {
    /// The stream itself, seen as the block that contains all others.
    pub fn outermost(bytes: &'a [u8]) -> Block<'a> {
        Block { id: u32::MAX, bits: Bits::new(bytes), width: 2, abbreviations: Vec::new() }
    }

    /// The byte the reader has reached.
    pub fn byte(&self) -> usize {
        self.bits.byte()
    }

    /// How many bits are left: an upper bound on anything the rest of the block can describe.
    pub fn remaining_bits(&self) -> usize {
        self.bits.remaining()
    }

    /// Skip the stream's magic number.
    pub fn skip_magic(&mut self) -> Result<(), Error> {
        self.bits.read(32).map(|_| ())
    }

    /// The next sub-block or record; abbreviation definitions are processed on the way.
    pub fn next(
        &mut self,
        stream: &mut Stream,
        record: &mut Record<'a>,
    ) -> Result<Entry<'a>, Error> {
        loop {
            match self.bits.read(self.width)? {
                END_BLOCK => return Ok(Entry::End),
                ENTER_SUBBLOCK => {
                    let block = self.enter(stream)?;
                    if block.id == BLOCKINFO {
                        block.read_blockinfo(stream)?;
                    } else {
                        return Ok(Entry::Block(block));
                    }
                }
                DEFINE_ABBREVIATION => {
                    let abbreviation = Abbreviation::define(&mut self.bits)?;
                    self.abbreviations.push(Rc::new(abbreviation));
                }
                UNABBREVIATED => {
                    self.read_unabbreviated(record)?;
                    return Ok(Entry::Record);
                }
                id => {
                    let index = (id - FIRST_ABBREVIATION) as usize;
                    let Some(abbreviation) = self.abbreviations.get(index) else {
                        return Err(self.bits.malformed("a record uses an undefined abbreviation"));
                    };
                    abbreviation.read(&mut self.bits, record)?;
                    record.byte = self.bits.byte();
                    return Ok(Entry::Record);
                }
            }
        }
    }

    /// The next record, stepping over sub-blocks; `false` at the end of the block.
    pub fn next_record(
        &mut self,
        stream: &mut Stream,
        record: &mut Record<'a>,
    ) -> Result<bool, Error> {
        loop {
            match self.next(stream, record)? {
                Entry::Block(_) => {}
                Entry::Record => return Ok(true),
                Entry::End => return Ok(false),
            }
        }
    }

    fn enter(&mut self, stream: &Stream) -> Result<Block<'a>, Error> {
        let id = self.bits.read_vbr(8)?;
        let width = self.bits.read_vbr(4)?;
        self.bits.align32()?;
        let words = self.bits.read(32)?;
        let bits = self.bits.take_bytes(words * 4)?;
        let (Ok(id), 2..=32) = (u32::try_from(id), width) else {
            return Err(self.bits.malformed("a block header is out of range"));
        };
        let abbreviations = stream.shared.get(&id).cloned().unwrap_or_default();
        Ok(Block { id, bits, width: width as u32, abbreviations })
    }

    fn read_unabbreviated(&mut self, record: &mut Record<'a>) -> Result<(), Error> {
        let code = self.bits.read_vbr(6)?;
        let count = self.bits.read_vbr(6)?;
        // Each operand takes at least one group of six bits.
        self.bits.require(count, 6)?;
        record.code = u32::try_from(code).unwrap_or(u32::MAX);
        record.blob = None;
        record.values.clear();
        for _ in 0..count {
            record.values.push(self.bits.read_vbr(6)?);
        }
        record.byte = self.bits.byte();
        Ok(())
    }

    fn read_blockinfo(mut self, stream: &mut Stream) -> Result<(), Error> {
        let mut target = None;
        let mut record = Record::default();
        loop {
            match self.bits.read(self.width)? {
                END_BLOCK => return Ok(()),
                DEFINE_ABBREVIATION => {
                    let abbreviation = Rc::new(Abbreviation::define(&mut self.bits)?);
                    let Some(id) = target else {
                        return Err(self.bits.malformed("an abbreviation for no block"));
                    };
                    let shared = stream.shared.entry(id).or_default();
                    if shared.len() >= SHARED_ABBREVIATIONS {
                        return Err(self
                            .bits
                            .malformed("too many abbreviations for one kind of block"));
                    }
                    shared.push(abbreviation);
                }
                UNABBREVIATED => {
                    self.read_unabbreviated(&mut record)?;
                    if record.code == SETBID {
                        target = record.values.first().and_then(|&id| u32::try_from(id).ok());
                    }
                }
                _ => return Err(self.bits.malformed("an unexpected item in block info")),
            }
        }
    }
}

//! Byte memory: objects, and what their bytes hold.
//!
//! The objects ([`Objects`]: size, storage, liveness, address) belong to the execution; the contents of their
//! bytes ([`Bytes`]) are a value like any other. An access is checked against both: it must lie within a live
//! object, and the bytes that it reads must have been written. Anything else is an error, because the front
//! end must have asserted before the access that it cannot happen.
//!
//! Memory holds words of whole bytes, lowest byte first, and pointers. A pointer takes eight bytes, which are
//! those of its address ([`ir::address`]); eight bytes from another source (a copy byte by byte, an integer)
//! are the pointer whose address they are.
//!
//! Every byte of an object of the environment has a value: zero by default.

use std::collections::BTreeMap;
use std::fmt;

use ir::address::{ENVIRONMENT, LARGEST_OBJECT, NO_OBJECT, address, at_address};
use ir::{Storage, Type};
use rpds::RedBlackTreeMapSync;

use crate::error::{EvalError, Undefined};
use crate::limits::COPIED_BYTES;
use crate::value::Value;
use crate::word::Word;

/// A pointer: an object and a byte offset. Object zero is no object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Pointer {
    /// The object, from one; zero for none.
    pub object: u64,
    /// The offset in bytes; it may lie outside the object.
    pub offset: i64,
}

impl Pointer {
    /// `null`.
    pub const NULL: Pointer = Pointer { object: 0, offset: 0 };

    /// The start of an object.
    pub fn to(object: u64) -> Pointer {
        Pointer { object, offset: 0 }
    }

    /// The pointer this many bytes behind. What is behind `null` is a small integer.
    pub fn moved(self, bytes: i64) -> Pointer {
        let offset = self.offset.wrapping_add(bytes);
        match self.object {
            0 => Pointer::at(address(0, offset)),
            object => Pointer { object, offset },
        }
    }

    /// Its address.
    pub fn address(self) -> u64 {
        address(self.object, self.offset)
    }

    /// The pointer with this address.
    pub fn at(address: u64) -> Pointer {
        let (object, offset) = at_address(address);
        Pointer { object, offset }
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Pointer::NULL => write!(out, "null"),
            Pointer { object: 0, offset } => write!(out, "address {offset}"),
            Pointer { object: NO_OBJECT, .. } => write!(out, "address {}", self.address() as i64),
            Pointer { object, offset: 0 } => write!(out, "&object{}", shown_number(object)),
            Pointer { object, offset } => write!(out, "&object{}{offset:+}", shown_number(object)),
        }
    }
}

/// The printed number of an object: those of the environment have numbers of their own.
fn shown_number(object: u64) -> u64 {
    object.checked_sub(ENVIRONMENT).map_or(object, |given| given + 1)
}

/// A moment in the life of the objects: the number of allocations and deallocations before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Time(u64);

/// An object at the start of an execution, or one that an unknown function allocates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewObject {
    /// Its size in bytes.
    pub size: u64,
    /// Where it lives.
    pub storage: Storage,
    /// Whether it is live; one that is not has been freed already.
    pub live: bool,
    /// Its number, if it matters; else it is the next.
    pub number: Option<u64>,
}

impl NewObject {
    /// A live object.
    pub fn new(size: u64, storage: Storage) -> NewObject {
        NewObject { size, storage, live: true, number: None }
    }

    /// The same with this number.
    #[must_use]
    pub fn numbered(self, number: u64) -> NewObject {
        NewObject { number: Some(number), ..self }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Object {
    size: u64,
    storage: Storage,
    born: Time,
    died: Option<Time>,
}

/// The objects of an execution, past and present. Objects are never removed, so an earlier state of them
/// needs no copy.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Objects {
    /// The execution's own and static ones, by number less one.
    own: Vec<Option<Object>>,
    /// Those of the environment.
    given: BTreeMap<u64, Object>,
    changes: u64,
}

impl Objects {
    /// The present.
    pub fn now(&self) -> Time {
        Time(self.changes)
    }

    /// The number that the next object gets unless it has one.
    pub fn next(&self) -> u64 {
        self.own.len() as u64 + 1
    }

    /// The number that the next object of the environment gets unless it has one.
    pub fn next_given(&self) -> u64 {
        self.given.keys().next_back().map_or(ENVIRONMENT, |last| *last + 1)
    }

    /// Allocates an object and returns its number.
    ///
    /// # Errors
    /// If it is too large, or its number is taken or out of range.
    pub fn allocate(&mut self, new: &NewObject) -> Result<u64, EvalError> {
        let number = new.number.unwrap_or(self.next());
        if new.size > LARGEST_OBJECT {
            let why = format!("an object of {} bytes has no room in the address space", new.size);
            return Err(EvalError::BadDecision(why));
        }
        if number == 0 || number >= NO_OBJECT || self.get(number, Time(u64::MAX)).is_some() {
            return Err(EvalError::BadDecision(format!("no object can have the number {number}")));
        }
        self.changes += 1;
        let born = self.now();
        let died = (!new.live).then_some(born);
        let object = Object { size: new.size, storage: new.storage, born, died };
        if number >= ENVIRONMENT {
            self.given.insert(number, object);
        } else {
            let index = number as usize - 1;
            self.own.resize(self.own.len().max(index + 1), None);
            self.own[index] = Some(object);
        }
        Ok(number)
    }

    /// Ends the life of an object; what is not a live object stays as it is.
    pub fn free(&mut self, object: u64) {
        if self.is_live(object, self.now()) {
            self.changes += 1;
            let now = self.now();
            let object = match self.given.get_mut(&object) {
                Some(given) => Some(given),
                None => self.own[object as usize - 1].as_mut(),
            };
            if let Some(object) = object {
                object.died = Some(now);
            }
        }
    }

    fn get(&self, object: u64, time: Time) -> Option<&Object> {
        let found = if object >= ENVIRONMENT {
            self.given.get(&object)
        } else {
            let index = usize::try_from(object).ok()?.checked_sub(1)?;
            self.own.get(index)?.as_ref()
        };
        found.filter(|object| object.born <= time)
    }

    /// The size in bytes of an object at a time; zero for no object.
    pub fn size(&self, object: u64, time: Time) -> u64 {
        self.get(object, time).map_or(0, |object| object.size)
    }

    /// Whether an object is allocated and not freed at a time.
    pub fn is_live(&self, object: u64, time: Time) -> bool {
        self.get(object, time).is_some_and(|object| object.died.is_none_or(|died| time < died))
    }

    /// Where an object lives, if it exists at a time.
    pub fn storage(&self, object: u64, time: Time) -> Option<Storage> {
        Some(self.get(object, time)?.storage)
    }

    /// The offset of an access to this many bytes.
    pub(crate) fn check(&self, pointer: Pointer, size: u64, time: Time) -> Result<u64, EvalError> {
        let Some(object) = self.get(pointer.object, time) else {
            return Err(Undefined::OutOfRange(pointer, size).into());
        };
        if object.died.is_some_and(|died| died <= time) {
            return Err(Undefined::Dead(pointer).into());
        }
        let offset = u64::try_from(pointer.offset).ok();
        let inside =
            offset.filter(|offset| offset.checked_add(size).is_some_and(|end| end <= object.size));
        inside.ok_or_else(|| Undefined::OutOfRange(pointer, size).into())
    }
}

/// How many bytes a value of the type takes, if memory has a view of it.
pub fn view_size(ty: &Type) -> Option<u64> {
    match ty {
        Type::Bv(width) if width % 8 == 0 => Some(u64::from(width / 8)),
        Type::Ptr => Some(8),
        Type::Bool
        | Type::Bv(_)
        | Type::Int
        | Type::Sort(_)
        | Type::Map(..)
        | Type::Seq(_)
        | Type::Record(_)
        | Type::Variant(_)
        | Type::Bytes => None,
    }
}

/// The contents of all objects, byte by byte; a byte is written or not.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Bytes(Pages);

/// The written bytes, by object and number of the page. Copies share unchanged pages.
type Pages = RedBlackTreeMapSync<(u64, u64), Page>;

/// So many bytes are kept together.
pub(crate) const PAGE: u64 = 64;

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Page {
    /// Which bytes are written, one bit each.
    written: u64,
    bytes: [u8; PAGE as usize],
}

impl Bytes {
    /// The value of a type at a pointer.
    ///
    /// # Errors
    /// If the bytes are not all within a live object and written, or the type has no view.
    pub fn load(
        &self,
        objects: &Objects,
        time: Time,
        pointer: Pointer,
        ty: &Type,
    ) -> Result<Value, EvalError> {
        let size = view_size(ty).ok_or_else(|| EvalError::no_view(ty))?;
        let offset = objects.check(pointer, size, time)?;
        let mut small = [0; 8];
        let mut large = Vec::new();
        let bytes = if size <= 8 {
            &mut small[..size as usize]
        } else {
            large.resize(size as usize, 0);
            &mut large[..]
        };
        self.read(pointer.object, offset, bytes)?;
        Ok(match ty {
            Type::Ptr => Value::Ptr(Pointer::at(u64::from_le_bytes(small))),
            _ => Value::Bv(Word::from_bytes(8 * size as u32, bytes)),
        })
    }

    /// The byte at a pointer, zero if it was never written.
    ///
    /// # Errors
    /// If it is not within a live object.
    pub fn peek(&self, objects: &Objects, time: Time, pointer: Pointer) -> Result<u8, EvalError> {
        let offset = objects.check(pointer, 1, time)?;
        Ok(self.byte(pointer.object, offset).unwrap_or(0))
    }

    /// Whether the bytes from a pointer on are all written.
    ///
    /// # Errors
    /// If they are not within a live object.
    pub fn is_written(
        &self,
        objects: &Objects,
        time: Time,
        pointer: Pointer,
        count: u64,
    ) -> Result<bool, EvalError> {
        let offset = objects.check(pointer, count, time)?;
        let mut bytes = offset..offset + count;
        Ok(bytes.all(|offset| self.byte(pointer.object, offset).is_some()))
    }

    /// Writes a value of a type at a pointer.
    ///
    /// # Errors
    /// If the bytes are not all within a live object, or the type has no view.
    pub fn store(
        &mut self,
        objects: &Objects,
        time: Time,
        pointer: Pointer,
        ty: &Type,
        value: &Value,
    ) -> Result<(), EvalError> {
        let size = view_size(ty).ok_or_else(|| EvalError::no_view(ty))?;
        let offset = objects.check(pointer, size, time)?;
        match value {
            Value::Bv(word) => match word.small() {
                Some(bits) => {
                    self.write(pointer.object, offset, &bits.to_le_bytes()[..size as usize]);
                }
                None => self.write(pointer.object, offset, &word.to_bytes()),
            },
            Value::Ptr(stored) => {
                self.write(pointer.object, offset, &stored.address().to_le_bytes());
            }
            Value::Bool(_)
            | Value::Int(_)
            | Value::Atom(..)
            | Value::Map(_)
            | Value::Seq(_)
            | Value::Record(..)
            | Value::Variant(..)
            | Value::Bytes(_) => return Err(EvalError::no_view(ty)),
        }
        Ok(())
    }

    /// Copies bytes from one pointer to another, those that are not written as such.
    ///
    /// # Errors
    /// If the bytes are not all within live objects, or too many. No bytes are within anything.
    pub fn copy(
        &mut self,
        objects: &Objects,
        time: Time,
        to: Pointer,
        from: Pointer,
        count: u64,
    ) -> Result<(), EvalError> {
        if count == 0 {
            return Ok(());
        }
        let source = objects.check(from, count, time)?;
        let target = objects.check(to, count, time)?;
        bearable(count)?;
        let cells: Vec<Option<u8>> =
            (source..source + count).map(|offset| self.byte(from.object, offset)).collect();
        // Whole sequences of written bytes are written at once, and the others are removed.
        let mut start = 0;
        while start < cells.len() {
            let is_written = cells[start].is_some();
            let run = cells[start..].iter().take_while(|cell| cell.is_some() == is_written).count();
            let at = target + start as u64;
            if is_written {
                let bytes: Vec<u8> = cells[start..start + run].iter().copied().flatten().collect();
                self.write(to.object, at, &bytes);
            } else {
                self.forget(to.object, at, run as u64);
            }
            start += run;
        }
        Ok(())
    }

    /// Writes the same byte many times.
    ///
    /// # Errors
    /// If the bytes are not all within a live object, or too many. No bytes are within anything.
    pub fn fill(
        &mut self,
        objects: &Objects,
        time: Time,
        pointer: Pointer,
        byte: u8,
        count: u64,
    ) -> Result<(), EvalError> {
        if count == 0 {
            return Ok(());
        }
        let start = objects.check(pointer, count, time)?;
        bearable(count)?;
        let block = [byte; PAGE as usize];
        let mut done = 0;
        while done < count {
            let piece = (count - done).min(PAGE);
            self.write(pointer.object, start + done, &block[..piece as usize]);
            done += piece;
        }
        Ok(())
    }

    /// The same with the bytes that another has written over it.
    #[must_use]
    pub fn overwritten(&self, by: &Bytes) -> Bytes {
        let mut all = self.clone();
        for (object, offset, byte) in by.written() {
            all.write(object, offset, &[byte]);
        }
        all
    }

    /// The byte of an object at an offset, if it was written.
    pub fn written_at(&self, object: u64, offset: u64) -> Option<u8> {
        let (page, index, _) = piece(offset, 1);
        let page = self.0.get(&(object, page))?;
        (page.written >> index & 1 == 1).then_some(page.bytes[index])
    }

    /// The byte of an object at an offset, if it is written.
    fn byte(&self, object: u64, offset: u64) -> Option<u8> {
        self.written_at(object, offset).or(is_filled(object).then_some(0))
    }

    /// Makes bytes of an object as if they were never written.
    pub(crate) fn forget(&mut self, object: u64, offset: u64, count: u64) {
        let mut done = 0;
        while done < count {
            let (number, start, size) = piece(offset + done, (count - done) as usize);
            if let Some(page) = self.0.get_mut(&(object, number)) {
                page.written &= !run_of_ones(start, size);
                page.bytes[start..start + size].fill(0);
                if page.written == 0 {
                    self.0.remove_mut(&(object, number));
                }
            }
            done += size as u64;
        }
    }

    /// Writes bytes into an object without looking whether it has room; for building inputs.
    pub fn write(&mut self, object: u64, offset: u64, bytes: &[u8]) {
        let mut done = 0;
        while done < bytes.len() {
            let (page, start, count) = piece(offset + done as u64, bytes.len() - done);
            let key = (object, page);
            if !self.0.contains_key(&key) {
                self.0.insert_mut(key, Page { written: 0, bytes: [0; PAGE as usize] });
            }
            if let Some(page) = self.0.get_mut(&key) {
                page.bytes[start..start + count].copy_from_slice(&bytes[done..done + count]);
                page.written |= run_of_ones(start, count);
            }
            done += count;
        }
    }

    fn read(&self, object: u64, offset: u64, bytes: &mut [u8]) -> Result<(), EvalError> {
        let mut done = 0;
        while done < bytes.len() {
            let (page, start, count) = piece(offset + done as u64, bytes.len() - done);
            let page = self.0.get(&(object, page));
            let wanted = run_of_ones(start, count);
            let missing = wanted & !page.map_or(0, |page| page.written);
            if missing != 0 && !is_filled(object) {
                let first = u64::from(missing.trailing_zeros()) - start as u64;
                let at = (offset + done as u64 + first) as i64;
                return Err(Undefined::Byte(Pointer { object, offset: at }).into());
            }
            if let Some(page) = page {
                bytes[done..done + count].copy_from_slice(&page.bytes[start..start + count]);
            }
            done += count;
        }
        Ok(())
    }

    /// The eight bytes at each offset that are all written, as the pointer whose address they are: object,
    /// offset and pointer, in order.
    pub fn pointers(&self) -> impl Iterator<Item = (u64, u64, Pointer)> + '_ {
        let bytes: Vec<(u64, u64, u8)> = self.written().collect();
        let starts = 0..bytes.len().saturating_sub(7);
        starts.filter_map(move |start| {
            let (object, offset, _) = bytes[start];
            let (last, end, _) = bytes[start + 7];
            let mut word = [0; 8];
            for (place, (.., byte)) in bytes[start..start + 8].iter().enumerate() {
                word[place] = *byte;
            }
            let pointer = Pointer::at(u64::from_le_bytes(word));
            (last == object && end == offset + 7).then_some((object, offset, pointer))
        })
    }

    /// The bytes that are written, as object, offset and byte in order.
    pub fn written(&self) -> impl Iterator<Item = (u64, u64, u8)> + '_ {
        self.0.iter().flat_map(|((object, number), page)| {
            let set = (0..PAGE).filter(|index| page.written >> index & 1 == 1);
            set.map(move |index| (*object, number * PAGE + index, page.bytes[index as usize]))
        })
    }
}

fn bearable(count: u64) -> Result<(), EvalError> {
    if count <= COPIED_BYTES { Ok(()) } else { Err(EvalError::OutOfSteps) }
}

/// Whether every byte of an object has a value, written or not.
fn is_filled(object: u64) -> bool {
    object >= ENVIRONMENT
}

/// The page of an offset, the place in it, and how many of the bytes lie in that page.
fn piece(offset: u64, count: usize) -> (u64, usize, usize) {
    let start = (offset % PAGE) as usize;
    (offset / PAGE, start, count.min(PAGE as usize - start))
}

fn run_of_ones(start: usize, count: usize) -> u64 {
    (u64::MAX >> (PAGE as usize - count)) << start
}

#[cfg(test)]
mod tests;

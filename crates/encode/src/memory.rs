//! Byte memory: objects, and pointers into them.
//!
//! A pointer is a word: the object's number in its upper sixteen bits, the offset below. An object's
//! bytes are an array from offsets to bytes, each with a bit that says whether it was ever written.
//! Which object a pointer means is decided by comparing its upper bits with the number of each
//! object; where a pointer is one of a few known ones those comparisons fold into the conditions that
//! choose between them, which are the guarded locations of paper 2, §2.4.
//!
//! Objects are numbered before the walk: `null` is zero, then come those that belong to the
//! environment, then one for each statement that allocates.

use std::rc::Rc;

use circuit::{Array, Bits, Gate};
use interpret::view_size;
use ir::{Memory, Op, Storage, Type};

use crate::context::Context;
use crate::escape::Escape;
use crate::sym::{Sym, bits_for};

/// Bits of a pointer that are its offset.
pub(crate) const OFFSET: usize = 48;
/// Bits of a pointer that are its object.
const OBJECT: usize = 16;

/// Operations on constant numbers of bytes are followed up to this one.
const LONGEST: usize = 1024;

/// What is known of an object beside its bytes: its size, whether it is live, whether it came from
/// the heap, and whether it has been allocated at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    pub(crate) size: Bits,
    pub(crate) live: Gate,
    pub(crate) heap: Gate,
}

impl Object {
    /// Nothing there.
    pub(crate) fn absent() -> Object {
        Object { size: Bits::zero(64), live: Gate::FALSE, heap: Gate::FALSE }
    }
}

impl Context<'_> {
    /// A pointer of the environment's: `null`, or the start of one of its objects.
    pub(crate) fn fresh_pointer(&mut self) -> Sym {
        let object = self.fresh_below(self.scope.objects + 1).zero_extend(OBJECT);
        Sym::Bits(Bits::zero(OFFSET).concat(&object))
    }

    /// Whether a pointer is one of the environment's.
    pub(crate) fn is_initial_pointer(&mut self, pointer: &Bits) -> Gate {
        let (offset, object) = split(pointer);
        let start = self.circuit.is_zero(&offset);
        let known = self.is_at_most(&object, self.scope.objects);
        self.circuit.and(start, known)
    }

    /// The start of the object with this number.
    pub(crate) fn pointer_to(&mut self, object: u32) -> Sym {
        Sym::Bits(Bits::zero(OFFSET).concat(&Bits::constant(OBJECT, u128::from(object))))
    }

    /// Memory of which nothing is known: every byte of the environment's objects and of static ones has
    /// some value, those of all others have none.
    pub(crate) fn fresh_memory(&mut self) -> Sym {
        let arrays = (0..=self.objects).map(|object| self.initial_contents(object)).collect();
        Sym::Bytes(Rc::new(arrays))
    }

    /// The environment's objects and room for all others.
    pub(crate) fn initial_objects(&mut self) -> Vec<Object> {
        let mut objects = vec![Object::absent(); self.objects as usize + 1];
        for object in &mut objects[1..=self.scope.objects as usize] {
            let size = self.fresh_below(self.scope.object_size + 1).zero_extend(64);
            *object = Object { size, live: Gate::TRUE, heap: self.circuit.input() };
        }
        let statics = objects[self.scope.objects as usize + 1..].iter_mut().zip(&self.statics);
        for (object, &position) in statics {
            let size = Bits::constant(64, u128::from(self.module.objects[position].size));
            *object = Object { size, live: Gate::TRUE, heap: Gate::FALSE };
        }
        objects
    }

    /// A newly allocated object of this size.
    pub(crate) fn allocated(&mut self, size: &Bits, storage: Storage) -> Object {
        let heap = Gate::constant(storage == Storage::Heap);
        Object { size: size.clone(), live: Gate::TRUE, heap }
    }

    /// For each object but `null`, whether the pointer is into it.
    pub(crate) fn objects_of(&mut self, pointer: &Bits) -> Vec<Gate> {
        let object = pointer.extract(OFFSET..64);
        (1..=self.objects)
            .map(|number| {
                let number = Bits::constant(OBJECT, u128::from(number));
                self.circuit.equal(&object, &number)
            })
            .collect()
    }

    /// Operators on pointers and memory.
    pub(crate) fn memory_op(&mut self, op: &Op, operands: &[Sym], ty: &Type) -> Sym {
        match (op, operands) {
            (Op::PtrAdd, [pointer, bytes]) => {
                let (offset, object) = split(pointer.bits());
                let exact = self.circuit.add(&offset.sign_extend(64), bytes.bits());
                let lost = self.circuit.truncation_loses_signed(&exact, OFFSET);
                let mut offset = exact.extract(0..OFFSET);
                if self.under() {
                    self.escape(lost, Escape::Integer);
                } else if lost != Gate::FALSE {
                    let unknown = self.circuit.fresh_bits(OFFSET);
                    offset = self.circuit.select(lost, &unknown, &offset);
                }
                Sym::Bits(offset.concat(&object))
            }
            (Op::PtrOffset, [pointer]) => Sym::Bits(split(pointer.bits()).0.sign_extend(64)),
            (Op::PtrSameObject, [a, b]) => {
                let (a, b) = (split(a.bits()).1, split(b.bits()).1);
                Sym::Bool(self.circuit.equal(&a, &b))
            }
            (Op::PtrToBv, [pointer]) | (Op::BvToPtr, [pointer]) => pointer.clone(),
            (Op::Memory(Memory::Load(_)), [memory, pointer]) => {
                self.load(memory.memory(), pointer.bits(), ty)
            }
            (Op::Memory(Memory::Peek), [memory, pointer]) => {
                self.peek(memory.memory(), pointer.bits())
            }
            (Op::Memory(Memory::Store(ty)), [memory, pointer, value]) => {
                self.store(memory.memory(), pointer.bits(), ty, value)
            }
            (Op::Memory(Memory::Copy), [memory, to, from, count]) => {
                self.copy(memory.memory(), to.bits(), from.bits(), count.bits())
            }
            (Op::Memory(Memory::Fill), [memory, to, byte, count]) => {
                self.fill(memory.memory(), to.bits(), byte.bits(), count.bits())
            }
            (op, _) => unreachable!("{op:?} is no operator on memory"),
        }
    }

    /// What is known of the object that a pointer is into.
    pub(crate) fn object_fact(&mut self, objects: &[Object], fact: &Memory, pointer: &Sym) -> Sym {
        let hits = self.objects_of(pointer.bits());
        let mut size = Bits::zero(64);
        let (mut live, mut heap) = (Gate::FALSE, Gate::FALSE);
        for (hit, object) in hits.iter().zip(&objects[1..]) {
            size = self.circuit.select(*hit, &object.size, &size);
            live = self.circuit.ite(*hit, object.live, live);
            heap = self.circuit.ite(*hit, object.heap, heap);
        }
        match fact {
            Memory::ObjectSize => Sym::Bits(size),
            Memory::IsLive => Sym::Bool(live),
            Memory::IsHeap => Sym::Bool(heap),
            other => unreachable!("{other:?} is no fact about an object"),
        }
    }

    fn load(&mut self, memory: &Rc<Vec<Array>>, pointer: &Bits, ty: &Type) -> Sym {
        let Some(bytes) = view_size(ty) else { return self.beyond(ty) };
        let bytes = bytes as usize;
        let hits = self.objects_of(pointer);
        let mut word: Vec<Gate> = Vec::with_capacity(8 * bytes);
        let mut written = Vec::with_capacity(bytes);
        for byte in 0..bytes {
            let read = self.cell(memory, &hits, pointer, byte);
            word.extend(&read.gates()[..8]);
            written.push(read.gates()[8]);
        }
        let written = self.circuit.and_all(written);
        self.escape(!written, Escape::Undefined);
        Sym::Bits(Bits::from(word))
    }

    fn peek(&mut self, memory: &Rc<Vec<Array>>, pointer: &Bits) -> Sym {
        let hits = self.objects_of(pointer);
        let cell = self.cell(memory, &hits, pointer, 0);
        let written = cell.gates()[8];
        Sym::Bits(self.circuit.select(written, &cell.extract(0..8), &Bits::zero(8)))
    }

    pub(crate) fn store(
        &mut self,
        memory: &Rc<Vec<Array>>,
        pointer: &Bits,
        ty: &Type,
        value: &Sym,
    ) -> Sym {
        let Some(bytes) = view_size(ty) else { return self.beyond(&Type::Bytes) };
        let bytes = bytes as usize;
        let hits = self.objects_of(pointer);
        let word = value.bits();
        let mut memory = (**memory).clone();
        for byte in 0..bytes {
            let offset = self.byte_offset(pointer, byte);
            let value = word.extract(8 * byte..8 * byte + 8).concat(&Bits::ones(1));
            for (number, hit) in hits.iter().enumerate() {
                let array = &mut memory[number + 1];
                *array = self.arrays.write(*array, *hit, &offset, &value);
            }
        }
        Sym::Bytes(Rc::new(memory))
    }

    /// A byte and whether it was written, so many bytes behind a pointer into one of the objects.
    fn cell(&mut self, memory: &[Array], hits: &[Gate], pointer: &Bits, byte: usize) -> Bits {
        let offset = self.byte_offset(pointer, byte);
        let mut read = Bits::zero(9);
        for (number, hit) in hits.iter().enumerate() {
            if *hit != Gate::FALSE {
                let mut there = self.arrays.read(&mut self.circuit, memory[number + 1], &offset);
                if self.is_given(number as u32 + 1) {
                    there = there.extract(0..8).concat(&Bits::ones(1));
                }
                read = self.circuit.select(*hit, &there, &read);
            }
        }
        read
    }

    fn copy(&mut self, memory: &Rc<Vec<Array>>, to: &Bits, from: &Bits, count: &Bits) -> Sym {
        let most = self.most_bytes(count);
        let hits = self.objects_of(from);
        let cells: Vec<Bits> = (0..most).map(|byte| self.cell(memory, &hits, from, byte)).collect();
        self.write_cells(memory, to, count, &cells)
    }

    fn fill(&mut self, memory: &Rc<Vec<Array>>, to: &Bits, byte: &Bits, count: &Bits) -> Sym {
        let most = self.most_bytes(count);
        let cell = byte.concat(&Bits::ones(1));
        self.write_cells(memory, to, count, &vec![cell; most])
    }

    /// How many bytes an operation of this length is followed for; longer ones leave the scope.
    fn most_bytes(&mut self, count: &Bits) -> usize {
        let most = match count.as_constant() {
            Some(constant) => usize::try_from(constant).map_or(LONGEST, |count| count.min(LONGEST)),
            None => self.scope.object_size as usize,
        };
        let limit = Bits::constant(count.width(), most as u128);
        let beyond = self.circuit.ult(&limit, count);
        self.escape(beyond, Escape::Operation("a copy of so many bytes"));
        most
    }

    /// Memory with the first of these cells, as many as are counted, behind a pointer.
    fn write_cells(
        &mut self,
        memory: &Rc<Vec<Array>>,
        to: &Bits,
        count: &Bits,
        cells: &[Bits],
    ) -> Sym {
        let hits = self.objects_of(to);
        let mut memory = (**memory).clone();
        for (byte, cell) in cells.iter().enumerate() {
            let number = Bits::constant(count.width(), byte as u128);
            let within = self.circuit.ult(&number, count);
            let offset = self.byte_offset(to, byte);
            for (object, hit) in hits.iter().enumerate() {
                let hit = self.circuit.and(*hit, within);
                let array = &mut memory[object + 1];
                *array = self.arrays.write(*array, hit, &offset, cell);
            }
        }
        Sym::Bytes(Rc::new(memory))
    }

    fn byte_offset(&mut self, pointer: &Bits, byte: usize) -> Bits {
        let offset = pointer.extract(0..OFFSET);
        self.circuit.add(&offset, &Bits::constant(OFFSET, byte as u128))
    }
}

/// The offset and the object of a pointer.
fn split(pointer: &Bits) -> (Bits, Bits) {
    (pointer.extract(0..OFFSET), pointer.extract(OFFSET..64))
}

/// The number of bits that name this many objects fits a pointer.
pub(crate) fn nameable(objects: u32) -> bool {
    bits_for(objects + 1) <= OBJECT
}

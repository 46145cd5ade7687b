//! Byte memory: objects, and pointers into them.
//!
//! A pointer is its address ([`ir::address`]). Which object it means is decided by comparing numbers; where a
//! pointer is one of a few known ones those comparisons fold into the conditions that choose between them,
//! which are the guarded locations of Xie & Aiken 2007, §2.4.
//!
//! Objects of the environment are as many as anybody asks about: a pointer that comes from it has an open
//! number, and memory is one, not one per object, so objects come into being as pointers lead to them
//! (§3.2). Our own objects are numbered before the walk, one for each statement that allocates.

mod address;
mod contents;
mod environment;
mod may_alias;

use circuit::{Bits, Gate};
use interpret::view_size;
use ir::address::{ENVIRONMENT, LARGEST_OBJECT, NO_OBJECT};
use ir::{Memory, Op, Storage, Type};

use crate::context::Context;
use crate::escape::Escape;
use crate::state::State;
use crate::sym::Sym;
use address::split;
pub(crate) use address::{Address, Addresses, At, OBJECT, OFFSET, same_object, start};
pub(crate) use contents::{CELL, Cells, Contents, Memories, Term, Touched, cells};
pub(crate) use environment::Given;
pub(crate) use may_alias::{MayAlias, may_alias};

/// The known facts about one of the execution's own objects, beside its bytes.
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

    /// A newly allocated object of this size.
    pub(crate) fn allocated(size: &Bits, storage: Storage, live: Gate) -> Object {
        let heap = Gate::constant(storage == Storage::Heap);
        Object { size: size.clone(), live, heap }
    }
}

impl Context<'_> {
    /// The start of the object with this number.
    pub(crate) fn pointer_to(&mut self, object: u32) -> Sym {
        Sym::Bits(Bits::constant(64, u128::from(ir::address::address(u64::from(object), 0))))
    }

    /// Whether an object of this size has an address.
    pub(crate) fn has_room(&mut self, size: &Bits) -> Gate {
        self.circuit.ule(size, &Bits::constant(64, u128::from(LARGEST_OBJECT)))
    }

    /// The end of an object's life.
    pub(crate) fn free(&mut self, state: &mut State, pointer: &Bits) {
        let (_, number) = split(pointer);
        let own = self.own_objects();
        for (at, object) in own.zip(&mut state.objects) {
            let at = Bits::constant(OBJECT, u128::from(at));
            let hit = same_object(&mut self.circuit, &number, &at);
            object.live = self.circuit.and(object.live, !hit);
        }
        let given = number.msb();
        if given != Gate::FALSE {
            let freed = self.freed(state);
            state.freed = Some(self.arrays.write(freed, given, &number, &Bits::ones(1)));
        }
    }

    /// Operators on pointers and memory.
    pub(crate) fn memory_op(&mut self, op: &Op, operands: &[Sym], ty: &Type) -> Sym {
        match (op, operands) {
            (Op::PtrAdd, [pointer, bytes]) => self.moved(pointer.bits(), bytes.bits()),
            (Op::PtrOffset, [pointer]) => Sym::Bits(self.offset(pointer.bits())),
            (Op::PtrSameObject, [a, b]) => {
                let (a, b) = (split(a.bits()).1, split(b.bits()).1);
                Sym::Bool(self.circuit.equal(&a, &b))
            }
            (Op::PtrToBv, [pointer]) | (Op::BvToPtr, [pointer]) => pointer.clone(),
            (Op::Memory(Memory::Load(_)), [memory, pointer]) => {
                self.load(memory.contents(), pointer.bits(), ty)
            }
            (Op::Memory(Memory::Peek), [memory, pointer]) => {
                self.peek(memory.contents(), pointer.bits())
            }
            (Op::Memory(Memory::IsWritten(bytes)), [memory, pointer]) => {
                self.is_written(memory.contents(), pointer.bits(), *bytes as usize)
            }
            (Op::Memory(Memory::Store(ty)), [memory, pointer, value]) => {
                self.store(memory.contents(), pointer.bits(), ty, value)
            }
            (Op::Memory(Memory::Copy), [memory, to, from, count]) => {
                let [to, from] = [to, from].map(|at| self.addresses.of(at.bits()));
                let (below, count) = (memory.contents(), count.bits().clone());
                Sym::Bytes(self.memories.push(Term::Copy { below, to, from, count }))
            }
            (Op::Memory(Memory::Fill), [memory, to, byte, count]) => {
                let (below, to) = (memory.contents(), self.addresses.of(to.bits()));
                let (byte, count) = (byte.bits().clone(), count.bits().clone());
                Sym::Bytes(self.memories.push(Term::Fill { below, to, byte, count }))
            }
            (op, _) => unreachable!("{op:?} is no operator on memory"),
        }
    }

    /// A pointer moved by a number of bytes. It stays in its object. Beyond the range of any object it leaves the
    /// scope, and so it does before the start of an object that has room on both sides.
    fn moved(&mut self, pointer: &Bits, bytes: &Bits) -> Sym {
        let (place, object) = split(pointer);
        let exact = self.circuit.add(&place.zero_extend(64), bytes);
        let lost = self.circuit.truncation_loses_unsigned(&exact, OFFSET);
        let mut moved = self.addresses.moved(&mut self.circuit, &place, bytes);
        if self.under() {
            let is_before = self.circuit.and(object.msb(), !moved.msb());
            let is_large = Gate::constant(!self.scope.environment.has_bounded_sizes);
            let is_before = self.circuit.and(is_large, is_before);
            let lost = self.circuit.or(lost, is_before);
            self.escape(lost, Escape::Integer);
        } else if lost != Gate::FALSE {
            let unknown = self.circuit.fresh_bits(OFFSET);
            moved = self.circuit.select(lost, &unknown, &moved);
        }
        Sym::Bits(moved.concat(&object))
    }

    /// The offset of a pointer: places in objects are counted from the middle of their addresses.
    fn offset(&mut self, pointer: &Bits) -> Bits {
        let (place, object) = split(pointer);
        let is_object = self.circuit.any(&object);
        let mut gates: Vec<Gate> = place.iter().collect();
        gates[OFFSET - 1] = self.circuit.xor(gates[OFFSET - 1], is_object);
        let sign = self.circuit.and(gates[OFFSET - 1], is_object);
        gates.resize(64, sign);
        Bits::from(gates)
    }

    /// A fact about the object that a pointer points into.
    pub(crate) fn object_fact(&mut self, state: &State, fact: &Memory, pointer: &Sym) -> Sym {
        let (_, number) = split(pointer.bits());
        let mut known = Object::absent();
        let own = self.own_objects().zip(state.objects.iter().cloned());
        let statics = self.statics.iter().map(|&position| {
            let size = Bits::constant(64, u128::from(self.module.objects[position].size));
            (position as u32 + 1, Object { size, live: Gate::TRUE, heap: Gate::FALSE })
        });
        let named: Vec<(u32, Object)> = statics.chain(own).collect();
        for (at, object) in named {
            let at = Bits::constant(OBJECT, u128::from(at));
            let hit = same_object(&mut self.circuit, &number, &at);
            self.replace_where(hit, &mut known, &object);
        }
        let nowhere = Bits::constant(OBJECT, u128::from(NO_OBJECT));
        let is_nowhere = self.circuit.equal(&number, &nowhere);
        let given = self.circuit.and(number.msb(), !is_nowhere);
        if given != Gate::FALSE {
            let object = self.given_object(state, fact, &number);
            self.replace_where(given, &mut known, &object);
        }
        match fact {
            Memory::ObjectSize => Sym::Bits(known.size),
            Memory::IsLive => Sym::Bool(known.live),
            Memory::IsHeap => Sym::Bool(known.heap),
            other => unreachable!("{other:?} is no fact about an object"),
        }
    }

    /// Puts the facts about one object in the place of others.
    pub(crate) fn replace_where(&mut self, condition: Gate, known: &mut Object, other: &Object) {
        let c = &mut self.circuit;
        known.size = c.select(condition, &other.size, &known.size);
        known.live = c.ite(condition, other.live, known.live);
        known.heap = c.ite(condition, other.heap, known.heap);
    }

    fn load(&mut self, memory: Contents, pointer: &Bits, ty: &Type) -> Sym {
        let Some(bytes) = view_size(ty) else { return self.beyond(ty) };
        let at = self.addresses.of(pointer);
        let read = self.read_cells(memory, at, bytes as usize, *ty == Type::Ptr);
        self.escape(read.torn, Escape::Torn);
        let cells = read.cells.gates().chunks(CELL);
        let written: Vec<Gate> = cells.clone().map(|cell| cell[CELL - 1]).collect();
        let word: Vec<Gate> = cells.flat_map(|cell| &cell[..CELL - 1]).copied().collect();
        let written = self.circuit.and_all(written);
        self.escape(!written, Escape::Undefined);
        Sym::Bits(Bits::from(word))
    }

    /// The byte at a pointer, zero if it was never written.
    fn peek(&mut self, memory: Contents, pointer: &Bits) -> Sym {
        let at = self.addresses.of(pointer);
        let read = self.read_cells(memory, at, 1, false);
        self.escape(read.torn, Escape::Torn);
        let written = read.cells.gates()[CELL - 1];
        Sym::Bits(self.circuit.mask(written, &read.cells.extract(0..CELL - 1)))
    }

    /// Whether all of these bytes at a pointer were written.
    fn is_written(&mut self, memory: Contents, pointer: &Bits, bytes: usize) -> Sym {
        let at = self.addresses.of(pointer);
        let read = self.read_cells(memory, at, bytes, false);
        self.escape(read.torn, Escape::Torn);
        let cells = read.cells.gates().chunks(CELL);
        let written: Vec<Gate> = cells.map(|cell| cell[CELL - 1]).collect();
        Sym::Bool(self.circuit.and_all(written))
    }

    pub(crate) fn store(&mut self, below: Contents, pointer: &Bits, ty: &Type, value: &Sym) -> Sym {
        if view_size(ty).is_none() {
            return self.beyond(&Type::Bytes);
        }
        let at = self.addresses.of(pointer);
        if let 64 = value.bits().width() {
            self.hand_over(value.bits());
        }
        let cells = cells(value.bits(), Gate::TRUE);
        Sym::Bytes(self.memories.push(Term::Write { below, at, cells }))
    }

    /// A new base, of which nothing is known.
    pub(crate) fn fresh_memory(&mut self) -> Sym {
        let entry = !self.entered;
        Sym::Bytes(self.memories.push(Term::Base { entry, known: Vec::new() }))
    }

    /// Memory after external code has written to the objects that were passed to it, now or earlier, and, where the
    /// gate holds, to all objects of the environment.
    pub(crate) fn forget(&mut self, below: Contents, passed: Vec<Bits>, others: Gate) -> Contents {
        let base = self.memories.push(Term::Base { entry: false, known: Vec::new() });
        let own = self.addresses.escaped.iter().copied().collect();
        let touched = Touched { own, passed, others };
        self.memories.push(Term::Forget { below, base, touched })
    }

    /// Notes that a pointer is known to others, or may become so.
    pub(crate) fn hand_over(&mut self, pointer: &Bits) {
        let (_, number) = split(pointer);
        for own in self.own_objects() {
            let at = Bits::constant(OBJECT, u128::from(own));
            if !self.addresses.escaped.contains(&own)
                && same_object(&mut self.circuit, &number, &at) != Gate::FALSE
            {
                self.addresses.escaped.insert(own);
            }
        }
    }

    /// The numbers of our own objects.
    pub(crate) fn own_objects(&self) -> std::ops::RangeInclusive<u32> {
        self.first_own()..=self.first_own() + self.objects - 1
    }

    /// The number of the first of our own objects, if there is one.
    pub(crate) fn first_own(&self) -> u32 {
        self.addresses.first_own
    }
}

/// Whether an own object can be distinguished from those of the environment.
pub(crate) fn nameable(object: u32) -> bool {
    u64::from(object) < ENVIRONMENT
}

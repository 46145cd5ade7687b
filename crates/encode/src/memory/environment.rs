//! The environment's memory: what its pointers may be, and what is known of its objects.
//!
//! The scope determines the form of its objects in the under-approximation ([`Environment`](crate::Environment)). They
//! either have any size up to the scope's, and pointers point to their starts; or they are larger than any offset, on
//! both sides of where pointers point to, so that no access through such a pointer is out of bounds. Two pointers
//! either may alias, or lead to objects of their own unless the procedure uses their addresses
//! ([`may_alias`](super::may_alias)).

use circuit::{Array, Bits, Gate};
use ir::Memory;

use super::{OBJECT, OFFSET, Object, start};
use crate::context::Context;
use crate::state::State;
use crate::sym::{Sym, bits_for};

/// The least offset of pointers into the inside of a large object, as a power of two.
const INSIDE: usize = 20;

/// The offset far inside it, so that no object of usual size lies before the start.
const DEEP_INSIDE: usize = 37;

/// How many bits of such a pointer are open.
const OPEN: usize = 12;

/// The size of a large object: more than any offset in it, so that nothing is out of bounds by being far.
const ROOM: u64 = 1 << OFFSET;

impl Context<'_> {
    /// A pointer of the environment's.
    pub(crate) fn fresh_pointer(&mut self) -> Sym {
        if self.under() {
            return Sym::Bits(self.fresh_given());
        }
        let pointer = self.circuit.fresh_bits(64);
        if !self.entered {
            // No pointer refers to an object that is still to be allocated.
            let (object, first) = (pointer.extract(OFFSET..64), self.first_own());
            let first = Bits::constant(OBJECT, u128::from(first));
            let older = self.circuit.ult(&object, &first);
            let allowed = self.circuit.or(older, object.msb());
            self.constrain(allowed);
        }
        if !self.may_alias {
            self.addresses.is_foreign(&pointer);
        }
        Sym::Bits(pointer)
    }

    /// `null`, or a pointer into one of the environment's objects. By default it is not `null`, points to the start
    /// of an object, and to another one than the last pointer.
    fn fresh_given(&mut self) -> Bits {
        let objects = self.scope.objects;
        if objects == 0 {
            return Bits::zero(64);
        }
        let environment = self.scope.environment;
        if !environment.may_alias && !self.may_alias {
            // Numbers above those of objects to which several pointers may point.
            let number = u128::from(objects) + self.pointers.len() as u128;
            let number = Bits::constant(OBJECT - 1, number);
            let place = match environment.has_bounded_sizes {
                true => start(),
                false => self.maybe_inside(Bits::zero(INSIDE)),
            };
            return self.unless_null(place, number);
        }
        let width = bits_for(objects);
        let number = self.fresh_below(objects);
        let next = Bits::constant(width, self.pointers.len() as u128 & ((1 << width) - 1));
        let number = match objects == 1 << width {
            true => self.circuit.bitxor(&number, &next),
            false => number,
        };
        let place = match environment.has_bounded_sizes {
            true => start(),
            false => {
                let open = self.circuit.fresh_bits(OPEN);
                self.maybe_inside(open.zero_extend(INSIDE))
            }
        };
        let given = self.unless_null(place, number.zero_extend(OBJECT - 1));
        self.or_static(given)
    }

    /// A pointer, or the address of something static that pointers are compared with.
    fn or_static(&mut self, pointer: Bits) -> Bits {
        let mut pointer = pointer;
        for address in self.aliasing.statics().to_vec() {
            let Some(Sym::Bits(address)) = self.static_address(address) else { continue };
            let is_static = self.circuit.input();
            pointer = self.circuit.select(is_static, &address, &pointer);
        }
        pointer
    }

    /// A place so far behind the start of a large object, or well inside of it.
    fn maybe_inside(&mut self, behind: Bits) -> Bits {
        let [inside, deep] = [0, 1].map(|_| Bits::from(vec![self.circuit.input()]));
        let place = behind.concat(&inside).zero_extend(DEEP_INSIDE).concat(&deep);
        self.circuit.bitxor(&place.zero_extend(OFFSET), &start())
    }

    /// `null`, or a pointer to a place in the environment's object with this number.
    fn unless_null(&mut self, place: Bits, number: Bits) -> Bits {
        let exists = !self.circuit.input();
        let object = number.concat(&Bits::ones(1));
        let pointer = self.circuit.mask(exists, &place.concat(&object));
        self.pointers.push(pointer.clone());
        pointer
    }

    /// Whether a word is such a pointer.
    pub(crate) fn is_initial_pointer(&mut self, pointer: &Bits) -> Gate {
        let null = self.circuit.is_zero(pointer);
        let (place, object) = (pointer.extract(0..OFFSET), pointer.extract(OFFSET..64));
        let offset = self.circuit.bitxor(&place, &start());
        let mut valid = self.circuit.is_zero(&offset);
        if !self.scope.environment.has_bounded_sizes {
            let between = offset.extract(INSIDE + 1..DEEP_INSIDE);
            let rest = offset.extract(OPEN..INSIDE).concat(&between);
            let rest = rest.concat(&offset.extract(DEEP_INSIDE + 1..OFFSET));
            valid = self.circuit.is_zero(&rest);
        }
        let number = object.extract(0..OBJECT - 1);
        let limit = Bits::constant(OBJECT - 1, u128::from(self.scope.objects));
        let known = self.circuit.ult(&number, &limit);
        let given = self.circuit.and_all([valid, known, object.msb()]);
        self.circuit.or(null, given)
    }

    /// A fact about an object of the environment.
    pub(crate) fn given_object(&mut self, state: &State, fact: &Memory, number: &Bits) -> Object {
        let mut object = Object { live: Gate::TRUE, ..Object::absent() };
        match fact {
            Memory::ObjectSize if !self.scope.environment.has_bounded_sizes && self.under() => {
                object.size = Bits::constant(64, u128::from(ROOM));
            }
            Memory::ObjectSize => {
                let size = self.arrays.read(&mut self.circuit, self.given.sizes, number);
                if self.under() {
                    let most = Bits::constant(size.width(), u128::from(self.scope.object_size));
                    let within = self.circuit.ule(&size, &most);
                    self.constrain(within);
                }
                object.size = size.zero_extend(64);
            }
            Memory::IsLive => {
                let freed = self.freed(state);
                let freed = self.arrays.read(&mut self.circuit, freed, number);
                object.live = !freed.gates()[0];
            }
            Memory::IsHeap if !self.scope.environment.has_other_storage && self.under() => {
                object.heap = Gate::TRUE;
            }
            Memory::IsHeap => {
                let heap = self.arrays.read(&mut self.circuit, self.given.heap, number);
                object.heap = heap.gates()[0];
            }
            other => unreachable!("{other:?} is no fact about an object"),
        }
        object
    }

    /// The objects of the environment that have been freed.
    pub(crate) fn freed(&mut self, state: &State) -> Array {
        state.freed.unwrap_or(self.given.none)
    }
}

/// The known facts about the environment's objects, by number.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) sizes: Array,
    pub(crate) heap: Array,
    /// None of them.
    none: Array,
}

impl Given {
    pub(crate) fn new(arrays: &mut circuit::Arrays, scope: &crate::scope::Scope) -> Given {
        let width = if scope.is_under() { bits_for(scope.object_size + 1) } else { OFFSET - 1 };
        Given {
            sizes: arrays.unknown(OBJECT, width),
            heap: arrays.unknown(OBJECT, 1),
            none: arrays.constant(OBJECT, &Bits::zero(1)),
        }
    }
}

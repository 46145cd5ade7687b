//! Addresses as circuits: an object, and an offset that is the sum of an open term and a constant.
//!
//! Most accesses are at a constant offset from a pointer. Two such addresses with the same pointer are compared by
//! their constants, without a gate; so structures are cheap, whichever object they are in.

use std::collections::BTreeSet;

use circuit::{Bits, Circuit, Gate};
use ir::address::OFFSET_BITS;
use rustc_hash::{FxHashMap, FxHashSet};

/// Bits of a pointer that are its offset.
pub(crate) const OFFSET: usize = OFFSET_BITS as usize;
/// Bits of a pointer that are its object.
pub(crate) const OBJECT: usize = 64 - OFFSET;

const OFFSETS: u64 = (1 << OFFSET) - 1;

/// An address: a constant offset from an open place in an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Address {
    pub(crate) object: Bits,
    /// Constantly zero if the place is known.
    base: Bits,
    delta: u64,
}

/// An address, known by its place among [`Addresses`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct At(u32);

/// How one address lies to another.
#[derive(Clone, Debug)]
pub(crate) enum Relation {
    /// In different objects for sure.
    Apart,
    /// So far behind it, where they are in the same object.
    Fixed { same: Gate, distance: i64 },
    /// Somewhere, where they are in the same object.
    Open { same: Gate, distance: Bits },
    /// Anywhere: in an over-approximation, nothing is said of how pointers of the environment's lie to others.
    Unknown,
}

/// The addresses that memory has been accessed at, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Addresses {
    list: Vec<Address>,
    numbers: FxHashMap<Address, At>,
    /// The places that are known to be a sum, and of what.
    sums: FxHashMap<Bits, (Bits, u64)>,
    relations: FxHashMap<(At, At), Relation>,
    /// The sizes of objects, by number, where they are known.
    sizes: FxHashMap<u128, u64>,
    /// The objects of pointers that come from the environment, in an over-approximation.
    foreign: FxHashSet<Bits>,
    /// Our own objects that others may know of, by number.
    pub(crate) escaped: BTreeSet<u32>,
    /// The number of the first of our own objects.
    pub(crate) first_own: u32,
}

impl Addresses {
    /// None yet. Our own objects are numbered from here on.
    pub(crate) fn new(first_own: u32) -> Addresses {
        Addresses { first_own, ..Addresses::default() }
    }

    pub(crate) fn get(&self, at: At) -> &Address {
        &self.list[at.0 as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Address> {
        self.list.iter()
    }

    /// The address that a pointer is.
    pub(crate) fn of(&mut self, pointer: &Bits) -> At {
        let (place, object) = split(pointer);
        let (base, delta) = self.parts(&place);
        self.number(Address { object, base, delta })
    }

    /// The address as far behind `from` as one is behind `to`.
    pub(crate) fn carried(&mut self, c: &mut Circuit, from: At, to: At, at: At) -> At {
        let [from, to, at] = [from, to, at].map(|at| self.get(at).clone());
        let delta = from.delta.wrapping_add(at.delta).wrapping_sub(to.delta) & OFFSETS;
        let base = match at.base == to.base {
            true => from.base,
            false => {
                let distance = c.sub(&at.base, &to.base);
                c.add(&from.base, &distance)
            }
        };
        self.number(Address { object: from.object, base, delta })
    }

    /// The place moved by a number of bytes.
    pub(crate) fn moved(&mut self, c: &mut Circuit, place: &Bits, bytes: &Bits) -> Bits {
        let Some(constant) = bytes.as_constant() else {
            return c.add(place, &bytes.extract(0..OFFSET));
        };
        let (base, delta) = self.parts(place);
        let delta = delta.wrapping_add(constant as u64) & OFFSETS;
        let sum = c.add(&base, &Bits::constant(OFFSET, u128::from(delta)));
        if sum.as_constant().is_none() {
            self.sums.insert(sum.clone(), (base, delta));
        }
        sum
    }

    /// Notes the size of an object.
    pub(crate) fn has_size(&mut self, object: u32, size: u64) {
        self.sizes.insert(u128::from(object), size);
    }

    /// Notes that a pointer comes from the environment, which may be anywhere.
    pub(crate) fn is_foreign(&mut self, pointer: &Bits) {
        self.foreign.insert(split(pointer).1);
    }

    /// How the first address lies to the second.
    pub(crate) fn relation(&mut self, c: &mut Circuit, at: At, to: At) -> Relation {
        if let Some(known) = self.relations.get(&(at, to)) {
            return known.clone();
        }
        let (a, b) = (self.get(at), self.get(to));
        let relation = if a.object == b.object && a.base == b.base {
            Relation::Fixed { same: Gate::TRUE, distance: a.behind(b) }
        } else if [a, b].iter().any(|address| self.foreign.contains(&address.object)) {
            // A pointer that exists already never points to an object that escapes later.
            match [a, b].iter().any(|address| self.is_private(&address.object)) {
                true => Relation::Apart,
                false => Relation::Unknown,
            }
        } else {
            self.computed(c, a, b)
        };
        self.relations.insert((at, to), relation.clone());
        relation
    }

    /// Whether an object is the execution's own and has not escaped.
    fn is_private(&self, object: &Bits) -> bool {
        let number = object.as_constant().and_then(|number| u32::try_from(number).ok());
        let own = number.filter(|&number| {
            number >= self.first_own && u64::from(number) < ir::address::ENVIRONMENT
        });
        own.is_some_and(|number| !self.escaped.contains(&number))
    }

    fn computed(&self, c: &mut Circuit, a: &Address, b: &Address) -> Relation {
        let same = same_object(c, &a.object, &b.object);
        if same == Gate::FALSE {
            return Relation::Apart;
        }
        if a.base == b.base {
            return Relation::Fixed { same, distance: a.behind(b) };
        }
        let size = a.object.as_constant().and_then(|object| self.sizes.get(&object));
        let [a, b] = [a, b].map(|address| match size {
            Some(size) => address.low_place(c, 64 - size.leading_zeros() as usize + 1),
            None => address.place(c),
        });
        Relation::Open { same, distance: c.sub(&a, &b) }
    }

    fn parts(&self, place: &Bits) -> (Bits, u64) {
        match place.as_constant() {
            Some(constant) => (Bits::zero(OFFSET), constant as u64),
            None => self.sums.get(place).cloned().unwrap_or_else(|| (place.clone(), 0)),
        }
    }

    fn number(&mut self, address: Address) -> At {
        if let Some(&at) = self.numbers.get(&address) {
            return at;
        }
        let at = At(u32::try_from(self.list.len()).expect("fewer than 2^32 addresses"));
        self.list.push(address.clone());
        self.numbers.insert(address, at);
        at
    }
}

impl Address {
    /// The place in the object.
    pub(crate) fn place(&self, c: &mut Circuit) -> Bits {
        c.add(&self.base, &Bits::constant(OFFSET, u128::from(self.delta)))
    }

    /// The lowest bits of the offset. Within an object that is not larger they determine how two places lie to each
    /// other, since no execution survives an access out of bounds.
    fn low_place(&self, c: &mut Circuit, bits: usize) -> Bits {
        let bits = bits.min(OFFSET);
        let delta = Bits::constant(OFFSET, u128::from(self.delta)).extract(0..bits);
        c.add(&self.base.extract(0..bits), &delta)
    }

    /// How many bytes it is behind another with the same base.
    fn behind(&self, other: &Address) -> i64 {
        let distance = self.delta.wrapping_sub(other.delta) << OBJECT;
        (distance as i64) >> OBJECT
    }

    /// The base of the place, and how far behind it the place is.
    pub(crate) fn sum(&self) -> (&Bits, u64) {
        (&self.base, self.delta)
    }
}

/// The place and the object of a pointer.
pub(crate) fn split(pointer: &Bits) -> (Bits, Bits) {
    (pointer.extract(0..OFFSET), pointer.extract(OFFSET..64))
}

/// The place at which every object starts.
pub(crate) fn start() -> Bits {
    Bits::constant(OFFSET, u128::from(ir::address::address(1, 0) & OFFSETS))
}

/// Whether two pointers with these object numbers point into the same object. `null` points into none, and is
/// excluded first: the rest of a pointer that is one object's or `null` is then a constant, so that most objects
/// are distinguished without a gate.
pub(crate) fn same_object(c: &mut Circuit, a: &Bits, b: &Bits) -> Gate {
    if a == b {
        return Gate::TRUE;
    }
    let [(in_a, a), (in_b, b)] = [a, b].map(|number| existing(c, number));
    let bits = || a.iter().zip(b.iter()).rev();
    let differ = |(a, b): (Gate, Gate)| a == !b;
    if bits().any(differ) {
        return Gate::FALSE;
    }
    let same = c.and(in_a, in_b);
    bits().fold(same, |same, (a, b)| {
        let bit = c.iff(a, b);
        c.and(same, bit)
    })
}

/// Whether the number is one of an object, and what it is then.
fn existing(c: &mut Circuit, number: &Bits) -> (Gate, Bits) {
    let exists = c.any(number);
    let bits = number.iter().map(|bit| if bit == exists { Gate::TRUE } else { bit });
    (exists, bits.collect())
}

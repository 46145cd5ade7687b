//! Values: guards, words, and guarded location sets (Xie & Aiken 2007, §2.4).

use std::rc::Rc;

use ir::Type;

use crate::space::{Atom, Input, Region, RegionId, Space, TermId};
use circuit::Guard;

/// Where a pointer points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Location {
    Null,
    /// An offset in an object, in bytes. Offset zero of a [`Region::Pointee`] is the pointer itself, which may be
    /// null.
    At(RegionId, i64),
    /// An address that is a number.
    Number(TermId),
}

/// Where a pointer points under which guard; exactly one of the guards holds, each location occurs once.
pub(crate) type Locations = Rc<[(Guard, Location)]>;

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Truth(Guard),
    Word(TermId),
    Pointer(Locations),
    /// A value of a type that is not modelled.
    Opaque,
}

pub(crate) fn pointer(location: Location) -> Value {
    Value::Pointer(Rc::new([(Guard::ALWAYS, location)]))
}

impl Space {
    /// The value of an input, by its type.
    pub(crate) fn given(&mut self, input: Input, ty: &Type) -> Value {
        match ty {
            Type::Bool => Value::Truth(self.atom(Atom::Input(input))),
            Type::Bv(width) => Value::Word(self.input(input, *width)),
            Type::Ptr => pointer(Location::At(self.region(Region::Pointee(input)), 0)),
            Type::Int
            | Type::Sort(_)
            | Type::Map(..)
            | Type::Seq(_)
            | Type::Record(_)
            | Type::Variant(_)
            | Type::Bytes => Value::Opaque,
        }
    }

    /// The first value where the guard holds, else the second.
    pub(crate) fn select(&mut self, guard: Guard, then: &Value, otherwise: &Value) -> Value {
        if guard == Guard::ALWAYS || then == otherwise {
            return then.clone();
        }
        if guard == Guard::NEVER {
            return otherwise.clone();
        }
        match (then, otherwise) {
            (Value::Truth(a), Value::Truth(b)) => Value::Truth(self.diagrams.ite(guard, *a, *b)),
            (Value::Word(a), Value::Word(b)) if self.width(*a) == self.width(*b) => {
                Value::Word(self.choice(guard, *a, *b))
            }
            (Value::Pointer(a), Value::Pointer(b)) => {
                let not = self.diagrams.not(guard);
                let mut all: Vec<(Guard, Location)> = Vec::with_capacity(a.len() + b.len());
                for (side, locations) in [(guard, a), (not, b)] {
                    for &(under, location) in locations.iter() {
                        let under = self.diagrams.and(side, under);
                        self.add_location(&mut all, under, location);
                    }
                }
                Value::Pointer(all.into())
            }
            _ => Value::Opaque,
        }
    }

    /// Adds a location to a set.
    pub(crate) fn add_location(
        &mut self,
        all: &mut Vec<(Guard, Location)>,
        under: Guard,
        location: Location,
    ) {
        if under == Guard::NEVER {
            return;
        }
        match all.iter_mut().find(|(_, known)| *known == location) {
            Some((guard, _)) => *guard = self.diagrams.or(*guard, under),
            None => all.push((under, location)),
        }
    }

    /// Where a location is null. This creates the condition for a pointer of the environment.
    pub(crate) fn is_null(&mut self, location: Location) -> Guard {
        match location {
            Location::Null => Guard::ALWAYS,
            Location::At(region, 0) if matches!(self.get(region), Region::Pointee(_)) => {
                self.atom(Atom::Null(region))
            }
            Location::At(..) => Guard::NEVER,
            Location::Number(term) => {
                let zero = self.word(self.width(term), 0);
                self.compare(&ir::Op::Eq, term, zero)
            }
        }
    }

    /// Where a location is null, if that condition exists already.
    pub(crate) fn is_known_null(&mut self, location: Location) -> Guard {
        match location {
            Location::At(region, _) => match self.atom_number(&Atom::Null(region)) {
                Some(_) => self.atom(Atom::Null(region)),
                None => Guard::NEVER,
            },
            Location::Null => Guard::ALWAYS,
            Location::Number(_) => Guard::NEVER,
        }
    }

    /// Where two pointers are equal.
    pub(crate) fn same_pointer(&mut self, a: &Locations, b: &Locations) -> Guard {
        let mut same = Guard::NEVER;
        for &(under_a, at) in a.iter() {
            for &(under_b, other) in b.iter() {
                let both = self.diagrams.and(under_a, under_b);
                if both == Guard::NEVER {
                    continue;
                }
                let equal = self.same_location(at, other);
                let here = self.diagrams.and(both, equal);
                same = self.diagrams.or(same, here);
            }
        }
        same
    }

    fn same_location(&mut self, a: Location, b: Location) -> Guard {
        match (a, b) {
            (Location::Null, other) | (other, Location::Null) => self.is_null(other),
            (Location::At(r, i), Location::At(s, j)) if r == s => Guard::constant(i == j),
            (Location::At(r, _), Location::At(s, _)) => {
                // Distinct pointers of the environment lead to distinct objects, but both may be null.
                let (a, b) = (self.is_known_null(a), self.is_known_null(b));
                let null = self.diagrams.and(a, b);
                match self.is_must && (self.is_outside(r) || self.is_outside(s)) {
                    false => null,
                    true => {
                        let same = self.atom(Atom::Same(r.min(s), r.max(s)));
                        self.diagrams.or(null, same)
                    }
                }
            }
            (Location::Number(_), _) | (_, Location::Number(_)) => {
                let (a, b) = (self.address(a), self.address(b));
                self.compare(&ir::Op::Eq, a, b)
            }
        }
    }

    /// The address of a location.
    pub(crate) fn address(&mut self, location: Location) -> TermId {
        match location {
            Location::Null => self.word(ir::ADDRESS_BITS, 0),
            Location::Number(term) => term,
            Location::At(region, offset) => {
                let base = self.input(Input::Address(region), ir::ADDRESS_BITS);
                let offset = self.word(ir::ADDRESS_BITS, offset as u64 as u128);
                let sum = self.compute(&ir::Op::BvAdd, &[base, offset], ir::ADDRESS_BITS);
                let null = self.is_known_null(location);
                let zero = self.word(ir::ADDRESS_BITS, 0);
                self.choice(null, zero, sum)
            }
        }
    }
}

//! Objects with typestates: places of memory to which a finite-state property applies, and their states at entry (Xie
//! & Aiken 2007, §5).

use rustc_hash::FxHashMap;

use crate::space::{Atom, Region, RegionId, Space};
use crate::state::Typestate;
use circuit::Guard;
use property::Property;

/// A place with a typestate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Object {
    /// The property, by position.
    pub(crate) property: usize,
    pub(crate) region: RegionId,
    pub(crate) offset: i64,
}

/// The objects with typestates of an evaluation.
#[derive(Default)]
pub(crate) struct Stateful {
    objects: Vec<(Object, Typestate)>,
    numbers: FxHashMap<Object, u32>,
}

impl Space {
    /// The number of an object with a property.
    pub(crate) fn stateful(&mut self, object: Object, property: &Property) -> u32 {
        if let Some(&number) = self.stateful.numbers.get(&object) {
            return number;
        }
        let number = self.stateful.objects.len() as u32;
        let typestate = self.first_typestate(number, object, property);
        self.stateful.objects.push((object, typestate));
        self.stateful.numbers.insert(object, number);
        number
    }

    /// A new object is in the first state, any other in one of the possible states at entry.
    fn first_typestate(&mut self, number: u32, object: Object, property: &Property) -> Typestate {
        let is_own = match self.get(self.whole(object.region)) {
            Region::Stack(_) | Region::New(..) => true,
            Region::Pointee(_) | Region::Static(_) | Region::External(_) | Region::Element(..) => {
                false
            }
        };
        let mut left = Guard::ALWAYS;
        let states = 0..property.states.len() as u32;
        let possible = states.clone().filter(|state| !property.inner.contains(state));
        let last = possible.max().unwrap_or(0);
        let mut guards = Vec::with_capacity(property.states.len() + 1);
        for state in states {
            let here = match is_own || state == last {
                _ if property.inner.contains(&state) => Guard::NEVER,
                true => left,
                false => {
                    let bit = self.atom(Atom::Entry(number, state));
                    self.diagrams.and(left, bit)
                }
            };
            left = self.diagrams.and_not(left, here);
            guards.push(here);
        }
        guards.push(Guard::NEVER);
        Typestate { states: guards, touched: Guard::NEVER, vague: Guard::NEVER }
    }

    pub(crate) fn object(&self, number: u32) -> Object {
        self.stateful.objects[number as usize].0
    }

    pub(crate) fn objects(&self) -> impl Iterator<Item = u32> + use<> {
        0..self.stateful.objects.len() as u32
    }

    /// The typestate of an object at entry.
    pub(crate) fn entry(&self, number: u32) -> &Typestate {
        &self.stateful.objects[number as usize].1
    }
}

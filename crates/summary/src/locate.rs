//! Pointer arithmetic: constant offsets, computed offsets, and integers as addresses.

use ir::Op;

use crate::space::{Input, Region, Space, Term, TermId};
use crate::value::{Location, Locations, Value};
use circuit::Guard;

impl Space {
    /// A pointer plus an offset in bytes.
    pub(crate) fn moved(&mut self, locations: &Locations, offset: TermId) -> Locations {
        let mut all = Vec::with_capacity(locations.len());
        for &(guard, location) in locations.iter() {
            let moved = self.moved_location(location, offset);
            self.add_location(&mut all, guard, moved);
        }
        all.into()
    }

    fn moved_location(&mut self, location: Location, offset: TermId) -> Location {
        let (rest, constant) = self.split_sum(offset);
        match (location, rest) {
            (Location::At(region, at), None) => Location::At(region, at.wrapping_add(constant)),
            (Location::At(region, at), Some(rest)) => {
                let part = self.region(Region::Element(region, rest));
                Location::At(part, at.wrapping_add(constant))
            }
            (Location::Null, _) => Location::Number(offset),
            (Location::Number(address), _) => {
                Location::Number(self.compute(&Op::BvAdd, &[address, offset], ir::ADDRESS_BITS))
            }
        }
    }

    /// A word as the sum of a constant and a rest, if there is one.
    pub(crate) fn split_sum(&self, term: TermId) -> (Option<TermId>, i64) {
        let mut rest = term;
        let mut constant: i64 = 0;
        loop {
            match self.term(rest) {
                Term::Constant(value) => {
                    return (None, constant.wrapping_add(*value as u64 as i64));
                }
                Term::Op(Op::BvAdd, operands) => {
                    let (a, b) = (operands[0], operands[1]);
                    match (self.constant(a), self.constant(b)) {
                        (_, Some(value)) => {
                            constant = constant.wrapping_add(value as u64 as i64);
                            rest = a;
                        }
                        (Some(value), None) => {
                            constant = constant.wrapping_add(value as u64 as i64);
                            rest = b;
                        }
                        (None, None) => return (Some(rest), constant),
                    }
                }
                Term::Input(_) | Term::Op(..) | Term::Choice(..) => return (Some(rest), constant),
            }
        }
    }

    /// The target of an integer that is used as an address.
    pub(crate) fn located(&mut self, address: TermId) -> Locations {
        if let Term::Choice(guard, then, otherwise) = *self.term(address) {
            let (then, otherwise) = (self.located(then), self.located(otherwise));
            let chosen = self.select(guard, &Value::Pointer(then), &Value::Pointer(otherwise));
            let Value::Pointer(locations) = chosen else {
                unreachable!("a choice between pointers is a pointer")
            };
            return locations;
        }
        let (rest, constant) = self.split_sum(address);
        let location = match rest.map(|rest| self.term(rest)) {
            None if constant == 0 => Location::Null,
            Some(Term::Input(Input::Address(region))) => Location::At(*region, constant),
            None | Some(_) => Location::Number(address),
        };
        [(Guard::ALWAYS, location)].into()
    }
}

//! From a model to values: what the inputs, objects and answers of one run are.

use circuit::{Bits, Circuit};
use interpret::{Bytes, NewObject, Pointer, Value as Concrete, Word};
use ir::address::ENVIRONMENT;
use ir::{Mode, Storage};

use crate::diagram::Guard;
use crate::solve::Model;
use crate::space::{Atom, Input, Region, RegionId, Term, TermId};
use crate::term::apply;
use crate::value::{Location, Value};
use crate::walk::Walk;

/// A caller's pointer points so far into its object, so that there is something before it.
const BEFORE: i64 = 1 << 20;

/// The size of objects of which nobody knows the size.
const ROOM: u64 = 1 << 24;

/// Addresses from here on are error codes.
const ERRORS: u64 = 0xffff_ffff_ffff_f000;

/// A run that a model describes, in the making.
pub(crate) struct Lift<'l, 'w> {
    pub(crate) walk: &'l Walk<'w>,
    pub(crate) model: &'l Model,
}

impl Lift<'_, '_> {
    pub(crate) fn truth(&self, guard: Guard) -> bool {
        self.walk.holds(self.model, guard)
    }

    /// The value of a word of at most 128 bits.
    pub(crate) fn word(&self, id: TermId) -> u128 {
        let space = &self.walk.space;
        match space.term(id) {
            Term::Constant(value) => *value,
            Term::Input(Input::Address(region)) => {
                let is_error = self.model.input(Input::Address(*region), 64) >= u128::from(ERRORS);
                match is_error {
                    true => self.model.input(Input::Address(*region), 64),
                    false => u128::from(self.pointer(Location::At(*region, 0)).address()),
                }
            }
            Term::Input(input) => self.model.input(*input, space.width(id)),
            Term::Choice(guard, then, otherwise) => {
                self.word(if self.truth(*guard) { *then } else { *otherwise })
            }
            Term::Op(op, operands) => stacker::maybe_grow(64 << 10, 1 << 20, || {
                let operands: Vec<Bits> = operands
                    .iter()
                    .map(|id| Bits::constant(space.width(*id) as usize, self.word(*id)))
                    .collect();
                let value = apply(&mut Circuit::new(), op, &operands);
                value.and_then(|bits| bits.as_constant()).unwrap_or(0)
            }),
        }
    }

    /// The number of an object in the run.
    pub(crate) fn number(&self, region: RegionId) -> u64 {
        match self.walk.space.get(region) {
            Region::Static(function) => {
                self.walk.module.object_at(function).map_or(0, |position| position as u64 + 1)
            }
            Region::Pointee(_)
            | Region::Foreign(_)
            | Region::Stack(_)
            | Region::New(..)
            | Region::Element(..) => ENVIRONMENT + 1 + u64::from(region.0),
        }
    }

    /// A place in an object of the run.
    pub(crate) fn place(&self, mut region: RegionId, mut offset: i64) -> Pointer {
        let space = &self.walk.space;
        while let Region::Element(of, by) = space.get(region) {
            offset = offset.wrapping_add(self.word(by) as u64 as i64);
            region = of;
        }
        let before = match space.get(region) {
            Region::Pointee(_) | Region::Foreign(_) => BEFORE,
            Region::Static(_) | Region::Stack(_) | Region::New(..) | Region::Element(..) => 0,
        };
        Pointer { object: self.number(region), offset: offset.wrapping_add(before) }
    }

    /// Whether an object is what a number is the number of.
    pub(crate) fn is_number_of(&self, region: RegionId, word: &Word) -> bool {
        match self.walk.space.get(region) {
            Region::Pointee(input) => {
                let given = self.model.input(input, word.width());
                Word::from_nat(word.width(), given.into()) == *word
            }
            Region::Static(_)
            | Region::Foreign(_)
            | Region::Stack(_)
            | Region::New(..)
            | Region::Element(..) => false,
        }
    }

    pub(crate) fn pointer(&self, location: Location) -> Pointer {
        match location {
            Location::Null => Pointer::NULL,
            Location::Number(term) => Pointer::at(self.word(term) as u64),
            Location::At(region, offset) => {
                let space = &self.walk.space;
                if let Region::Pointee(_) = space.get(region) {
                    let null = space.atom_number(&Atom::Null(region));
                    if null.is_some_and(|number| self.model.holds(number)) {
                        return Pointer::NULL.moved(offset);
                    }
                    let address = self.model.input(Input::Address(region), 64) as u64;
                    if address >= ERRORS {
                        return Pointer::at(address.wrapping_add_signed(offset));
                    }
                }
                self.place(region, offset)
            }
        }
    }

    pub(crate) fn value(&self, value: &Value) -> Option<Concrete> {
        match value {
            Value::Truth(guard) => Some(Concrete::Bool(self.truth(*guard))),
            Value::Word(term) => {
                let width = self.walk.space.width(*term);
                Some(Concrete::Bv(Word::from_nat(width, self.word(*term).into())))
            }
            Value::Pointer(locations) => {
                let here = locations.iter().find(|(guard, _)| self.truth(*guard));
                Some(Concrete::Ptr(here.map_or(Pointer::NULL, |(_, at)| self.pointer(*at))))
            }
            Value::Opaque => None,
        }
    }

    /// The parameters.
    pub(crate) fn parameters(&self) -> Vec<Option<Concrete>> {
        let procedure = self.walk.procedure;
        let given = |(number, id): (u32, ir::LocalId)| {
            let input = Input::Parameter(number);
            match procedure.local(id).ty {
                ir::Type::Bool => {
                    let known = self.walk.space.atom_number(&Atom::Input(input));
                    Some(Concrete::Bool(known.is_some_and(|number| self.model.holds(number))))
                }
                ir::Type::Bv(width) => {
                    let value = self.model.input(input, width);
                    Some(Concrete::Bv(Word::from_nat(width, value.into())))
                }
                ir::Type::Ptr => {
                    let region = self.walk.space.known_region(Region::Pointee(input))?;
                    Some(Concrete::Ptr(self.pointer(Location::At(region, 0))))
                }
                _ => None,
            }
        };
        (0..).zip(procedure.locals_with(Mode::Parameter)).map(given).collect()
    }

    /// The objects that are there before the run.
    pub(crate) fn objects(&self) -> Vec<NewObject> {
        let space = &self.walk.space;
        let given = space.regions().filter(|region| match space.get(*region) {
            Region::Pointee(_) | Region::Foreign(_) => true,
            Region::Static(_) | Region::Stack(_) | Region::New(..) | Region::Element(..) => false,
        });
        given
            .map(|region| NewObject::new(ROOM, Storage::Heap).numbered(self.number(region)))
            .collect()
    }

    /// A new object.
    pub(crate) fn new_object(&self, region: RegionId) -> NewObject {
        NewObject::new(ROOM, Storage::Heap).numbered(self.number(region))
    }

    /// Writes what memory holds from some moments on, as far as anybody has looked.
    pub(crate) fn fill(&self, memory: &mut Bytes, is_due: &dyn Fn(RegionId, u32) -> bool) {
        let space = &self.walk.space;
        for (input, width) in space.inputs() {
            let Input::Cell { region, offset, epoch } = input else { continue };
            if !is_due(region, epoch) {
                continue;
            }
            let bytes = match width {
                // Pointers have no width of their own.
                None => {
                    let Some(target) = space.known_region(Region::Pointee(input)) else { continue };
                    self.pointer(Location::At(target, 0)).address().to_le_bytes().to_vec()
                }
                Some(width) => {
                    let value = self.model.input(input, width).to_le_bytes();
                    value[..width.div_ceil(8).min(16) as usize].to_vec()
                }
            };
            let at = self.place(region, offset);
            if let (1.., Ok(offset)) = (at.object, u64::try_from(at.offset)) {
                memory.write(at.object, offset, &bytes);
            }
        }
    }
}

//! From a model to a witness: the inputs, objects and call results of one execution, and its path.

use std::cell::RefCell;
use std::collections::BTreeMap;

use interpret::{Pointer, Value as Concrete, Word};
use ir::address::ENVIRONMENT;
use ir::{HavocReason, Mode, PointId, StatementKind, TerminatorKind};
use judge::{BEFORE, ROOM, Scalar, TrackedObject, Witness, WitnessCall};
use rustc_hash::FxHashMap;

use crate::solve::Model;
use crate::space::{Atom, Input, Region, RegionId, Site, Term, TermId};
use crate::term::folded;
use crate::value::{Location, Value};
use crate::walk::{CallEffects, Walk};
use circuit::Guard;

/// The witness of a model, under construction.
pub(crate) struct Lift<'l, 'w> {
    walk: &'l Walk<'w>,
    model: &'l Model,
    /// The values of words that were computed already.
    words: RefCell<FxHashMap<TermId, u128>>,
}

impl<'l, 'w> Lift<'l, 'w> {
    fn new(walk: &'l Walk<'w>, model: &'l Model) -> Lift<'l, 'w> {
        Lift { walk, model, words: RefCell::default() }
    }

    pub(crate) fn truth(&self, guard: Guard) -> bool {
        self.walk.holds(self.model, guard)
    }

    /// The value of a word of at most 128 bits.
    pub(crate) fn word(&self, id: TermId) -> u128 {
        let space = &self.walk.space;
        match space.term(id) {
            Term::Constant(value) => *value,
            Term::Input(Input::Address(region)) => {
                let address = self.model.input(Input::Address(*region), 64);
                match space.is_error(address as u64) {
                    true => address,
                    false => u128::from(self.pointer(Location::At(*region, 0)).address()),
                }
            }
            Term::Input(input) => self.model.input(*input, space.width(id)),
            Term::Choice(guard, then, otherwise) => {
                self.word(if self.truth(*guard) { *then } else { *otherwise })
            }
            Term::Op(op, operands) => stacker::maybe_grow(64 << 10, 1 << 20, || {
                if let Some(known) = self.words.borrow().get(&id) {
                    return *known;
                }
                let operands: Vec<(u32, u128)> =
                    operands.iter().map(|id| (space.width(*id), self.word(*id))).collect();
                let value = folded(op, &operands).unwrap_or(0);
                self.words.borrow_mut().insert(id, value);
                value
            }),
        }
    }

    /// The number of an object in the witness.
    pub(crate) fn number(&self, region: RegionId) -> u64 {
        match self.walk.space.get(region) {
            Region::Static(function) => {
                self.walk.module.object_at(function).map_or(0, |position| position as u64 + 1)
            }
            Region::Pointee(_)
            | Region::External(_)
            | Region::Stack(_)
            | Region::New(..)
            | Region::Element(..) => ENVIRONMENT + 1 + u64::from(region.0),
        }
    }

    /// A place in an object of the witness.
    pub(crate) fn place(&self, mut region: RegionId, mut offset: i64) -> Pointer {
        let space = &self.walk.space;
        while let Region::Element(of, by) = space.get(region) {
            offset = offset.wrapping_add(self.word(by) as u64 as i64);
            region = of;
        }
        let before = match space.get(region) {
            Region::Pointee(_) | Region::External(_) => BEFORE,
            Region::Static(_) | Region::Stack(_) | Region::New(..) | Region::Element(..) => 0,
        };
        Pointer { object: self.number(region), offset: offset.wrapping_add(before) }
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
                    if space.is_error(address) {
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

    /// The objects at entry, and their sizes.
    fn objects(&self) -> Vec<(u64, u64)> {
        let space = &self.walk.space;
        let given = space.regions().filter(|region| match space.get(*region) {
            Region::Pointee(_) | Region::External(_) => true,
            Region::Static(_) | Region::Stack(_) | Region::New(..) | Region::Element(..) => false,
        });
        given.map(|region| (self.number(region), ROOM)).collect()
    }

    /// Writes the contents of memory in some epochs, where they were read.
    fn held(&self, is_due: &dyn Fn(RegionId, u32) -> bool) -> Vec<(u64, u64, Vec<u8>)> {
        let space = &self.walk.space;
        let mut held = Vec::new();
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
                held.push((at.object, offset, bytes));
            }
        }
        held
    }

    /// The assumed effects of a call.
    fn witness_call(&self, effects: &CallEffects) -> WitnessCall {
        let space = &self.walk.space;
        let mut writes = Vec::new();
        for (place, bytes, value) in &effects.writes {
            if let (Some(Concrete::Ptr(to)), Some(value)) = (self.value(place), self.value(value))
                && let (1.., Ok(offset)) = (to.object, u64::try_from(to.offset))
            {
                let word = match value {
                    Concrete::Ptr(pointer) => u128::from(pointer.address()),
                    Concrete::Bv(word) => word.small().unwrap_or(0).into(),
                    Concrete::Bool(value) => value.into(),
                    _ => continue,
                };
                let count = (*bytes as usize).min(16);
                writes.push((to.object, offset, word.to_le_bytes()[..count].to_vec()));
            }
        }
        writes.extend(self.held(&|region, epoch| {
            effects.epochs.contains(&epoch)
                || epoch == 0 && effects.new.contains(&space.whole(region))
        }));
        let result = effects.result.as_ref().and_then(|value| self.value(value));
        WitnessCall {
            result: result.as_ref().and_then(Scalar::of),
            writes,
            allocates: effects.new.iter().map(|region| self.number(*region)).collect(),
        }
    }
}

impl Walk<'_> {
    /// The witness of a model.
    pub(crate) fn witness(&self, model: &Model, is_exact: bool) -> Witness {
        let lift = Lift::new(self, model);
        let blocks = self.procedure.blocks.as_deref().unwrap_or_default();
        let (mut calls, mut opened, mut path) = (Vec::new(), Vec::new(), Vec::new());
        let mut visits: BTreeMap<PointId, u32> = BTreeMap::new();
        for id in self.blocks_passed(model) {
            let block = &blocks[id.0 as usize];
            for (statement, one) in (0..).zip(&block.statements) {
                let site = Site { block: id.0, statement };
                let mut key = || {
                    let visit = visits.entry(one.point).or_insert(0);
                    (one.point, std::mem::replace(visit, *visit + 1))
                };
                match &one.kind {
                    StatementKind::Call { .. } => {
                        let key = key();
                        let call =
                            self.effects.get(&site).map(|effects| lift.witness_call(effects));
                        calls.extend(call.map(|call| (key, call)));
                    }
                    StatementKind::Havoc { reason, .. } if *reason != HavocReason::Loop => {
                        let key = key();
                        let value = self.opened.get(&site).and_then(|value| lift.value(value));
                        let value = value.as_ref().and_then(Scalar::of);
                        opened.extend(value.map(|value| (key, value)));
                    }
                    StatementKind::Assign(_)
                    | StatementKind::Havoc { .. }
                    | StatementKind::Assume { .. }
                    | StatementKind::Assert { .. }
                    | StatementKind::Allocate { .. }
                    | StatementKind::Free(_)
                    | StatementKind::Unsupported { .. } => {}
                }
            }
            let branch = self.branches.iter().find(|(site, ..)| site.block == id.0);
            if let (TerminatorKind::Branch(..), Some((_, condition, _))) =
                (&block.terminator.kind, branch)
            {
                path.push((block.terminator.point, self.holds(model, *condition)));
            }
        }
        let states = self.space.objects().filter_map(|number| {
            let object = self.space.object(number);
            match self.space.get(self.space.whole(object.region)) {
                Region::Pointee(Input::Made { .. })
                | Region::External(_)
                | Region::Stack(_)
                | Region::New(..) => return None,
                Region::Pointee(_) | Region::Static(_) | Region::Element(..) => {}
            }
            let entry = &self.space.entry(number).states;
            let state = entry.iter().position(|guard| lift.truth(*guard))? as u32;
            let property = self.index.properties().machines[object.property].name.clone();
            Some((property, self.subject(model, number)?, state))
        });
        let given = lift.parameters();
        Witness {
            parameters: given.iter().map(|value| Scalar::of(value.as_ref()?)).collect(),
            memory: lift.held(&|region, epoch| {
                let whole = self.space.get(self.space.whole(region));
                epoch == 0 && !matches!(whole, Region::New(..))
            }),
            objects: lift.objects(),
            calls,
            opened,
            path: is_exact.then_some(path),
            states: states.collect(),
            is_open: false,
        }
    }

    /// The object with a typestate in the witness; none if only callees can reach it.
    pub(crate) fn subject(&self, model: &Model, object: u32) -> Option<TrackedObject> {
        let of = self.space.object(object);
        if let Region::External(_) = self.space.get(self.space.whole(of.region)) {
            return None;
        }
        if let Region::Pointee(input) = self.space.get(of.region)
            && let Some((_, Some(width))) = self.space.inputs().find(|(known, _)| *known == input)
        {
            return Some(TrackedObject::Number(model.input(input, width) as u64));
        }
        let place = Lift::new(self, model).place(of.region, of.offset);
        Some(TrackedObject::At(place.object, place.offset))
    }
}

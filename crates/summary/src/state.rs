//! The state of the evaluation at one point: variables, memory, typestates of objects, escaped objects.
//!
//! Everything holds under the guard of the point. Memory is a map from written places to values; at other places an
//! object has its contents at entry, or those of the *epoch* in which unknown code may last have written it.

use std::collections::{BTreeMap, BTreeSet};

use ir::Type;

use crate::limits::VALUE_BYTES;
use crate::space::{Input, Region, RegionId, Space};
use crate::value::{Location, Locations, Value, pointer};
use circuit::Guard;

/// The epoch in which an object is filled with zeros.
pub(crate) const ZEROS: u32 = u32::MAX;

/// The typestate of an object as guards, and whether an operation was applied to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Typestate {
    /// By state, the error state last; exactly one holds.
    pub(crate) states: Vec<Guard>,
    pub(crate) touched: Guard,
    /// Where a callee's summary does not determine the state.
    pub(crate) vague: Guard,
}

/// A state.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) guard: Guard,
    pub(crate) locals: Vec<Option<Value>>,
    /// The writes: the size in bytes, and the value.
    pub(crate) cells: BTreeMap<(RegionId, i64), (u32, Value)>,
    epochs: BTreeMap<RegionId, Vec<(Guard, u32)>>,
    /// The typestates, by the number of the object.
    pub(crate) typestates: BTreeMap<u32, Typestate>,
    /// Where an object has escaped.
    pub(crate) escaped: BTreeMap<RegionId, Guard>,
    /// Where an object may be freed.
    pub(crate) freed: BTreeMap<RegionId, Guard>,
    /// Where an object must be freed.
    pub(crate) must_freed: BTreeMap<RegionId, Guard>,
    /// Whether external memory may have been written.
    pub(crate) is_stale: bool,
    /// The objects of the caller that a callee may have written at unknown offsets.
    pub(crate) overwritten: BTreeSet<RegionId>,
}

impl State {
    pub(crate) fn new(locals: usize) -> State {
        State {
            guard: Guard::ALWAYS,
            locals: vec![None; locals],
            cells: BTreeMap::new(),
            epochs: BTreeMap::new(),
            typestates: BTreeMap::new(),
            escaped: BTreeMap::new(),
            freed: BTreeMap::new(),
            must_freed: BTreeMap::new(),
            is_stale: false,
            overwritten: BTreeSet::new(),
        }
    }

    /// The contents of memory at a place.
    pub(crate) fn read(
        &self,
        space: &mut Space,
        region: RegionId,
        offset: i64,
        ty: &Type,
        bytes: u32,
    ) -> Value {
        if let Some((size, value)) = self.cells.get(&(region, offset))
            && *size == bytes
        {
            return viewed(space, value, ty);
        }
        if self.overlapping(region, offset, bytes).next().is_some() {
            let epoch = space.new_epoch();
            return space.given(Input::Cell { region, offset, epoch }, ty);
        }
        let Some(epochs) = self.epochs.get(&region) else {
            return space.given(Input::Cell { region, offset, epoch: 0 }, ty);
        };
        let mut result = None;
        for &(guard, epoch) in epochs {
            let value = match epoch {
                ZEROS => zero(space, ty),
                _ => space.given(Input::Cell { region, offset, epoch }, ty),
            };
            result = Some(match result {
                None => value,
                Some(others) => space.select(guard, &value, &others),
            });
        }
        result.unwrap_or(Value::Opaque)
    }

    fn overlapping(
        &self,
        region: RegionId,
        offset: i64,
        bytes: u32,
    ) -> impl Iterator<Item = (i64, u32)> + '_ {
        let end = offset.saturating_add(i64::from(bytes));
        let near = (region, offset.saturating_sub(VALUE_BYTES))..(region, end);
        self.cells.range(near).filter_map(move |((_, at), (size, _))| {
            (at.saturating_add(i64::from(*size)) > offset).then_some((*at, *size))
        })
    }

    /// Writes a value where the guard holds.
    pub(crate) fn write(
        &mut self,
        space: &mut Space,
        guard: Guard,
        (region, offset): (RegionId, i64),
        (ty, bytes): (&Type, u32),
        value: &Value,
    ) {
        let value = match guard {
            Guard::ALWAYS => value.clone(),
            _ => {
                let old = self.read(space, region, offset, ty, bytes);
                space.select(guard, value, &old)
            }
        };
        let others: Vec<i64> = self
            .overlapping(region, offset, bytes)
            .map(|(at, _)| at)
            .filter(|at| *at != offset)
            .collect();
        for at in others {
            self.forget_cell(space, region, at);
        }
        self.cells.insert((region, offset), (bytes, value));
    }

    /// Havocs a place that was written.
    fn forget_cell(&mut self, space: &mut Space, region: RegionId, offset: i64) {
        let epoch = space.new_epoch();
        if let Some((_, value)) = self.cells.get_mut(&(region, offset)) {
            let ty = type_of(space, value);
            *value = space.given(Input::Cell { region, offset, epoch }, &ty);
        }
    }

    /// Havocs the places of an object that were written; the others keep their contents.
    pub(crate) fn forget_written(&mut self, space: &mut Space, region: RegionId) {
        for offset in self.written(region) {
            self.forget_cell(space, region, offset);
        }
    }

    /// Havocs an object, or fills it with zeros.
    pub(crate) fn forget(&mut self, region: RegionId, epoch: u32) {
        for offset in self.written(region) {
            self.cells.remove(&(region, offset));
        }
        self.epochs.insert(region, vec![(Guard::ALWAYS, epoch)]);
    }

    /// The pointers in an object of several parts that must not be null.
    pub(crate) fn pointers_of_structure(
        &self,
        region: RegionId,
        is_known: bool,
    ) -> Vec<((RegionId, i64), (u32, Value))> {
        let all = self.cells.range((region, i64::MIN)..=(region, i64::MAX));
        let all: Vec<_> = all.map(|(place, cell)| (*place, cell.clone())).collect();
        let leads = |value: &Value| match value {
            Value::Pointer(locations) => {
                locations.iter().all(|(_, at)| matches!(at, Location::At(..)))
            }
            Value::Truth(_) | Value::Word(_) | Value::Opaque => false,
        };
        match all.len() {
            0 | 1 if !is_known => Vec::new(),
            _ => all.into_iter().filter(|(_, (_, value))| leads(value)).collect(),
        }
    }

    pub(crate) fn written(&self, region: RegionId) -> Vec<i64> {
        let all = (region, i64::MIN)..=(region, i64::MAX);
        self.cells.range(all).map(|((_, offset), _)| *offset).collect()
    }

    /// The objects that pointers in an object point to.
    pub(crate) fn targets(&self, region: RegionId) -> Vec<(Guard, RegionId)> {
        let all = (region, i64::MIN)..=(region, i64::MAX);
        let mut targets = Vec::new();
        for (_, value) in self.cells.range(all).map(|(_, cell)| cell) {
            targets.extend(pointed_to(value));
        }
        targets
    }

    /// The typestate of an object, by its number.
    pub(crate) fn typestate(&self, space: &Space, key: u32) -> Typestate {
        self.typestates.get(&key).unwrap_or_else(|| space.entry(key)).clone()
    }

    /// The join of two states.
    pub(crate) fn merge(space: &mut Space, mut a: State, b: State) -> State {
        let guard = space.diagrams.or(a.guard, b.guard);
        let first = space.diagrams.restrict(a.guard, guard);
        for (mine, theirs) in a.locals.iter_mut().zip(b.locals.iter()) {
            match (mine.as_ref(), theirs) {
                (Some(x), Some(y)) if x != y => *mine = Some(space.select(first, x, y)),
                (None, Some(y)) => *mine = Some(y.clone()),
                (Some(_), _) | (None, None) => {}
            }
        }
        let mut cells = BTreeMap::new();
        let places: Vec<(RegionId, i64)> = a.cells.keys().chain(b.cells.keys()).copied().collect();
        for place in places {
            if cells.contains_key(&place) {
                continue;
            }
            let cell = match (a.cells.get(&place), b.cells.get(&place)) {
                (Some(x), Some(y)) if x == y => x.clone(),
                (Some((bytes, x)), Some((other, y))) if bytes == other => {
                    (*bytes, space.select(first, x, y))
                }
                (Some((bytes, x)), _) => {
                    let y = b.other_side(space, place, *bytes, x);
                    (*bytes, space.select(first, x, &y))
                }
                (None, Some((bytes, y))) => {
                    let x = a.other_side(space, place, *bytes, y);
                    (*bytes, space.select(first, &x, y))
                }
                (None, None) => continue,
            };
            cells.insert(place, cell);
        }
        a.merge_epochs(space, first, &b);
        a.cells = cells;
        let keys: Vec<u32> = a.typestates.keys().chain(b.typestates.keys()).copied().collect();
        for key in keys {
            let (mine, theirs) = (a.typestate(space, key), b.typestate(space, key));
            if mine != theirs {
                a.typestates.insert(key, merge_typestates(space, first, &mine, &theirs));
            }
        }
        merge_marks(space, first, &mut a.escaped, b.escaped);
        merge_marks(space, first, &mut a.freed, b.freed);
        merge_marks(space, first, &mut a.must_freed, b.must_freed);
        a.overwritten.extend(b.overwritten);
        a.is_stale |= b.is_stale;
        a.guard = guard;
        a
    }

    /// The contents on this side of a place that only the other side has written.
    fn other_side(
        &self,
        space: &mut Space,
        (region, offset): (RegionId, i64),
        bytes: u32,
        written: &Value,
    ) -> Value {
        match space.get(space.whole(region)) {
            // A variable that was never set is not read.
            Region::Stack(_) | Region::New(..) if !self.epochs.contains_key(&region) => {
                written.clone()
            }
            Region::Stack(_)
            | Region::New(..)
            | Region::Pointee(_)
            | Region::Static(_)
            | Region::External(_)
            | Region::Element(..) => {
                let ty = type_of(space, written);
                self.read(space, region, offset, &ty, bytes)
            }
        }
    }

    fn merge_epochs(&mut self, space: &mut Space, first: Guard, other: &State) {
        let regions: Vec<RegionId> =
            self.epochs.keys().chain(other.epochs.keys()).copied().collect();
        let not = space.diagrams.not(first);
        for region in regions {
            let entry = vec![(Guard::ALWAYS, 0)];
            let mine = self.epochs.get(&region).unwrap_or(&entry);
            let theirs = other.epochs.get(&region).unwrap_or(&entry);
            if mine == theirs {
                continue;
            }
            let mut merged: Vec<(Guard, u32)> = Vec::new();
            for (side, epochs) in [(first, mine), (not, theirs)] {
                for &(guard, epoch) in epochs {
                    let guard = space.diagrams.and(side, guard);
                    match merged.iter_mut().find(|(_, known)| *known == epoch) {
                        Some((known, _)) => *known = space.diagrams.or(*known, guard),
                        None if guard == Guard::NEVER => {}
                        None => merged.push((guard, epoch)),
                    }
                }
            }
            self.epochs.insert(region, merged);
        }
    }
}

/// Marks what a pointer points to where a guard holds.
pub(crate) fn mark(
    space: &mut Space,
    marks: &mut BTreeMap<RegionId, Guard>,
    pointer: &Value,
    when: Guard,
) {
    for (under, region) in pointed_to(pointer) {
        let under = space.diagrams.and(under, when);
        let region = space.whole(region);
        let mark = marks.entry(region).or_insert(Guard::NEVER);
        *mark = space.diagrams.or(*mark, under);
    }
}

fn merge_marks(
    space: &mut Space,
    first: Guard,
    mine: &mut BTreeMap<RegionId, Guard>,
    theirs: BTreeMap<RegionId, Guard>,
) {
    let not = space.diagrams.not(first);
    for mark in mine.values_mut() {
        *mark = space.diagrams.and(first, *mark);
    }
    for (region, mark) in theirs {
        let mark = space.diagrams.and(not, mark);
        let merged = mine.entry(region).or_insert(Guard::NEVER);
        *merged = space.diagrams.or(*merged, mark);
    }
}

fn merge_typestates(space: &mut Space, first: Guard, a: &Typestate, b: &Typestate) -> Typestate {
    let states = a.states.iter().zip(&b.states);
    let states = states.map(|(a, b)| space.diagrams.ite(first, *a, *b)).collect();
    let touched = space.diagrams.ite(first, a.touched, b.touched);
    Typestate { states, touched, vague: space.diagrams.ite(first, a.vague, b.vague) }
}

/// The objects that a value points to.
pub(crate) fn pointed_to(value: &Value) -> Vec<(Guard, RegionId)> {
    let Value::Pointer(locations) = value else { return Vec::new() };
    let target = |(guard, location): &(Guard, Location)| match location {
        Location::At(region, _) => Some((*guard, *region)),
        Location::Null | Location::Number(_) => None,
    };
    locations.iter().filter_map(target).collect()
}

/// The type of a value.
pub(crate) fn type_of(space: &Space, value: &Value) -> Type {
    match value {
        Value::Truth(_) => Type::Bool,
        Value::Word(term) => Type::Bv(space.width(*term)),
        Value::Pointer(_) => Type::Ptr,
        Value::Opaque => Type::Int,
    }
}

/// Zero or null of a type.
pub(crate) fn zero(space: &mut Space, ty: &Type) -> Value {
    match ty {
        Type::Bool => Value::Truth(Guard::NEVER),
        Type::Bv(width) => Value::Word(space.word(*width, 0)),
        Type::Ptr => pointer(Location::Null),
        _ => Value::Opaque,
    }
}

/// A value that was written with one type and is read with another of the same size.
fn viewed(space: &mut Space, value: &Value, ty: &Type) -> Value {
    match (value, ty) {
        (Value::Word(term), Type::Ptr) if space.width(*term) == ir::ADDRESS_BITS => {
            Value::Pointer(space.located(*term))
        }
        (Value::Pointer(locations), Type::Bv(ir::ADDRESS_BITS)) => {
            Value::Word(space.addressed(locations))
        }
        (Value::Word(term), Type::Bv(width)) if space.width(*term) > *width => {
            let op = ir::Op::BvExtract { low: 0, width: *width };
            Value::Word(space.compute(&op, &[*term], *width))
        }
        (Value::Word(term), Type::Bv(width)) if space.width(*term) < *width => {
            Value::Word(space.compute(&ir::Op::BvZeroExtend(*width), &[*term], *width))
        }
        (Value::Truth(guard), Type::Bv(width)) => {
            let (one, zero) = (space.word(*width, 1), space.word(*width, 0));
            Value::Word(space.choice(*guard, one, zero))
        }
        (Value::Word(_), Type::Bv(_))
        | (Value::Truth(_), Type::Bool)
        | (Value::Pointer(_), Type::Ptr) => value.clone(),
        _ => Value::Opaque,
    }
}

impl Space {
    /// The address of a pointer.
    pub(crate) fn addressed(&mut self, locations: &Locations) -> crate::space::TermId {
        let mut result = None;
        for &(guard, location) in locations.iter() {
            let address = self.address(location);
            result = Some(match result {
                None => address,
                Some(others) => self.choice(guard, address, others),
            });
        }
        result.unwrap_or_else(|| self.word(ir::ADDRESS_BITS, 0))
    }
}

//! Loads and stores through guarded location sets, block operations, and escaping memory.

use ir::{ExprId, Memory, Type};
use rustc_hash::FxHashMap;

use crate::limits::COPIED_BYTES;
use crate::space::{Region, RegionId};
use crate::state::{State, ZEROS, mark, pointed_to};
use crate::value::{Location, Locations, Value};
use crate::walk::Walk;
use circuit::Guard;

/// The size of a type in bytes; none if its values are not stored in memory.
pub(crate) fn size_of(ty: &Type) -> Option<u32> {
    match ty {
        Type::Bool => Some(1),
        Type::Bv(width) => Some(width.div_ceil(8)),
        Type::Ptr => Some(ir::ADDRESS_BITS / 8),
        Type::Int
        | Type::Sort(_)
        | Type::Map(..)
        | Type::Seq(_)
        | Type::Record(_)
        | Type::Variant(_)
        | Type::Bytes => None,
    }
}

impl Walk<'_> {
    /// Executions continue only where the accessed pointer is not null, if that condition exists.
    fn dereference(&mut self, state: &mut State, locations: &Locations) {
        for &(under, location) in locations.iter() {
            let null = self.space.is_known_null(location);
            let fails = self.space.diagrams.and(under, null);
            state.guard = self.space.diagrams.and_not(state.guard, fails);
        }
    }

    /// Loads from the targets of a pointer.
    pub(crate) fn load(&mut self, state: &mut State, target: &Value, ty: &Type) -> Value {
        let (Value::Pointer(locations), Some(bytes)) = (target, size_of(ty)) else {
            return self.open(ty);
        };
        let locations = locations.clone();
        self.dereference(state, &locations);
        let mut result: Option<Value> = None;
        for &(under, location) in locations.iter() {
            let Location::At(region, offset) = location else { continue };
            let value = match self.space.get(region) {
                Region::Static(function) => self.constant_content(function, offset, ty, bytes),
                Region::Pointee(_)
                | Region::External(_)
                | Region::Stack(_)
                | Region::New(..)
                | Region::Element(..) => None,
            };
            let is_open = self.space.is_must && state.is_stale && self.space.is_outside(region);
            let value = match value {
                Some(value) => value,
                None if is_open => self.open(ty),
                None => state.read(&mut self.space, region, offset, ty, bytes),
            };
            result = Some(match result {
                None => value,
                Some(others) => self.space.select(under, &value, &others),
            });
        }
        match result {
            Some(Value::Opaque) | None => self.open(ty),
            Some(value) => value,
        }
    }

    /// Stores a value to the targets of a pointer.
    pub(crate) fn store(&mut self, state: &mut State, target: &Value, ty: &Type, value: &Value) {
        let (Value::Pointer(locations), Some(bytes)) = (target, size_of(ty)) else { return };
        let locations = locations.clone();
        self.dereference(state, &locations);
        let mut is_lost = locations.iter().all(|(_, at)| !matches!(at, Location::At(..)));
        for &(under, location) in locations.iter() {
            let Location::At(region, offset) = location else { continue };
            state.write(&mut self.space, under, (region, offset), (ty, bytes), value);
            state.is_stale |= self.space.is_outside(region);
            // A computed offset is not known well enough to find it again.
            is_lost |= matches!(self.space.get(region), Region::Element(..));
        }
        if is_lost {
            self.escape(state, &pointed_to(value));
        }
    }

    /// Copies or fills a block.
    pub(crate) fn change_memory(&mut self, state: &mut State, op: &Memory, operands: &[ExprId]) {
        state.is_stale = true;
        match op {
            Memory::Copy => {
                let [to, from, size] = [1, 2, 3].map(|n| self.value(state, operands[n]));
                self.copy(state, &to, &from, &size);
            }
            Memory::Fill => {
                let [to, byte, size] = [1, 2, 3].map(|n| self.value(state, operands[n]));
                self.fill(state, &to, &byte, &size);
            }
            Memory::Store(ty) => {
                let [to, value] = [1, 2].map(|n| self.value(state, operands[n]));
                self.store(state, &to, ty, &value);
            }
            Memory::Load(_)
            | Memory::Peek
            | Memory::IsWritten(_)
            | Memory::ObjectSize
            | Memory::IsLive
            | Memory::IsHeap => {}
        }
    }

    fn length(&self, size: &Value) -> Option<i64> {
        let Value::Word(term) = size else { return None };
        i64::try_from(self.space.constant(*term)?).ok()
    }

    fn copy(&mut self, state: &mut State, to: &Value, from: &Value, size: &Value) {
        let (Value::Pointer(to), Value::Pointer(from)) = (to, from) else { return };
        let length = self.length(size).filter(|length| *length <= COPIED_BYTES);
        if let ([(_, Location::At(target, at))], [(_, Location::At(source, start))], Some(length)) =
            (&to[..], &from[..], length)
        {
            let (target, at, source, start) = (*target, *at, *source, *start);
            let cells: Vec<_> = state
                .cells
                .range((source, start)..(source, start + length))
                .map(|((_, offset), cell)| (*offset, cell.clone()))
                .collect();
            self.forget_block(state, target, at, length);
            for (offset, cell) in cells {
                state.cells.insert((target, at + offset - start), cell);
            }
            return;
        }
        // A copied pointer is known in two places.
        let sources: Vec<RegionId> = from.iter().filter_map(|(_, at)| region_of(*at)).collect();
        for source in sources {
            self.escape(state, &state.targets(source));
        }
        self.forget_blocks(state, &to.clone());
    }

    fn fill(&mut self, state: &mut State, to: &Value, byte: &Value, size: &Value) {
        let Value::Pointer(to) = to else { return };
        let zeros = matches!(byte, Value::Word(term) if self.space.constant(*term) == Some(0));
        if let ([(_, Location::At(region, 0))], true, Some(length)) =
            (&to[..], zeros, self.length(size))
            && state.written(*region).iter().all(|offset| *offset < length)
        {
            state.forget(*region, ZEROS);
            return;
        }
        self.forget_blocks(state, &to.clone());
    }

    /// Havocs the block that a pointer points to.
    fn forget_blocks(&mut self, state: &mut State, to: &Locations) {
        for &(_, location) in to.iter() {
            if let Location::At(region, _) = location {
                state.forget_written(&mut self.space, region);
            }
        }
    }

    fn forget_block(&mut self, state: &mut State, region: RegionId, at: i64, length: i64) {
        let written = state.written(region);
        match self.space.get(region) {
            Region::Stack(_) | Region::New(..)
                if written.iter().all(|offset| (at..at + length).contains(offset)) =>
            {
                let epoch = self.space.new_epoch();
                state.forget(region, epoch);
            }
            Region::Stack(_)
            | Region::New(..)
            | Region::Pointee(_)
            | Region::Static(_)
            | Region::External(_)
            | Region::Element(..) => {
                for offset in
                    written.into_iter().filter(|offset| (at..at + length).contains(offset))
                {
                    state.cells.remove(&(region, offset));
                }
            }
        }
    }

    /// Records that the targets of a pointer are freed.
    pub(crate) fn release(&mut self, state: &mut State, value: &Value) {
        mark(&mut self.space, &mut state.freed, value, Guard::ALWAYS);
    }

    /// Records that objects escape, with all objects that are reachable from them.
    pub(crate) fn escape(&mut self, state: &mut State, known: &[(Guard, RegionId)]) {
        for (region, guard) in self.reachable(state, known) {
            self.mark_escaped(state, guard, region);
        }
    }

    fn mark_escaped(&mut self, state: &mut State, guard: Guard, region: RegionId) {
        let before = state.escaped.get(&region).copied().unwrap_or(Guard::NEVER);
        let after = self.space.diagrams.or(before, guard);
        state.escaped.insert(region, after);
    }

    /// The objects that are reachable from the given ones, these included, each with its guard.
    pub(crate) fn reachable(
        &mut self,
        state: &State,
        known: &[(Guard, RegionId)],
    ) -> Vec<(RegionId, Guard)> {
        let mut found: FxHashMap<RegionId, Guard> = FxHashMap::default();
        let mut open: Vec<(Guard, RegionId)> = known.to_vec();
        let mut order = Vec::new();
        while let Some((guard, region)) = open.pop() {
            let region = self.space.whole(region);
            let before = found.get(&region).copied();
            let after = self.space.diagrams.or(before.unwrap_or(Guard::NEVER), guard);
            if before == Some(after) || self.space.diagrams.is_exhausted() {
                continue;
            }
            if before.is_none() {
                order.push(region);
            }
            found.insert(region, after);
            for (under, next) in state.targets(region) {
                let guard = self.space.diagrams.and(guard, under);
                if guard != Guard::NEVER {
                    open.push((guard, next));
                }
            }
        }
        order.into_iter().map(|region| (region, found[&region])).collect()
    }
}

fn region_of(location: Location) -> Option<RegionId> {
    match location {
        Location::At(region, _) => Some(region),
        Location::Null | Location::Number(_) => None,
    }
}

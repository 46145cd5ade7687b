//! The content of memory in the evidence pass.
//!
//! Objects are named by origins, their content by slots. Stores accumulate and nothing is overwritten, so that the order
//! of stores does not matter: the pass visits a store before every load that can see it.

use ir::{Content, Module};
use rustc_hash::FxHashMap;

use super::value::{ANYTHING, Origin, OriginKind, Origins, SLOT, Set, Slot, Value};

/// The maximum number of bytes that are copied slot by slot.
const LONGEST_COPY: i64 = 512;

/// What was stored, and which slots of the initial content were read.
#[derive(Debug, Default)]
pub(super) struct Memory {
    cells: FxHashMap<Origin, FxHashMap<Slot, Value>>,
    read: FxHashMap<Origin, Vec<Slot>>,
    /// Values that were stored through pointers that may point anywhere.
    anywhere: Option<Value>,
}

/// The slots of `bytes` bytes from an offset on.
fn slots(offset: Option<i64>, bytes: i64) -> Vec<Slot> {
    match offset {
        Some(offset) => {
            let last = offset.saturating_add(bytes.max(1) - 1).div_euclid(SLOT);
            (offset.div_euclid(SLOT)..=last).map(Some).collect()
        }
        None => vec![None],
    }
}

impl Memory {
    /// What lies in `bytes` bytes at a pointer.
    pub(super) fn load(
        &mut self,
        module: &Module,
        origins: &mut Origins,
        pointer: &Value,
        bytes: i64,
    ) -> Value {
        let mut found: Option<Value> = self.anywhere.clone();
        if pointer.objects.is_empty() || pointer.objects.is_anything() {
            return Value::of(ANYTHING);
        }
        for object in pointer.objects.iter() {
            for slot in slots(pointer.offset, bytes) {
                for value in self.stored(object, slot) {
                    add(&mut found, value);
                }
                self.add_initial(module, origins, object, slot, &mut found);
            }
        }
        let mut found = found.unwrap_or_default();
        if pointer.objects.iter().any(|object| is_own(origins.kind(object))) {
            found.depends = found.depends.union(&pointer.depends);
        }
        found
    }

    fn stored(&self, object: Origin, slot: Slot) -> Vec<Value> {
        let Some(cells) = self.cells.get(&object) else { return Vec::new() };
        match slot {
            Some(_) => [slot, None].iter().filter_map(|slot| cells.get(slot)).cloned().collect(),
            None => cells.values().cloned().collect(),
        }
    }

    /// Adds the content of a slot at entry.
    fn add_initial(
        &mut self,
        module: &Module,
        origins: &mut Origins,
        object: Origin,
        slot: Slot,
        found: &mut Option<Value>,
    ) {
        match origins.kind(object) {
            OriginKind::Allocated { .. } => {}
            OriginKind::Static(address) if is_constant(module, address) => {
                let contents = module.object_at(address).map(|at| &module.objects[at]);
                for (offset, part) in contents.iter().flat_map(|it| it.contents.iter().flatten()) {
                    let (first, last) = (*offset as i64, (*offset + part.size()) as i64);
                    let is_met = slot.is_none_or(|slot| {
                        first < (slot + 1) * SLOT && slot * SLOT < last
                    });
                    match part {
                        Content::Address(to, _) if is_met => {
                            let to = origins.number(OriginKind::Static(*to));
                            add(found, Value { offset: None, ..Value::of(to) });
                        }
                        Content::Bytes(bytes) if is_met && bytes.contains(&0) => {
                            add(found, Value { zero: true, ..Value::default() });
                        }
                        Content::Address(..) | Content::Bytes(_) => {}
                    }
                }
                add(found, Value::default());
            }
            OriginKind::Anything
            | OriginKind::Entry(_)
            | OriginKind::Unknown(..)
            | OriginKind::Loaded(..)
            | OriginKind::Reached(_)
            | OriginKind::Static(_) => {
                let read = self.read.entry(object).or_default();
                if !read.contains(&slot) {
                    read.push(slot);
                }
                for &other in read.iter() {
                    // Slots overlap if they are the same, or if one of them is not known.
                    if other == slot || other.is_none() || slot.is_none() {
                        add(found, Value::of(origins.loaded(object, other)));
                    }
                }
            }
        }
    }

    /// Adds a value to what may lie in `bytes` bytes at a pointer.
    pub(super) fn store(&mut self, pointer: &Value, bytes: i64, value: &Value) {
        if pointer.objects.is_anything() {
            add(&mut self.anywhere, value.clone());
        }
        for object in pointer.objects.iter() {
            for slot in slots(pointer.offset, bytes) {
                self.store_in(object, slot, value);
            }
        }
    }

    fn store_in(&mut self, object: Origin, slot: Slot, value: &Value) {
        let cell = self.cells.entry(object).or_default().entry(slot);
        cell.and_modify(|held| *held = held.join(value)).or_insert_with(|| value.clone());
    }

    /// Copies bytes from one pointer to another.
    pub(super) fn copy(
        &mut self,
        module: &Module,
        origins: &mut Origins,
        to: &Value,
        from: &Value,
        bytes: Option<i64>,
    ) {
        match (to.offset, from.offset, bytes) {
            (Some(to_offset), Some(from_offset), Some(bytes)) if bytes <= LONGEST_COPY => {
                for position in (0..bytes).step_by(SLOT as usize) {
                    let source = Value { offset: Some(from_offset + position), ..from.clone() };
                    let target = Value { offset: Some(to_offset + position), ..to.clone() };
                    let length = SLOT.min(bytes - position);
                    let value = self.load(module, origins, &source, length);
                    self.store(&target, length, &value);
                }
            }
            _ => {
                let source = Value { offset: None, ..from.clone() };
                let value = self.load(module, origins, &source, 1);
                let target = Value { offset: None, ..to.clone() };
                self.store(&target, 1, &Value { offset: None, ..value });
            }
        }
    }
}

/// Whether an object is one of the procedure's own or of the program, so that its content is known.
fn is_own(kind: OriginKind) -> bool {
    matches!(kind, OriginKind::Allocated { .. } | OriginKind::Static(_))
}

fn is_constant(module: &Module, address: ir::FunctionId) -> bool {
    module.object_at(address).is_some_and(|at| {
        let object = &module.objects[at];
        object.constant && object.contents.is_some()
    })
}

fn add(found: &mut Option<Value>, value: Value) {
    *found = Some(match found.take() {
        Some(found) => found.join(&value),
        None => value,
    });
}

/// The origins of a set that are objects of a known size or storage.
pub(super) fn own_objects<'s>(
    origins: &'s Origins,
    objects: &'s Set,
) -> impl Iterator<Item = OriginKind> + 's {
    objects.iter().map(|origin| origins.kind(origin)).filter(|kind| is_own(*kind))
}

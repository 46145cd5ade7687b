//! Monitors: the states of locks, streams and handles, and the lifetime of heap blocks, beside an execution.
//!
//! A state belongs to an object of the execution: an address, or a number that a function returned. At entry the
//! state of a caller's object is open; the first operation on it determines what it must have been. An object that
//! the execution itself creates begins in the first state.
//!
//! A block is lost if it was allocated in the execution, is not freed, and at exit cannot be found from the result,
//! parameters, static objects or what was passed to an unknown function, following every word of memory that is an
//! address within an object. Nothing is found through a block that was freed.

use std::collections::{BTreeMap, BTreeSet};

use interpret::{Bytes, Objects, Pointer, Time, Value};
use ir::PointId;
use ir::address::ENVIRONMENT;
use property::{Index, NextState, OperationTarget};

use crate::witness::TrackedObject;

/// Something that an observer saw, at a point of the entry procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    /// The statement of the entry procedure that was executed.
    pub point: PointId,
    /// The number of calls begun, including the present one.
    pub calls: usize,
    /// What.
    pub sight: Sight,
}

/// An event that a monitor can see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sight {
    /// A branch was taken or not.
    Branch(bool),
    /// An operation moved an object from one state to another, or left it as it was.
    Moved {
        /// The function that did it.
        callee: String,
        /// The property, by position.
        property: usize,
        /// The object.
        subject: TrackedObject,
        /// The state before.
        from: u32,
        /// The state after.
        to: u32,
    },
    /// An operation met an object in a state that it does not allow.
    Error {
        /// The function that did it.
        callee: String,
        /// The property, by position.
        property: usize,
        /// The object.
        subject: TrackedObject,
        /// The state.
        from: u32,
        /// The rule that is broken.
        rule: String,
    },
    /// A block was allocated: its number.
    Allocated {
        /// The function that the entry procedure called for it.
        callee: String,
        /// The block.
        object: u64,
    },
}

/// The states and blocks of one execution.
pub(crate) struct Observer<'o> {
    index: &'o Index,
    /// How many static objects there are; what the execution makes comes after them.
    statics: u64,
    /// The objects that functions without body made.
    pub(crate) made: BTreeSet<u64>,
    states: BTreeMap<(usize, TrackedObject), u32>,
    /// The states at entry, as far as they are settled.
    pub(crate) entry: BTreeMap<(usize, TrackedObject), u32>,
    pub(crate) seen: Vec<Observed>,
    /// How many calls have been begun.
    pub(crate) calls: usize,
    /// The blocks that the execution allocated, and at which point of the entry procedure.
    blocks: BTreeMap<u64, PointId>,
    /// The blocks that other code took over.
    released: BTreeSet<u64>,
    /// The objects that unknown functions know.
    escaped: BTreeSet<u64>,
    /// Whether something was seen that cannot be.
    pub(crate) is_infeasible: bool,
}

impl<'o> Observer<'o> {
    pub(crate) fn new(
        index: &'o Index,
        statics: u64,
        given: &[(String, TrackedObject, u32)],
    ) -> Self {
        let machines = &index.properties().machines;
        let entry = given.iter().filter_map(|(name, subject, state)| {
            let property = machines.iter().position(|property| property.name == *name)?;
            Some(((property, *subject), *state))
        });
        Observer {
            index,
            statics,
            made: BTreeSet::new(),
            states: BTreeMap::new(),
            entry: entry.collect(),
            seen: Vec::new(),
            calls: 0,
            blocks: BTreeMap::new(),
            released: BTreeSet::new(),
            escaped: BTreeSet::new(),
            is_infeasible: false,
        }
    }

    pub(crate) fn see(&mut self, point: PointId, sight: Sight) {
        self.seen.push(Observed { point, calls: self.calls, sight });
    }

    /// The state of an object now, if it is known.
    pub(crate) fn state(&self, property: usize, subject: TrackedObject) -> Option<u32> {
        let key = (property, subject);
        self.states.get(&key).or(self.entry.get(&key)).copied()
    }

    fn is_own(&self, subject: TrackedObject) -> bool {
        match subject {
            TrackedObject::At(object, _) => {
                object > self.statics && object < ENVIRONMENT || self.made.contains(&object)
            }
            TrackedObject::Number(_) => false,
        }
    }

    /// Whether a result of an operation leaves an object in a state that it has, and whether it moves it.
    pub(crate) fn fits(
        &self,
        operation: (usize, usize),
        subject: Option<TrackedObject>,
        result: Option<&Value>,
    ) -> Fit {
        let (property, number) = operation;
        let machine = &self.index.properties().machines[property];
        let state = subject.and_then(|subject| self.state(property, subject));
        let (is_zero, is_negative) = signs(result);
        let mut moves = machine.operations[number].moves.iter().filter(|step| {
            state.is_none_or(|state| state == step.from)
                && step.when.is_none_or(|when| when.fits(is_zero, is_negative))
        });
        match state {
            Some(_) => match moves.next().map(|step| (&step.to, step.from)) {
                None => Fit::Stays,
                Some((NextState::Impossible, _)) => Fit::Never,
                Some((NextState::Error(_), _)) => Fit::Moves,
                Some((NextState::State(to), from)) if *to == from => Fit::Stays,
                Some((NextState::State(_), _)) => Fit::Moves,
            },
            None => {
                let moved =
                    moves.any(|step| matches!(step.to, NextState::State(to) if to != step.from));
                if moved { Fit::Moves } else { Fit::Stays }
            }
        }
    }

    /// An operation is executed.
    pub(crate) fn operate(
        &mut self,
        point: PointId,
        callee: &str,
        (property, number): (usize, usize),
        arguments: &[Value],
        result: Option<&Value>,
    ) {
        let machine = &self.index.properties().machines[property];
        let operation = &machine.operations[number];
        let moved = match operation.object {
            OperationTarget::Argument(argument) => arguments.get(argument as usize),
            OperationTarget::Result => result,
        };
        let Some(subject) = moved.and_then(subject) else { return };
        let (is_zero, is_negative) = signs(result);
        let applies = |step: &&property::StateTransition| {
            step.when.is_none_or(|when| when.fits(is_zero, is_negative))
        };
        let is_result = operation.object == OperationTarget::Result;
        let known = self.state(property, subject);
        let from = match known {
            Some(state) => state,
            // The result of a function is new, and so is an object that the execution itself creates.
            None if is_result || self.is_own(subject) => 0,
            None => {
                let possible = operation.moves.iter().filter(applies);
                let mut possible = possible.filter(|step| matches!(step.to, NextState::State(_)));
                possible.next().map_or(0, |step| step.from)
            }
        };
        if known.is_none() {
            self.entry.insert((property, subject), from);
        }
        let step = operation.moves.iter().filter(applies).find(|step| step.from == from);
        let callee = callee.to_owned();
        match step.map(|step| &step.to) {
            None => {
                self.see(point, Sight::Moved { callee, property, subject, from, to: from });
            }
            Some(NextState::State(to)) => {
                self.states.insert((property, subject), *to);
                let to = *to;
                self.see(point, Sight::Moved { callee, property, subject, from, to });
            }
            Some(NextState::Error(rule)) => {
                let rule = rule.clone();
                self.see(point, Sight::Error { callee, property, subject, from, rule });
            }
            Some(NextState::Impossible) => self.is_infeasible = true,
        }
    }

    pub(crate) fn allocated(&mut self, point: PointId, callee: &str, object: u64) {
        self.blocks.insert(object, point);
        self.see(point, Sight::Allocated { callee: callee.to_owned(), object });
    }

    /// Other code takes a block over: it is reachable without the execution.
    pub(crate) fn release(&mut self, object: u64) {
        self.released.insert(object);
    }

    /// An unknown function is passed values, and may keep what they lead to.
    pub(crate) fn escape(
        &mut self,
        arguments: &[Value],
        memory: Option<&Bytes>,
        (objects, time): (&Objects, Time),
    ) {
        let given: BTreeSet<u64> = arguments.iter().flat_map(targets).collect();
        if given.iter().all(|object| self.escaped.contains(object)) {
            return;
        }
        let found = match memory {
            Some(memory) => reachable(memory, given, &|object| objects.is_live(object, time)),
            None => given,
        };
        self.escaped.extend(found);
    }

    /// The blocks that are unreachable when the execution has returned.
    pub(crate) fn lost(
        &self,
        objects: &Objects,
        memory: &Bytes,
        results: &[Option<Value>],
    ) -> Vec<(u64, PointId)> {
        let now = objects.now();
        let is_there = |object: u64| objects.is_live(object, now);
        let candidates = self.blocks.iter().map(|(object, point)| (*object, *point));
        let candidates: Vec<(u64, PointId)> = candidates
            .filter(|(object, _)| is_there(*object) && !self.released.contains(object))
            .collect();
        if candidates.is_empty() {
            return Vec::new();
        }
        let mut given: BTreeSet<u64> = results.iter().flatten().flat_map(targets).collect();
        given.extend(1..=self.statics);
        let held: BTreeSet<u64> = memory.written().map(|(object, ..)| object).collect();
        given.extend(held.into_iter().filter(|o| *o >= ENVIRONMENT && !self.made.contains(o)));
        given.extend(&self.escaped);
        let found = reachable(memory, given, &is_there);
        candidates.into_iter().filter(|(object, _)| !found.contains(object)).collect()
    }
}

/// How a result fits an operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Fit {
    /// It moves the object.
    Moves,
    /// It leaves it as it is.
    Stays,
    /// There is no such result in this state.
    Never,
}

/// Whether a result is zero or null, and whether it is negative.
pub(crate) fn signs(result: Option<&Value>) -> (bool, bool) {
    match result {
        Some(Value::Bv(word)) => (word.is_zero(), word.sign()),
        Some(Value::Ptr(pointer)) => (*pointer == Pointer::NULL, false),
        Some(Value::Bool(value)) => (!value, false),
        Some(_) | None => (false, false),
    }
}

/// The object with a state that a value stands for.
pub(crate) fn subject(value: &Value) -> Option<TrackedObject> {
    match value {
        Value::Ptr(pointer) if pointer.object != 0 => {
            Some(TrackedObject::At(pointer.object, pointer.offset))
        }
        Value::Bv(word) => Some(TrackedObject::Number(word.small()?)),
        _ => None,
    }
}

/// The object that a pointer leads to, or a word that is an address.
pub(crate) fn target(value: &Value) -> Option<u64> {
    targets(value).first().copied()
}

/// The objects that a value leads to; words count as addresses, and structures that are passed by value as all that
/// they hold.
pub(crate) fn targets(value: &Value) -> Vec<u64> {
    const ADDRESS_BYTES: usize = ir::ADDRESS_BITS as usize / 8;
    let objects: Vec<u64> = match value {
        Value::Ptr(pointer) => vec![pointer.object],
        Value::Bv(word) if word.width() >= ir::ADDRESS_BITS => {
            let bytes = word.to_bytes();
            let words = bytes.windows(ADDRESS_BYTES);
            words
                .filter_map(|word| {
                    Some(Pointer::at(u64::from_le_bytes(word.try_into().ok()?)).object)
                })
                .collect()
        }
        Value::Record(_, fields) => fields.iter().flatten().flat_map(targets).collect(),
        _ => Vec::new(),
    };
    objects.into_iter().filter(|object| *object != 0).collect()
}

/// The objects that are reachable from some by following the contents of memory. Freed memory has no contents.
fn reachable(memory: &Bytes, from: BTreeSet<u64>, is_there: &dyn Fn(u64) -> bool) -> BTreeSet<u64> {
    let mut words: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for (holder, _, pointer) in memory.pointers() {
        if pointer.object != 0 && is_there(holder) {
            words.entry(holder).or_default().insert(pointer.object);
        }
    }
    let mut found = from.clone();
    let mut open: Vec<u64> = from.into_iter().collect();
    while let Some(object) = open.pop() {
        for target in words.get(&object).into_iter().flatten() {
            if found.insert(*target) {
                open.push(*target);
            }
        }
    }
    found
}

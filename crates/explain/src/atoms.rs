//! Names for atoms in the order in which an execution reaches them.
//!
//! Atoms of a sort are interchangeable, so the numbers that a model assigns mean nothing. With this numbering,
//! executions that differ only in them read the same.

use std::collections::BTreeMap;

use interpret::{EventKind, Execution, Names, Value};
use ir::{Module, Notation, SortId};

/// Atoms by the order in which they were met, for each sort.
#[derive(Clone, Debug, Default)]
pub(crate) struct Atoms {
    is_mathematical: bool,
    met: BTreeMap<(SortId, u64), u64>,
}

impl Atoms {
    /// The names of an execution, if its values are written in mathematics; there `null` is one of them.
    pub(crate) fn of<'v>(
        module: &Module,
        inputs: impl Iterator<Item = &'v Value>,
        run: &Execution,
    ) -> Atoms {
        let is_mathematical = module.notation == Notation::Mathematics;
        let mut met = Atoms { is_mathematical, met: BTreeMap::new() };
        if is_mathematical {
            inputs.for_each(|value| met.meet(value));
            for event in run.trace.events() {
                if let EventKind::Assigned(_, Some(value), _) = &event.kind {
                    met.meet(value);
                }
            }
        }
        met
    }

    /// How many atoms of a sort were met that have a smaller number in the model.
    fn before(&self, sort: SortId, id: u64) -> u64 {
        self.met.range((sort, 0)..(sort, id)).count() as u64
    }

    fn meet(&mut self, value: &Value) {
        match value {
            Value::Atom(sort, id) => {
                let next = self.before(*sort, u64::MAX);
                self.met.entry((*sort, *id)).or_insert(next);
            }
            Value::Seq(elements) => elements.iter().for_each(|element| self.meet(element)),
            Value::Record(_, fields) => fields.iter().flatten().for_each(|field| self.meet(field)),
            Value::Variant(_, _, arguments) => {
                arguments.iter().for_each(|argument| self.meet(argument));
            }
            Value::Map(map) => {
                for (key, value) in map.entries() {
                    // An atom that is not a member of a set is not reached.
                    if *value != Value::Bool(false) {
                        key.iter().for_each(|part| self.meet(part));
                    }
                    self.meet(value);
                }
            }
            Value::Bool(_) | Value::Bv(_) | Value::Int(_) | Value::Ptr(_) | Value::Bytes(_) => {}
        }
    }
}

impl Names for Atoms {
    fn atom(&self, sort: SortId, id: u64) -> Option<String> {
        if !self.is_mathematical {
            return None;
        }
        // Atoms that were not reached come last, in the order of the model.
        let behind = || self.before(sort, u64::MAX) + id - self.before(sort, id);
        let number = self.met.get(&(sort, id)).copied().unwrap_or_else(behind);
        Some(format!("Z{number}"))
    }
}

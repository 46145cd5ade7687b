//! Two executions that differ in what they do to an object, and look the same to the caller: a lock imbalance is
//! such a pair.

use std::collections::{BTreeMap, BTreeSet};

use interpret::Value;

use crate::observe::signs;
use crate::oracle::FOUND;
use crate::search::{Judgement, Shown, memory, results};
use crate::witness::{Proposal, Scalar};

impl Judgement<'_> {
    /// Whether two executions look the same to the caller.
    pub(crate) fn looks_same(&self, one: &Shown, other: &Shown) -> bool {
        let (Some(results), Some(others)) = (results(&one.run), results(&other.run)) else {
            return false;
        };
        let same_object = one.subject == other.subject;
        let same_entry = one.entry.iter().all(|(key, state)| {
            let is_subject = Some(key.1) == one.subject;
            !is_subject || other.entry.get(key).is_none_or(|known| known == state)
        });
        let classes = |values: &[Option<Value>]| -> Vec<Option<Class>> {
            let first_error = self.index.properties().first_error();
            values.iter().map(|value| Some(class(value.as_ref()?, first_error))).collect()
        };
        same_object && same_entry && classes(results) == classes(others) && {
            // Bytes that only one execution writes may have been there before the other.
            let left = self.left(other);
            let here = self.left(one);
            here.iter().all(|(place, is_zero)| left.get(place).is_none_or(|o| o == is_zero))
        }
    }

    /// The bytes that an execution has changed in the objects of its parameters, and whether they are zero.
    fn left(&self, shown: &Shown) -> BTreeMap<(u64, u64), bool> {
        let witness = &shown.proposal.witness;
        let parameters = witness.parameters.iter().flatten().filter_map(|given| match given {
            Scalar::Pointer(object, _) => Some(*object),
            Scalar::Bool(_) | Scalar::Word(..) => None,
        });
        let parameters: Vec<u64> = parameters.collect();
        let Some(memory) = memory(&shown.run) else { return BTreeMap::new() };
        let mut before = interpret::Bytes::default();
        for (object, offset, bytes) in &witness.memory {
            before.write(*object, *offset, bytes);
        }
        let changed = memory.written().filter(|(object, offset, byte)| {
            let was = shown.run.completed.written_at(*object, *offset);
            let was = was.or(before.written_at(*object, *offset));
            parameters.contains(object) && was != Some(*byte)
        });
        changed.map(|(object, offset, byte)| ((object, offset), byte == 0)).collect()
    }
}

/// A proposal in which memory has the contents that another execution found there, except for the objects that were
/// completed for that execution.
pub(crate) fn started_as(proposal: &Proposal, other: &Shown) -> Proposal {
    let mut proposal = proposal.clone();
    let found = &other.run.completed;
    let is_completed = |object: u64| object >= FOUND;
    let completed = found.pointers().filter(|(.., pointer)| is_completed(pointer.object));
    let places: BTreeSet<(u64, u64)> =
        completed.map(|(object, offset, _)| (object, offset)).collect();
    for (object, offset, byte) in found.written() {
        let mut starts = offset.saturating_sub(7)..=offset;
        if !is_completed(object) && !starts.any(|start| places.contains(&(object, start))) {
            proposal.witness.memory.push((object, offset, vec![byte]));
        }
    }
    proposal
}

/// The class of a result, as far as a caller can distinguish it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Zero,
    Error,
    Other,
}

fn class(value: &Value, first_error: Option<u64>) -> Class {
    let (is_zero, is_negative) = signs(Some(value));
    let is_error = match value {
        Value::Ptr(pointer) => first_error.is_some_and(|first| pointer.address() >= first),
        _ => is_negative,
    };
    match (is_zero, is_error) {
        (true, _) => Class::Zero,
        (false, true) => Class::Error,
        (false, false) => Class::Other,
    }
}

//! The bytes and objects of a model.

use std::collections::BTreeSet;

use circuit::{Array, Bits};
use interpret::{Bytes, NewObject};
use ir::Storage;
use ir::address::{ENVIRONMENT, LARGEST_OBJECT, NO_OBJECT, at_address};

use super::Lifter;
use crate::limits::WITNESS_BYTES;
use crate::memory::{CELL, Contents, OBJECT, OFFSET, Term, Touched};

impl Lifter<'_> {
    /// The environment's objects that anybody asked about.
    pub(super) fn objects(&mut self) -> Vec<NewObject> {
        let evaluation = self.evaluation;
        let accessed: Vec<&Bits> = evaluation.addresses.iter().map(|at| &at.object).collect();
        let [sizes, heap] =
            [evaluation.given.sizes, evaluation.given.heap].map(|array| self.facts(array));
        let mut numbers: BTreeSet<u64> = accessed.iter().map(|bits| self.small(bits)).collect();
        let pointers = evaluation.pointers.iter();
        numbers.extend(pointers.map(|pointer| self.small(&pointer.extract(OFFSET..64))));
        numbers.extend(sizes.iter().chain(&heap).map(|fact| fact.0));
        let given = numbers.range(ENVIRONMENT..NO_OBJECT);
        let object = |&number: &u64| {
            let of = |facts: &[(u64, u64)]| {
                facts.iter().find(|fact| fact.0 == number).map(|fact| fact.1)
            };
            let environment = evaluation.scope.environment;
            let size = match environment.has_bounded_sizes {
                true => of(&sizes).unwrap_or(u64::from(evaluation.scope.object_size)),
                false => LARGEST_OBJECT,
            };
            let is_heap = !environment.has_other_storage || of(&heap) == Some(1);
            let storage = if is_heap { Storage::Heap } else { Storage::Environment };
            NewObject::new(size, storage).numbered(number)
        };
        given.map(object).collect()
    }

    /// The facts about the environment's objects that were requested, by number; of several the first counts.
    fn facts(&mut self, array: Array) -> Vec<(u64, u64)> {
        let evaluation = self.evaluation;
        let cells = evaluation.arrays.cells(array);
        cells.map(|(index, cell)| (self.small(index), self.small(cell))).collect()
    }

    /// The bytes that were read from memory at entry, or after an external write. The interpreter knows the
    /// contents of constants; unread bytes of other static objects are zero.
    pub(super) fn memory(&mut self, contents: Contents) -> Bytes {
        let mut memory = Bytes::default();
        match self.evaluation.memories.term(contents) {
            Term::Base { entry, known } => {
                if *entry {
                    for &position in &self.evaluation.statics {
                        let object = &self.module.objects[position];
                        if !object.constant || object.contents.is_none() {
                            let zeros = vec![0; object.size.min(WITNESS_BYTES) as usize];
                            memory.write(position as u64 + 1, 0, &zeros);
                        }
                    }
                }
                self.write_known(&mut memory, known, None);
            }
            Term::Forget { base, touched, .. } => {
                let Term::Base { known, .. } = self.evaluation.memories.term(*base) else {
                    unreachable!("what is written over memory is a base")
                };
                self.write_known(&mut memory, known, Some(touched));
            }
            other => unreachable!("{other:?} is not left to chance"),
        }
        memory
    }

    fn write_known(
        &mut self,
        memory: &mut Bytes,
        known: &[(crate::memory::At, Bits)],
        touched: Option<&Touched>,
    ) {
        for (at, cells) in known.iter().rev() {
            let address = self.evaluation.addresses.get(*at);
            let (base, delta) = address.sum();
            let place = self.small(base).wrapping_add(delta) & ((1 << OFFSET) - 1);
            let object = self.small(&address.object);
            let (object, offset) = at_address(object << OFFSET | place);
            if touched.is_some_and(|touched| !self.is_touched(object, touched)) {
                continue;
            }
            let bytes: Vec<u8> = (0..cells.width())
                .step_by(CELL)
                .map(|cell| self.small(&cells.extract(cell..cell + CELL - 1)) as u8)
                .collect();
            if let Ok(offset) = u64::try_from(offset) {
                memory.write(object, offset, &bytes);
            }
        }
    }

    fn is_touched(&mut self, object: u64, touched: &Touched) -> bool {
        let Touched { own, passed, others } = touched;
        own.iter().any(|&number| u64::from(number) == object)
            || passed.iter().any(|number| self.small(number) == object)
            || self.gate(*others) && self.is_foreign(object)
    }

    /// Whether an object is not one that the execution allocates.
    fn is_foreign(&self, object: u64) -> bool {
        debug_assert!(object < 1 << OBJECT, "numbers of objects have a fixed width");
        object >= ENVIRONMENT || object <= self.module.objects.len() as u64
    }
}

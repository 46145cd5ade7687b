//! Completion: values of memory that an execution reads, did not write, and the witness does not describe.
//!
//! A witness describes what the failure depends on, as far as the proposal knows. An execution of the program as
//! written may read more. Then the oracle decides, and its decision is part of the witness from then on: the
//! completed witness can be run again from the start without requests. Memory that the execution itself allocated
//! and left unset stays an error, unless its address was passed to a callee that is not followed: that callee is
//! taken to set it.

use ir::Type;
use ir::address::ENVIRONMENT;

use crate::error::EvalError;
use crate::limits::COMPLETED_BYTES;
use crate::machine::{Machine, Slot};
use crate::memory::{Bytes, Pointer, view_size};
use crate::oracle::{Completion, MemoryRequest};
use crate::value::Value;
use crate::word::Word;

impl Machine<'_, '_> {
    /// Whether the oracle decides about unwritten parts of an object: one of the environment, a static variable, or
    /// one that a callee has set.
    pub(crate) fn is_left_open(&self, object: u64) -> bool {
        let is_variable = || {
            let position = (object as usize).checked_sub(1);
            let known = position.and_then(|position| self.module.objects.get(position));
            known.is_some_and(|object| !object.constant)
        };
        self.oracle.completes()
            && object != 0
            && (object >= ENVIRONMENT || is_variable() || self.opened.contains(&object))
    }

    /// The value of a type at a pointer, if part of it has to be completed or was.
    pub(crate) fn complete(
        &mut self,
        memory: &Bytes,
        at: Pointer,
        ty: &Type,
    ) -> Result<Option<Value>, EvalError> {
        if !self.is_left_open(at.object) {
            return Ok(None);
        }
        let time = self.past.unwrap_or(self.objects.now());
        let Some(size) = view_size(ty) else { return Ok(None) };
        // The load reports an access that is not allowed.
        let Ok(offset) = self.objects.check(at, size, time) else { return Ok(None) };
        let written = |n: u64| memory.written_at(at.object, offset + n);
        if (0..size).all(|n| written(n).is_some()) {
            return Ok(None);
        }
        let is_own = self.opened.contains(&at.object);
        let completed = if is_own { &self.answered } else { &self.completed };
        let known = |n: u64| written(n).or(completed.written_at(at.object, offset + n));
        if (0..size).all(|n| known(n).is_none()) {
            let request = MemoryRequest {
                module: self.module,
                site: self.site(),
                at,
                ty,
                next_given: self.objects.next_given(),
            };
            if let Some(Completion { value, object }) = self.oracle.memory(&request) {
                if let Some(object) = object {
                    self.objects.allocate(&object)?;
                    self.found.push(object);
                }
                let bytes = match &value {
                    Value::Ptr(pointer) => pointer.address().to_le_bytes().to_vec(),
                    Value::Bv(word) => match word.small() {
                        Some(bits) => bits.to_le_bytes()[..size.min(8) as usize].to_vec(),
                        None => word.to_bytes(),
                    },
                    _ => {
                        return Err(EvalError::BadDecision(
                            "memory holds words and pointers".into(),
                        ));
                    }
                };
                let completed = if is_own { &mut self.answered } else { &mut self.completed };
                completed.write(at.object, offset, &bytes);
                return Ok(Some(value));
            }
        }
        let bytes: Vec<u8> = (0..size).map(|n| known(n).unwrap_or(0)).collect();
        let missing: Vec<u64> = (0..size).filter(|n| known(*n).is_none()).collect();
        let completed = if is_own { &mut self.answered } else { &mut self.completed };
        for n in missing {
            completed.write(at.object, offset + n, &[0]);
        }
        Ok(Some(match ty {
            Type::Ptr => {
                let address = bytes.try_into().map_or(0, u64::from_le_bytes);
                Value::Ptr(Pointer::at(address))
            }
            _ => Value::Bv(Word::from_bytes(8 * size as u32, &bytes)),
        }))
    }

    /// Makes objects unwritten again.
    pub(crate) fn reset(&mut self, objects: &[u64]) {
        for &object in objects {
            let size = self.objects.size(object, self.objects.now());
            self.answered.forget(object, 0, size);
            for slot in &mut self.globals {
                if let Slot::Is(Value::Bytes(memory)) = slot {
                    memory.forget(object, 0, size);
                }
            }
        }
    }

    /// Writes out the completion of bytes that are about to be copied.
    pub(crate) fn settle_bytes(&mut self, memory: &mut Bytes, at: Pointer, count: u64) {
        let time = self.past.unwrap_or(self.objects.now());
        if !self.is_left_open(at.object) || count > COMPLETED_BYTES {
            return;
        }
        let Ok(offset) = self.objects.check(at, count, time) else { return };
        for place in offset..offset + count {
            if memory.written_at(at.object, place).is_none() {
                let byte = Pointer { object: at.object, offset: place as i64 };
                let found = self.complete(memory, byte, &Type::Bv(8));
                if let Ok(Some(Value::Bv(byte))) = found {
                    let byte = byte.small().unwrap_or(0) as u8;
                    memory.write(at.object, place, &[byte]);
                }
            }
        }
    }
}

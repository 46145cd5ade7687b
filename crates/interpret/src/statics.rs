//! Static objects: their addresses, and their contents when an execution begins.

use ir::{Content, FunctionId, Storage};

use crate::error::EvalError;
use crate::machine::Machine;
use crate::memory::{Bytes, NewObject, Pointer};
use crate::value::Value;

impl Machine<'_, '_> {
    /// Makes the static objects, before all others.
    pub(crate) fn make_statics(&mut self) -> Result<(), EvalError> {
        for object in &self.module.objects {
            self.objects.allocate(&NewObject::new(object.size, Storage::Global))?;
        }
        Ok(())
    }

    /// The pointer that a constant is, if it is the address of a static object.
    pub(crate) fn static_address(&self, address: FunctionId) -> Option<Pointer> {
        let position = self.module.object_at(address)?;
        Some(Pointer::to(position as u64 + 1))
    }

    /// Memory at the start of an execution, with the contents that static objects must have.
    pub(crate) fn with_statics(&self, mut memory: Bytes) -> Result<Bytes, EvalError> {
        for (number, object) in (1..).zip(&self.module.objects) {
            if !object.constant && !self.options.statics {
                continue;
            }
            for (offset, part) in object.contents.iter().flatten() {
                match part {
                    Content::Bytes(bytes) => memory.write(number, *offset, bytes),
                    Content::Address(to, distance) => {
                        let to = self.static_address(*to).unwrap_or(Pointer::NULL);
                        let at = Pointer { object: number, offset: *offset as i64 };
                        let value = Value::Ptr(to.moved(*distance));
                        let now = self.objects.now();
                        memory.store(&self.objects, now, at, &ir::Type::Ptr, &value)?;
                    }
                }
            }
        }
        Ok(memory)
    }
}

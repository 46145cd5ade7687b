//! Memory as a callee sees it.

use ir::Type;

use crate::{Bytes, Pointer, UnknownCall, Value};

/// The memory of a program at a call.
pub(crate) struct View<'q> {
    call: &'q UnknownCall<'q>,
    bytes: &'q Bytes,
}

impl<'q> View<'q> {
    /// The first state variable that is a memory; none if there is none, or nothing was ever in it.
    pub(crate) fn new(call: &'q UnknownCall<'q>) -> Option<View<'q>> {
        let bytes = call.globals.iter().find_map(|value| match value {
            Some(Value::Bytes(bytes)) => Some(bytes),
            _ => None,
        })?;
        Some(View { call, bytes })
    }

    fn byte(&self, at: Pointer) -> Option<u8> {
        let (objects, time) = self.call.objects;
        match self.bytes.load(objects, time, at, &Type::Bv(8)).ok()? {
            Value::Bv(word) => word.small().map(|byte| byte as u8),
            _ => None,
        }
    }

    /// So many bytes; none if one of them has no value.
    pub(crate) fn bytes(&self, at: Pointer, count: u64) -> Option<Vec<u8>> {
        (0..count).map(|offset| self.byte(at.moved(offset as i64))).collect()
    }

    /// A string, without the zero that ends it, or as much of it as is wanted.
    pub(crate) fn string(&self, at: Pointer, most: Option<usize>) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        while most.is_none_or(|most| text.len() < most) {
            match self.byte(at.moved(text.len() as i64))? {
                0 => break,
                byte => text.push(byte),
            }
        }
        Some(text)
    }

    /// Memory after bytes are written; none if they do not fit.
    pub(crate) fn written(&self, at: Pointer, bytes: &[u8]) -> Option<Value> {
        let (objects, time) = self.call.objects;
        let mut written = Bytes::default();
        for (offset, byte) in bytes.iter().enumerate() {
            let value = Value::bv(8, u64::from(*byte));
            let at = at.moved(offset as i64);
            written.store(objects, time, at, &Type::Bv(8), &value).ok()?;
        }
        Some(Value::Bytes(written))
    }
}

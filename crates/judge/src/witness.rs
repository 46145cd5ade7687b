//! Proposals: a claim, and a witness for it.
//!
//! A witness is plain data that can be cached. Pointers are objects and offsets; objects of the caller have numbers
//! from [`ir::address::ENVIRONMENT`] on, static objects are numbered as in their module. Calls are keyed by the
//! source point of the call in the entry procedure and by how often that point was passed before.

use interpret::{Pointer, Value, Word};
use ir::{PointId, Type};
use serde::{Deserialize, Serialize};

/// A claim about executions, and an execution that is to show it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Proposal {
    /// The claim.
    pub claim: Claim,
    /// The initial state and the decisions of the execution.
    pub witness: Witness,
}

/// A claim about an execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Claim {
    /// A call at a point of the entry procedure ends in an operation that the object's state does not
    /// allow.
    Error {
        /// The rule that the property file names for it.
        rule: String,
        /// The call.
        point: PointId,
    },
    /// The entry procedure returns with an object in a state.
    Ends {
        /// The property.
        property: String,
        /// The object, if it is known where it is.
        subject: Option<TrackedObject>,
        /// Its state, by number.
        state: u32,
    },
    /// The entry procedure returns and nothing refers to a block that was allocated at a point.
    Loses {
        /// The allocation, or the call that allocates.
        point: PointId,
    },
}

/// An object with a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum TrackedObject {
    /// The object at an offset of an object of memory.
    At(u64, i64),
    /// The object that a number denotes, such as an open file.
    Number(u64),
}

/// The initial state and the decisions of an execution.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Witness {
    /// The parameters of the entry procedure; those that are left out are completed.
    pub parameters: Vec<Option<Scalar>>,
    /// The contents of memory at entry: object, offset, bytes.
    pub memory: Vec<(u64, u64, Vec<u8>)>,
    /// The caller's objects: number and size.
    pub objects: Vec<(u64, u64)>,
    /// The effects of calls of the entry procedure, by point and occurrence.
    pub calls: Vec<((PointId, u32), WitnessCall)>,
    /// The unknown values of the entry procedure itself, by point and occurrence.
    pub opened: Vec<((PointId, u32), Scalar)>,
    /// The branches of the entry procedure that the execution is to take, in order, if it passes no loop that was
    /// abstracted.
    pub path: Option<Vec<(PointId, bool)>>,
    /// The states of objects at entry, by property.
    pub states: Vec<(String, TrackedObject, u32)>,
    /// Whether what memory holds at entry is only what is tried first: the search may set it otherwise.
    pub is_open: bool,
}

/// The effects of a call.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WitnessCall {
    /// The result.
    pub result: Option<Scalar>,
    /// The writes: object, offset, bytes.
    pub writes: Vec<(u64, u64, Vec<u8>)>,
    /// The objects that it allocates, under the numbers by which the witness refers to them.
    pub allocates: Vec<u64>,
}

/// A value of a machine register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Scalar {
    /// A truth value.
    Bool(bool),
    /// A word of this width, of at most 128 bits.
    Word(u32, u128),
    /// A pointer: an object and an offset.
    Pointer(u64, i64),
}

impl Witness {
    /// Whether it mentions an object of some kind.
    pub fn mentions(&self, is_one: &dyn Fn(u64) -> bool) -> bool {
        let pointed =
            |scalar: &Scalar| matches!(scalar, Scalar::Pointer(object, _) if is_one(*object));
        let holds = |(object, _, bytes): &(u64, u64, Vec<u8>)| {
            let word: Option<[u8; 8]> = bytes.as_slice().try_into().ok();
            let word = word.map(|word| Pointer::at(u64::from_le_bytes(word)).object);
            is_one(*object) || word.is_some_and(is_one)
        };
        let subject = |subject: &TrackedObject| matches!(subject, TrackedObject::At(object, _) if is_one(*object));
        self.parameters.iter().flatten().any(pointed)
            || self.memory.iter().any(holds)
            || self.opened.iter().any(|(_, scalar)| pointed(scalar))
            || self.states.iter().any(|(_, of, _)| subject(of))
            || self.calls.iter().any(|(_, call)| {
                call.result.as_ref().is_some_and(pointed) || call.writes.iter().any(holds)
            })
    }
}

impl Scalar {
    /// The value of the interpreter, if it has the type.
    pub fn value(self, ty: &Type) -> Option<Value> {
        match (self, ty) {
            (Scalar::Bool(value), Type::Bool) => Some(Value::Bool(value)),
            (Scalar::Word(width, bits), Type::Bv(wanted)) if width == *wanted => {
                Some(Value::Bv(word(width, bits)))
            }
            (Scalar::Pointer(object, offset), Type::Ptr) => {
                Some(Value::Ptr(Pointer { object, offset }))
            }
            (Scalar::Bool(_) | Scalar::Word(..) | Scalar::Pointer(..), _) => None,
        }
    }

    /// A value of the interpreter that fits.
    pub fn of(value: &Value) -> Option<Scalar> {
        match value {
            Value::Bool(value) => Some(Scalar::Bool(*value)),
            Value::Bv(word) => {
                let mut bits = 0_u128;
                for (place, byte) in word.to_bytes().iter().take(16).enumerate() {
                    bits |= u128::from(*byte) << (8 * place);
                }
                Some(Scalar::Word(word.width(), bits))
            }
            Value::Ptr(pointer) => Some(Scalar::Pointer(pointer.object, pointer.offset)),
            _ => None,
        }
    }
}

/// A word of at most 128 bits.
pub(crate) fn word(width: u32, bits: u128) -> Word {
    if width <= 64 {
        let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        return Word::new(width, bits as u64 & mask);
    }
    let count = width.div_ceil(8) as usize;
    let mut bytes = vec![0; count];
    let known = bits.to_le_bytes();
    let shared = count.min(known.len());
    bytes[..shared].copy_from_slice(&known[..shared]);
    Word::from_bytes(width, &bytes)
}

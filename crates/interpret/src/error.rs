//! Evaluation errors: why an expression has no value in an execution.

use std::fmt;

use ir::{ProcedureId, Type};

use crate::memory::Pointer;

/// Why an expression has no value in an execution. An evaluation error ends the execution; it never becomes a
/// value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalError {
    /// Something without a value was read.
    Undefined(Undefined),
    /// The value exists, but finding it means looking at infinitely or too many cases.
    Undecided(String),
    /// The oracle made no decision on this request.
    NoDecision(String),
    /// The oracle's decision, or an input, is impossible.
    BadDecision(String),
    /// The oracle's result of a call violates a postcondition of the callee, by position in its contract.
    Contract(ProcedureId, usize),
    /// The module is not well-formed, as the validator of [`ir`] would report.
    IllTyped(String),
    /// An integer or a sequence lies beyond the scope of the execution.
    OutOfScope(String),
    /// Too much was computed, or calls were nested too deep.
    OutOfSteps,
}

/// The kinds of undefined values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// A variable that was not set.
    Variable(String),
    /// A map at keys where nothing was set.
    Entry(String),
    /// A field of a record that was not set.
    Field(String),
    /// A byte of memory that was not written.
    Byte(Pointer),
    /// An access to an object that has been freed.
    Dead(Pointer),
    /// An access to this many bytes that are not all within the object, or to no object at all.
    OutOfRange(Pointer, u64),
}

impl EvalError {
    /// Whether the fault is only a lack of knowledge, so that a value which does not depend on the
    /// missing part can still be found: `false ∧ x` is false whatever `x` is.
    pub fn is_unknown(&self) -> bool {
        match self {
            EvalError::Undefined(_) | EvalError::Undecided(_) | EvalError::NoDecision(_) => true,
            EvalError::BadDecision(_)
            | EvalError::Contract(..)
            | EvalError::IllTyped(_)
            | EvalError::OutOfScope(_)
            | EvalError::OutOfSteps => false,
        }
    }

    pub(crate) fn no_view(ty: &Type) -> EvalError {
        EvalError::IllTyped(format!("memory has no view of type {ty:?}"))
    }

    pub(crate) fn undecided<T>(why: impl Into<String>) -> Result<T, EvalError> {
        Err(EvalError::Undecided(why.into()))
    }

    pub(crate) fn ill_typed<T>(why: impl Into<String>) -> Result<T, EvalError> {
        Err(EvalError::IllTyped(why.into()))
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Undefined(what) => write!(out, "undefined: {what}"),
            EvalError::Undecided(why) => write!(out, "undecided: {why}"),
            EvalError::NoDecision(request) => write!(out, "the oracle has no answer: {request}"),
            EvalError::BadDecision(why) => write!(out, "the oracle cannot be right: {why}"),
            EvalError::Contract(..) => write!(out, "the oracle breaks a callee's postcondition"),
            EvalError::IllTyped(why) => write!(out, "ill-formed module: {why}"),
            EvalError::OutOfScope(what) => write!(out, "beyond the scope: {what}"),
            EvalError::OutOfSteps => write!(out, "out of steps"),
        }
    }
}

impl fmt::Display for Undefined {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undefined::Variable(name) => write!(out, "`{name}` has not been set"),
            Undefined::Entry(keys) => write!(out, "a map has no value at {keys}"),
            Undefined::Field(name) => write!(out, "the field `{name}` has not been set"),
            Undefined::Byte(pointer) => write!(out, "the byte at {pointer} was never written"),
            Undefined::Dead(pointer) => write!(out, "the object of {pointer} has been freed"),
            Undefined::OutOfRange(pointer, size) => {
                write!(out, "there are no {size} bytes at {pointer}")
            }
        }
    }
}

impl std::error::Error for EvalError {}

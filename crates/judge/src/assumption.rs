//! The results of functions without body on which a finding relies: each is changed once, and those without which
//! the failure disappears are part of the finding.

use ir::PointId;

use crate::limits::VARIED_RESULTS;
use crate::oracle::ObservedCall;
use crate::witness::Scalar;

/// An answer of a function without body.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Assumption {
    /// The call of the entry procedure.
    pub point: PointId,
    /// The function.
    pub callee: String,
    /// The result.
    pub returns: AssumedResult,
}

/// The result of a function, as a report states it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AssumedResult {
    /// Null.
    Null,
    /// A pointer that is not null.
    Object,
    /// A number.
    Number(i64),
    /// Any number but zero.
    NotZero,
    /// Any number below zero.
    Negative,
    /// Any number above zero.
    Positive,
}

/// The answers without which it would not be so: `holds` says whether it is with another one.
pub(crate) fn relied_on(
    observed: &[ObservedCall],
    holds: impl Fn(usize, Scalar) -> bool,
) -> Vec<Assumption> {
    let mut assumptions = Vec::new();
    for (number, call) in observed.iter().enumerate().take(VARIED_RESULTS) {
        let Some(result) = call.result.filter(|_| !call.is_declared) else { continue };
        let held: Vec<bool> =
            others(result).into_iter().map(|other| holds(number, other)).collect();
        if !held.iter().all(|held| *held) {
            let (point, callee) = (call.point, call.callee.clone());
            let returns = returned(result, &held);
            assumptions.push(Assumption { point, callee, returns });
        }
    }
    assumptions.sort();
    assumptions.dedup();
    assumptions
}

/// Other values than this that a function could return: zero, one and minus one where it is a number.
fn others(result: Scalar) -> Vec<Scalar> {
    match result {
        Scalar::Bool(value) => vec![Scalar::Bool(!value)],
        Scalar::Word(width, _) => {
            let ones = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
            [0, 1, ones].map(|bits| Scalar::Word(width, bits)).to_vec()
        }
        Scalar::Pointer(0, _) => Vec::new(),
        Scalar::Pointer(..) => vec![Scalar::Pointer(0, 0)],
    }
}

/// The result that a function has to return, given the other results with which the failure stays.
fn returned(result: Scalar, held: &[bool]) -> AssumedResult {
    match (result, held) {
        (Scalar::Bool(value), _) => AssumedResult::Number(value.into()),
        (Scalar::Word(..), [false, true, true]) => AssumedResult::NotZero,
        (Scalar::Word(..), [false, false, true]) => AssumedResult::Negative,
        (Scalar::Word(..), [false, true, false]) => AssumedResult::Positive,
        (Scalar::Word(width, bits), _) => {
            let shift = 128 - width.min(128);
            AssumedResult::Number(((bits << shift) as i128 >> shift) as i64)
        }
        (Scalar::Pointer(0, 0), _) => AssumedResult::Null,
        (Scalar::Pointer(..), _) => AssumedResult::Object,
    }
}

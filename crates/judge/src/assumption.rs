//! Which answers of functions without body a finding relies on: each is changed once more, and those without which it
//! would not be so are part of the finding.

use ir::PointId;

use crate::limits::VARIED_RESULTS;
use crate::oracle::Told;
use crate::witness::Scalar;

/// An answer of a function without body.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Assumption {
    /// The call of the entry procedure.
    pub point: PointId,
    /// The function.
    pub callee: String,
    /// What it returns.
    pub returns: Returned,
}

/// What a function returns, as people say it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Returned {
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
pub(crate) fn relied_on(told: &[Told], holds: impl Fn(usize, Scalar) -> bool) -> Vec<Assumption> {
    let mut assumptions = Vec::new();
    for (number, told) in told.iter().enumerate().take(VARIED_RESULTS) {
        let Some(result) = told.result.filter(|_| !told.is_declared) else { continue };
        let held: Vec<bool> =
            others(result).into_iter().map(|other| holds(number, other)).collect();
        if !held.iter().all(|held| *held) {
            let (point, callee) = (told.point, told.callee.clone());
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

/// What a function has to return, given with which of the others it would be the same.
fn returned(result: Scalar, held: &[bool]) -> Returned {
    match (result, held) {
        (Scalar::Bool(value), _) => Returned::Number(value.into()),
        (Scalar::Word(..), [false, true, true]) => Returned::NotZero,
        (Scalar::Word(..), [false, false, true]) => Returned::Negative,
        (Scalar::Word(..), [false, true, false]) => Returned::Positive,
        (Scalar::Word(width, bits), _) => {
            let shift = 128 - width.min(128);
            Returned::Number(((bits << shift) as i128 >> shift) as i64)
        }
        (Scalar::Pointer(0, 0), _) => Returned::Null,
        (Scalar::Pointer(..), _) => Returned::Object,
    }
}

//! Summaries (Xie & Aiken 2007, Figures 7 and 15).

use std::collections::BTreeSet;

use ir::Op;
use serde::{Deserialize, Serialize};

use crate::fact::Fact;
use crate::path::Path;

/// A summary: ⟨P_in, P_out, M, R⟩, and effects on memory.
///
/// Invariants: the bits of a transition's conditions are those of `inputs` and `outputs` in order;
/// vectors are sorted, so that equal behaviour is equal data.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// The propositions at entry.
    pub inputs: Vec<Condition>,
    /// The propositions at exit.
    pub outputs: Vec<Condition>,
    /// The places that may be modified.
    pub modifies: Vec<Cell>,
    /// The state transitions of objects.
    pub machines: Vec<Machine>,
    /// The possible results.
    pub result: Returned,
    /// The result as an expression, if that is small.
    pub value: Option<Shared>,
    /// The objects that escape: the pointers to them.
    pub escapes: Vec<Path>,
    /// The objects that may be freed: the pointers to them.
    pub frees: Vec<Path>,
    /// Pointers of the caller that may hold new memory at exit.
    pub allocations: Vec<Allocation>,
    /// The feasible outcomes: bits of `outputs`.
    pub outcomes: BTreeSet<u32>,
    /// Effects that must happen.
    pub facts: Vec<Fact>,
    /// Whether executions were cut: further iterations of loops, code that is not modelled.
    pub is_partial: bool,
}

/// A part of memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// The place.
    pub path: Path,
    /// Its size in bytes; zero if it may be the whole object.
    pub bytes: u32,
    /// Whether it holds a pointer.
    pub is_pointer: bool,
    /// Its contents at exit as an expression, if that is small.
    pub value: Option<Shared>,
}

/// The state transitions of an object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The property, by name.
    pub property: String,
    /// The object.
    pub object: Path,
    /// Its name in source syntax, within the procedure.
    pub display: String,
    /// The possible transitions.
    pub transitions: BTreeSet<Transition>,
    /// Whether the state of the object is unknown, or a finding about it is reported in this procedure or in one that
    /// it calls; callers do not report it again.
    pub is_reported: bool,
}

/// A possible state transition of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Transition {
    /// The values of the propositions at entry.
    pub incond: u32,
    /// The state before.
    pub from: u32,
    /// The values of the propositions at exit.
    pub outcond: u32,
    /// The state after; the number of states if it is the error state.
    pub to: u32,
}

/// What a procedure may return, if it returns a pointer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Returned {
    /// Null.
    pub null: bool,
    /// New memory that has not escaped.
    pub new: bool,
    /// An argument, or an object reachable from one.
    pub known: Vec<Path>,
    /// An error code that is not an address.
    pub number: bool,
    /// Something else.
    pub other: bool,
}

impl Returned {
    /// Whether the procedure is an allocator: it returns new memory, null or an error code, and nothing else.
    pub fn is_allocation(&self) -> bool {
        self.new && self.known.is_empty() && !self.other
    }
}

/// New memory that a procedure stores where its caller can reach it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Allocation {
    /// The pointer.
    pub place: Path,
    /// The outcomes with new memory: bits of the propositions at exit.
    pub outcomes: BTreeSet<u32>,
    /// The outcomes in which there may be none.
    pub lacks: BTreeSet<u32>,
}

/// A condition on interface objects.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Condition {
    /// A pointer is not null.
    NotNull(Path),
    /// A word is not zero.
    NotZero(Path, u32),
    /// A word, read signed, is negative.
    Negative(Path, u32),
    /// A comparison in the procedure.
    Compare(Comparison, Word, Word),
}

/// A comparison of words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Comparison {
    /// `==`.
    Equal,
    /// `<`, unsigned.
    Below,
    /// `<=`, unsigned.
    BelowOrEqual,
    /// `<`, signed.
    Less,
    /// `<=`, signed.
    LessOrEqual,
}

impl Comparison {
    pub(crate) fn of(op: &Op) -> Option<Comparison> {
        Some(match op {
            Op::Eq => Comparison::Equal,
            Op::BvUlt => Comparison::Below,
            Op::BvUle => Comparison::BelowOrEqual,
            Op::BvSlt => Comparison::Less,
            Op::BvSle => Comparison::LessOrEqual,
            _ => return None,
        })
    }

    pub(crate) fn op(self) -> Op {
        match self {
            Comparison::Equal => Op::Eq,
            Comparison::Below => Op::BvUlt,
            Comparison::BelowOrEqual => Op::BvUle,
            Comparison::Less => Op::BvSlt,
            Comparison::LessOrEqual => Op::BvSle,
        }
    }
}

/// A word over interface objects.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Word {
    /// A constant of this width.
    Constant(u32, u128),
    /// The contents of a place, of this width.
    Place(Path, u32),
    /// The address of the pointer at a place.
    Address(Path),
    /// An operator on words, with a result of this width.
    Op(Op, Vec<Word>, u32),
    /// The first where the condition holds, else the second.
    Choice(Box<Logic>, Box<Word>, Box<Word>),
}

/// A truth value over interface objects: a decision tree.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Logic {
    /// Always the same.
    Constant(bool),
    /// The first where the condition holds, else the second.
    If(Box<Condition>, Box<Logic>, Box<Logic>),
}

/// A value as an expression over interface objects at entry.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Shared {
    /// A truth value.
    Truth(Logic),
    /// A word.
    Word(Word),
    /// A pointer: where it points, and when.
    Pointer(Vec<(Logic, Pointed)>),
}

/// The target of a pointer in an expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Pointed {
    /// Null.
    Null,
    /// An offset in bytes from the target of the pointer at a place.
    Behind(Path, i64),
    /// To a place.
    At(Path),
    /// To an address.
    Number(Word),
}

impl Summary {
    /// Whether the summary has no effects: no transition, no escape, no new memory.
    pub fn is_trivial(&self) -> bool {
        self.machines.is_empty()
    }
}

//! Summaries: what a caller has to know of a procedure (Xie & Aiken 2007, Figures 7 and 15).

use std::collections::BTreeSet;

use ir::Op;
use serde::{Deserialize, Serialize};

use crate::fact::Fact;
use crate::path::Path;

/// A summary: ⟨P_in, P_out, M, R⟩, and what happens to memory.
///
/// Invariants: the bits of a transition's conditions are those of `inputs` and `outputs` in order;
/// vectors are sorted, so that equal behaviour is equal data.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// The conditions at entry that matter.
    pub inputs: Vec<Condition>,
    /// The conditions at exit that matter.
    pub outputs: Vec<Condition>,
    /// What may be different at exit.
    pub modifies: Vec<Cell>,
    /// What happens to the states of objects.
    pub machines: Vec<Machine>,
    /// What the result may be.
    pub result: Returned,
    /// What the result is, if that is easily said.
    pub value: Option<Shared>,
    /// What others know of after the call: the pointers to it.
    pub escapes: Vec<Path>,
    /// What may be freed: the pointers to it.
    pub frees: Vec<Path>,
    /// Pointers of the caller that may hold new memory at exit.
    pub allocations: Vec<Allocation>,
    /// Which outcomes there are at all: bits of `outputs`.
    pub outcomes: BTreeSet<u32>,
    /// Effects that must happen.
    pub facts: Vec<Fact>,
    /// Whether runs were left out: loops that go round more often, code that has no meaning.
    pub is_partial: bool,
}

/// A part of memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// Where.
    pub path: Path,
    /// How many bytes; zero if it may be all of the object.
    pub bytes: u32,
    /// Whether it holds a pointer.
    pub is_pointer: bool,
    /// What it holds at exit, if that is easily said.
    pub value: Option<Shared>,
}

/// What happens to the state of an object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The property, by name.
    pub property: String,
    /// The object.
    pub object: Path,
    /// How the source writes it, in the words of the procedure.
    pub display: String,
    /// What may happen.
    pub transitions: BTreeSet<Transition>,
    /// Whether the state of the object is unknown, or a finding about it is reported in this procedure or in one that
    /// it calls; callers do not report it again.
    pub is_reported: bool,
}

/// One way in which the state of an object may change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Transition {
    /// Which of the input conditions hold.
    pub incond: u32,
    /// The state before.
    pub from: u32,
    /// Which of the output conditions hold.
    pub outcond: u32,
    /// The state after; the number of states if it is the error.
    pub to: u32,
}

/// What a procedure may return, if it returns a pointer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Returned {
    /// Null.
    pub null: bool,
    /// Memory that is new and that nobody else knows.
    pub new: bool,
    /// What it was given, or can be found from there.
    pub known: Vec<Path>,
    /// A number that is no address: an error code.
    pub number: bool,
    /// Something else.
    pub other: bool,
}

impl Returned {
    /// Whether the procedure is an allocator: it gives new memory, or null or an error
    /// code, and nothing else.
    pub fn is_allocation(&self) -> bool {
        self.new && self.known.is_empty() && !self.other
    }
}

/// New memory that a procedure stores where its caller can find it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Allocation {
    /// The pointer.
    pub place: Path,
    /// Under which outcomes: bits of the output conditions.
    pub outcomes: BTreeSet<u32>,
    /// Under which outcomes there may be none.
    pub lacks: BTreeSet<u32>,
}

/// A condition on what caller and callee share.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Condition {
    /// A pointer is not null.
    NotNull(Path),
    /// A word is not zero.
    NotZero(Path, u32),
    /// A word, read signed, is negative.
    Negative(Path, u32),
    /// A comparison that the procedure itself makes.
    Compare(Comparison, Word, Word),
}

/// How words are compared.
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

/// A word that caller and callee share.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Word {
    /// A constant of this width.
    Constant(u32, u128),
    /// What a place holds, of this width.
    Place(Path, u32),
    /// The address that the pointer at a place is.
    Address(Path),
    /// An operator on words, with a result of this width.
    Op(Op, Vec<Word>, u32),
    /// The first where the condition holds, else the second.
    Choice(Box<Logic>, Box<Word>, Box<Word>),
}

/// A truth value that caller and callee share: a tree of decisions.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Logic {
    /// Always the same.
    Constant(bool),
    /// The first where the condition holds, else the second.
    If(Box<Condition>, Box<Logic>, Box<Logic>),
}

/// A value in words that caller and callee share, over what there was at entry.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Shared {
    /// A truth value.
    Truth(Logic),
    /// A word.
    Word(Word),
    /// A pointer: where it points, and when.
    Pointer(Vec<(Logic, Pointed)>),
}

/// Where a shared pointer points.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Pointed {
    /// Nowhere.
    Null,
    /// So many bytes behind where the pointer at a place points.
    Behind(Path, i64),
    /// To a place.
    At(Path),
    /// To an address.
    Number(Word),
}

impl Summary {
    /// Whether a caller need not know it: it moves nothing, keeps nothing and gives nothing.
    pub fn is_trivial(&self) -> bool {
        self.machines.is_empty()
    }
}

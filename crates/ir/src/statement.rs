//! Statements and terminators.

use crate::assert_kind::AssertKind;
use crate::expr::ExprId;
use crate::module::{GlobalId, ProcedureId, SortId};
use crate::procedure::{BlockId, LocalId};
use crate::span::{Origin, PointId, Span};
use crate::types::{RecordId, Type};

/// A variable of the state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Variable {
    /// Of the module.
    Global(GlobalId),
    /// Of the procedure: a parameter, a result or a local.
    Local(LocalId),
}

/// An lvalue: a variable, or a part of its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The variable.
    pub variable: Variable,
    /// The path to the part, outermost step first.
    pub path: Vec<Projection>,
}

/// One step into a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Projection {
    /// A field of a record.
    Field(RecordId, u32),
    /// The value of a map at these keys.
    Index(Vec<ExprId>),
    /// The value of the given type that byte memory holds at the pointer.
    View {
        /// The address.
        pointer: ExprId,
        /// The type that is read or written.
        ty: Type,
        /// Whether every read may return another value.
        volatile: bool,
    },
}

/// A statement with its source location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Its source text.
    pub span: Span,
    /// Its source point.
    pub point: PointId,
    /// How it came to be.
    pub origin: Origin,
}

/// The kinds of statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatementKind {
    /// Evaluates all values, then assigns all places, in order.
    Assign(Vec<(Place, ExprId)>),
    /// Assigns any value of the type for which the condition holds in the new state. If there is none, the
    /// execution is blocked.
    Havoc {
        /// The place that changes.
        place: Place,
        /// The condition on the new value.
        condition: Option<ExprId>,
        /// Why the value is not known.
        reason: HavocReason,
    },
    /// Blocks the executions in which the condition does not hold; they are no failures.
    Assume {
        /// The condition.
        condition: ExprId,
        /// Why it may be assumed.
        reason: AssumeReason,
    },
    /// Executions in which the condition does not hold fail here.
    Assert {
        /// The condition.
        condition: ExprId,
        /// The kind of the obligation.
        kind: AssertKind,
        /// The message of a finding when it fails.
        message: String,
    },
    /// Assigns a new object or atom.
    Allocate {
        /// The place that receives it.
        place: Place,
        /// What is allocated.
        allocation: Allocation,
    },
    /// Ends the lifetime of the object that the pointer points to.
    Free(ExprId),
    /// Calls a procedure. If it exits exceptionally the caller does too, unless `caught` is given.
    Call {
        /// The places that receive the results.
        results: Vec<Place>,
        /// What is called.
        callee: Callee,
        /// The arguments, by value.
        arguments: Vec<ExprId>,
        /// The places that receive the fact that the callee exited exceptionally, and its value; the results
        /// are not assigned then.
        caught: Option<(Place, Option<Place>)>,
    },
    /// A construct that VIR cannot express: the places receive any values, and the execution ends in a cut,
    /// because the state after it is unknown. An over-approximation continues instead, with the places
    /// havocked.
    Unsupported {
        /// The construct.
        what: String,
        /// The places that it may have changed.
        writes: Vec<Place>,
    },
}

/// Why a value is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HavocReason {
    /// It is an input.
    Parameter,
    /// The environment chooses it.
    Environment,
    /// It is read from volatile or atomic memory.
    Volatile,
    /// An unknown function may have changed it, within its contract.
    UnknownCallee,
    /// It comes from external code, and no contract restricts it.
    External,
    /// It is the result of an operation that VIR does not model, such as a floating-point division. No
    /// finding may depend on it.
    Unmodelled,
    /// It was never set.
    Uninitialized,
    /// A loop may have changed it.
    Loop,
    /// The program itself is nondeterministic here.
    Choice,
}

/// Why a condition may be assumed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AssumeReason {
    /// This branch was taken.
    Branch,
    /// A contract guarantees it.
    Contract,
    /// It is an axiom.
    Axiom,
    /// A model of the environment states it.
    Model,
}

/// What is allocated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Allocation {
    /// A fresh atom of the sort: nothing in the state refers to it.
    Atom(SortId),
    /// An object of byte memory.
    Object {
        /// Its size in bytes, 64 bits.
        size: ExprId,
        /// Where it lives.
        storage: Storage,
        /// Whether the allocation may fail and return `null`.
        may_fail: bool,
    },
}

/// The lifetime of an object of byte memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// Until it is freed.
    Heap,
    /// Until the procedure exits.
    Stack,
    /// Always.
    Global,
    /// It belongs to the caller.
    Environment,
}

/// The target of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A procedure of the module.
    Procedure(ProcedureId),
    /// One of several procedures, selected by the value of an expression: the one whose listed value is equal
    /// to it. If none is, the execution ends in a cut.
    Choice(ExprId, Vec<(ExprId, ProcedureId)>),
}

impl Callee {
    /// The procedures that may be called, in order.
    pub fn targets(&self) -> Vec<ProcedureId> {
        match self {
            Callee::Procedure(id) => vec![*id],
            Callee::Choice(_, table) => table.iter().map(|(_, id)| *id).collect(),
        }
    }
}

/// The end of a block with its source location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terminator {
    /// What it does.
    pub kind: TerminatorKind,
    /// Its source text.
    pub span: Span,
    /// Its source point.
    pub point: PointId,
    /// How it came to be.
    pub origin: Origin,
}

/// Where control continues after a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TerminatorKind {
    /// At one of these blocks, at least one. If there are several, the choice is nondeterministic.
    Goto(Vec<BlockId>),
    /// At the first block if the condition holds, else at the second.
    Branch(ExprId, BlockId, BlockId),
    /// Outside of the procedure.
    Exit(Exit),
}

/// How an execution leaves a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exit {
    /// By returning.
    Normal,
    /// By an exception, with its value if it has one.
    Exceptional(Option<ExprId>),
    /// By an intended exit: `exit()`, `abort()`, an assertion that is literally false.
    Intended(String),
    /// By a cut: the analysis does not follow the execution further.
    Cut(CutReason),
}

/// Why an execution is cut.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum CutReason {
    /// A loop has been unrolled this often.
    Unrolling(u32),
    /// Calls have been inlined this deep.
    Inlining(u32),
    /// VIR cannot express the construct.
    Unsupported(String),
}

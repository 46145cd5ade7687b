//! Statements and the ends of blocks.

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

/// What can be assigned: a variable, or a part of its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The variable.
    pub variable: Variable,
    /// The way to the part, outermost step first.
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
        /// Where.
        pointer: ExprId,
        /// What is read or written there.
        ty: Type,
        /// Whether every read may give another value.
        volatile: bool,
    },
}

/// A statement with its place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// The source text it stands for.
    pub span: Span,
    /// The source point it stands for.
    pub point: PointId,
    /// How it came to be.
    pub origin: Origin,
}

/// What a statement does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatementKind {
    /// All values are computed, then all places are assigned, in order.
    Assign(Vec<(Place, ExprId)>),
    /// The place gets any value of its type for which the condition holds in the new state. If
    /// there is none, the run does not go on.
    Havoc {
        /// What is changed.
        place: Place,
        /// The condition on the new value.
        condition: Option<ExprId>,
        /// Why the value is not known.
        reason: HavocReason,
    },
    /// Runs in which the condition does not hold do not go on and are nobody's fault.
    Assume {
        /// The condition.
        condition: ExprId,
        /// Why it may be assumed.
        reason: AssumeReason,
    },
    /// Runs in which the condition does not hold fail here.
    Assert {
        /// The condition.
        condition: ExprId,
        /// Which obligation this is.
        kind: AssertKind,
        /// What to tell the user when it fails.
        message: String,
    },
    /// The place gets a new object or atom.
    Allocate {
        /// Where it goes.
        place: Place,
        /// What it is.
        allocation: Allocation,
    },
    /// The object that the pointer points to is no longer live.
    Free(ExprId),
    /// Runs a procedure. If it exits exceptionally the caller does too, unless `caught` is given.
    Call {
        /// Where the results go.
        results: Vec<Place>,
        /// What is called.
        callee: Callee,
        /// The arguments, by value.
        arguments: Vec<ExprId>,
        /// Where to note that the callee exited exceptionally, and the value it exited with; the
        /// results are not assigned then.
        caught: Option<(Place, Option<Place>)>,
    },
    /// Something VIR has no word for: the places get any values, and the run ends in a cut, as
    /// what comes after cannot be trusted. Whoever wants to go on all the same (over-approximating
    /// directions do) has the places to be forgotten.
    Unsupported {
        /// What it was.
        what: String,
        /// What it may have changed.
        writes: Vec<Place>,
    },
}

/// Why a value is not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HavocReason {
    /// It is an input.
    Parameter,
    /// The environment chooses it.
    Environment,
    /// It is read from volatile or atomic memory.
    Volatile,
    /// A callee that is not followed may have changed it, as far as its contract lets it.
    UnknownCallee,
    /// It comes from code that is not there, and nobody says what it can be.
    External,
    /// An operation gives it that VIR does not model, such as a floating-point division. No finding may
    /// depend on it.
    Unmodelled,
    /// It was never set.
    Uninitialized,
    /// A loop may have changed it.
    Loop,
    /// The program itself leaves it open.
    Choice,
}

/// Why a condition may be assumed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AssumeReason {
    /// This branch was taken.
    Branch,
    /// A contract promises it.
    Contract,
    /// It is an axiom.
    Axiom,
    /// A model of the environment says so.
    Model,
}

/// Which obligation an assertion states; it decides the rule that is broken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum AssertKind {
    /// An assertion in the program.
    Assertion,
    /// A reference or pointer that is used is not null.
    NullDereference,
    /// An index or offset is within its array or object.
    OutOfBounds,
    /// The object that is used is live.
    UseAfterFree,
    /// The object that is freed has not been freed.
    DoubleFree,
    /// What is freed came from the heap and points to its start.
    InvalidFree,
    /// A divisor is not zero.
    DivisionByZero,
    /// A signed result is in range.
    Overflow,
    /// A shift amount is in range.
    Shift,
    /// A value that is used has been set.
    Uninitialized,
    /// A called procedure's precondition holds.
    Precondition,
    /// The procedure's own postcondition holds.
    Postcondition,
    /// An invariant of the module holds.
    Invariant,
    /// A loop invariant holds on entry or is maintained.
    LoopInvariant,
    /// A measure decreases.
    Progress,
    /// Only what may be assigned was assigned.
    Assignable,
    /// An exception that was thrown is allowed.
    Exception,
}

/// What is allocated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Allocation {
    /// An atom of the sort that nothing in the state refers to.
    Atom(SortId),
    /// An object of byte memory.
    Object {
        /// Its size in bytes, 64 bits.
        size: ExprId,
        /// Where it lives.
        storage: Storage,
        /// Whether the allocation may fail and give `null` instead.
        may_fail: bool,
    },
}

/// Where an object of byte memory lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// Until it is freed.
    Heap,
    /// Until the procedure exits.
    Stack,
    /// Always.
    Global,
    /// It belongs to whoever called us.
    Environment,
}

/// What a call runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A procedure of the module.
    Procedure(ProcedureId),
    /// One of several procedures, chosen by the value of an expression: the one whose listed value
    /// is equal to it. If none is, the run ends in a cut.
    Choice(ExprId, Vec<(ExprId, ProcedureId)>),
}

/// The end of a block with its place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terminator {
    /// What it does.
    pub kind: TerminatorKind,
    /// The source text it stands for.
    pub span: Span,
    /// The source point it stands for.
    pub point: PointId,
    /// How it came to be.
    pub origin: Origin,
}

/// Where a block leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TerminatorKind {
    /// To one of these blocks, at least one; if there are several, none is preferred.
    Goto(Vec<BlockId>),
    /// To the first block if the condition holds, else to the second.
    Branch(ExprId, BlockId, BlockId),
    /// Out of the procedure.
    Exit(Exit),
}

/// How a run leaves a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exit {
    /// By returning.
    Normal,
    /// By an exception, with its value if it has one.
    Exceptional(Option<ExprId>),
    /// On purpose and for good: `exit()`, `abort()`, an assertion that is literally false.
    Intended(String),
    /// Because we stop following it; nothing is known of what comes after.
    Cut(CutReason),
}

/// Why a run is not followed further.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum CutReason {
    /// A loop has been unrolled this often.
    Unrolling(u32),
    /// Calls have been inlined this deep.
    Inlining(u32),
    /// VIR has no word for what the program does here.
    Unsupported(String),
}

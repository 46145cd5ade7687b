//! The kinds of obligations, and their words in the text form, options and reports.

/// The kind of an obligation; it decides the rule that a failure violates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum AssertKind {
    /// An assertion in the program.
    Assertion,
    /// A dereferenced reference or pointer is not null.
    NullDereference,
    /// An index or offset is within its array or object.
    OutOfBounds,
    /// An accessed object is live.
    UseAfterFree,
    /// A freed object has not been freed before.
    DoubleFree,
    /// A freed pointer came from the heap and points to the start of its object.
    InvalidFree,
    /// A divisor is not zero.
    DivisionByZero,
    /// A signed result is in range.
    Overflow,
    /// A shift amount is in range.
    Shift,
    /// A value that is read has been initialized.
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
    /// Only assignable locations were assigned.
    Assignable,
    /// A thrown exception is allowed.
    Exception,
}

impl AssertKind {
    /// All kinds.
    pub const ALL: [AssertKind; 17] = [
        AssertKind::Assertion,
        AssertKind::NullDereference,
        AssertKind::OutOfBounds,
        AssertKind::UseAfterFree,
        AssertKind::DoubleFree,
        AssertKind::InvalidFree,
        AssertKind::DivisionByZero,
        AssertKind::Overflow,
        AssertKind::Shift,
        AssertKind::Uninitialized,
        AssertKind::Precondition,
        AssertKind::Postcondition,
        AssertKind::Invariant,
        AssertKind::LoopInvariant,
        AssertKind::Progress,
        AssertKind::Assignable,
        AssertKind::Exception,
    ];

    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            AssertKind::Assertion => "assertion",
            AssertKind::NullDereference => "null-dereference",
            AssertKind::OutOfBounds => "out-of-bounds",
            AssertKind::UseAfterFree => "use-after-free",
            AssertKind::DoubleFree => "double-free",
            AssertKind::InvalidFree => "invalid-free",
            AssertKind::DivisionByZero => "division-by-zero",
            AssertKind::Overflow => "overflow",
            AssertKind::Shift => "shift",
            AssertKind::Uninitialized => "uninitialized",
            AssertKind::Precondition => "precondition",
            AssertKind::Postcondition => "postcondition",
            AssertKind::Invariant => "invariant",
            AssertKind::LoopInvariant => "loop-invariant",
            AssertKind::Progress => "progress",
            AssertKind::Assignable => "assignable",
            AssertKind::Exception => "exception",
        }
    }

    /// The kind with this word.
    pub fn named(name: &str) -> Option<AssertKind> {
        AssertKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

//! The words for kinds and reasons, as the text form, options and reports write them.

use crate::statement::{AssertKind, AssumeReason, HavocReason, Storage};

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

impl HavocReason {
    /// All reasons.
    pub const ALL: [HavocReason; 9] = [
        HavocReason::Parameter,
        HavocReason::Environment,
        HavocReason::Volatile,
        HavocReason::UnknownCallee,
        HavocReason::External,
        HavocReason::Unmodelled,
        HavocReason::Uninitialized,
        HavocReason::Loop,
        HavocReason::Choice,
    ];

    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            HavocReason::Parameter => "parameter",
            HavocReason::Environment => "environment",
            HavocReason::Volatile => "volatile",
            HavocReason::UnknownCallee => "unknown-callee",
            HavocReason::External => "external",
            HavocReason::Unmodelled => "unmodelled",
            HavocReason::Uninitialized => "uninitialized",
            HavocReason::Loop => "loop",
            HavocReason::Choice => "choice",
        }
    }

    /// The reason with this word.
    pub fn named(name: &str) -> Option<HavocReason> {
        HavocReason::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

impl AssumeReason {
    /// All reasons.
    pub const ALL: [AssumeReason; 4] =
        [AssumeReason::Branch, AssumeReason::Contract, AssumeReason::Axiom, AssumeReason::Model];

    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            AssumeReason::Branch => "branch",
            AssumeReason::Contract => "contract",
            AssumeReason::Axiom => "axiom",
            AssumeReason::Model => "model",
        }
    }

    /// The reason with this word.
    pub fn named(name: &str) -> Option<AssumeReason> {
        AssumeReason::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

impl Storage {
    /// All kinds of storage.
    pub const ALL: [Storage; 4] =
        [Storage::Heap, Storage::Stack, Storage::Global, Storage::Environment];

    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Storage::Heap => "heap",
            Storage::Stack => "stack",
            Storage::Global => "global",
            Storage::Environment => "environment",
        }
    }

    /// The storage with this word.
    pub fn named(name: &str) -> Option<Storage> {
        Storage::ALL.into_iter().find(|storage| storage.name() == name)
    }
}

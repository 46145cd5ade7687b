//! The words for kinds and reasons, as the text form, options and reports write them.

use crate::statement::{AssumeReason, HavocReason, Storage};

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

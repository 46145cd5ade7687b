//! Execution, the second judge: the outcome of running the program itself from the start state of a finding
//! (`--replay`). `docs/replay.md` defines the outcomes.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The outcome of running the program itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Execution {
    /// From the state that the execution begins with, the same failure happens at the same place.
    Confirmed {
        /// Who saw it.
        by: Observer,
        /// The observation, in the observer's words.
        seen: String,
    },
    /// The execution left the path or the values of the witness, or passed the place under an observer that always
    /// sees such a failure. The finding is withdrawn: it is a bug of Indict.
    Refuted {
        /// The kind of contradiction.
        reason: Refutation,
        /// The observation instead, if there is one.
        seen: Option<String>,
    },
    /// There is no observer that always sees such a failure, and none was seen.
    NotObservable {
        /// Why there is none.
        reason: Unobservable,
    },
    /// There was no execution to judge by.
    CouldNotRun {
        /// Why not.
        reason: Obstacle,
        /// The detail, in the words of the tool that failed.
        detail: Option<String>,
    },
}

/// Who saw a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observer {
    /// AddressSanitizer.
    AddressSanitizer,
    /// UndefinedBehaviorSanitizer.
    UndefinedBehaviorSanitizer,
    /// The program's own `assert`.
    Assertion,
    /// Generated functions that stand for those of locks and know their states.
    LockStub,
    /// The clock: the execution does not end.
    Clock,
    /// The Java virtual machine.
    Jvm,
}

/// How an execution contradicts a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refutation {
    /// The execution ended without a failure.
    NoFailure,
    /// The execution failed differently or at another place.
    OtherFailure,
    /// The execution ended with another result or another heap.
    OtherState,
    /// The execution called a function that the witness does not call at that point.
    OtherPath,
}

/// Why no observer always sees a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unobservable {
    /// A read of memory that was never written.
    UninitializedRead,
    /// An access out of bounds: within a structure, or beyond what surrounds a block.
    OutOfBounds,
    /// A freed pointer that is only passed on or compared, or whose memory has a new owner.
    FreedPointer,
    /// A block that nothing points to any more.
    Leak,
    /// The state of a lock, or of another object, where no generated function was seen to break the rule.
    LockState,
    /// A difference between two executions.
    TwoRuns,
    /// The execution depends on values that change under it, such as those of volatile variables.
    Nondeterminism,
    /// A demand of a comment or a contract, which nothing executes.
    Specification,
    /// There is no execution: a proof takes its place.
    NoRun,
    /// No observer is known for this rule.
    NoObserver,
}

/// Why there was no execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Obstacle {
    /// No compiler with sanitizers that work, or no Java.
    NoCompiler,
    /// The source, or the program that replays it, does not compile.
    DoesNotCompile,
    /// The state that the execution begins with could not be built, or was not the witness's own.
    StartState,
    /// The program did not end in time.
    TimeLimit,
    /// The program held too much memory.
    MemoryLimit,
    /// The program started too many processes.
    ProcessLimit,
    /// The program printed too much.
    OutputLimit,
    /// The program ended outside of the code that is analysed, such as in a library that was given what the witness makes
    /// up.
    EndedElsewhere,
    /// The disk or a process does not do what it should.
    System,
}

impl fmt::Display for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Observer::AddressSanitizer => "AddressSanitizer",
            Observer::UndefinedBehaviorSanitizer => "UBSan",
            Observer::Assertion => "assert",
            Observer::LockStub => "lock stub",
            Observer::Clock => "clock",
            Observer::Jvm => "JVM",
        })
    }
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refutation::NoFailure => "the execution does not fail",
            Refutation::OtherFailure => "the execution fails otherwise",
            Refutation::OtherState => "the execution ends in another state",
            Refutation::OtherPath => "the execution takes another path",
        })
    }
}

impl fmt::Display for Unobservable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unobservable::UninitializedRead => {
                "no sanitizer in use sees a read of memory that was never written"
            }
            Unobservable::OutOfBounds => "AddressSanitizer does not see every access out of bounds",
            Unobservable::FreedPointer => {
                "AddressSanitizer does not see every use of a freed pointer"
            }
            Unobservable::Leak => "no leak detector reports every leak",
            Unobservable::LockState => "the stubs of this lock do not see every violation",
            Unobservable::TwoRuns => "the difference shows in two executions only",
            Unobservable::Nondeterminism => "the execution depends on values that change meanwhile",
            Unobservable::Specification => "specifications are not executed",
            Unobservable::NoRun => "the finding is proved; there is no execution to repeat",
            Unobservable::NoObserver => "no observer sees a violation of this rule",
        })
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Obstacle::NoCompiler => "no compiler that can do this",
            Obstacle::DoesNotCompile => "it does not compile",
            Obstacle::StartState => "the start state cannot be built",
            Obstacle::TimeLimit => "time limit",
            Obstacle::MemoryLimit => "memory limit",
            Obstacle::ProcessLimit => "too many processes",
            Obstacle::OutputLimit => "too much output",
            Obstacle::EndedElsewhere => "it ended outside of the code under analysis",
            Obstacle::System => "system error",
        })
    }
}

/// `not observable by execution (no leak detector reports every leak)`.
impl fmt::Display for Execution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Execution::Confirmed { by, seen } => write!(f, "confirmed by execution ({by}: {seen})"),
            Execution::Refuted { reason, seen: None } => {
                write!(f, "refuted by execution ({reason})")
            }
            Execution::Refuted { reason, seen: Some(seen) } => {
                write!(f, "refuted by execution ({reason}: {seen})")
            }
            Execution::NotObservable { reason } => {
                write!(f, "not observable by execution ({reason})")
            }
            Execution::CouldNotRun { reason, detail: None } => {
                write!(f, "could not be executed ({reason})")
            }
            Execution::CouldNotRun { reason, detail: Some(detail) } => {
                write!(f, "could not be executed ({reason}: {detail})")
            }
        }
    }
}

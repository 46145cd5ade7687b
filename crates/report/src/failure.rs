//! Kinds of failures: what goes wrong at the end of the execution that a finding shows.
//!
//! The rule of a finding says under which name it is selected and suppressed; several kinds share a rule
//! (`contract`), and rules of property files share a kind. Programs decide by the kind, never by the message. The
//! sentence for a failure of which the front end has said nothing is made here.

use serde::{Deserialize, Serialize};

/// The kind of a failure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// An assertion of the program is false.
    Assertion,
    /// A null pointer or reference is dereferenced.
    NullDereference,
    /// An index or offset is outside its array or object.
    OutOfBounds,
    /// Memory is used after it was freed.
    UseAfterFree,
    /// Memory is freed twice.
    DoubleFree,
    /// A pointer is freed that no allocation returned.
    InvalidFree,
    /// A divisor is zero.
    DivisionByZero,
    /// A signed result is out of range.
    Overflow,
    /// A shift amount is out of range.
    Shift,
    /// A value is read that was never set.
    Uninitialized,
    /// A precondition of a callee is false, or no input satisfies the preconditions of the procedure.
    Precondition,
    /// A postcondition is false.
    Postcondition,
    /// An invariant of a class or module is false.
    Invariant,
    /// A loop invariant is false.
    LoopInvariant,
    /// A measure does not decrease.
    Progress,
    /// A location is changed that the contract does not allow to change.
    Assignable,
    /// An exception is thrown that the contract does not allow.
    Exception,
    /// An execution never ends.
    Nontermination,
    /// No execution reaches a place.
    Unreachable,
    /// An operation meets an object in a state that does not allow it: a lock that is held is acquired.
    ObjectState,
    /// Executions that look the same to the caller leave an object in different states.
    StateImbalance,
    /// Nothing refers to allocated memory any more.
    MemoryLeak,
}

impl FailureKind {
    /// All kinds.
    pub const ALL: [FailureKind; 22] = [
        FailureKind::Assertion,
        FailureKind::NullDereference,
        FailureKind::OutOfBounds,
        FailureKind::UseAfterFree,
        FailureKind::DoubleFree,
        FailureKind::InvalidFree,
        FailureKind::DivisionByZero,
        FailureKind::Overflow,
        FailureKind::Shift,
        FailureKind::Uninitialized,
        FailureKind::Precondition,
        FailureKind::Postcondition,
        FailureKind::Invariant,
        FailureKind::LoopInvariant,
        FailureKind::Progress,
        FailureKind::Assignable,
        FailureKind::Exception,
        FailureKind::Nontermination,
        FailureKind::Unreachable,
        FailureKind::ObjectState,
        FailureKind::StateImbalance,
        FailureKind::MemoryLeak,
    ];

    /// The kind with this name, as JSON has it.
    pub fn named(name: &str) -> Option<FailureKind> {
        FailureKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The name in JSON and SARIF.
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Assertion => "assertion",
            FailureKind::NullDereference => "null-dereference",
            FailureKind::OutOfBounds => "out-of-bounds",
            FailureKind::UseAfterFree => "use-after-free",
            FailureKind::DoubleFree => "double-free",
            FailureKind::InvalidFree => "invalid-free",
            FailureKind::DivisionByZero => "division-by-zero",
            FailureKind::Overflow => "overflow",
            FailureKind::Shift => "shift",
            FailureKind::Uninitialized => "uninitialized",
            FailureKind::Precondition => "precondition",
            FailureKind::Postcondition => "postcondition",
            FailureKind::Invariant => "invariant",
            FailureKind::LoopInvariant => "loop-invariant",
            FailureKind::Progress => "progress",
            FailureKind::Assignable => "assignable",
            FailureKind::Exception => "exception",
            FailureKind::Nontermination => "nontermination",
            FailureKind::Unreachable => "unreachable",
            FailureKind::ObjectState => "object-state",
            FailureKind::StateImbalance => "state-imbalance",
            FailureKind::MemoryLeak => "memory-leak",
        }
    }

    /// The operation that fails: "the … always fails".
    pub fn noun(self) -> &'static str {
        match self {
            FailureKind::Assertion => "assertion",
            FailureKind::NullDereference => "dereference",
            FailureKind::OutOfBounds | FailureKind::UseAfterFree => "access",
            FailureKind::DoubleFree | FailureKind::InvalidFree => "deallocation",
            FailureKind::DivisionByZero => "division",
            FailureKind::Overflow | FailureKind::ObjectState => "operation",
            FailureKind::Shift => "shift",
            FailureKind::Uninitialized => "read",
            FailureKind::Precondition => "call",
            FailureKind::Postcondition => "postcondition",
            FailureKind::Invariant => "invariant",
            FailureKind::LoopInvariant => "loop invariant",
            FailureKind::Progress => "measure",
            FailureKind::Nontermination => "loop",
            FailureKind::Assignable => "assignment",
            FailureKind::Exception => "exit",
            FailureKind::Unreachable => "statement",
            FailureKind::StateImbalance => "return",
            FailureKind::MemoryLeak => "allocation",
        }
    }

    /// The sentence for a failure of which the front end has said nothing.
    pub fn sentence(self) -> &'static str {
        match self {
            FailureKind::Assertion => "the assertion does not hold",
            FailureKind::NullDereference => "a null pointer is dereferenced",
            FailureKind::OutOfBounds => "the index is out of bounds",
            FailureKind::UseAfterFree => "memory is used that was freed",
            FailureKind::DoubleFree => "memory is freed that was already freed",
            FailureKind::InvalidFree => "a pointer is freed that no allocation returned",
            FailureKind::DivisionByZero => "the divisor is zero",
            FailureKind::Overflow => "the result is out of range",
            FailureKind::Shift => "the shift amount is out of range",
            FailureKind::Uninitialized => "an uninitialized value is read",
            FailureKind::Precondition => "the precondition of the callee does not hold",
            FailureKind::Postcondition => "the postcondition does not hold",
            FailureKind::Invariant => "the invariant does not hold",
            FailureKind::LoopInvariant => "the loop invariant does not hold",
            FailureKind::Progress => "the measure does not decrease",
            FailureKind::Assignable => "the contract does not allow this assignment",
            FailureKind::Exception => "the contract does not allow this exception",
            FailureKind::Nontermination => "the execution never ends",
            FailureKind::Unreachable => "no execution gets here",
            FailureKind::ObjectState => "the state of the object does not allow this operation",
            FailureKind::StateImbalance => "the state of the object at return is inconsistent",
            FailureKind::MemoryLeak => "allocated memory is lost",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FailureKind;

    #[test]
    fn names_are_those_of_the_serialized_form() {
        for kind in FailureKind::ALL {
            let json = serde_json::to_value(kind).expect("a kind is a string");
            assert_eq!(json, kind.name());
            assert_eq!(FailureKind::named(kind.name()), Some(kind));
        }
        assert_eq!(FailureKind::named("no-such-kind"), None);
    }
}

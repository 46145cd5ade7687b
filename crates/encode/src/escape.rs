//! Ways out of the scope: why an evaluation stops following an execution.

use std::fmt;

use ir::Type;

/// Why this evaluation does not follow an execution further, though the program continues.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Escape {
    /// The program or a pass cut it.
    Cut(ir::CutReason),
    /// An integer needs more bits than the scope allows.
    Integer,
    /// A sequence is longer than the scope allows.
    Sequence,
    /// An array is used at an index beyond the elements that the scope lists.
    Column,
    /// More atoms are allocated than the scope allows.
    Atoms,
    /// Maps over keys that cannot be listed are used where a list is needed.
    UnboundedMaps,
    /// A quantifier ranges over values that can be neither listed nor spoken of one by one.
    UnboundedQuantifier,
    /// A value of this type has no representation here.
    Type(Type),
    /// A byte is read that was never written.
    Undefined,
    /// A value is read that lies across another in memory.
    Torn,
    /// An operation has no meaning for this evaluation.
    Operation(&'static str),
    /// The formula has more gates than the scope allows.
    Size,
    /// Functions are defined by each other without end, or deeper than is followed.
    Recursion,
}

impl Escape {
    /// Whether loops and calls are followed no further, though they could be.
    pub fn is_bound(&self) -> bool {
        match self {
            Escape::Cut(ir::CutReason::Unrolling(_) | ir::CutReason::Inlining(_)) => true,
            Escape::Cut(ir::CutReason::Unsupported(_))
            | Escape::Integer
            | Escape::Sequence
            | Escape::Column
            | Escape::Atoms
            | Escape::UnboundedMaps
            | Escape::UnboundedQuantifier
            | Escape::Type(_)
            | Escape::Undefined
            | Escape::Torn
            | Escape::Operation(_)
            | Escape::Size
            | Escape::Recursion => false,
        }
    }
}

impl fmt::Display for Escape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Escape::Cut(ir::CutReason::Unrolling(times)) => {
                write!(f, "a loop runs more than {times} times")
            }
            Escape::Cut(ir::CutReason::Inlining(depth)) => {
                write!(f, "calls are nested more than {depth} deep")
            }
            Escape::Cut(ir::CutReason::Unsupported(what)) => write!(f, "unsupported: {what}"),
            Escape::Integer => f.write_str("an integer leaves the width of the scope"),
            Escape::Sequence => f.write_str("a sequence outgrows the scope"),
            Escape::Column => f.write_str("an array is longer than the scope allows"),
            Escape::Atoms => f.write_str("more is allocated than the scope allows"),
            Escape::UnboundedMaps => f.write_str("maps over unbounded keys are used as relations"),
            Escape::UnboundedQuantifier => {
                f.write_str("a quantifier ranges over unboundedly many values")
            }
            Escape::Type(ty) => write!(f, "values of type {ty:?} cannot be represented"),
            Escape::Undefined => f.write_str("memory is read that was never written"),
            Escape::Torn => f.write_str("values in memory overlap"),
            Escape::Operation(what) => write!(f, "{what} cannot be represented"),
            Escape::Size => f.write_str("the formula has too many gates"),
            Escape::Recursion => f.write_str("definitions of functions are nested too deeply"),
        }
    }
}

//! Notes: what a pass did not do as asked, or did at a price, so that verdicts can say so.

use std::fmt;

use ir::{PointId, ProcedureId, Span};

/// Something a verdict has to mention.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Limitation {
    /// A nest of loops was unrolled less often than asked, as it would have become too large.
    UnrolledLess {
        /// The label of the outermost header.
        label: String,
        /// Where the header is.
        span: Span,
        /// How often it was to be unrolled.
        asked: u32,
        /// How often it was.
        done: u32,
    },
    /// The first iteration of a nest of loops is merged with the others, or the nest is cut, because it would
    /// have become too large.
    ForgottenMore {
        /// The label of the outermost header.
        label: String,
        /// Where the header is.
        span: Span,
        /// Whether what leads into the loop is cut.
        cut: bool,
    },
    /// A loop with several entries was cut at all but one, as too much would have been copied.
    EntriesCut {
        /// The label of the block that remained its entry.
        label: String,
        /// Where that block is.
        span: Span,
    },
    /// A call was not inlined.
    NotFollowed {
        /// Who was called.
        callee: ProcedureId,
        /// Where the call is.
        span: Span,
        /// The point of the call.
        point: PointId,
        /// What replaces it.
        instead: Replacement,
    },
}

/// What replaces a call that is not inlined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Replacement {
    /// Its contract.
    Contract,
    /// Its stub.
    Stub,
    /// Anything at all, within what its body can change.
    Anything,
    /// A cut.
    Cut,
}

impl fmt::Display for Limitation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limitation::UnrolledLess { label, asked, done, .. } => {
                write!(f, "the loop at {label} was unrolled {done} times instead of {asked}")
            }
            Limitation::ForgottenMore { label, cut: false, .. } => {
                write!(f, "the first iteration of the loop at {label} was not separated")
            }
            Limitation::ForgottenMore { label, cut: true, .. } => {
                write!(f, "the loop at {label} was not followed")
            }
            Limitation::EntriesCut { label, .. } => {
                write!(f, "the loop at {label} was followed only through one of its entries")
            }
            Limitation::NotFollowed { instead, .. } => f.write_str(match instead {
                Replacement::Contract => "the call was replaced by the callee's contract",
                Replacement::Stub => "the call was replaced by what the callee is known to do",
                Replacement::Anything => "the call may do anything that the callee can change",
                Replacement::Cut => "the call was not followed",
            }),
        }
    }
}

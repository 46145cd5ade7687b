//! The judge: an execution of the program as written confirms or rejects each proposed finding.
//!
//! A [`Proposal`] is a claim about an execution and a [`Witness`]: inputs, and the effects of unknown functions.
//! The interpreter runs the linked program from it, with real loops, callees' bodies and library models. Values
//! that the witness leaves open are completed on demand, deterministically, and a few alternatives are tried
//! (`search.rs`, `oracle.rs`), at last those with which executions compare them (`course.rs`). Monitors track the
//! states of locks, streams and heap blocks beside the execution, per object (`observe.rs`). A finding is a
//! violation that a monitor sees; a proposal that no execution shows is not confirmed. The execution of a claim
//! about one operation is recorded, so that it can be replayed on a machine (`record.rs`).
//!
//! This crate knows no formula, no summary and no rule beyond those that property files declare. Start reading at
//! `search.rs`.

mod assumption;
mod course;
mod limits;
mod observation;
mod observe;
mod oracle;
mod pair;
mod record;
mod search;
mod witness;

pub use assumption::{AssumedResult, Assumption};
pub use observation::{Observation, Touched, observe};
pub use observe::{Observed, Sight};
pub use oracle::{BEFORE, Choice, ObservedCall, ROOM};
pub use record::{Answered, Record};
pub use search::{Confirmed, Judged, LinkedProgram, confirm, judge, next};
pub use witness::{Claim, Proposal, Scalar, TrackedObject, Witness, WitnessCall};

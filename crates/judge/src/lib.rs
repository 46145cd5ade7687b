//! The judge: whatever proposes a finding, a run of the program as written decides about it.
//!
//! A [`Proposal`] is a claim about a run and a [`Witness`]: inputs, and the answers of functions. The
//! interpreter runs the linked program from it, with real loops, callees' bodies and library models.
//! What the witness leaves open is completed on demand, deterministically, and a few alternatives are
//! tried (`search.rs`, `oracle.rs`), at last those that runs compare what is open with (`course.rs`). Observers keep the states of locks, streams and heap blocks
//! beside the run, per object (`observe.rs`). A finding is what an observer sees; a proposal that no run
//! shows is not confirmed. The run of a claim about one operation is recorded, so that it can be made to
//! happen on a machine (`record.rs`).
//!
//! This crate knows no formula, no summary and no rule beyond what property files declare. Start
//! reading at `search.rs`.

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

pub use assumption::{Assumption, Returned};
pub use observation::{Observation, Touched, observe};
pub use observe::{Observed, Sight};
pub use oracle::{BEFORE, Decision, ROOM, Told};
pub use record::{Answered, Record};
pub use search::{Confirmed, Judged, Program, confirm, judge, next};
pub use witness::{Answer, Claim, Proposal, Scalar, Subject, Witness};

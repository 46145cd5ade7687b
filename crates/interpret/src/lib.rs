//! The interpreter of VIR: the judge of every witness.
//!
//! [`run`] executes a procedure from [`Inputs`], asks an [`Oracle`] whatever the program leaves open,
//! and says how the run ended ([`Outcome`]) and what happened on the way ([`Trace`]). What has no
//! value is an error of the run and never becomes a value; what cannot be found out by looking at
//! finitely many cases is an error too. So a run that fails an obligation is a proof that the
//! program can fail it, under the oracle's answers.
//!
//! Every operator has the meaning that `ir::Op` documents ([`apply()`]); the symbolic evaluator gives
//! the same text the same meaning, and shares nothing with this crate but the text. This crate knows
//! no source language, no checker, no formula and no solver; [`host`] alone knows the names of the C library.
//!
//! Start reading at `run.rs`, then `step.rs` (statements), `call.rs` (calls and contracts),
//! `evaluate.rs` (expressions). [`enumerate`] runs a procedure in all ways over small domains.

mod apply;
mod call;
mod cells;
mod complete;
mod display;
mod domain;
mod equal;
mod error;
mod evaluate;
pub mod host;
mod integer;
mod loops;
mod machine;
mod memory;
mod oracle;
mod place;
mod quantify;
mod run;
mod statics;
mod step;
mod trace;
mod value;
mod word;
mod world;

pub use apply::{apply, fold};
pub use display::{Displayed, Names, VirNames};
pub use equal::{canonical, canonical_key, equal};
pub use error::{EvalError, Undefined};
pub use integer::Integer;
pub use memory::{Bytes, NewObject, Objects, Pointer, Time, view_size};
pub use oracle::{
    CallResult, Completion, Decision, DecisionKind, Enumerating, Keyed, MapSource, MemoryRequest,
    OpenValue, Oracle, Recorded, Recording, Scope, Seeded, SiteDecision, SiteDecisions,
    UnknownCall, ValueRequest, enumerate,
};
pub use run::{
    Ending, Execution, FailedAssumption, Failure, Inputs, Obligation, Options, Outcome, Site,
    UncheckedClause, run,
};
pub use trace::{Cause, Event, EventKind, Step, Target, Trace};
pub use value::{Key, MapType, MapValue, Rest, Value};
pub use word::Word;
pub use world::{ConstantWorld, World};

//! The interpreter of VIR: the judge of every witness.
//!
//! [`run`] executes a procedure from [`Inputs`]. An [`Oracle`] decides what the program leaves open. The
//! result is how the execution ended ([`Outcome`]) and what happened ([`Trace`]). An undefined value is an
//! error of the execution and never becomes a value; a value that finitely many cases do not determine is an
//! error too. So an execution that fails an obligation is a proof that the program can fail it, under the
//! oracle's decisions.
//!
//! Every operator has the meaning that `ir::Op` documents ([`apply()`]); the symbolic evaluator implements
//! the same text, and shares nothing with this crate but the text. This crate knows no source language, no
//! checker, no formula and no solver; only [`host`] knows the names of the C library.
//!
//! Start reading at `run.rs`, then `step.rs` (statements), `call.rs` (calls and contracts), `evaluate.rs`
//! (expressions). [`enumerate`] visits all executions of a procedure over small domains.

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
mod limits;
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

pub use apply::apply;
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
    Ending, Execution, FailedAssumption, Failure, Inputs, LastStatement, Obligation, Options,
    Outcome, Site, UncheckedClause, run,
};
pub use trace::{Cause, Event, EventKind, Location, Step, Target, Trace};
pub use value::{Key, MapType, MapValue, Rest, Value};
pub use word::Word;
pub use world::{ConstantWorld, World};

//! Where programs meet logic: a procedure and a scope become a circuit, a model becomes a witness.
//!
//! [`evaluate`] walks a loop-free procedure once and returns an [`Evaluation`]: gates for the guards of all points,
//! all obligations, all exits and all cuts. Only inputs are free (the initial state, havocs, choices); everything
//! else is a function of them. Every query of the five papers is a conjunction of these gates.
//!
//! This crate does not know which checker asks, which language the procedure came from, or which
//! solver answers.

mod apply;
mod cache;
mod claims;
mod columns;
mod context;
mod escape;
mod evaluation;
mod exhibit;
mod expr;
mod floats;
mod guard;
mod heap;
mod influence;
mod integer;
mod lift;
mod limits;
mod maps;
mod memory;
mod others;
mod plain;
mod quantify;
mod query_session;
mod relations;
mod replay;
mod scope;
mod sequences;
mod state;
mod statics;
mod sym;
mod symmetry;
mod walk;
mod words;

pub use circuit::{Bits as BitVector, Gate as Condition};
pub use columns::{Arrays, arrays};
pub use escape::Escape;
pub use evaluation::{
    Attempt, Comparison, Cut, Edge, Evaluation, Masked, Obligation, ObligationGroup, Point, Side,
    Unusual,
};
pub use heap::{
    Compared, Content, Feasible, Heaps, Held, Mentioned, Part, atoms, compared, ignores_garbage,
    leads_back,
};
pub use influence::{ConditionSet, Dependents};
pub use lift::{Witness, WitnessDecision, lift};
pub use others::{Others, others};
pub use query_session::{Query, QueryAnswer, QuerySession};
pub use replay::{by_place, replay, run_on};
pub use sat::{
    Error as SolverError, Limits as QueryLimits, Options as SolverOptions, Reason as SolverReason,
};
pub use scope::{Direction, Environment, Scope};
pub use walk::evaluate;
pub use words::{WordResult, word_operator};

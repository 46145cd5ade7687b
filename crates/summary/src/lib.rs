//! Function summaries: the effects of a procedure on typestates and memory, inferred bottom-up (Xie & Aiken 2007, §4
//! to §7).
//!
//! [`analyse`] takes a procedure, the selected properties and the summaries of its callees, and returns the summary
//! of the procedure and candidates for findings. Properties are data ([`property::Property`], read from TOML): this
//! crate knows no lock or allocator by name, and no source language. The evaluator computes guards, terms and guarded
//! location sets for the loop-free body; the solver is queried only about guards that compare words.
//!
//! This crate knows no files, no output formats and no checkers of obligations. Start reading at `analyse.rs`, then
//! `walk.rs` and `call.rs` (application), `infer.rs` (inference) and `propose.rs` (the rules). `judge` decides about
//! the candidates.

mod access;
mod analyse;
mod apply;
mod cache;
mod call;
mod describe;
mod evaluate;
mod fact;
mod infer;
mod leak;
mod lift;
mod limits;
mod locate;
mod must;
mod name;
mod path;
mod program;
mod propose;
mod rules;
mod share;
mod solve;
mod space;
mod state;
mod stateful;
mod statistics;
mod stub;
mod summary;
mod term;
mod trace;
mod transition;
mod unmodelled;
mod value;
mod walk;
mod wording;

pub use analyse::{Analysed, Budget, Effort, analyse};
pub use cache::Digest;
pub use describe::{brief, describe, describe_facts};
pub use fact::{Basis, Effect, Fact, declared_facts};
pub use path::{Path, Root};
pub use program::{ProcedureResult, Summaries, Unit, analyse_program};
pub use propose::Finding;
pub use rules::{Manual, RULES};
pub use statistics::Statistics;
pub use stub::{StubBody, build_stub};
pub use summary::{
    Allocation, Cell, Comparison, Condition, Logic, Machine, Pointed, Returned, Shared, Summary,
    Transition, Word,
};
pub use walk::{Callees, GaveUp};
pub use wording::Wording;

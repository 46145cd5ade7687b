//! Function summaries: what a procedure does to objects with states and to memory, inferred bottom-up
//! (Xie & Aiken 2007, §4 to §7).
//!
//! [`analyse`] takes a procedure, the properties that are asked about and the summaries of its callees,
//! and gives its own summary and what is wrong with it. Properties are data ([`property::Property`], read from
//! TOML): nothing here knows a lock or an allocator by name, nor a source language. A walk over the body
//! without loops keeps guards, terms and guarded location sets; a solver is asked only where comparisons
//! of words have to be looked into.
//!
//! This crate knows no files, no output formats and no checkers of obligations. Start reading at
//! `analyse.rs`, then `walk.rs` and `call.rs` (application), `infer.rs` (inference) and `propose.rs`
//! (the rules). What the rules propose is decided by `judge`, not here.

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

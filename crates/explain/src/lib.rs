//! Explanation: an execution that the interpreter has replayed becomes a trace with values, branches and
//! places, in the syntax of the source.
//!
//! [`Writer`] takes a [`Replay`] and a [`Presentation`] of its state: as VIR has it, as objects with
//! fields, or as memory with names. All rules and languages use it. [`setup()`] describes the same execution
//! byte by byte, for executing the program itself.
//!
//! This crate knows programs and executions. It does not know formulas, checkers, summaries, source languages or
//! output formats. Start reading at `writer.rs`; `steps.rs` and `blocks.rs` are for byte memory, `objects.rs` for
//! heaps of objects. `slice.rs` and `elide.rs` decide what is shown of a long execution, `gap.rs` what is said
//! of the rest.

mod atoms;
mod blocks;
mod elide;
mod entry;
mod gap;
mod graph;
mod lifetime;
mod limits;
mod literal;
mod objects;
mod setup;
mod slice;
mod steps;
mod writer;

pub use objects::{Objects, Presentation};
pub use setup::{Given, Recorded, Reply, setup, setup_of_replay};
pub use writer::{Remark, Replay, Writer, is_nowhere};

//! The outside of a C program that is interpreted: what `printf` and its like write, the exit status, the
//! arguments of `main`.
//!
//! A [`Host`] is an oracle: it executes calls of functions that the program only declares as the C library of
//! the machine would, and nothing else. A closed program executes to its end, and an open one ends at the
//! first request that only its environment could satisfy. [`start`] creates the inputs of such an execution.
//!
//! This module knows no compiler, no bitcode, no file and no process: what is written is kept as bytes.
//! Start reading at `oracle.rs`; `format.rs` is `printf`.

mod format;
mod oracle;
mod start;
mod view;

pub use oracle::{Host, exit_status};
pub use start::start;

//! Findings in C, replayed on the machine.
//!
//! [`program`] writes a C program that includes the source, builds the memory of findings byte by byte, checks that
//! it is the witness's own, has stubs for callees that the source does not have and for all that has effects outside,
//! and calls the function. [`Compiler`] compiles it with AddressSanitizer and UBSan and runs it in a
//! [`Sandbox`](crate::sandbox::Sandbox), and [`judge`] says whether what they report is what the finding says.
//!
//! This module starts processes and touches the disk. It knows reports and no more: neither VIR nor how
//! findings come to be.

mod events;
mod fault;
mod judge;
mod locks;
mod program;
mod run;
mod stubs;

pub use judge::judge;
pub use locks::{Effect, Outcome, Transition};
pub use program::{Case, Program, program, without_run};
pub use run::{Compiler, Run};

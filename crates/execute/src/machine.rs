//! Findings in C, replayed on the machine.
//!
//! [`program`] writes a C program that includes the source, builds the memory of findings byte by byte, checks that
//! it is the witness's own, has stubs for callees without a body and for functions with effects outside the
//! program, and calls the function. [`Compiler`] compiles it with AddressSanitizer and UBSan and runs it in a
//! [`Sandbox`](crate::sandbox::Sandbox), and [`judge`] compares their reports with the finding.
//!
//! This module starts processes and touches the disk. It knows only reports: neither VIR nor the analysis.

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

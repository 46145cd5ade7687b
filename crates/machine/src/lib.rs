//! Findings in C, replayed on the machine.
//!
//! [`program`] writes a C program that includes the source, builds the memory of findings byte by byte,
//! stands in for callees that the source does not have, and calls the function. [`Compiler`] compiles it
//! with AddressSanitizer and UBSan and runs it, and [`judge`] says whether what they report is what is
//! charged.
//!
//! This crate starts processes and touches the disk. It knows reports and no more: neither VIR nor how
//! findings come to be.

mod judge;
mod program;
mod run;
mod stubs;

pub use judge::{Answer, judge};
pub use program::{Case, Program, obstacle, program};
pub use run::{Compiler, Ended, Trouble};

//! Findings in Java, replayed on the Java virtual machine.
//!
//! [`program`] writes a Java program that builds the heap of a finding by reflection, calls the method, and prints
//! whether the failure happens: the exception on its line, or the heap and result for which the interpreter has
//! shown that the contract does not hold. [`Jvm`] compiles it together with the source and runs it in a
//! [`Sandbox`](crate::sandbox::Sandbox).
//!
//! This module starts processes and touches the disk. It knows only reports: neither VIR nor the analysis.

mod program;
mod run;

pub use program::{Flavour, Program, annotations, inputs, program};
pub use run::Jvm;

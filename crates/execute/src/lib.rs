//! The second judge: a finding is compiled and executed.
//!
//! [`jvm`] does so for findings in Java, [`machine`] for findings in C; both run what they compile in a [`sandbox`],
//! which knows neither of them.
//!
//! This crate starts processes and touches the disk. It knows only reports: neither VIR nor the analysis. Start
//! reading at `jvm/program.rs` or `machine/program.rs`, which write the program that shows a finding.

pub mod jvm;
mod limits;
pub mod machine;
pub mod sandbox;
mod trouble;

pub use trouble::Trouble;

//! Properties as data: which states objects pass through, which functions move them, and which functions
//! allocate and release memory (Xie & Aiken 2007, §5.2 and §6.5).
//!
//! A property is read from TOML ([`read_properties`]); those of Linux and POSIX are shipped ([`shipped()`]).
//! [`Index`] finds the declarations about a function by its name. Nothing here knows what a program is:
//! `summary` infers from these declarations, `judge` monitors executions by them.

mod data;
mod read;
mod shipped;

pub use data::{
    Allocator, Consumer, FunctionDeclaration, Index, NextState, Operation, OperationTarget,
    Properties, Property, Release, ResultTest, RuleDeclaration, StateTransition,
};
pub use read::{PropertyError, read_properties};
pub use shipped::{SHIPPED, shipped};

//! From a build of C to bitcode: how files are compiled, and clang, which compiles them once more for us.
//!
//! A [`Command`] describes how the user's build compiles one file. Commands come from a
//! `compile_commands.json` ([`database`]), from a captured build ([`capture`]), or from the user's flags. A
//! [`Compiler`] turns a command into bitcode: it drops flags that only affect code generation, drops flags
//! that clang reports as unknown, and stores the result in a [`Cache`] keyed by the content of the inputs.
//!
//! This crate starts processes and touches the disk; it knows nothing of what bitcode is, nor of what is
//! done with it.

mod cache;
pub mod capture;
mod command;
mod compiler;
pub mod database;
mod inputs;
mod limits;
mod response;

pub use cache::Cache;
pub use command::{Command, Flags, is_source};
pub use compiler::{Bitcode, ClangDiagnostic, Compiler, Error, MINIMUM};
